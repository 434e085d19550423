// What pointwise ops share: a unary or binary op differs from its like in its documentation, its derivative
// and one scalar function. Knows no single op.
#pragma once

#include "_rules.h"

namespace calx::ops::pointwise {

struct Spec {
  std::string_view name;
  OpDoc doc;  // shapes and errors are filled in where empty
  slot::jvp jvp;
  slot::simplify simplify = NoIdentity{};
  Numerics numerics = {.max_ulp_f32 = 1};
  Draw draw = Draw::normal;
  bool to_boolean = false;
};

/// A type that operands of `set` reject, for the rejected samples; bool where `set` holds all but bool.
[[nodiscard]] Type rejected_type(DTypes set);
[[nodiscard]] OpDoc complete(OpDoc doc, int count, bool to_boolean);

/// Everything but form's reference and lower.
[[nodiscard]] OpDef define(Spec spec, DTypes set, int count, ReferenceRule reference, LowerRule lower);

template <DTypes set, class Fn>
[[nodiscard]] OpDef unary(Spec spec, Fn reference, loopir::ScalarFunction function) {
  return define(std::move(spec), set, 1, ref::pointwise<set>(reference),
                lower::pointwise([function](loopir::Scalar x) {
                  return loopir::Scalar::apply(function, {std::move(x)});
                }));
}

template <DTypes set, class Fn>
[[nodiscard]] OpDef binary(Spec spec, Fn reference, loopir::ScalarFunction function) {
  return define(std::move(spec), set, 2, ref::pointwise<set>(reference),
                lower::pointwise([function](loopir::Scalar a, loopir::Scalar b) {
                  return loopir::Scalar::apply(function, {std::move(a), std::move(b)});
                }));
}

struct ActivationSpec {
  std::string_view name;
  OpDoc doc;
  std::vector<AttrSpec> attrs = {};
  /// Of x, which has the accumulation dtype unless `exact`.
  std::function<Tensor(const Call&, const Tensor& x)> value;
  /// The value is one of finitely many roundings of x itself: computed in x's own dtype.
  bool exact = false;
  DTypes dtypes = DTypes::floating;
  Numerics numerics = {.max_ulp_f32 = 4};
  /// Samples beside those of every pointwise op, one for each set of attributes.
  std::vector<Attrs> more = {};
  std::vector<Reject> rejects = {};
};

/// A composite of one operand: f16 and bf16 are converted once to f32, the result once back.
[[nodiscard]] OpDef activation(ActivationSpec spec);

}  // namespace calx::ops::pointwise
