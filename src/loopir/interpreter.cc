// The interpreter's loops over index spaces: pointwise, view, guarded reads, reduction, gather, scatter,
// cumulative.
#include "calx/loopir/interpreter.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "calx/base/checked.h"
#include "calx/base/error.h"
#include "calx/base/format.h"
#include "calx/loopir/summation.h"
#include "index_space.h"
#include "kernels.h"

namespace calx::loopir {
namespace {

std::int64_t linear(Index index, Index strides) {
  return std::inner_product(index.begin(), index.end(), strides.begin(), std::int64_t{0});
}

ScalarValue load(const Array& array, std::int64_t position) {
  ScalarValue value{array.dtype(), 0};
  const auto size = static_cast<std::size_t>(array.dtype().size_bytes());
  std::memcpy(&value.bits, array.buffer().data() + static_cast<std::size_t>(position) * size, size);
  return value;
}

void store(Array& array, std::byte* bytes, std::int64_t position, ScalarValue value) {
  CALX_ASSERT(value.dtype == array.dtype());
  const auto size = static_cast<std::size_t>(array.dtype().size_bytes());
  std::memcpy(bytes + static_cast<std::size_t>(position) * size, &value.bits, size);
}

/// An array under construction, with typeless access by position.
class Output {
 public:
  explicit Output(const Type& type)
      : buffer_(allocate(type)), array_(type.dtype, type.shape.sizes(), buffer_) {}
  void put(std::int64_t position, ScalarValue value) {
    store(array_, buffer_.mutable_data(), position, value);
  }
  [[nodiscard]] Array& array() { return array_; }

 private:
  static Buffer allocate(const Type& type) {
    return Array::uninitialized(type.dtype, type.shape.sizes()).buffer();
  }
  Buffer buffer_;
  Array array_;
};

void check_same_sizes(const Array& array, const Sizes& sizes) {
  if (array.sizes() != sizes) {
    raise_internal(format("loopir: an operand has sizes [{}], the index space [{}]",
                          join(array.sizes(), ","), join(sizes, ",")));
  }
}

/// The value of an expression over rank-0 operands.
ScalarValue evaluate_scalar(const Scalar& expression, const std::vector<Array>& operands) {
  std::vector<ScalarValue> values;
  for (const Array& operand : operands)
    values.push_back(operand.rank() == 0 ? load(operand, 0) : ScalarValue{operand.dtype(), 0});
  return evaluate(expression, values);
}

std::vector<Array> run_pointwise(const Pointwise& op, const std::vector<Array>& operands,
                                 std::span<const Type> results) {
  CALX_ASSERT(op.results.size() == results.size());
  for (const Array& operand : operands) check_same_sizes(operand, op.sizes);
  std::vector<Output> outputs;
  for (const Type& type : results) outputs.emplace_back(type);
  ScalarProgram program(op.results);
  std::vector<ScalarValue> values(operands.size());
  std::int64_t position = 0;
  for_each_index(op.sizes, [&](Index index) {
    for (std::size_t k = 0; k < operands.size(); ++k) values[k] = load(operands[k], position);
    const auto computed = program.run(values, index);
    for (std::size_t r = 0; r < outputs.size(); ++r) outputs[r].put(position, computed[r]);
    ++position;
  });
  std::vector<Array> arrays;
  for (Output& output : outputs) arrays.push_back(output.array());
  return arrays;
}

Array run_view(const View& op, const std::vector<Array>& operands, const Type& result) {
  const Array& operand = operands.at(static_cast<std::size_t>(op.operand));
  CALX_ASSERT(op.strides.size() == op.sizes.size());
  Output output(result);
  std::int64_t position = 0;
  for_each_index(op.sizes, [&](Index index) {
    const std::int64_t source = op.offset + linear(index, op.strides);
    CALX_ASSERT(source >= 0 && source < operand.num_elements(), "a view reads outside its operand");
    output.put(position++, load(operand, source));
  });
  return output.array();
}

Array run_guarded(const Guarded& op, const std::vector<Array>& operands, const Type& result) {
  Output output(result);
  const ScalarValue fill =
      op.fill.defined() ? evaluate_scalar(op.fill, operands) : ScalarValue{result.dtype, 0};
  std::int64_t position = 0;
  for_each_index(op.sizes, [&](Index index) {
    ScalarValue value = fill;
    for (const GuardedRead& read : op.reads) {
      const Array& operand = operands.at(static_cast<std::size_t>(read.operand));
      CALX_ASSERT(read.index.size() == operand.sizes().size());
      std::int64_t source = 0;
      bool inside = true;
      for (std::size_t axis = 0; axis < read.index.size() && inside; ++axis) {
        const AffineIndex& map = read.index[axis];
        const std::int64_t numerator = map.constant + linear(index, map.coefficients);
        const std::int64_t coordinate = calx::floor_div(numerator, map.divisor);
        inside =
            coordinate * map.divisor == numerator && coordinate >= 0 && coordinate < operand.sizes()[axis];
        source = source * operand.sizes()[axis] + coordinate;
      }
      if (inside) {
        value = load(operand, source);
        break;
      }
    }
    output.put(position++, value);
  });
  return output.array();
}

/// The index space split into kept and reduced axes: sizes and row-major strides of both.
struct AxisSplit {
  Sizes kept_sizes, kept_strides, reduced_sizes, reduced_strides;

