// Kernel descriptors as generic loop nests.
#include "kernels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "calx/base/checked.h"
#include "calx/base/error.h"
#include "calx/loopir/interpreter.h"
#include "calx/loopir/philox.h"
#include "calx/loopir/summation.h"
#include "index_space.h"

namespace calx::loopir {
namespace {

std::vector<Array> run_contraction(const Contraction& op, const std::vector<Array>& operands,
                                   const Type& result) {
  const DType accumulation = accumulator(op.accumulation);
  const Array lhs = converted(operands[0], accumulation);
  const Array rhs = converted(operands[1], accumulation);
  const auto lhs_strides = row_major_strides(lhs.sizes());
  const auto rhs_strides = row_major_strides(rhs.sizes());
  const auto all = [](const Array& array, const std::vector<std::int64_t>& strides, const Axes& axes) {
    return positions(pick(array.sizes(), axes), pick(strides, axes));
  };
  const auto lhs_batch = all(lhs, lhs_strides, op.lhs_batch);
  const auto rhs_batch = all(rhs, rhs_strides, op.rhs_batch);
  const auto lhs_rows = all(lhs, lhs_strides, other_axes(lhs.rank(), op.lhs_batch, op.lhs_contract));
  const auto rhs_columns = all(rhs, rhs_strides, other_axes(rhs.rank(), op.rhs_batch, op.rhs_contract));
  const auto lhs_inner = all(lhs, lhs_strides, op.lhs_contract);
  const auto rhs_inner = all(rhs, rhs_strides, op.rhs_contract);
  CALX_ASSERT(lhs_batch.size() == rhs_batch.size() && lhs_inner.size() == rhs_inner.size());
  Array sums = Array::uninitialized(accumulation, result.shape.sizes());
  visit_accumulator(accumulation, [&]<class T>(std::type_identity<T>) {
    T* out = sums.mutable_data<T>();
    const T* const end = out + sums.num_elements();
    for (std::size_t batch = 0; batch < lhs_batch.size(); ++batch) {
      for (std::int64_t row : lhs_rows) {
        for (std::int64_t column : rhs_columns) {
          const T* a = lhs.data<T>() + lhs_batch[batch] + row;
          const T* b = rhs.data<T>() + rhs_batch[batch] + column;
          CALX_ASSERT(out != end);
          *out++ = dot<T>(
              static_cast<std::int64_t>(lhs_inner.size()),
              [&](std::int64_t i) { return a[lhs_inner[static_cast<std::size_t>(i)]]; },
              [&](std::int64_t i) { return b[rhs_inner[static_cast<std::size_t>(i)]]; });
        }
      }
    }
    CALX_ASSERT(out == end);
  });
  return {converted(sums, result.dtype)};
}

/// Position within the windowed axes of `sizes` that window element `element` of output `output` reads.
std::optional<std::int64_t> window_position(const Window& window, Index sizes, Index output, Index element) {
  std::int64_t position = 0;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    const auto at = window.operand_index(axis, output[axis], element[axis], sizes[axis]);
    if (!at) return std::nullopt;
    position = position * sizes[axis] + *at;
  }
  return position;
}

/// Sizes of the windowed axes and the product of the leading ones.
struct Plane {
  std::int64_t leading;
  Sizes sizes;
  std::int64_t size;

  Plane(const Array& array, const Window& window) {
    const std::size_t split = array.sizes().size() - window.sizes.size();
    leading = count(Index(array.sizes()).first(split));
    sizes.assign(array.sizes().begin() + static_cast<std::ptrdiff_t>(split), array.sizes().end());
    size = count(sizes);
  }

