// What contraction-like ops share: conversion of whole arrays, and lists of axes.
#pragma once

#include <string_view>
#include <vector>

#include "_accumulation.h"
#include "calx/core/core_ops.h"
#include "calx/core/lower.h"
#include "calx/core/reference.h"

namespace calx::ops::contraction {

/// Every element converted as the op `convert` does.
[[nodiscard]] Array converted(const Array& array, DType dtype);

/// The axes in [0, rank) that are in neither list, in order.
[[nodiscard]] std::vector<std::int64_t> other_axes(int rank, const std::vector<std::int64_t>& a,
                                                   const std::vector<std::int64_t>& b);

}  // namespace calx::ops::contraction
