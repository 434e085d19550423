// What the ops over windows of the last axes share: attribute keys, their checks, and geometry, shape and loopir's window of an
// application. `window` names as many axes as it has entries; the axes before those are batch axes.
#pragma once

#include "calx/core/core_ops.h"
#include "calx/core/lower.h"
#include "calx/core/reference.h"
#include "calx/core/samples.h"
#include "window/_geometry.h"

namespace calx::ops::windows {

using Steps = std::vector<std::int64_t>;

inline constinit const Attr<std::vector<Dim>> window{"window", required, "size of the window along each of the last axes"};
inline constinit const Attr<Steps> strides{"strides", Steps{}, "step between windows, per windowed axis; empty: all 1", 1,
                                           1e15};
inline constinit const Attr<std::vector<Dim>> padding_low{
    "padding_low", std::vector<Dim>{}, "padding before the first element, per windowed axis; negative removes; empty: none"};
inline constinit const Attr<std::vector<Dim>> padding_high{
    "padding_high", std::vector<Dim>{}, "padding after the last element, per windowed axis; negative removes; empty: none"};
inline constinit const Attr<Steps> base_dilation{
    "base_dilation", Steps{}, "distance of neighbours of x, per windowed axis; empty: all 1", 1, 1e15};
inline constinit const Attr<Steps> window_dilation{
    "window_dilation", Steps{}, "distance of neighbours of the window, per windowed axis; empty: all 1", 1, 1e15};

/// Raises `rank` for more windowed axes than axes, and `attribute` for lists of other lengths and for a size of the window that
/// is known to be below `smallest`.
void check_windows(const Call& c, std::int64_t smallest);

/// The geometry that the attributes of a checked application describe, and the attributes that describe a geometry.
[[nodiscard]] Geometry geometry_of(const Call& c);
[[nodiscard]] Attrs attributes(const std::vector<Dim>& sizes, const Geometry& geometry);

/// The last `count` sizes of a shape: those of the windowed axes.
[[nodiscard]] std::span<const Dim> windowed(const Shape& shape, std::size_t count);
/// The shape with its last `count` axes as one.
[[nodiscard]] Shape with_flat_planes(const Shape& shape, std::size_t count);
/// The shape of the result of a checked application.
[[nodiscard]] Shape result_shape(const Call& c);

/// What the windows read of operand 0 of a reference.
[[nodiscard]] Reads trace_reads(const ReferenceCall& c);
[[nodiscard]] loopir::Window lowered(const Call& c);

}  // namespace calx::ops::windows
