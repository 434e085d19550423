// The loop behind the references of gather and the scatters.
#include <algorithm>

#include "indexing/_support.h"

namespace calx::ops {
namespace {

bool contains(const loopir::Axes& axes, std::size_t axis) {
  return std::find(axes.begin(), axes.end(), static_cast<int>(axis)) != axes.end();
}

Ints to_ints(const Array& indices) {
  Ints values(static_cast<std::size_t>(indices.num_elements()));
  ref::visit<DTypes::index>(indices.dtype(), [&]<class T>(std::type_identity<T>) {
    std::copy_n(indices.data<T>(), values.size(), values.begin());
  });
  return values;
}

}  // namespace

GatherWalk::GatherWalk(const loopir::GatherDimensions& dimensions, IndexMode mode, const Ints& operand_sizes,
                       const Array& indices, const Ints& result_sizes)
    : dimensions_(dimensions),
      mode_(mode),
      operand_sizes_(operand_sizes),
      operand_strides_(row_major_strides(operand_sizes)),
      index_values_(to_ints(indices)),
      slice_start_(operand_sizes.size(), 0) {
  const Ints index_strides = row_major_strides(indices.sizes());
  const Ints result_strides = row_major_strides(result_sizes);
  const auto vector_axis = static_cast<std::size_t>(dimensions.index_vector_dim);
  if (vector_axis < indices.sizes().size()) {
    index_vector_stride_ = index_strides[vector_axis];
    index_vector_size_ = indices.sizes()[vector_axis];
  }
  std::size_t result_axis = 0;
  for (std::size_t axis = 0; axis < indices.sizes().size(); ++axis) {
    if (axis == vector_axis) continue;
    while (contains(dimensions.offset_dims, result_axis)) ++result_axis;
    start_sizes_.push_back(indices.sizes()[axis]);
    start_strides_.push_back(index_strides[axis]);
    start_result_strides_.push_back(result_strides[result_axis++]);
    const auto batching = std::find(dimensions.start_indices_batching_dims.begin(),
                                    dimensions.start_indices_batching_dims.end(), static_cast<int>(axis));
    start_operand_axis_.push_back(batching == dimensions.start_indices_batching_dims.end()
                                      ? -1
                                      : dimensions.operand_batching_dims[static_cast<std::size_t>(
                                            batching - dimensions.start_indices_batching_dims.begin())]);
    num_starts_ *= start_sizes_.back();
  }
  start_.assign(start_sizes_.size(), 0);

  Ints window_sizes;
  std::vector<std::size_t> window_axes;
  for (std::size_t axis = 0; axis < operand_sizes.size(); ++axis) {
    if (contains(dimensions.collapsed_slice_dims, axis) || contains(dimensions.operand_batching_dims, axis))
      continue;
    window_axes.push_back(axis);
    window_sizes.push_back(dimensions.slice_sizes[axis]);
    num_offsets_ *= window_sizes.back();
  }
  if (num_offsets_ == 0 || num_starts_ == 0) return;
  Ints offset(window_sizes.size(), 0);
  do {
    std::int64_t in_result = 0;
    std::int64_t in_operand = 0;
    Ints per_axis(mode == IndexMode::wrap ? operand_sizes.size() : 0, 0);
    for (std::size_t w = 0; w < offset.size(); ++w) {
      in_result += offset[w] * result_strides[static_cast<std::size_t>(dimensions.offset_dims[w])];
      in_operand += offset[w] * operand_strides_[window_axes[w]];
      if (mode == IndexMode::wrap) per_axis[window_axes[w]] = offset[w];
    }
    result_offsets_.push_back(in_result);
    operand_offsets_.push_back(in_operand);
    if (mode == IndexMode::wrap) slice_index_.push_back(std::move(per_axis));
  } while (ref::next_index(offset, window_sizes));
  read_start();
}

bool GatherWalk::next_start() {
  if (!ref::next_index(start_, start_sizes_)) return false;
  read_start();
  return true;
}

void GatherWalk::read_start() {
  std::int64_t in_indices = 0;
  result_base_ = 0;
  std::fill(slice_start_.begin(), slice_start_.end(), 0);
  for (std::size_t axis = 0; axis < start_.size(); ++axis) {
    in_indices += start_[axis] * start_strides_[axis];
    result_base_ += start_[axis] * start_result_strides_[axis];
    if (start_operand_axis_[axis] >= 0)
      slice_start_[static_cast<std::size_t>(start_operand_axis_[axis])] = start_[axis];
  }
  outside_ = false;
  for (std::int64_t entry = 0; entry < index_vector_size_; ++entry) {
    const auto axis = static_cast<std::size_t>(dimensions_.start_index_map[static_cast<std::size_t>(entry)]);
    const std::int64_t last = operand_sizes_[axis] - dimensions_.slice_sizes[axis];
    std::int64_t position =
        index_values_[static_cast<std::size_t>(in_indices + entry * index_vector_stride_)];
    if (last < 0) {
      outside_ = true;  // a collapsed axis of size 0 holds nothing in any mode
    } else if (mode_ == IndexMode::wrap) {
      position %= operand_sizes_[axis] == 0 ? 1 : operand_sizes_[axis];
      if (position < 0) position += operand_sizes_[axis];
    } else if (position < 0 || position > last) {
      outside_ = outside_ || mode_ == IndexMode::fill;
      position = position < 0 ? 0 : last;
    }
    slice_start_[axis] = position;
  }
  for (std::size_t axis = 0; axis < operand_sizes_.size(); ++axis) {
    outside_ = outside_ || operand_sizes_[axis] < dimensions_.slice_sizes[axis];
  }
  operand_base_ = 0;
  for (std::size_t axis = 0; axis < slice_start_.size(); ++axis)
    operand_base_ += slice_start_[axis] * operand_strides_[axis];
}

std::int64_t GatherWalk::wrapped_element(std::int64_t k) const {
  const Ints& offset = slice_index_[static_cast<std::size_t>(k)];
  std::int64_t element = 0;
  for (std::size_t axis = 0; axis < offset.size(); ++axis) {
    element += (slice_start_[axis] + offset[axis]) % operand_sizes_[axis] * operand_strides_[axis];
  }
  return element;
}

}  // namespace calx::ops
