// The parts of attention's decomposition.
#include "attention/_scores.h"

#include <limits>

#include "calx/base/format.h"

namespace calx::ops::attention_parts {
namespace {

using Axes = std::vector<std::int64_t>;

Tensor dot(const Tensor& lhs, const Tensor& rhs, Axes lhs_contract, Axes rhs_contract) {
  static const OpDef& op = get_op("dot_general");
  return apply_one(op, {lhs, rhs},
                   {{"lhs_batch", Axes{0, 1}},
                    {"rhs_batch", Axes{0, 1}},
                    {"lhs_contract", std::move(lhs_contract)},
                    {"rhs_contract", std::move(rhs_contract)}});
}

Tensor any_over(const Tensor& x, Axes axes) {
  static const OpDef& op = get_op("reduce_or");
  return apply_one(op, {x}, {{"axes", std::move(axes)}});
}

/// x where the row is used, 0 elsewhere; `used` has x's shape without the last axis.
Tensor clear_unused(const Tensor& x, const Tensor& used) {
  Axes dims;
  for (std::int64_t axis = 0; axis + 1 < x.rank(); ++axis) dims.push_back(axis);
  return core::select(core::expand(used, x.shape(), dims), x, core::zeros(x.type()));
}

}  // namespace

Tensor spread_over_scores(const Call& c, const Tensor& x, std::string_view name, const Heads& heads) {
  const Shape all = heads.scores();
  const Shape plain = {all[0], all[1] * all[2], all[3], all[4]};
  const auto fail = [&](ErrorId id) {
    c.fail(id,
           format("`{}` {} does not broadcast to [batch, heads, queries, keys] {}", name,
                  x.type().to_string(), plain.to_string()),
           name == "mask" ? "a mask [batch, keys] needs mask_is_key_padding" : "");
  };
  if (x.rank() > 4) fail(ErrorId::rank);
  std::vector<Dim> kept;
  Axes dims;
  for (int axis = 4 - x.rank(); axis < 4; ++axis) {
    const Dim& size = x.shape()[axis - (4 - x.rank())];
    if (size == Dim(1) && plain[axis] != Dim(1)) continue;
    if (const Proof equal = proven_equal(size, plain[axis]); equal != Proof::yes) {
      fail(equal == Proof::no ? ErrorId::shape_mismatch : ErrorId::dim_unknown);
    }
    if (axis == 1) {
      kept.push_back(all[1]);
      kept.push_back(all[2]);
      dims.push_back(1);
      dims.push_back(2);
    } else {
      kept.push_back(plain[axis]);
      dims.push_back(axis == 0 ? 0 : axis + 1);
    }
  }
  return core::expand(core::reshape(x, Shape(std::move(kept))), all, dims);
}

Tensor both(const Tensor& a, const Tensor& b) {
  if (!a.defined()) return b;
  if (!b.defined()) return a;
  return core::mul(a, b);
}

Tensor band(const Dim& num_queries, const Dim& num_keys, std::optional<std::int64_t> left,
            std::optional<std::int64_t> right, const Dim& offset) {
  if (!left && !right) return {};
  const Shape shape = {num_queries, num_keys};
  const Tensor shift = core::expand(core::size(offset, i32), shape, {});
  const Tensor distance = core::sub(core::sub(core::iota(shape, 1), core::iota(shape, 0)), shift);
  const auto limit = [&](std::int64_t value) {
    return core::full(distance.type(),
                      static_cast<double>(std::min<std::int64_t>(value, std::int64_t{1} << 30)));
  };
  Tensor keep;
  if (left) keep = core::compare(core::neg(distance), limit(*left), Comparison::le);
  if (right) keep = both(keep, core::compare(distance, limit(*right), Comparison::le));
  return keep;
}

Heads without_unused_rows(const Heads& heads, const Tensor& keep) {
  if (!keep.defined()) return heads;
  const Tensor used_keys = any_over(keep, {2, 3});
  return {clear_unused(heads.query, any_over(keep, {4})), clear_unused(heads.key, used_keys),
          clear_unused(heads.value, used_keys)};
}

Tensor score(const Heads& heads, bool elementwise) {
  if (!elementwise) return dot(heads.query, heads.key, {4}, {3});
  std::vector<Dim> sizes = heads.scores().dims();
  sizes.push_back(heads.key.shape()[3]);
  const Shape shape(std::move(sizes));
  const Tensor products = core::mul(core::expand(heads.query, shape, {0, 1, 2, 3, 5}),
                                    core::expand(heads.key, shape, {0, 1, 4, 5}));
  return core::reduce_sum(products, {5});
}

Tensor mix(const Tensor& weights, const Heads& heads, const Tensor& keep, bool elementwise) {
  if (!elementwise) return dot(weights, heads.value, {4}, {2});
  std::vector<Dim> sizes = heads.scores().dims();
  sizes.push_back(heads.value.shape()[3]);
  const Shape shape(std::move(sizes));
  Tensor products = core::mul(core::expand(weights, shape, {0, 1, 2, 3, 4}),
                              core::expand(heads.value, shape, {0, 1, 4, 5}));
  if (keep.defined())
    products =
        core::select(core::expand(keep, shape, {0, 1, 2, 3, 4}), products, core::zeros(products.type()));
  return core::reduce_sum(products, {4});
}

}  // namespace calx::ops::attention_parts
