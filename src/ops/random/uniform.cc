// uniform: evenly distributed floating numbers.
#include "random/_support.h"

namespace calx::ops {

namespace uniform_parts {

using namespace random_attrs;

constinit const Attr<double> low{"low", 0.0, "the smallest number"};
constinit const Attr<double> high{"high", 1.0, "the bound that is not reached"};

}  // namespace uniform_parts

OpDef uniform() {
  using namespace uniform_parts;
  return {
      .name = "uniform",
      .family = "random",
      .doc = {.summary = "Uniformly distributed numbers in [low, high).",
              .math = "y = low + (high - low) * u, u = the highest p bits of random_bits / 2^p, p = 53, 24, "
                      "11, 8 for f64, f32, f16, "
                      "bf16; what rounds up to high becomes low",
              .shapes = "`key: u64[a]`, shape [b] -> `f32[a,b]`",
              .gradient = "none: nothing floating goes in",
              .accuracy = "the same bits on every backend",
              .errors = "a dtype that is not floating, or low not below high: CALX-E301",
              .example = "uniform(scalar<std::uint64_t>(0), {2}, {.low = -1.0})  // f32[2]",
              .source = "jax.random.uniform, with Philox instead of Threefry"},
      .operands = {{"key", DTypes::u64_key}},
      .attrs = {shape, dtype, low, high},
      .form = Composite{.infer = Derived{},
                        .decompose = [](const Call& c) -> Results {
                          require_floating(c);
                          if (!(c[low] < c[high])) c.fail(ErrorId::attribute, "`low` must be below `high`");
                          Tensor u = unit_interval(c[0], c[shape], c[dtype]);
                          if (c[low] == 0.0 && c[high] == 1.0) return Results(u);
                          const Tensor lowest = core::full(u.type(), c[low]);
                          const Tensor y =
                              core::add(lowest, core::mul(core::full(u.type(), c[high] - c[low]), u));
                          return Results(core::select(
                              core::compare(y, core::full(u.type(), c[high]), Comparison::lt), y, lowest));
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
                {.operands = {key},
                 .attrs = {attr(shape, {Dim(2), Dim(3)}), attr(dtype, f64), attr(low, -1.0),
                           attr(high, 3.0)}},
                {.operands = {key}, .attrs = {attr(shape, {Dim(4)}), attr(dtype, f16)}},
                {.operands = {key}, .attrs = {attr(shape, std::vector<Dim>{}), attr(dtype, bf16)}},
                {.operands = {key}, .attrs = {attr(shape, {Dim(0)})}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.operands = {{u64, {}}},
                                        .attrs = {attr(shape, {Dim(2)}), attr(dtype, i32)},
                                        .id = ErrorId::attribute,
                                        .message = "not floating"},
                                       {.operands = {{u64, {}}},
                                        .attrs = {attr(shape, {Dim(2)}), attr(low, 1.0)},
                                        .id = ErrorId::attribute,
                                        .message = "`low`"},
                                       {.operands = {{i32, {}}},
                                        .attrs = {attr(shape, {Dim(2)})},
                                        .id = ErrorId::dtype,
                                        .message = "`key` i32[]"}};
          },
  };
}

}  // namespace calx::ops