  [[nodiscard]] Sizes outputs(const Window& window) const {
    Sizes result;
    for (std::size_t axis = 0; axis < sizes.size(); ++axis)
      result.push_back(window.output_size(axis, sizes[axis]));
    return result;
  }
};

std::vector<Array> run_convolution(const Convolution& op, const std::vector<Array>& operands,
                                   const Type& result) {
  const DType accumulation = accumulator(op.accumulation);
  const Array lhs = converted(operands[0], accumulation);
  const Array rhs = converted(operands[1], accumulation);
  const Plane plane(lhs, op.window);
  const Sizes outputs = plane.outputs(op.window);
  const std::int64_t channels = lhs.sizes()[1];
  const std::int64_t num_outputs = rhs.sizes()[0];
  const std::int64_t group_channels = rhs.sizes()[1];
  const std::int64_t batch = lhs.sizes()[0] / op.batch_groups;
  const std::int64_t groups = std::max(op.feature_groups, op.batch_groups);
  CALX_ASSERT(op.feature_groups == 1 || op.batch_groups == 1);
  CALX_ASSERT(group_channels * op.feature_groups == channels && num_outputs % groups == 0);
  CALX_ASSERT(batch * op.batch_groups == lhs.sizes()[0]);
  std::vector<Sizes> taps;
  for_each_index(op.window.sizes, [&](Index tap) { taps.emplace_back(tap.begin(), tap.end()); });
  const auto num_taps = static_cast<std::int64_t>(taps.size());
  Array sums = Array::uninitialized(accumulation, result.shape.sizes());
  CALX_ASSERT(sums.num_elements() == batch * num_outputs * count(outputs));
  visit_accumulator(accumulation, [&]<class T>(std::type_identity<T>) {
    T* out = sums.mutable_data<T>();
    for (std::int64_t n = 0; n < batch; ++n) {
      for (std::int64_t o = 0; o < num_outputs; ++o) {
        const std::int64_t group = o / (num_outputs / groups);
        const std::int64_t lhs_batch = op.batch_groups > 1 ? group * batch + n : n;
        const std::int64_t first_channel = op.feature_groups > 1 ? group * group_channels : 0;
        const T* image = lhs.data<T>() + (lhs_batch * channels + first_channel) * plane.size;
        const T* kernel = rhs.data<T>() + o * group_channels * num_taps;
        for_each_index(outputs, [&](Index at) {
          // dot() over (channel, tap), where the taps outside contribute nothing.
          T total = T(0);
          T chain = T(0);
          std::int64_t step = 0;
          for (std::int64_t c = 0; c < group_channels; ++c) {
            for (std::int64_t tap = 0; tap < num_taps; ++tap, ++step) {
              if (step % kChainBlock == 0) {
                total = math::add(total, chain);
                chain = T(0);
              }
              const auto source =
                  window_position(op.window, plane.sizes, at, taps[static_cast<std::size_t>(tap)]);
              if (source)
                chain = math::fma(image[c * plane.size + *source], kernel[c * num_taps + tap], chain);
            }
          }
          *out++ = math::add(total, chain);
        });
      }
    }
  });
  return {converted(sums, result.dtype)};
}

std::vector<Array> run_window_reduce(const WindowReduce& op, const std::vector<Array>& operands,
                                     const Type& result) {
  const DType accumulation = accumulator(op.accumulation);
  const Array values = converted(operands[0], accumulation);
  const Plane plane(values, op.window);
  const Sizes outputs = plane.outputs(op.window);
  Array sums = Array::uninitialized(accumulation, result.shape.sizes());
  CALX_ASSERT(sums.num_elements() == plane.leading * count(outputs));
  visit_accumulator(accumulation, [&]<class T>(std::type_identity<T>) {
    visit_combiner<T>(op.combiner, [&]<class C>(C) {
      T* out = sums.mutable_data<T>();
      for (std::int64_t lead = 0; lead < plane.leading; ++lead) {
        const T* data = values.data<T>() + lead * plane.size;
        for_each_index(outputs, [&](Index at) {
          std::vector<std::optional<std::int64_t>> sources;
          for_each_index(op.window.sizes, [&](Index element) {
            sources.push_back(window_position(op.window, plane.sizes, at, element));
          });
          const bool any = std::any_of(sources.begin(), sources.end(),
                                       [](const auto& source) { return source.has_value(); });
          const std::int64_t n = any ? static_cast<std::int64_t>(sources.size()) : 0;
          *out++ = reduce<T, C>(n, [&](std::int64_t i) {
            const auto& source = sources[static_cast<std::size_t>(i)];
            return source ? data[*source] : C::template identity<T>();
          });
        });
      }
    });
  });
  return {converted(sums, result.dtype)};
}

std::vector<Array> run_window_arg_reduce(const WindowArgReduce& op, const std::vector<Array>& operands,
                                         const Type& result) {
  const Plane plane(operands[0], op.window);
  const Sizes outputs = plane.outputs(op.window);
  Array found = Array::uninitialized(i64, result.shape.sizes());
  CALX_ASSERT(found.num_elements() == plane.leading * count(outputs));
  visit_dtype(operands[0].dtype(), [&]<class T>(std::type_identity<T>) {
    using C = ComputeType<T>;
    std::int64_t* out = found.mutable_data<std::int64_t>();
    for (std::int64_t lead = 0; lead < plane.leading; ++lead) {
      const T* data = operands[0].data<T>() + lead * plane.size;
      for_each_index(outputs, [&](Index at) {
        std::int64_t best = -1;
        for_each_index(op.window.sizes, [&](Index element) {
          const auto source = window_position(op.window, plane.sizes, at, element);
          if (!source) return;
          const auto value = static_cast<C>(data[*source]);
          const auto current = best < 0 ? value : static_cast<C>(data[best]);
          const bool better = op.smallest ? value < current : value > current;
          if (best < 0 || better || (math::is_nan(value) && !math::is_nan(current))) best = *source;
        });
        *out++ = best;
      });
    }
  });
  return {converted(found, result.dtype)};
}

/// -1, 0 or 1 as element a of a key comes before, with or after element b.
int compare_keys(const Array& key, std::int64_t a, std::int64_t b, bool descending) {
  return visit_dtype(key.dtype(), [&]<class T>(std::type_identity<T>) {
    const auto x = static_cast<ComputeType<T>>(key.data<T>()[a]);
    const auto y = static_cast<ComputeType<T>>(key.data<T>()[b]);
    if (math::is_nan(x) || math::is_nan(y))
      return static_cast<int>(math::is_nan(x)) - static_cast<int>(math::is_nan(y));
    const int order = static_cast<int>(x > y) - static_cast<int>(x < y);
    return descending ? -order : order;
  });
}

std::vector<Array> run_sort(const Sort& op, const std::vector<Array>& operands,
                            std::span<const Type> results) {
  CALX_ASSERT(op.num_keys >= 1 && static_cast<std::size_t>(op.num_keys) <= operands.size());
  CALX_ASSERT(results.size() == operands.size() || results.size() == operands.size() + 1);
  const Sizes& sizes = operands[0].sizes();
  for (const Array& operand : operands) CALX_ASSERT(operand.sizes() == sizes);
  const auto axis = static_cast<std::size_t>(op.axis);
  const auto strides = row_major_strides(sizes);
  const std::int64_t length = sizes[axis];
  Sizes row_sizes = sizes;
  row_sizes[axis] = 1;
  Array permutation = Array::uninitialized(i64, sizes);
  auto* order = permutation.mutable_data<std::int64_t>();
  for_each_index(row_sizes, [&](Index row) {
    if (length == 0) return;
    const auto start = std::inner_product(row.begin(), row.end(), strides.begin(), std::int64_t{0});
    const auto at = [&](std::int64_t i) { return start + i * strides[axis]; };
    std::vector<std::int64_t> sorted(static_cast<std::size_t>(length));
    std::iota(sorted.begin(), sorted.end(), 0);
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::int64_t a, std::int64_t b) {
      for (int k = 0; k < op.num_keys; ++k) {
        const int result = compare_keys(operands[static_cast<std::size_t>(k)], at(a), at(b), op.descending);
        if (result != 0) return result < 0;
      }
      return false;
    });
    for (std::int64_t i = 0; i < length; ++i) order[at(i)] = sorted[static_cast<std::size_t>(i)];
  });
  std::vector<Array> sorted;
  for (const Array& operand : operands) {
    Array out = Array::uninitialized(operand.dtype(), sizes);
    visit_dtype(operand.dtype(), [&]<class T>(std::type_identity<T>) {
      for (std::int64_t i = 0; i < operand.num_elements(); ++i) {
        const std::int64_t along = (i / strides[axis]) % length;
        out.mutable_data<T>()[i] = operand.data<T>()[i + (order[i] - along) * strides[axis]];
      }
    });
    sorted.push_back(std::move(out));
  }
  if (results.size() > operands.size()) sorted.push_back(converted(permutation, results.back().dtype));
  return sorted;
}