  AxisSplit(const Sizes& sizes, const Axes& reduced) {
    const auto strides = row_major_strides(sizes);
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      const bool is_reduced =
          std::find(reduced.begin(), reduced.end(), static_cast<int>(axis)) != reduced.end();
      (is_reduced ? reduced_sizes : kept_sizes).push_back(sizes[axis]);
      (is_reduced ? reduced_strides : kept_strides).push_back(strides[axis]);
    }
  }
};

Array run_reduction(const Reduction& op, const std::vector<Array>& operands, const Type& result) {
  // The elements first, so that the reduction itself is reduce() and nothing else.
  const Pointwise elements{op.sizes, {op.element}};
  const Type element_type{op.element.dtype(), Shape::of(op.sizes)};
  const DType accumulation = accumulator(op.accumulation);
  const Array values = converted(run_pointwise(elements, operands, {&element_type, 1})[0], accumulation);
  const AxisSplit split(op.sizes, op.axes);
  const auto reduced = positions(split.reduced_sizes, split.reduced_strides);
  Array sums = Array::uninitialized(accumulation, result.shape.sizes());
  visit_accumulator(accumulation, [&]<class T>(std::type_identity<T>) {
    visit_combiner<T>(op.combiner, [&]<class C>(C) {
      const T* data = values.data<T>();
      std::int64_t position = 0;
      for (std::int64_t start : positions(split.kept_sizes, split.kept_strides)) {
        sums.mutable_data<T>()[position++] =
            reduce<T, C>(static_cast<std::int64_t>(reduced.size()),
                         [&](std::int64_t i) { return data[start + reduced[static_cast<std::size_t>(i)]]; });
      }
      CALX_ASSERT(position == sums.num_elements());
    });
  });
  return converted(sums, result.dtype);
}

Array run_cumulative(const Cumulative& op, const std::vector<Array>& operands, const Type& result) {
  check_same_sizes(operands[0], op.sizes);
  const DType accumulation = accumulator(op.accumulation);
  const Array values = converted(operands[0], accumulation);
  const AxisSplit split(op.sizes, {op.axis});
  Array sums = Array::uninitialized(accumulation, op.sizes);
  visit_accumulator(accumulation, [&]<class T>(std::type_identity<T>) {
    visit_combiner<T>(op.combiner, [&]<class C>(C) {
      const T* data = values.data<T>();
      T* out = sums.mutable_data<T>();
      const std::int64_t stride = split.reduced_strides[0];
      for (std::int64_t start : positions(split.kept_sizes, split.kept_strides)) {
        cumulative<T, C>(
            split.reduced_sizes[0], [&](std::int64_t i) { return data[start + i * stride]; },
            [&](std::int64_t i, T value) { out[start + i * stride] = value; }, {op.exclusive, op.reverse});
      }
    });
  });
  return converted(sums, result.dtype);
}

// --- Gather and scatter: one map from (start, position in the slice) to the element of the operand. ---

bool contains(const Axes& axes, std::size_t axis) {
  return std::find(axes.begin(), axes.end(), static_cast<int>(axis)) != axes.end();
}

class GatherMap {
 public:
  GatherMap(const GatherDimensions& dims, IndexMode mode, const Array& operand, const Array& indices,
            const Sizes& result_sizes)
      : dims_(dims),
        mode_(mode),
        operand_sizes_(operand.sizes()),
        operand_strides_(row_major_strides(operand_sizes_)),
        index_sizes_(indices.sizes()),
        index_strides_(row_major_strides(index_sizes_)),
        result_strides_(row_major_strides(result_sizes)),
        indices_(converted(indices, i64)) {
    CALX_ASSERT(dims.slice_sizes.size() == operand_sizes_.size());
    for (std::size_t axis = 0; axis < operand_sizes_.size(); ++axis) {
      if (!contains(dims.collapsed_slice_dims, axis) && !contains(dims.operand_batching_dims, axis)) {
        window_axes_.push_back(axis);
        slice_.push_back(dims.slice_sizes[axis]);
      } else {
        CALX_ASSERT(dims.slice_sizes[axis] <= 1);
      }
    }
    for (std::size_t axis = 0; axis < index_sizes_.size(); ++axis) {
      if (static_cast<int>(axis) != dims.index_vector_dim) start_axes_.push_back(axis);
    }
    for (std::size_t axis = 0; axis < result_sizes.size(); ++axis) {
      if (!contains(dims.offset_dims, axis)) result_start_axes_.push_back(axis);
    }
    CALX_ASSERT(window_axes_.size() == dims.offset_dims.size() &&
                start_axes_.size() == result_start_axes_.size());
    for (std::size_t axis : start_axes_) starts_.push_back(index_sizes_[axis]);
    for (std::size_t i = 0; i < starts_.size(); ++i)
      CALX_ASSERT(starts_[i] == result_sizes[result_start_axes_[i]]);
    for (std::size_t i = 0; i < slice_.size(); ++i) {
      CALX_ASSERT(slice_[i] == result_sizes[static_cast<std::size_t>(dims.offset_dims[i])]);
    }
  }

