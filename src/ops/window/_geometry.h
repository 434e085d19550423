// Windows that move over spatial axes: the sizes they give, the paddings of their transposes, and which
// element each window position reads. Shared by convolutions and window sums; knows no op. Invariant:
// `span_of` is (size - 1) * dilation + 1 for every size, 0 included, so that the paddings of a transpose undo
// those of the op for every value of the symbols.
#pragma once

#include <cstdint>
#include <vector>

#include "calx/core/op_def.h"
#include "calx/loopir/lowered.h"

namespace calx::ops::windows {

/// One entry per spatial axis in every list.
struct Geometry {
  std::vector<std::int64_t> strides = {};
  std::vector<Dim> low = {};  // negative: crops
  std::vector<Dim> high = {};
  std::vector<std::int64_t> base_dilation = {};
  std::vector<std::int64_t> dilation = {};
};

/// An attribute's list with one entry per spatial axis: an empty one stands for `fallback` everywhere. Raises
/// `attribute`.
[[nodiscard]] std::vector<std::int64_t> per_axis(const Call& c, const Attr<std::vector<std::int64_t>>& key,
                                                 std::size_t rank);
[[nodiscard]] std::vector<Dim> per_axis(const Call& c, const Attr<std::vector<Dim>>& key, std::size_t rank);

/// How far `size` elements reach when they are `dilation` apart.
[[nodiscard]] Dim span_of(const Dim& size, std::int64_t dilation);

/// How many windows fit, at least 0.
[[nodiscard]] std::vector<Dim> output_sizes(const Geometry& geometry, std::span<const Dim> sizes,
                                            std::span<const Dim> window);

/// The windows over the outputs (base-dilated by the strides) that give back an array of `sizes`: element i
/// is read by the windows that read it. The window has to be reversed.
[[nodiscard]] Geometry transposed(const Geometry& geometry, std::span<const Dim> sizes,
                                  std::span<const Dim> window, std::span<const Dim> outputs);

/// The windows of outputs' shape over the operand that give one result per window element.
[[nodiscard]] Geometry transposed_to_window(const Geometry& geometry, std::span<const Dim> sizes,
                                            std::span<const Dim> window, std::span<const Dim> outputs);

/// Which element each window element reads: offsets[element * num_outputs + output], row-major within the
/// spatial axes, -1 outside the operand and in holes.
struct Reads {
  std::int64_t num_elements = 1;
  std::int64_t num_outputs = 1;
  std::int64_t num_inputs = 1;
  bool reaches_outside = false;
  std::vector<std::int64_t> offsets = {};
};
[[nodiscard]] Reads trace_reads(const ReferenceCall& c, const Geometry& geometry,
                                std::span<const std::int64_t> sizes, std::span<const std::int64_t> window,
                                std::span<const std::int64_t> outputs);

/// The window of loopir with the same results.
[[nodiscard]] loopir::Window lowered(const Geometry& geometry, std::vector<std::int64_t> window);

}  // namespace calx::ops::windows
