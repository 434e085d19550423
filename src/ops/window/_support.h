// What the ops over windows of the last axes share: attribute keys, their checks, and what follows from them.
#pragma once

#include "indexing/_support.h"
#include "window/_geometry.h"

namespace calx::ops::window_attrs {

inline constinit const Attr<std::vector<Dim>> window{
    "window", required, "size of the window along each of the last axes", 0, 1e15};
inline constinit const Attr<Ints> strides{
    "strides", Ints{}, "step between windows, per windowed axis; empty: all 1", 1, 1e15};
inline constinit const Attr<std::vector<Dim>> padding_low{
    "padding_low", std::vector<Dim>{}, "padding before the first element, per windowed axis; negative crops; empty: none"};
inline constinit const Attr<std::vector<Dim>> padding_high{
    "padding_high", std::vector<Dim>{}, "padding after the last element, per windowed axis; negative crops; empty: none"};
inline constinit const Attr<Ints> base_dilation{
    "base_dilation", Ints{}, "distance of neighbours of x, per windowed axis; empty: all 1", 1, 1e15};
inline constinit const Attr<Ints> window_dilation{
    "window_dilation", Ints{}, "distance of neighbours of the window, per windowed axis; empty: all 1", 1, 1e15};
inline constinit const Attr<DType> index_dtype{"index_dtype", i32, "dtype of the positions, i32 or i64"};

/// Raises `rank` if there are more windowed axes than axes, `attribute` if a list has an unfit length.
[[nodiscard]] windows::Geometry geometry_of(const Call& c);
/// Raises `attribute` for a window that is known to hold no element.
void require_elements(const Call& c);
/// The windowed axes of a shape.
[[nodiscard]] std::span<const Dim> windowed(const Call& c, const Shape& shape);
/// The shape of operand 0 with one entry per window along the windowed axes.
[[nodiscard]] Shape windows_shape(const Call& c);
/// The windows of an application with static sizes.
[[nodiscard]] loopir::Window lowered_window(const Call& c);

}  // namespace calx::ops::window_attrs