  /// visit(position in the result, position in the operand, or -1 where the slice is out of bounds in mode
  /// fill); starts in row-major order, within a start the slice in row-major order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for_each_index(starts_, [&](Index start) {
      bool inside = true;
      const Sizes origin = slice_origin(start, inside);
      std::int64_t result_base = 0;
      for (std::size_t i = 0; i < start.size(); ++i)
        result_base += start[i] * result_strides_[result_start_axes_[i]];
      for_each_index(slice_, [&](Index offset) {
        std::int64_t target = result_base;
        for (std::size_t i = 0; i < offset.size(); ++i) {
          target += offset[i] * result_strides_[static_cast<std::size_t>(dims_.offset_dims[i])];
        }
        visit(target, inside ? operand_position(origin, offset) : -1);
      });
    });
  }

 private:
  /// The operand's coordinates of the slice's first element; sets inside to false where mode fill finds it
  /// outside.
  Sizes slice_origin(Index start, bool& inside) const {
    std::int64_t index_base = 0;
    for (std::size_t i = 0; i < start.size(); ++i) index_base += start[i] * index_strides_[start_axes_[i]];
    Sizes origin(operand_sizes_.size(), 0);
    for (std::size_t axis = 0; axis < origin.size(); ++axis) {
      inside = inside && dims_.slice_sizes[axis] <= operand_sizes_[axis];
    }
    for (std::size_t i = 0; i < dims_.start_index_map.size(); ++i) {
      const auto axis = static_cast<std::size_t>(dims_.start_index_map[i]);
      const auto vector_axis = static_cast<std::size_t>(dims_.index_vector_dim);
      const std::int64_t step = vector_axis < index_sizes_.size() ? index_strides_[vector_axis] : 0;
      const std::int64_t value =
          indices_.data<std::int64_t>()[index_base + static_cast<std::int64_t>(i) * step];
      const std::int64_t last = operand_sizes_[axis] - dims_.slice_sizes[axis];
      switch (mode_) {
        case IndexMode::in_bounds:
        case IndexMode::clip:
          origin[axis] = std::max<std::int64_t>(0, std::min(value, last));
          break;
        case IndexMode::fill:
          inside = inside && value >= 0 && value <= last;
          origin[axis] = value;
          break;
        case IndexMode::wrap:
          origin[axis] = operand_sizes_[axis] == 0 ? 0 : calx::floor_mod(value, operand_sizes_[axis]);
          break;
      }
    }
    for (std::size_t i = 0; i < dims_.operand_batching_dims.size(); ++i) {
      const auto index_axis = static_cast<std::size_t>(dims_.start_indices_batching_dims[i]);
      const auto at = std::find(start_axes_.begin(), start_axes_.end(), index_axis) - start_axes_.begin();
      origin[static_cast<std::size_t>(dims_.operand_batching_dims[i])] = start[static_cast<std::size_t>(at)];
    }
    return origin;
  }

  std::int64_t operand_position(const Sizes& origin, Index offset) const {
    Sizes at = origin;
    for (std::size_t i = 0; i < offset.size(); ++i) at[window_axes_[i]] += offset[i];
    std::int64_t position = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      // Only wrap can leave the operand here.
      position += calx::floor_mod(at[axis], operand_sizes_[axis]) * operand_strides_[axis];
    }
    return position;
  }

  const GatherDimensions& dims_;
  IndexMode mode_;
  Sizes operand_sizes_, operand_strides_, index_sizes_, index_strides_, result_strides_;
  Array indices_;
  std::vector<std::size_t> window_axes_, start_axes_, result_start_axes_;
  Sizes slice_, starts_;
};

