// How laws compare values: bit for bit (NaN payload aside), or within the one table of tolerances by dtype.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calx/types/array.h"

namespace calx::laws {

/// The table. `epsilon` is the distance from 1 to the next number; `step` is that of fourth-order central
/// differences, whose error allows `differences`; `algebra` is what reassociating a few operations may cost.
struct Tolerance {
  double epsilon = 0;
  double step = 0;
  double differences = 0;
  double algebra = 0;
};
[[nodiscard]] Tolerance tolerance(DType dtype);
/// Of the floating dtypes of some values (f64 if there is none), the one with the widest tolerance.
[[nodiscard]] DType coarsest(const std::vector<Array>& values);
/// The largest finite magnitude; 0 if there is none.
[[nodiscard]] double largest(const std::vector<Array>& values);

/// How far two arrays may be apart: `relative` times their largest finite magnitude, and `absolute` besides,
/// for what is left of larger numbers that cancel.
struct Allowed {
  double relative = 0;
  double absolute = 0;
};
/// What reassociation may cost results computed from `inputs`: by the coarsest dtype of both, and `scale` times.
[[nodiscard]] Allowed reassociated(const std::vector<Array>& inputs, const std::vector<Array>& results,
                                   double scale);

/// Same type and bits; every NaN equals every NaN.
[[nodiscard]] bool same_bits(const Array& a, const Array& b);
/// nullopt if equal within what is allowed (bit for bit, if not floating); else the first difference. What is
/// asked where values are not finite is said by `compared`.
enum class Compared : std::uint8_t {
  all,                  // where one is not finite the other is the same non-finite value
  where_finite,         // elements where both are finite
  where_second_finite,  // elements where b is finite: there a is, too
};
[[nodiscard]] std::optional<std::string> difference(const Array& a, const Array& b, Allowed allowed,
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
