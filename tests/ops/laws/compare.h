// How laws compare values: bit for bit (NaN payload aside), or within the one table of tolerances by dtype.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calx/types/array.h"

namespace calx::laws {

/// The table. `step` is that of fourth-order central differences, whose error allows `differences`; `algebra`
/// is what reassociating a few operations may cost.
struct Tolerance {
  double step = 1e-3;
  double differences = 1e-6;
  double algebra = 1e-9;
};
[[nodiscard]] Tolerance tolerance(DType dtype);
/// Of the floating dtypes of some values (f64 if there is none), the one with the widest tolerance.
[[nodiscard]] DType coarsest(const std::vector<Array>& values);

/// Same type and bits; every NaN equals every NaN.
[[nodiscard]] bool same_bits(const Array& a, const Array& b);
/// nullopt if equal within `relative` * (1 + the largest finite magnitude of the two); else the first
/// difference. What is asked where values are not finite is said by `compared`.
enum class Compared : std::uint8_t {
  all,                  // where one is not finite the other is the same non-finite value
  where_finite,         // elements where both are finite
  where_second_finite,  // elements where b is finite: there a is, too
};
[[nodiscard]] std::optional<std::string> difference(const Array& a, const Array& b, double relative,
                                                    Compared compared = Compared::all);
/// "f64[3] [1, 2, 3]", long arrays cut.
[[nodiscard]] std::string show(const Array& array);

// Arithmetic on floating arrays, elementwise in double.
[[nodiscard]] Array combine(double a, const Array& x, double b, const Array& y);
/// Sum of products, in double.
[[nodiscard]] double inner_product(const Array& a, const Array& b);
[[nodiscard]] Array converted_to(const Array& array, DType dtype);
/// The elements `lane` along `axis`.
[[nodiscard]] Array take_lane(const Array& array, int axis, std::int64_t lane);
/// Lanes stacked along a new axis. `lanes` may be empty: then one of `sizes` and `dtype` with extent 0.
[[nodiscard]] Array stack(const std::vector<Array>& lanes, int axis, const Type& lane_type);

}  // namespace calx::laws