Array run_gather(const Gather& op, const std::vector<Array>& operands, const Type& result) {
  Output output(result);
  const ScalarValue fill =
      op.fill.defined() ? evaluate_scalar(op.fill, operands) : ScalarValue{result.dtype, 0};
  const GatherMap map(op.dimensions, op.mode, operands[0], operands[1], result.shape.sizes());
  map.for_each([&](std::int64_t target, std::int64_t source) {
    output.put(target, source < 0 ? fill : load(operands[0], source));
  });
  return output.array();
}

template <class T>
T combine(ScatterCombiner combiner, T current, T update) {
  switch (combiner) {
    case ScatterCombiner::set:
      return update;
    case ScatterCombiner::add:
      return math::add(current, update);
    case ScatterCombiner::mul:
      return math::mul(current, update);
    case ScatterCombiner::min:
      return math::minimum(current, update);
    case ScatterCombiner::max:
      return math::maximum(current, update);
  }
  raise_internal("unknown scatter combiner");
}

Array run_scatter(const Scatter& op, const std::vector<Array>& operands, const Type& result) {
  const GatherMap map(op.dimensions, op.mode, operands[0], operands[1], operands[2].sizes());
  // Setting copies bits; combining computes in the accumulation type.
  if (op.combiner == ScatterCombiner::set) {
    Output output(result);
    for (std::int64_t i = 0; i < operands[0].num_elements(); ++i) output.put(i, load(operands[0], i));
    map.for_each([&](std::int64_t update, std::int64_t target) {
      if (target >= 0) output.put(target, load(operands[2], update));
    });
    return output.array();
  }
  const DType accumulation = accumulator(op.accumulation);
  const Array updates = converted(operands[2], accumulation);
  Array sums = Array::uninitialized(accumulation, operands[0].sizes());
  const Array start = converted(operands[0], accumulation);
  visit_accumulator(accumulation, [&]<class T>(std::type_identity<T>) {
    std::copy_n(start.data<T>(), start.num_elements(), sums.mutable_data<T>());
    map.for_each([&](std::int64_t update, std::int64_t target) {
      if (target < 0) return;
      T& element = sums.mutable_data<T>()[target];
      element = combine(op.combiner, element, updates.data<T>()[update]);
    });
  });
  return converted(sums, result.dtype);
}

}  // namespace

