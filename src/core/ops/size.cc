#include "support.h"

namespace calx::ops {

OpDef size() {
  return {
      .name = "size",
      .family = "core",
      .doc = {.summary = "A scalar tensor that holds a size of the program's types.",
              .math = "size = dim",
              .shapes = "-> `i64[]`, or the dtype asked for",
              .gradient = "none: it depends on nothing",
              .accuracy = "exact in integers; rounded once in floats",
              .errors = "none",
              .example = "core::size(Dim::symbol(\"B\"))  // i64[]",
              .source = "StableHLO get_dimension_size, for any polynomial of sizes"},
      .attrs = {size_dim, size_dtype},
      .form = Primitive{
          .infer = [](const Call& c) { return Types(Type{c[size_dtype], {}}); },
          .jvp = NoFloatOperand{},
          .linear = NotLinear{},
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            return {{apply_one(c.call.op(), {}, c.call.attrs(), c.call.where()), false}};
          },
          .simplify = [](const Call& c) -> std::optional<Results> {
            const std::optional<std::int64_t> known = c[size_dim].constant();
            if (!known) return std::nullopt;
            return visit_dtype(c[size_dtype], [&]<class T>(std::type_identity<T>) {
              return Results(Tensor(Array::scalar<T>(convert_element<T>(*known))));
            });
          },
          .reference = [](const ReferenceCall& c) -> std::vector<Array> {
            const std::int64_t known = c.evaluate(c[size_dim]);
            return visit_dtype(c.dtype(), [&]<class T>(std::type_identity<T>) {
              return std::vector<Array>{Array::scalar<T>(convert_element<T>(known))};
            });
          },
          .lower = [](const Call& c) -> loopir::Lowered {
            return loopir::Pointwise{{}, {loopir::Scalar::constant(c[size_dim].value(), c[size_dtype])}};
          }},
      .samples = [] {
        return std::vector<Sample>{{.attrs = {attr(size_dim, Dim(7))}},
                                   {.attrs = {attr(size_dim, Dim(70000)), attr(size_dtype, f32)}}};
      },
      .rejects = [] {
        return std::vector<Reject>{{.id = ErrorId::attribute_missing, .message = "attribute `dim` is missing"}};
      },
  };
}

}  // namespace calx::ops
