// normal: standard normal numbers by the Box-Muller transform.
#include <numbers>

#include "random/_support.h"

namespace calx::ops {

OpDef normal() {
  using namespace random_attrs;
  return {
      .name = "normal",
      .family = "random",
      .doc = {.summary = "Standard normal numbers.",
              .math = "y = sqrt(-2 log(1 - u)) cos(2 pi v), u and v uniform under the keys fold_in(key, 0) "
                      "and fold_in(key, 1) in "
                      "stream 3",
              .shapes = "`key: u64[a]`, shape [b] -> `f32[a,b]`",
              .gradient = "none: nothing floating goes in",
              .accuracy =
                  "computed in f32 (f64 for f64) with the accuracy of log, sqrt and cos; |y| < 5.78 in f32",
              .errors = "a dtype that is not floating: CALX-E301",
              .example = "normal(scalar<std::uint64_t>(0), {2})  // f32[2]",
              .source = "Box and Muller (1958); jax.random.normal, which inverts erf"},
      .operands = {{"key", DTypes::u64_key}},
      .attrs = {shape, dtype},
      .form =
          Composite{
              .infer = Derived{},
              .decompose = [](const Call& c) -> Results {
                require_floating(c);
                const DType real = c[dtype].accumulation();
                const auto draw = [&](double number) {
                  return unit_interval(make_fold_in(c[0], core::full(c[0].type(), number), KeyStream::normal),
                                       c[shape], real);
                };
                const Tensor u = draw(0);
                const Tensor angle = core::mul(draw(1), core::full(u.type(), 2 * std::numbers::pi));
                const Tensor log = apply_one(get_op("log"), {core::sub(core::ones(u.type()), u)});
                const Tensor radius = apply_one(get_op("sqrt"), {core::mul(log, core::full(u.type(), -2))});
                return Results(core::convert(core::mul(radius, apply_one(get_op("cos"), {angle})), c[dtype]));
              },
              .jvp = Derived{},
              .batch = Derived{},
              .simplify = NoIdentity{},
              .reference = Derived{},
              .lower = Derived{}},
      .samples =
          [] {
            const SampleOperand key{.shape = {}, .dtype = u64, .draw = Draw::indices, .low = 0, .high = 1000};
            return std::vector<Sample>{
                {.operands = {key}, .attrs = {attr(shape, {Dim(5)})}},
                {.operands = {key}, .attrs = {attr(shape, {Dim(2), Dim(3)}), attr(dtype, f64)}},
                {.operands = {key}, .attrs = {attr(shape, std::vector<Dim>{}), attr(dtype, bf16)}},
                {.operands = {key}, .attrs = {attr(shape, {Dim(0)}), attr(dtype, f16)}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.operands = {{u64, {}}},
                                        .attrs = {attr(shape, {Dim(2)}), attr(dtype, i32)},
                                        .id = ErrorId::attribute,
                                        .message = "not floating"},
                                       {.operands = {{i32, {}}},
                                        .attrs = {attr(shape, {Dim(2)})},
                                        .id = ErrorId::dtype,
                                        .message = "`key` i32[]"}};
          },
  };
}

}  // namespace calx::ops
