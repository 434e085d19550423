// Transposes and batching of conv_general. Both give conv_generals with feature groups only: a batch group is
// a feature group whose batch part was moved into the channels, and unlike a batch group it keeps its sizes
// when there are 0 groups (a batch of none).
#include "contraction/_convolution.h"

#include <numeric>

namespace calx::ops::convolution {
namespace {

using Axes = std::vector<std::int64_t>;

/// x with axis `axis` of size a*b as two axes of sizes a and b.
Tensor split(const Tensor& x, int axis, const Dim& outer, const Dim& inner) {
  return core::reshape(x, x.shape().with_axis(axis, inner).with_inserted(axis, outer));
}

/// x with axes `axis` and `axis + 1` as one.
Tensor merge(const Tensor& x, int axis) {
  return core::reshape(x,
                       x.shape().without_axis(axis).with_axis(axis, x.shape()[axis] * x.shape()[axis + 1]));
}

/// x with its leading axes in `order`, the others as they are.
Tensor arrange(const Tensor& x, Axes order) {
  for (auto axis = static_cast<std::int64_t>(order.size()); axis < x.rank(); ++axis) order.push_back(axis);
  return core::transpose(x, order);
}

Tensor swap_leading(const Tensor& x) { return arrange(x, {1, 0}); }

/// [g*a, b, ...] -> [g*b, a, ...]
Tensor swap_within_groups(const Tensor& x, const Dim& groups, const Dim& a) {
  if (groups == Dim(1)) return swap_leading(x);
  return merge(arrange(split(x, 0, groups, a), {0, 2, 1}), 0);
}

/// [n, g*a, ...] -> [a, g*n, ...]
Tensor exchange_batch(const Tensor& x, const Dim& groups, const Dim& a) {
  if (groups == Dim(1)) return swap_leading(x);
  return merge(arrange(split(x, 1, groups, a), {2, 1, 0}), 1);
}

/// [g*n, a, ...] -> [n, g*a, ...]
Tensor batch_groups_to_features(const Tensor& x, const Dim& groups, const Dim& n) {
  if (groups == Dim(1)) return x;
  return merge(arrange(split(x, 0, groups, n), {1, 0, 2}), 1);
}

/// [n, g*a, ...] -> [g*n, a, ...]
Tensor features_to_batch_groups(const Tensor& x, const Dim& groups, const Dim& a) {
  if (groups == Dim(1)) return x;
  return merge(arrange(split(x, 1, groups, a), {1, 0, 2}), 0);
}

Tensor reverse_spatial(const Tensor& x, SourceLoc where) {
  if (x.rank() <= 2) return x;
  static const OpDef& op = get_op("reverse");
  Axes axes(static_cast<std::size_t>(x.rank() - 2));
  std::iota(axes.begin(), axes.end(), 2);
  return apply_one(op, {x}, {{"axes", axes}}, where);
}

std::span<const Dim> spatial(const Shape& shape) { return std::span(shape.dims()).subspan(2); }

}  // namespace

windows::Geometry geometry_of(const Call& c) {
  const auto rank = static_cast<std::size_t>(c.type(0).rank() - 2);
  return {windows::per_axis(c, strides, rank), windows::per_axis(c, padding_low, rank),
          windows::per_axis(c, padding_high, rank), windows::per_axis(c, lhs_dilation, rank),
          windows::per_axis(c, rhs_dilation, rank)};
}

Tensor convolve(const Tensor& lhs, const Tensor& rhs, const windows::Geometry& geometry, const Dim& groups,
                std::optional<DType> running, SourceLoc where) {
  static const OpDef& op = get_op("conv_general");
  return apply_one(
      op, {lhs, rhs},
      {attr(strides, geometry.strides), attr(padding_low, geometry.low), attr(padding_high, geometry.high),
       attr(lhs_dilation, geometry.base_dilation), attr(rhs_dilation, geometry.dilation),
       attr(feature_groups, groups), attr(batch_groups, 1), attr(accumulation, running)},
      where);
}

Tensor transpose_to(const Call& c, const Tensor& cotangent, int group) {
  const windows::Geometry geometry = geometry_of(c);
  const Shape& lhs = c.shape(0);
  const Shape& rhs = c.shape(1);
  const Dim features = c[feature_groups];
  const Dim batches = c[batch_groups];
  const bool by_batch = batches != Dim(1);
  const Dim& groups = by_batch ? batches : features;
  const Dim& in = rhs[1];  // of one feature group
  // The output channels of one group. Only reshapes of 0 channels meet groups of 0.
  const Dim out = groups == Dim(0) ? Dim(0) : *exact_div(rhs[0], groups);
  const std::span<const Dim> outputs = spatial(cotangent.shape());
  if (group == 0) {
    // lhs [n, g*in]: convolve [n, g*out] with the kernel [g*in, out], turned round.
    const Tensor kernel = reverse_spatial(swap_within_groups(c[1], groups, out), c.where());
    const Tensor result =
        convolve(cotangent, kernel, windows::transposed(geometry, spatial(lhs), spatial(rhs), outputs), groups,
                 c[accumulation], c.where());
    return windows::with_sizes(by_batch ? features_to_batch_groups(result, groups, in) : result, lhs);
  }
  // rhs [g*out, in]: convolve lhs as [in, g*n] with the cotangent as kernel [g*out, n].
  const Tensor operand = by_batch ? swap_leading(c[0]) : exchange_batch(c[0], groups, in);
  const Tensor result = convolve(operand, swap_leading(cotangent),
                                 windows::transposed_to_window(geometry, spatial(lhs), spatial(rhs), outputs),
                                 groups, c[accumulation], c.where());
  return windows::with_sizes(swap_leading(result), rhs);
}

std::vector<Batched> batch_convolution(const BatchCall& c) {
  const Call& call = c.call;
  const windows::Geometry geometry = geometry_of(call);
  const Dim features = call[feature_groups];
  const Dim batches = call[batch_groups];
  const bool by_batch = batches != Dim(1);
  const Dim& groups = by_batch ? batches : features;
  const Dim& size = c.size;
  const auto run = [&](const Tensor& lhs, const Tensor& rhs, const Dim& all_groups) {
    return convolve(lhs, rhs, geometry, all_groups, call[accumulation], call.where());
  };
  if (!c.batched(0) && !c.batched(1)) {
    return {{apply_one(call.op(), {c.tensor(0), c.tensor(1)}, call.attrs(), call.where()), false}};
  }
  const Dim n = by_batch ? *exact_div(call.shape(0)[0], groups) : call.shape(0)[0];
  // Batch groups become feature groups, under the batch axis where there is one.
  Tensor lhs = c.tensor(0);
  if (by_batch) {
    lhs = c.batched(0) ? merge(arrange(split(lhs, 1, groups, n), {0, 2, 1, 3}), 2)
                       : batch_groups_to_features(lhs, groups, n);
  }
  if (!c.batched(1)) {
    const Tensor result = run(merge(lhs, 0), c.tensor(1), groups);
    return {{split(result, 0, size, n), true}};
  }
  const Dim& out_channels = call.shape(1)[0];
  const Tensor& rhs = c.tensor(1);
  if (c.batched(0)) {
    // Lanes are groups: [n, B*g*in] with [B*g*out, in].
    const Tensor result = run(merge(arrange(lhs, {1, 0, 2}), 1), merge(rhs, 0), size * groups);
    return {{arrange(split(result, 1, size, out_channels), {1, 0, 2}), true}};
  }
  if (groups == Dim(1)) {
    const Tensor result = run(lhs, merge(rhs, 0), groups);
    return {{arrange(split(result, 1, size, out_channels), {1, 0, 2}), true}};
  }
  // Lanes are more output channels of each group: [g*B*out, in].
  const Dim out = groups == Dim(0) ? Dim(0) : *exact_div(out_channels, groups);
  const Tensor kernel = merge(merge(arrange(split(rhs, 1, groups, out), {1, 0, 2}), 0), 0);
  const Tensor result = split(split(run(lhs, kernel, groups), 1, groups, size * out), 2, size, out);
  return {{merge(arrange(result, {2, 0, 1, 3}), 2), true}};
}

}  // namespace calx::ops::convolution