StridedArray StridedArray::of(const Array& array) {
  return {array.dtype(), array.sizes(), row_major_strides(array.sizes()), 0, array.buffer()};
}

Array StridedArray::to_contiguous() const {
  CALX_ASSERT(sizes.size() == strides.size());
  Output output({dtype, Shape::of(sizes)});
  const auto size = static_cast<std::size_t>(dtype.size_bytes());
  std::int64_t position = 0;
  for_each_index(sizes, [&](Index index) {
    const std::int64_t source = offset + linear(index, strides);
    CALX_ASSERT(source >= 0 && (static_cast<std::size_t>(source) + 1) * size <= buffer.size_bytes());
    ScalarValue value{dtype, 0};
    std::memcpy(&value.bits, buffer.data() + static_cast<std::size_t>(source) * size, size);
    output.put(position++, value);
  });
  return output.array();
}

Array converted(const Array& array, DType dtype) {
  if (array.dtype() == dtype) return array;
  Array result = Array::uninitialized(dtype, array.sizes());
  visit_dtype(array.dtype(), [&]<class From>(std::type_identity<From>) {
    visit_dtype(dtype, [&]<class To>(std::type_identity<To>) {
      const From* source = array.data<From>();
      std::transform(source, source + array.num_elements(), result.mutable_data<To>(),
                     [](From value) { return convert_element<To>(value); });
    });
  });
  return result;
}

std::vector<Array> run(const Lowered& lowered, std::span<const StridedArray> operands,
                       std::span<const Type> results) {
  std::vector<Array> arrays;
  for (const StridedArray& operand : operands) arrays.push_back(operand.to_contiguous());
  struct Visitor {
    const std::vector<Array>& operands;
    std::span<const Type> results;

    std::vector<Array> operator()(const Pointwise& op) const { return run_pointwise(op, operands, results); }
    std::vector<Array> operator()(const View& op) const { return {run_view(op, operands, results[0])}; }
    std::vector<Array> operator()(const Guarded& op) const { return {run_guarded(op, operands, results[0])}; }
    std::vector<Array> operator()(const Reduction& op) const {
      return {run_reduction(op, operands, results[0])};
    }
    std::vector<Array> operator()(const Gather& op) const { return {run_gather(op, operands, results[0])}; }
    std::vector<Array> operator()(const Scatter& op) const { return {run_scatter(op, operands, results[0])}; }
    std::vector<Array> operator()(const Cumulative& op) const {
      return {run_cumulative(op, operands, results[0])};
    }
    std::vector<Array> operator()(const Kernel& op) const { return run_kernel(op, operands, results); }
    std::vector<Array> operator()(const Region&) const { return unsupported("a region"); }
    std::vector<Array> operator()(const Opaque&) const { return unsupported("an opaque call"); }

    [[noreturn]] static std::vector<Array> unsupported(const char* what) {
      raise({.id = ErrorId::unsupported, .message = format("{} has no loops to interpret", what)});
    }
  };
  std::vector<Array> computed = std::visit(Visitor{arrays, results}, lowered);
  CALX_ASSERT(computed.size() == results.size());
  for (std::size_t i = 0; i < results.size(); ++i) CALX_ASSERT(computed[i].type() == results[i]);
  return computed;
}

}  // namespace calx::loopir
