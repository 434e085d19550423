// bernoulli: true with a given probability.
#include "random/_support.h"

namespace calx::ops {

OpDef bernoulli() {
  return {
      .name = "bernoulli",
      .family = "random",
      .doc = {.summary = "True with the probability given, else false.",
              .math = "y = u < probability, u uniform in [0, 1)",
              .shapes = "`key: u64[]`, `probability: f32[a]` -> `bool[a]`",
              .gradient = "none: the result is boolean",
              .accuracy = "probabilities are compared with multiples of 2^-24 (2^-53 in f64): never true at "
                          "0, always at 1",
              .errors = "a key that is no scalar: CALX-E201",
              .example = "bernoulli(scalar<std::uint64_t>(0), tensor({0, 1}))  // bool[2] [false, true]",
              .source = "jax.random.bernoulli, with Philox instead of Threefry"},
      .operands = {{"key", DTypes::u64_key}, {"probability", DTypes::floating}},
      .form = Composite{.infer = Derived{},
                        .decompose = [](const Call& c) -> Results {
                          require_rank(c, 0, 0);
                          const Tensor probability = core::convert(c[1], c[1].dtype().accumulation());
                          return Results(core::compare(
                              unit_interval(c[0], probability.shape().dims(), probability.dtype()),
                              probability, Comparison::lt));
                        },
                        .jvp = Derived{},
                        .batch = Derived{},
                        .simplify = NoIdentity{},
                        .reference = Derived{},
                        .lower = Derived{}},
      .samples =
          [] {
            const SampleOperand key{.shape = {}, .dtype = u64, .draw = Draw::indices, .low = 0, .high = 1000};
            return std::vector<Sample>{{.operands = {key, {.shape = {5}, .low = 0.1, .high = 0.9}}},
                                       {.operands = {key, {.shape = {}, .low = 0.1, .high = 0.9}}},
                                       {.operands = {key, {.shape = {2, 0}}}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.operands = {{u64, {2}}, {f32, {2}}},
                                        .id = ErrorId::rank,
                                        .message = "`key` u64[2] must have rank 0"},
                                       {.operands = {{u64, {}}, {i32, {2}}},
                                        .id = ErrorId::dtype,
                                        .message = "`probability` i32[2]"}};
          },
  };
}

}  // namespace calx::ops
