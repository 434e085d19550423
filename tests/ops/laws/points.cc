#include "points.h"

#include <cmath>
#include <limits>

#include "calx/core/attributes.h"
#include "calx/loopir/lowered.h"

namespace calx::laws {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kMax = std::numeric_limits<double>::max();

using Ints = std::vector<std::int64_t>;

Array row(const std::vector<double>& values) {
  return Array::from<double>({static_cast<std::int64_t>(values.size())}, values);
}
Array matrix(std::int64_t columns, const std::vector<double>& values) {
  return Array::from<double>({static_cast<std::int64_t>(values.size()) / columns, columns}, values);
}
Array indices(const std::vector<std::int32_t>& values) {
  return Array::from<std::int32_t>({static_cast<std::int64_t>(values.size())}, values);
}

/// x and y, directions dx and dy, tangent.
struct Binary {
  double x, y, dx, dy, tangent;
};

void add_binary(std::vector<ExactPoint>& points, std::string_view op, const std::vector<Binary>& rows) {
  std::vector<double> x, y, dx, dy, tangent;
  for (const Binary& r : rows) {
    x.push_back(r.x);
    y.push_back(r.y);
    dx.push_back(r.dx);
    dy.push_back(r.dy);
    tangent.push_back(r.tangent);
  }
  points.push_back(
      {.op = op, .operands = {row(x), row(y)}, .directions = {row(dx), row(dy)}, .tangent = row(tangent)});
  for (const Binary& r : rows) {
    points.push_back({.op = op,
                      .operands = {Array::scalar(r.x), Array::scalar(r.y)},
                      .directions = {Array::scalar(r.dx), Array::scalar(r.dy)},
                      .tangent = Array::scalar(r.tangent)});
  }
}

/// x, direction, tangent.
struct Unary {
  double x, dx, tangent;
};

void add_unary(std::vector<ExactPoint>& points, std::string_view op, const std::vector<Unary>& rows) {
  std::vector<double> x, dx, tangent;
  for (const Unary& r : rows) {
    x.push_back(r.x);
    dx.push_back(r.dx);
    tangent.push_back(r.tangent);
  }
  points.push_back({.op = op, .operands = {row(x)}, .directions = {row(dx)}, .tangent = row(tangent)});
  for (const Unary& r : rows) {
    points.push_back({.op = op,
                      .operands = {Array::scalar(r.x)},
                      .directions = {Array::scalar(r.dx)},
                      .tangent = Array::scalar(r.tangent)});
  }
}

std::vector<double> negated(std::vector<double> values) {
  for (double& value : values) value = -value;
  return values;
}

/// Of the op that takes the largest, and of its mirror image. One number stands for a result of rank 0.
void add_choice(std::vector<ExactPoint>& points, std::string_view max_op, std::string_view min_op,
                const Attrs& attrs, const std::vector<double>& x, const std::vector<double>& dx,
                const std::vector<double>& tangent, std::int64_t columns = 0) {
  for (const bool is_max : {true, false}) {
    const std::vector<double> values = is_max ? x : negated(x);
    points.push_back({.op = is_max ? max_op : min_op,
                      .attrs = attrs,
                      .operands = {columns > 0 ? matrix(columns, values) : row(values)},
                      .directions = {columns > 0 ? matrix(columns, dx) : row(dx)},
                      .tangent = tangent.size() == 1 ? Array::scalar(tangent[0]) : row(tangent)});
  }
}

void add_scatter(std::vector<ExactPoint>& points, loopir::IndexMode mode, const std::vector<double>& operand,
                 const std::vector<std::int32_t>& at, const std::vector<double>& updates,
                 const std::vector<double>& operand_t, const std::vector<double>& updates_t,
                 const std::vector<double>& tangent) {
  Attrs attrs;
  attrs.set_value("inserted_window_dims", Ints{0})
      .set_value("scatter_dims_to_operand_dims", Ints{0})
      .set_value("index_vector_dim", std::int64_t{1});
  attrs.set_value("mode", static_cast<std::int64_t>(mode));
  for (const bool is_max : {true, false}) {
    points.push_back({.op = is_max ? "scatter_max" : "scatter_min",
                      .attrs = attrs,
                      .operands = {row(is_max ? operand : negated(operand)), indices(at),
                                   row(is_max ? updates : negated(updates))},
                      .directions = {row(operand_t), row(updates_t)},
                      .tangent = row(tangent)});
  }
}

std::vector<ExactPoint> make_points() {
  std::vector<ExactPoint> points;

  add_unary(
      points, "sqrt",
      {{0, 1, kInf}, {-0.0, 1, -kInf}, {0, 0, 0}, {-0.0, 0, 0}, {4, 1, 0.25}, {-1, 1, kNaN}, {-1, 0, 0}});

  // b * a^(b-1) da + a^b * log(a) db.
  add_binary(points, "pow",
             {{0, 0, 1, 0, 0},
              {0, 0, 0, 1, 0},
              {-0.0, 0, 1, 1, 0},
              {0, -0.0, 1, 1, 0},
              {0, 1, 3, 0, 3},
              {0, 1, 0, 3, 0},
              {0, 2, 1, 1, 0},
              {0, 0.5, 1, 0, kInf},
              {0, 0.5, 0, 1, 0},
              {0, -1, 1, 0, -kInf},
              {0, -1, 0, 1, -kInf},
              {-2, 3, 1, 0, 12},
              {-2, 3, 0, 1, kNaN},
              {-2, 0, 0, 1, kNaN},
              {kInf, 0, 1, 0, 0},
              {2, 0, 5, 1, std::log(2.0)},
              {3, -2, 1, 1, -2.0 / 27 + std::log(3.0) / 9}});

  // (x dy - y dx) / (x^2 + y^2), where operands are y, x; no square overflows or vanishes.
  const double at_limit = 1e308 / kMax;
  add_binary(points, "atan2",
             {{0, 0, 1, 2, 0},
              {0, -0.0, 1, 2, 0},
              {-0.0, 0, 1, 2, 0},
              {0, 2, 1, 5, 0.5},
              {2, 0, 5, 1, -0.5},
              {0.3 * kMax, 0.5 * kMax, 1e308, 0, 0.5 / 0.34 * at_limit},
              {0.3 * kMax, 0.5 * kMax, 0, 1e308, -0.3 / 0.34 * at_limit},
              {0.5 * kMax, 0.3 * kMax, 1e308, 0, 0.3 / 0.34 * at_limit},
              {0.5 * kMax, 0.3 * kMax, 0, 1e308, -0.5 / 0.34 * at_limit},
              {-0.3 * kMax, 0.5 * kMax, 1e308, 0, 0.5 / 0.34 * at_limit},
              {-0.5 * kMax, 0.3 * kMax, 0, 1e308, 0.5 / 0.34 * at_limit},
              {0.3 * kMax, -0.5 * kMax, 1e308, 0, -0.5 / 0.34 * at_limit},
              {1e200, 1e-200, 0, 1e200, -1},
              {-1e200, 1e-200, 0, 1e200, 1},
              {1e-200, 1e200, 1e200, 0, 1},
              {1e-200, -1e200, 1e200, 0, -1},
              {1e-300, 1e-300, 1e-300, 0, 0.5}});

  Attrs reduce;
  reduce.set_value("axes", Ints{-1});
  add_choice(points, "reduce_max", "reduce_min", reduce,
             {1, 3, 3, 2, -0.0, 0, kNaN, 0, 1, 1, 1, 1, kInf, 0, kInf, 1},
             {1, 2, 5, 7, 2, 4, 8, 16, 1, 2, 3, 6, 1, 5, 3, 7}, {3.5, 0, 3, 2}, 4);
  add_choice(points, "reduce_max", "reduce_min", reduce, {-0.0, 0, -1, 2, 2, 2}, {2, 4, 8, 1, 4, 4}, {3, 3},
             3);

  add_choice(points, "reduce_max", "reduce_min", reduce, {1, 3, 3, 2}, {1, 2, 5, 7}, {3.5});
  add_choice(points, "reduce_max", "reduce_min", reduce, {1, kNaN, 3, 2}, {1, 2, 5, 7}, {0});

  // Of ties the lowest index, of NaNs the first; what an exclusive form has before the first has slope 0.
  const std::vector<double> ties = {2, 3, 3, 1, 3};
  const std::vector<double> lowest = {-kInf, -kInf, -kInf, -kInf, -kInf};
  const std::vector<double> nans = {1, kNaN, 5, kNaN, 0};
  const std::vector<double> binary = {1, 2, 4, 8, 16};
  const auto running = [](bool exclusive, bool reverse) {
    Attrs attrs;
    attrs.set_value("exclusive", exclusive).set_value("reverse", reverse);
    return attrs;
  };
  const auto add_running = [&](bool exclusive, bool reverse, const std::vector<double>& x,
                               const std::vector<double>& tangent) {
    add_choice(points, "cummax", "cummin", running(exclusive, reverse), x, binary, tangent);
  };
  add_running(false, false, ties, {1, 2, 2, 2, 2});
  add_running(true, false, ties, {0, 1, 2, 2, 2});
  add_running(false, true, ties, {2, 2, 4, 16, 16});
  add_running(true, true, ties, {2, 4, 16, 16, 0});
  add_running(false, false, lowest, {1, 1, 1, 1, 1});
  add_running(true, false, lowest, {0, 1, 1, 1, 1});
  add_running(false, true, lowest, {1, 2, 4, 8, 16});
  add_running(true, true, lowest, {2, 4, 8, 16, 0});
  add_running(false, false, nans, {1, 2, 2, 2, 2});
  add_running(true, false, nans, {0, 1, 2, 2, 2});
  add_running(false, true, nans, {2, 2, 8, 8, 16});
  add_running(true, true, nans, {2, 8, 8, 16, 0});

  // Exact products, whatever is 0.
  points.push_back({.op = "reduce_prod",
                    .attrs = reduce,
                    .operands = {matrix(3, {2, 0, 3, 0, 0, 3, 2, 3, 4})},
                    .directions = {matrix(3, {1, 10, 100, 1, 10, 100, 1, 10, 100})},
                    .tangent = row({60, 0, 692})});
  points.push_back({.op = "cumprod",
                    .operands = {row({2, 0, 3, 0, 5})},
                    .directions = {row({1, 10, 100, 1000, 1})},
                    .tangent = row({1, 20, 60, 0, 0})});

  // A mean of nothing is NaN and constant.
  Attrs pool;
  pool.set_value("window", std::vector<Dim>{Dim(2)})
      .set_value("padding_low", std::vector<Dim>{Dim(3)})
      .set_value("count_include_pad", false);
  points.push_back({.op = "avg_pool",
                    .attrs = pool,
                    .operands = {row({1, 2})},
                    .directions = {row({2, 4})},
                    .tangent = row({0, 0, 2, 3})});

  // Shared equally among the entries that equal the result, the operand's own among them.
  add_scatter(points, loopir::IndexMode::clip, {1, 5, 2, 3}, {0, 0, 1, 2}, {4, 4, 5, 0}, {1, 2, 4, 8},
              {16, 32, 64, 128}, {24, 33, 4, 8});
  add_scatter(points, loopir::IndexMode::clip, {kNaN, 1, kNaN}, {0, 1, 9}, {2, kNaN, kNaN}, {1, 2, 4},
              {8, 16, 32}, {0, 0, 0});
  for (const std::string_view op : {"scatter_max", "scatter_min"}) {
    Attrs attrs;
    attrs.set_value("index_vector_dim", std::int64_t{0});
    points.push_back({.op = op,
                      .attrs = attrs,
                      .operands = {Array::scalar(2.0), indices({}), Array::scalar(2.0)},
                      .directions = {Array::scalar(1.0), Array::scalar(3.0)},
                      .tangent = Array::scalar(2.0)});
  }
  add_scatter(points, loopir::IndexMode::wrap, {1, 2, 3, 7}, {-1, 4}, {7, 1}, {1, 2, 4, 8}, {16, 32},
              {16.5, 2, 4, 12});
  add_scatter(points, loopir::IndexMode::fill, {1, 2, 3}, {-1, 1, 9}, {1, 2, 3}, {1, 2, 4}, {8, 16, 32},
              {1, 9, 4});
  return points;
}

}  // namespace

const std::vector<ExactPoint>& exact_points() {
  static const std::vector<ExactPoint> points = make_points();
  return points;
}

}  // namespace calx::laws
