#include "norm/_support.h"

#include "calx/base/format.h"

namespace calx::ops::norm_family {

void require_parameter(const Call& call, int i, const Axes& reduced) {
  if (i >= call.size()) return;
  require_rank(call, i, static_cast<int>(reduced.size()));
  for (std::size_t k = 0; k < reduced.size(); ++k) {
    require_equal(call, call.shape(i)[static_cast<int>(k)], call.shape(0)[static_cast<int>(reduced[k])],
                  format("the size of `{}`", call.operand_name(i)), "that of `x` along the normalised axis");
  }
}

Tensor parameter(const Call& call, int i, const Tensor& like, const Axes& reduced) {
  return core::expand(core::convert(call[i], like.dtype()), like.shape(), reduced);
}

Tensor divide_by_root_mean_square(const Tensor& x, const Tensor& scale, double eps, const Axes& reduced) {
  Tensor square = reduction::mean_of(x * x, reduced);
  if (eps > 0) {
    // eps / scale^2, kept in the range where its root has a reciprocal.
    const double smallest =
        x.dtype() == f64 ? std::numeric_limits<double>::min() : double(std::numeric_limits<float>::min());
    const Tensor relative = core::full(scale.type(), eps) / scale / scale;
    square = square + maximum(relative, core::full(scale.type(), smallest));
  }
  return core::strong_mul(x, reduction::spread_back(rsqrt(square), x.shape(), reduced));
}

std::vector<Sample> samples(int parameters) {
  const auto sample = [parameters](Shape shape, Shape parameter, Attrs attrs, int present) {
    Sample result{.operands = {{.shape = std::move(shape)}}, .attrs = std::move(attrs)};
    for (int i = 0; i < std::min(present, parameters); ++i) result.operands.push_back({.shape = parameter});
    return result;
  };
  std::vector<Sample> samples = {sample({5}, {5}, {}, 0), sample({2, 3}, {3}, {}, 1),
                                 sample({3, 3}, {3}, {attr(axes, {0})}, 2),
                                 sample({2, 3, 4}, {3, 4}, {attr(axes, {1, 2}), attr(eps, 0.1)}, 2),
                                 sample({0, 3}, {3}, {}, 2)};
  samples.push_back({.operands = {{.shape = {4}, .dtype = f32}}, .attrs = {attr(accumulation, f64)}});
  return samples;
}

std::vector<Reject> rejects() {
  return {{.operands = {{f32, {2, 3}}, {f32, {2}}}, .id = ErrorId::shape_mismatch, .message = "the size of `scale` (2)"},
          {.operands = {{f32, {2, 3}}, {f32, {2, 3}}}, .id = ErrorId::rank, .message = "`scale`"},
          {.operands = {{f32, {3}}}, .attrs = {attr(axes, {1})}, .id = ErrorId::axis, .message = "`axes` is 1"},
          {.operands = {{f32, {3}}}, .attrs = {attr(axes, {0, -1})}, .id = ErrorId::duplicate_axis, .message = "twice"},
          {.operands = {{f32, {3}}}, .attrs = {attr(eps, -1)}, .id = ErrorId::attribute, .message = "eps"},
          {.operands = {{f32, {3}}},
           .attrs = {attr(accumulation, f16)},
           .id = ErrorId::dtype,
           .message = "`accumulation`"},
          {.operands = {{i32, {3}}}, .id = ErrorId::dtype, .message = "`x`"}};
}

}  // namespace calx::ops::norm_family