std::vector<Array> run_random_bits(const std::vector<Array>& operands, const Type& result) {
  CALX_ASSERT(operands[0].dtype() == u64);
  Array bits = Array::uninitialized(u64, result.shape.sizes());
  const std::int64_t num_keys = operands[0].num_elements();
  const std::int64_t per_key = num_keys == 0 ? 0 : bits.num_elements() / num_keys;
  auto* out = bits.mutable_data<std::uint64_t>();
  for (std::int64_t key = 0; key < num_keys; ++key) {
    for (std::int64_t i = 0; i < per_key; ++i) {
      *out++ = random_bits(operands[0].data<std::uint64_t>()[key], static_cast<std::uint64_t>(i));
    }
  }
  return {converted(bits, result.dtype)};
}

}  // namespace

Window Window::of(Sizes sizes) {
  const std::size_t n = sizes.size();
  return {std::move(sizes), Sizes(n, 1), Sizes(n, 0), Sizes(n, 0), Sizes(n, 1), Sizes(n, 1)};
}

std::int64_t Window::output_size(std::size_t axis, std::int64_t operand_size) const {
  // Of no elements as well, as the ops count: their transposes undo the paddings for every size.
  const auto dilated = [](std::int64_t size, std::int64_t by) { return (size - 1) * by + 1; };
  const std::int64_t padded =
      dilated(operand_size, base_dilation[axis]) + padding_low[axis] + padding_high[axis];
  const std::int64_t span = dilated(sizes[axis], dilation[axis]);
  return padded < span ? 0 : (padded - span) / strides[axis] + 1;
}

