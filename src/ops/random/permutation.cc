// permutation: a random order, as the stable order of random bits.
#include "random/_support.h"

namespace calx::ops {

namespace {

constinit const Attr<Dim> size{"size", required, "how many integers", 0, std::numeric_limits<double>::infinity()};
constinit const Attr<DType> index_dtype{"index_dtype", i32, "dtype of the result, i32 or i64"};

}  // namespace

OpDef permutation() {
  return {
      .name = "permutation",
      .family = "random",
      .doc = {.summary = "The integers below a size in random order.",
              .math = "y = argsort of 64 random bits per integer, stable",
              .shapes = "`key: u64[a]` -> `i32[a,size]`",
              .gradient = "none: the result is integer",
              .accuracy = "the same order on every backend; orders are equally likely up to 2^-64 per pair",
              .errors = "a negative size, or an index dtype that is neither i32 nor i64: CALX-E301",
              .example = "permutation(scalar<std::uint64_t>(0), 3)  // i32[3]",
              .source = "jax.random.permutation of an integer"},
      .operands = {{"key", DTypes::u64_key}},
      .attrs = {size, index_dtype},
      .form = Composite{.infer = Derived{},
                        .decompose = [](const Call& c) -> Results {
                          return Results(apply(get_op("sort"), {make_random_bits(c[0], {c[size]}, u64)},
                                               {attr(index_dtype, c[index_dtype])})[1]);
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
                {.operands = {key}, .attrs = {attr(size, Dim(6))}},
                {.operands = {key}, .attrs = {attr(size, Dim(0)), attr(index_dtype, i64)}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.operands = {{u64, {}}},
                                        .attrs = {attr(size, Dim(-1))},
                                        .id = ErrorId::attribute,
                                        .message = "`size` is -1"},
                                       {.operands = {{u64, {}}},
                                        .attrs = {attr(size, Dim(3)), attr(index_dtype, f32)},
                                        .id = ErrorId::attribute,
                                        .message = "`index_dtype`"},
                                       {.operands = {{i32, {}}},
                                        .attrs = {attr(size, Dim(3))},
                                        .id = ErrorId::dtype,
                                        .message = "`key` i32[]"}};
          },
  };
}

}  // namespace calx::ops
