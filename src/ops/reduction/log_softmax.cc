#include "reduction/_support.h"

namespace calx::ops {

using namespace reduction;

OpDef log_softmax() {
  return {
      .name = "log_softmax",
      .family = "reduction",
      .doc = {.summary = "Logarithm of softmax along an axis, without overflow.",
              .math = "y = x - log(sum along axis of e^x)",
              .shapes = "`x: f32[a,b]` -> `f32[a,b]`",
              .gradient = "ct - e^y * sum along axis of ct; 0 in a row that is all -inf",
              .accuracy = "computed in `accumulation` (f32 for f16 and bf16) after subtracting the largest element, rounded once; a row "
                          "that is all -inf gives -inf",
              .errors = "axis outside [-rank, rank), rank 0 included: CALX-E203; another kind of dtype: CALX-E101",
              .example = "log_softmax(tensor({0, 0}))  // f32[2] [-0.6931472, -0.6931472]",
              .source = "jax.nn.log_softmax; numerics as in Blanchard, Higham and Higham (2021)"},
      .operands = {{"x", DTypes::floating}},
      .attrs = {axis, accumulation},
      .form = Composite{
          .infer = Derived{},
          .decompose = [](const Call& c) -> Results {
            const Axes reduced = {normalize_axis(c, c[axis], c.type(0).rank())};
            const Shape& shape = c.shape(0);
            const Tensor x = core::convert(c[0], computation(c));
            const Tensor shifted = x - spread_back(shift_of(x, reduced), shape, reduced);
            const Tensor sum = core::reduce_sum(exp(shifted), reduced);
            const Tensor no_mass = compare(sum, 0, Comparison::eq);
            const Tensor y = shifted - spread_back(log(select(no_mass, 1, sum)), shape, reduced);
            constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
            return core::convert(select(spread_back(no_mass, shape, reduced), minus_infinity, y), c.dtype(0));
          },
          .jvp = Derived{},
          .batch = Derived{},
          .simplify = NoIdentity{},
          .reference = Derived{},
          .lower = Derived{}},
      .numerics = {.max_ulp_f32 = 8},
      .samples = [] {
        return std::vector<Sample>{{.operands = {{.shape = {5}}}},
                                   {.operands = {{.shape = {2, 3}}}, .attrs = {attr(axis, 0)}},
                                   {.operands = {{.shape = {3, 3}}}, .attrs = {attr(axis, 1)}},
                                   {.operands = {{.shape = {2, 1}}}},
                                   {.operands = {{.shape = {0, 3}}}},
                                   {.operands = {{.shape = {2, 0}}}},
                                   {.operands = {{.shape = {4}, .dtype = f32}}, .attrs = {attr(accumulation, f64)}}};
      },
      .rejects = [] {
        return std::vector<Reject>{
            {.operands = {{f32, {3}}}, .attrs = {attr(axis, 1)}, .id = ErrorId::axis, .message = "`axis` is 1"},
            {.operands = {{f32, {}}}, .id = ErrorId::axis, .message = "`axis` is -1"},
            {.operands = {{i32, {3}}}, .id = ErrorId::dtype, .message = "`x`"},
            {.operands = {{f32, {3}}}, .attrs = {attr(accumulation, f16)}, .id = ErrorId::dtype, .message = "`accumulation`"}};
      },
  };
}

}  // namespace calx::ops
