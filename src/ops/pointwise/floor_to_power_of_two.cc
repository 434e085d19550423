#include <bit>

#include "pointwise/_support.h"

namespace calx::ops {

namespace {

/// Keeps the exponent of |x|: integers of the same size do what no rounding can disturb.
template <class T>
T power_of_two_below(T x) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  constexpr T smallest = std::numeric_limits<T>::min();
  constexpr Bits exponent = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  if (x == T(0) || !math::is_finite(x)) return T(1);
  const T size = math::maximum(math::abs(x), smallest);
  return std::bit_cast<T>(static_cast<Bits>(std::bit_cast<Bits>(size) & exponent));
}

}  // namespace

OpDef floor_to_power_of_two() {
  OpDef op = pointwise::define(
      {.name = "floor_to_power_of_two",
       .doc = {.summary = "Largest power of two not above the absolute value of each element.",
               .math = "y = 2^floor(log2(|x|)); 1 where x is 0, infinite or NaN; at least the smallest "
                       "normal number",
               .gradient = "none: 0 everywhere, so that dividing by the result and multiplying by it again "
                           "changes no derivative",
               .accuracy = "exact; f16 and bf16 have the smallest normal number of f32 as bound, so that of "
                           "f16 is 2^-24",
               .example = "floor_to_power_of_two(tensor({5, -0.3, 0}))  // f32[3] [4, 0.25, 1]",
               .source = "the scale of overflow-free norms: Blue (1978), as in LAPACK's nrm2"},
       .jvp = PiecewiseConstant{},
       .numerics = {}},
      DTypes::floating, 1, ref::pointwise<DTypes::floating>([](auto x) { return power_of_two_below(x); }),
      lower::pointwise([](loopir::Scalar x) {
        namespace s = loopir::scalar;
        const DType dtype = x.dtype();
        const DType wide = dtype.accumulation();
        const DType bits = wide == f64 ? u64 : u32;
        const loopir::Scalar value = s::convert(x, wide);
        const auto constant = [&](double number) { return loopir::Scalar::constant(number, wide); };
        const double smallest =
            wide == f64 ? std::numeric_limits<double>::min() : double(std::numeric_limits<float>::min());
        const loopir::Scalar exponent = s::bitcast(constant(std::numeric_limits<double>::infinity()), bits);
        const loopir::Scalar size = s::maximum(s::abs(value), constant(smallest));
        const loopir::Scalar power = s::bitcast(s::bitwise_and(s::bitcast(size, bits), exponent), wide);
        const loopir::Scalar special =
            s::logical_or(s::equal(value, constant(0)), s::logical_not(s::is_finite(value)));
        return s::convert(s::select(special, constant(1), power), dtype);
      }));
  // Between powers of two, where the claim about the derivative can be tested; and everywhere.
  op.samples = [] {
    std::vector<Sample> samples;
    for (Shape shape : {Shape{}, Shape{3}, Shape{0}, Shape{2, 3}, Shape{17}}) {
      samples.push_back({.operands = {{.shape = shape, .low = 1.2, .high = 1.8}}});
    }
    samples.push_back({.operands = {{.shape = {2, 3}, .draw = Draw::given, .values = {5.5, -0.3, 3, -100, 0.7, 1000}}}});
    return samples;
  };
  return op;
}

}  // namespace calx::ops
