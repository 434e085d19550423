// What conv_general's rules and its sugar share: the attribute keys, and application with a geometry.
#pragma once

#include "contraction/_support.h"
#include "window/_geometry.h"

namespace calx::ops::convolution {

inline constinit const Attr<std::vector<std::int64_t>> strides{
    "strides", std::vector<std::int64_t>{}, "steps between windows; empty: 1 on every axis", 1, 1e15};
inline constinit const Attr<std::vector<Dim>> padding_low{
    "padding_low", std::vector<Dim>{}, "zeros before each spatial axis of lhs, negative to crop; empty: 0"};
inline constinit const Attr<std::vector<Dim>> padding_high{
    "padding_high", std::vector<Dim>{}, "zeros after each spatial axis of lhs, negative to crop; empty: 0"};
inline constinit const Attr<std::vector<std::int64_t>> lhs_dilation{
    "lhs_dilation", std::vector<std::int64_t>{},
    "distance between elements of lhs, zeros between them; empty: 1", 1, 1e15};
inline constinit const Attr<std::vector<std::int64_t>> rhs_dilation{"rhs_dilation", std::vector<std::int64_t>{},
                                                          "distance between elements of the kernel; empty: 1",
                                                          1, 1e15};
inline constinit const Attr<Dim> feature_groups{"feature_groups", [] { return Dim(1); }, "groups of channels that do not mix", 0,
                                      1e15};
inline constinit const Attr<Dim> batch_groups{"batch_groups", [] { return Dim(1); },
                                    "groups of the batch, each with its own output channels", 0, 1e15};

[[nodiscard]] windows::Geometry geometry_of(const Call& c);

/// conv_general with feature groups.
[[nodiscard]] Tensor convolve(const Tensor& lhs, const Tensor& rhs, const windows::Geometry& geometry,
                              const Dim& groups, std::optional<DType> running, SourceLoc where);

/// The cotangent of one operand (0: lhs, 1: rhs), as a conv_general with feature groups.
[[nodiscard]] Tensor transpose_to(const Call& c, const Tensor& cotangent, int group);

/// conv_general over operands with a leading batch axis.
[[nodiscard]] std::vector<Batched> batch_convolution(const BatchCall& c);

/// The values of conv_general.
[[nodiscard]] Array run_convolution(const ReferenceCall& c);

}  // namespace calx::ops::convolution
