// Attribute keys of ops over windows of the last axes, and their checks.
#pragma once

#include "indexing/_support.h"

namespace calx::ops::window_attrs {

inline constinit const Attr<std::vector<Dim>> window{"window", required,
                                           "size of the window along each of the last axes"};
inline constinit const Attr<Ints> strides{"strides", Ints{}, "step between windows, per windowed axis; empty: all 1", 1,
                                std::numeric_limits<double>::infinity()};
inline constinit const Attr<std::vector<Dim>> padding_low{
    "padding_low", std::vector<Dim>{},
    "padding before the first element, per windowed axis; negative removes; empty: none"};
inline constinit const Attr<std::vector<Dim>> padding_high{
    "padding_high", std::vector<Dim>{},
    "padding after the last element, per windowed axis; negative removes; empty: none"};
inline constinit const Attr<Ints> base_dilation{"base_dilation", Ints{},
                                      "distance of neighbours of x, per windowed axis; empty: all 1", 1,
                                      std::numeric_limits<double>::infinity()};
inline constinit const Attr<Ints> window_dilation{
    "window_dilation", Ints{}, "distance of neighbours of the window, per windowed axis; empty: all 1", 1,
    std::numeric_limits<double>::infinity()};
inline constinit const Attr<DType> index_dtype{"index_dtype", i32, "dtype of the positions, i32 or i64"};

/// Raises what is wrong with the lengths of these lists, and a window that is known to be empty.
void check_windows(const Call& c);

}  // namespace calx::ops::window_attrs
