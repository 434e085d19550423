#include "pointwise/_support.h"

namespace calx::ops::pointwise {

Type rejected_type(DTypes set) {
  switch (set) {
    case DTypes::floating:
      return {i32, {2}};
    case DTypes::numeric:
      return {boolean, {2}};
    default:
      return {f32, {2}};
  }
}

OpDoc complete(OpDoc doc, int count, bool to_boolean) {
  if (doc.shapes.empty()) {
    doc.shapes = count == 1 ? (to_boolean ? "`x: f32[a]` -> `bool[a]`" : "`x: f32[a]` -> `f32[a]`")
                            : (to_boolean ? "`lhs: bool[a]`, `rhs: bool[a]` -> `bool[a]`"
                                          : "`lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`");
  }
  if (doc.errors.empty()) {
    doc.errors =
        count == 1
            ? "an operand of another kind of dtype: CALX-E101"
            : "an operand of another kind of dtype: CALX-E101; shapes that do not broadcast: CALX-E202; no "
              "common dtype: CALX-E103";
  }
  return doc;
}

OpDef define(Spec spec, DTypes set, int count, ReferenceRule reference, LowerRule lower) {
  OpDef op = {
      .name = spec.name,
      .family = "pointwise",
      .doc = complete(spec.doc, count, spec.to_boolean),
      .binding = count > 1 ? Binding::broadcast : Binding::exact,
      .form = Primitive{.infer = spec.to_boolean ? infer::pointwise_to(boolean) : infer::pointwise(),
                        .jvp = std::move(spec.jvp),
                        .linear = NotLinear{},
                        .batch = batch::pointwise,
                        .simplify = std::move(spec.simplify),
                        .reference = std::move(reference),
                        .lower = std::move(lower)},
      .numerics = spec.numerics,
      .samples = pointwise_samples(count, spec.draw),
      .rejects =
          [set, count] {
            std::vector<Reject> rejects = {
                {.operands = std::vector<Type>(static_cast<std::size_t>(count), rejected_type(set)),
                 .id = ErrorId::dtype,
                 .message = count == 1 ? "`x`" : "`lhs`"},
                {.operands = {}, .id = ErrorId::arity, .message = "takes"}};
            if (count > 1) {
              const DType dtype = set == DTypes::boolean ? boolean : f32;
              rejects.push_back({.operands = {{dtype, {2}}, {dtype, {3}}},
                                 .id = ErrorId::shape_mismatch,
                                 .message = "`rhs`"});
            }
            return rejects;
          },
  };
  if (count == 1) {
    op.operands = {{"x", set}};
  } else {
    op.operands = {{"lhs", set}, {"rhs", set}};
  }
  return op;
}

OpDef activation(ActivationSpec spec) {
  const DTypes dtypes = spec.dtypes;
  return {
      .name = spec.name,
      .family = "pointwise",
      .doc = complete(spec.doc, 1, false),
      .operands = {{"x", dtypes}},
      .attrs = std::move(spec.attrs),
      .form = Composite{.infer = Derived{},
                        .decompose = [value = std::move(spec.value),
                                      exact = spec.exact](const Call& c) -> Results {
                          const DType dtype = c.dtype(0);
                          if (exact || !dtype.is_floating()) return value(c, c[0]);
                          return core::convert(value(c, core::convert(c[0], dtype.accumulation())), dtype);
                        },
                        .jvp = Derived{},
                        .batch = Derived{},
                        .simplify = NoIdentity{},
                        .reference = Derived{},
                        .lower = Derived{}},
      .numerics = spec.numerics,
      .samples =
          [more = std::move(spec.more)] {
            std::vector<Sample> samples = pointwise_samples()();
            for (const Attrs& attrs : more) {
              samples.push_back({.operands = {{.shape = {2, 3}}}, .attrs = attrs});
            }
            return samples;
          },
      .rejects =
          [dtypes, more = std::move(spec.rejects)] {
            std::vector<Reject> rejects = {
                {.operands = {rejected_type(dtypes)}, .id = ErrorId::dtype, .message = "`x`"},
                {.operands = {}, .id = ErrorId::arity, .message = "takes"}};
            rejects.insert(rejects.end(), more.begin(), more.end());
            return rejects;
          },
  };
}

}  // namespace calx::ops::pointwise