std::optional<std::int64_t> Window::operand_index(std::size_t axis, std::int64_t output, std::int64_t element,
                                                  std::int64_t operand_size) const {
  const std::int64_t dilated = output * strides[axis] + element * dilation[axis] - padding_low[axis];
  const std::int64_t index = calx::floor_div(dilated, base_dilation[axis]);
  if (index * base_dilation[axis] != dilated || index < 0 || index >= operand_size) return std::nullopt;
  return index;
}

std::vector<Array> run_kernel(const Kernel& kernel, const std::vector<Array>& operands,
                              std::span<const Type> results) {
  struct Visitor {
    const std::vector<Array>& operands;
    std::span<const Type> results;

    std::vector<Array> operator()(const Contraction& op) const {
      return run_contraction(op, operands, results[0]);
    }
    std::vector<Array> operator()(const Convolution& op) const {
      return run_convolution(op, operands, results[0]);
    }
    std::vector<Array> operator()(const WindowReduce& op) const {
      return run_window_reduce(op, operands, results[0]);
    }
    std::vector<Array> operator()(const WindowArgReduce& op) const {
      return run_window_arg_reduce(op, operands, results[0]);
    }
    std::vector<Array> operator()(const Sort& op) const { return run_sort(op, operands, results); }
    std::vector<Array> operator()(const RandomBits&) const { return run_random_bits(operands, results[0]); }
  };
  return std::visit(Visitor{operands, results}, kernel);
}

}  // namespace calx::loopir
