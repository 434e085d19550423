#include "support.h"

namespace calx::ops {

OpDef reshape() {
  return {
      .name = "reshape",
      .family = "core",
      .doc = {.summary = "The same elements, in row-major order, under another shape.",
              .math = "y.flat[i] = x.flat[i]",
              .shapes = "`x: f32[a,b]` -> `f32[shape]` with as many elements",
              .gradient = "the cotangent, reshaped back",
              .accuracy = "exact",
              .errors = "another number of elements: CALX-E205; a number that cannot be decided: CALX-E208",
              .example = "core::reshape(tensor({1, 2, 3, 4}), {2, 2})  // f32[2,2] [[1, 2], [3, 4]]",
              .source = "numpy.reshape in C order"},
      .operands = {{"x", DTypes::any}},
      .attrs = {shape},
      .form = Primitive{
          .infer = [](const Call& c) {
            Shape result(c[shape]);
            for (const Dim& dim : result) {
              if (proven_less_equal(0, dim) == Proof::no) c.fail(ErrorId::attribute, "a size is negative");
            }
            const Dim from = c.shape(0).num_elements();
            const Dim to = result.num_elements();
            const Proof proof = proven_equal(from, to);
            if (proof != Proof::yes) {
              c.fail(proof == Proof::no ? ErrorId::reshape_count : ErrorId::dim_unknown,
                     "`x` " + c.type(0).to_string() + " has " + from.to_string() + " elements, the shape " +
                         result.to_string() + " has " + to.to_string());
            }
            return Types(Type{c.dtype(0), std::move(result)});
          },
          .jvp = FromLinear{},
          .linear = LinearIn{{{0}},
                           [](const Call& c, int, const Tangents& ct) { return Tangents(reshape(ct[0], c.shape(0))); }},
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            std::vector<Dim> sizes = c.call[shape];
            sizes.insert(sizes.begin(), c.size);
            return {{apply_one(c.call.op(), {c.tensor(0)}, {attr(shape, sizes)}, c.call.where()), true}};
          },
          .simplify = [](const Call& c) -> std::optional<Results> {
            if (Shape(c[shape]) == c.shape(0)) return Results(c[0]);
            if (const auto inner = producer(c[0]); inner && inner->op == &c.op()) {
              return Results(core::reshape(inner->operands[0], Shape(c[shape])));
            }
            return std::nullopt;
          },
          .reference = [](const ReferenceCall& c) -> std::vector<Array> { return {c[0].with_sizes(c.sizes())}; },
          .lower = [](const Call& c) -> loopir::Lowered {
            std::vector<std::int64_t> sizes = Shape(c[shape]).sizes();
            std::vector<std::int64_t> strides = row_major_strides(sizes);
            return lower::view(std::move(sizes), 0, std::move(strides));
          }},
      .samples = [] {
        return std::vector<Sample>{{.operands = {{.shape = {6}}}, .attrs = {attr(shape, {Dim(2), Dim(3)})}},
                                   {.operands = {{.shape = {2, 3}}}, .attrs = {attr(shape, {Dim(3), Dim(2)})}},
                                   {.operands = {{.shape = {1, 1}}}, .attrs = {attr(shape, std::vector<Dim>{})}},
                                   {.operands = {{.shape = {0, 3}}}, .attrs = {attr(shape, {Dim(5), Dim(0)})}},
                                   {.operands = {{.shape = {2, 3}}}, .attrs = {attr(shape, {Dim(2), Dim(3)})}}};
      },
      .rejects = [] {
        return std::vector<Reject>{
            {.operands = {{f32, {6}}}, .attrs = {attr(shape, {Dim(4)})}, .id = ErrorId::reshape_count, .message = "has 6 elements"},
            {.operands = {{f32, {6}}}, .attrs = {attr(shape, {Dim(-2), Dim(-3)})}, .id = ErrorId::attribute, .message = "negative"},
            {.operands = {{f32, {Dim::symbol("B")}}}, .attrs = {attr(shape, {Dim::symbol("C")})},
             .id = ErrorId::dim_unknown, .message = "has B elements"}};
      },
  };
}

}  // namespace calx::ops
