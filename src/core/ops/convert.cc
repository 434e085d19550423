#include "support.h"

namespace calx::ops {

OpDef convert() {
  return {
      .name = "convert",
      .family = "core",
      .doc = {.summary = "Converts each element to another dtype.",
              .math = "y = dtype(x)",
              .shapes = "`x: f32[a]` -> `dtype[a]`",
              .gradient = "between floating dtypes the cotangent, converted back; none from or to integers",
              .accuracy = "floats round once, half to even; float to integer truncates toward zero, saturates, NaN gives "
                          "0; integers wrap; to bool is x != 0",
              .errors = "none",
              .example = "core::convert(tensor({1.5, -2.5}), i32)  // i32[2] [1, -2]",
              .source = "numpy.astype, with saturation"},
      .operands = {{"x", DTypes::any}},
      .attrs = {convert_dtype},
      .form = Primitive{
          .infer = [](const Call& c) { return Types(c.type(0).with_dtype(c[convert_dtype])); },
          .jvp = [](const Call& c, const Tangents& t) {
            if (!c[convert_dtype].is_floating()) return Tangents(Tangent::zero(c.result_type()));
            return Tangents(convert(t[0], c[convert_dtype]));
          },
          .linear = LinearIn{{{0}},
                           [](const Call& c, int, const Tangents& ct) { return Tangents(convert(ct[0], c.dtype(0))); }},
          .batch = batch::pointwise,
          .simplify = [](const Call& c) -> std::optional<Results> {
            if (c[convert_dtype] == c.dtype(0)) return Results(c[0]);
            // Through a wider dtype and on: the wider one held every value exactly.
            const auto inner = producer(c[0]);
            if (!inner || inner->op != &c.op()) return std::nullopt;
            const DType from = inner->operands[0].dtype();
            if (from.is_floating() != c.dtype(0).is_floating() || promote(from, c.dtype(0)) != c.dtype(0)) {
              return std::nullopt;
            }
            return Results(core::convert(inner->operands[0], c[convert_dtype]));
          },
          .reference = [](const ReferenceCall& c) -> std::vector<Array> {
            return {ref::convert_array(c[0], c.dtype())};
          },
          .lower = [](const Call& c) -> loopir::Lowered {
            return lower::pointwise([to = c[convert_dtype]](loopir::Scalar x) {
              return loopir::scalar::convert(std::move(x), to);
            })(c);
          }},
      .samples = [] {
        std::vector<Sample> samples;
        for (DType dtype : {f32, f64, f16, i32, boolean, u8}) {
          samples.push_back({.operands = {{.shape = {5}}}, .attrs = {attr(convert_dtype, dtype)}});
        }
        samples.push_back({.operands = {{}}, .attrs = {attr(convert_dtype, bf16)}});
        samples.push_back({.operands = {{.shape = {0, 2}}}, .attrs = {attr(convert_dtype, f64)}});
        return samples;
      },
      .rejects = [] {
        return std::vector<Reject>{
            {.operands = {{f32, {2}}}, .id = ErrorId::attribute_missing, .message = "attribute `dtype` is missing"}};
      },
  };
}

}  // namespace calx::ops
