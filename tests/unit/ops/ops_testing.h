// Applies the rules of an op directly, on eager or traced tensors, and small helpers of the op tests.
#pragma once

#include <random>
#include <vector>

#include "calx/core/core_ops.h"

namespace calx::testing {

/// Calls visit(index) for each index below sizes, in row-major order.
template <class Visit>
void for_each(const std::vector<std::int64_t>& sizes, Visit visit) {
  for (std::int64_t size : sizes) {
    if (size <= 0) return;
  }
  std::vector<std::int64_t> index(sizes.size(), 0);
  while (true) {
    visit(index);
    std::size_t axis = sizes.size();
    while (axis > 0 && ++index[axis - 1] == sizes[axis - 1]) index[--axis] = 0;
    if (axis == 0) return;
  }
}

/// Integers in [-4, 4] as f64: their sums of products are exact.
inline Tensor small_integers(std::mt19937& random, const std::vector<std::int64_t>& sizes) {
  std::int64_t count = 1;
  for (std::int64_t size : sizes) count *= size;
  std::vector<double> values;
  std::uniform_int_distribution<int> uniform(-4, 4);
  for (std::int64_t i = 0; i < count; ++i) values.push_back(uniform(random));
  return tensor(values, sizes);
}

inline double inner(const Tensor& a, const Tensor& b) {
  const std::vector<double> x = a.to_vector<double>();
  const std::vector<double> y = b.to_vector<double>();
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

/// `lanes` as one tensor with a leading axis of `size`; the first lane itself where size is negative.
inline Tensor stack(const std::vector<Tensor>& lanes, std::int64_t size) {
  if (size < 0) return lanes[0];
  std::vector<double> values;
  for (std::int64_t lane = 0; lane < size; ++lane) {
    for (double value : lanes[static_cast<std::size_t>(lane)].to_vector<double>()) values.push_back(value);
  }
  std::vector<std::int64_t> sizes = lanes[0].shape().sizes();
  sizes.insert(sizes.begin(), size);
  return tensor(values, sizes);
}

inline std::vector<Type> types_of(const Tensors& operands) {
  std::vector<Type> types;
  for (const Tensor& operand : operands) types.push_back(operand.type());
  return types;
}

/// The cotangent that a primitive's transpose rule gives the single operand of `group`.
inline Tensor transpose_rule(const OpDef& op, Tensors operands, Attrs attrs, int group,
                             const Tensor& cotangent) {
  const std::vector<Type> types = types_of(operands);
  static_cast<void>(infer_types(op, types, attrs, {}));
  operands[static_cast<std::size_t>(group)] = Tensor();
  const Call call(op, operands, types, attrs, {});
  const auto& linear = std::get<slot::LinearGroups>(op.primitive()->linear);
  return linear.transpose(call, group, Tangents(Tangent(cotangent))).at(0).instantiate();
}

/// A primitive's batch rule on operands whose batch axis, where batched, is axis 0; the result with its batch
/// axis.
inline Tensor batch_rule(const OpDef& op, const Tensors& operands, const std::vector<bool>& batched,
                         Attrs attrs, const Dim& size) {
  std::vector<Type> lane_types;
  std::vector<Batched> given;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Type type = operands[i].type();
    lane_types.push_back(batched[i] ? type.with_shape(type.shape.without_axis(0)) : type);
    given.push_back({operands[i], batched[i]});
  }
  static_cast<void>(infer_types(op, lane_types, attrs, {}));
  const Call call(op, lane_types, attrs, {});
  const BatchCall batch(call, std::move(given), size, Tensor());
  const std::vector<Batched> results = std::get<BatchRule>(op.primitive()->batch)(batch);
  return results.at(0).tensor;
}

}  // namespace calx::testing
