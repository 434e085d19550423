// split: several keys from one.
#include "random/_support.h"

namespace calx::ops {

namespace {

constinit const Attr<Dim> num{"num", [] { return Dim(2); }, "how many keys", 0, std::numeric_limits<double>::infinity()};

}  // namespace

OpDef split() {
  return {
      .name = "split",
      .family = "random",
      .doc = {.summary = "Several new keys from a key.",
              .math = "y[k, i] = fold_in of key[k] and i in stream 2: words 0 and 1 of Philox4x32-10(counter "
                      "= (i, 2, 0), key[k])",
              .shapes = "`key: u64[a]` -> `u64[a,num]`",
              .gradient = "none: keys are integers",
              .accuracy = "the same bits on every backend, whatever num; key 0 gives 0xb68267590661d677, "
                          "0x2299a39078130eff, ...",
              .errors = "a negative num: CALX-E301",
              .example = "split(scalar<std::uint64_t>(0), {.num = 3})  // u64[3]",
              .source = "jax.random.split, with Philox instead of Threefry"},
      .operands = {{"key", DTypes::u64_key}},
      .attrs = {num},
      .form = Composite{.infer = Derived{},
                        .decompose = [](const Call& c) -> Results {
                          const int axis = c[0].rank();
                          const Shape shape = c[0].shape().with_inserted(axis, c[num]);
                          std::vector<std::int64_t> kept;
                          for (int a = 0; a < axis; ++a) kept.push_back(a);
                          return Results(make_fold_in(core::expand(c[0], shape, kept),
                                                      core::iota(shape, axis, u64), KeyStream::split));
                        },
                        .jvp = Derived{},
                        .batch = Derived{},
                        .simplify = NoIdentity{},
                        .reference = Derived{},
                        .lower = Derived{}},
      .samples =
          [] {
            const SampleOperand key{.shape = {}, .dtype = u64, .draw = Draw::indices, .low = 0, .high = 1000};
            const SampleOperand keys{
                .shape = {3}, .dtype = u64, .draw = Draw::indices, .low = 0, .high = 1000};
            return std::vector<Sample>{{.operands = {key}},
                                       {.operands = {keys}, .attrs = {attr(num, Dim(4))}},
                                       {.operands = {key}, .attrs = {attr(num, Dim(0))}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{
                {.operands = {{u64, {}}},
                 .attrs = {attr(num, Dim(-1))},
                 .id = ErrorId::attribute,
                 .message = "`num` is -1"},
                {.operands = {{f32, {}}}, .id = ErrorId::dtype, .message = "`key` f32[]"}};
          },
  };
}

}  // namespace calx::ops
