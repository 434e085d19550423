// fold_in: new keys from keys and integers, by Philox with a counter that random_bits never uses.
#include "random/_support.h"

namespace calx::ops {

namespace {

constinit const Attr<std::int64_t> stream{"stream", std::int64_t{1},
                                "word 2 of the counter; 1 is fold_in itself, 2 split, 3 normal", 1,
                                4294967295.0};

constexpr std::uint64_t derived_key(std::uint64_t key, std::uint64_t data, std::uint32_t stream_word) {
  const loopir::PhiloxCounter words = loopir::philox4x32(
      {static_cast<std::uint32_t>(data), static_cast<std::uint32_t>(data >> 32), stream_word, 0},
      {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)});
  return words[0] | (static_cast<std::uint64_t>(words[1]) << 32);
}

/// The same as scalar expressions on u64, each word in the low half.
loopir::Scalar derived_key(const loopir::Scalar& key, const loopir::Scalar& data, std::uint32_t stream_word) {
  using loopir::Scalar;
  namespace scalar = loopir::scalar;
  const auto constant = [](std::uint64_t value) { return Scalar::constant(value, u64); };
  const Scalar mask = constant(0xFFFFFFFFu);
  const auto low = [&](const Scalar& x) { return scalar::bitwise_and(x, mask); };
  const auto high = [&](const Scalar& x) { return scalar::shift_right_logical(x, constant(32)); };
  Scalar counter[4] = {low(data), high(data), constant(stream_word), constant(0)};
  for (std::uint64_t round = 0; round < 10; ++round) {
    const Scalar key0 = low(low(key) + constant(0x9E3779B9u * round));
    const Scalar key1 = low(high(key) + constant(0xBB67AE85u * round));
    const Scalar product0 = constant(0xD2511F53u) * counter[0];
    const Scalar product1 = constant(0xCD9E8D57u) * counter[2];
    const Scalar word0 = scalar::bitwise_xor(scalar::bitwise_xor(high(product1), counter[1]), key0);
    const Scalar word2 = scalar::bitwise_xor(scalar::bitwise_xor(high(product0), counter[3]), key1);
    counter[0] = word0;
    counter[1] = low(product1);
    counter[2] = word2;
    counter[3] = low(product0);
  }
  return scalar::bitwise_or(counter[0], scalar::shift_left(counter[1], constant(32)));
}

}  // namespace

OpDef fold_in() {
  return {
      .name = "fold_in",
      .family = "random",
      .doc = {.summary = "A new key from a key and an integer.",
              .math = "y = words 0 and 1 of Philox4x32-10(counter = (data, stream, 0), key)",
              .shapes = "`key: u64[a]`, `data: i32[a]` -> `u64[a]`",
              .gradient = "none: keys are integers",
              .accuracy = "the same bits on every backend; key 0 gives 0xf08d6eaa844515e1 for data 0, "
                          "0xd9c77dedca7cf69e for "
                          "data 1",
              .errors = "shapes that do not broadcast: CALX-E202",
              .example = "fold_in(scalar<std::uint64_t>(0), 1)  // u64[]",
              .source = "jax.random.fold_in, with Philox instead of Threefry"},
      .operands = {{"key", DTypes::u64_key}, {"data", DTypes::integer}},
      .attrs = {stream},
      .binding = Binding::broadcast,
      .form = Primitive{.infer =
                            [](const Call& c) {
                              require_same_shape(c, 0, 1);
                              return Types(c.type(0));
                            },
                        .jvp = NoFloatOperand{},
                        .linear = NotLinear{},
                        .batch = batch::pointwise,
                        .simplify = NoIdentity{},
                        .reference = [](const ReferenceCall& c) -> std::vector<Array> {
                          Array out = c.result();
                          const auto word = static_cast<std::uint32_t>(c[stream]);
                          const std::uint64_t* key = c[0].data<std::uint64_t>();
                          std::uint64_t* to = out.mutable_data<std::uint64_t>();
                          ref::visit<DTypes::integer>(c[1].dtype(), [&]<class T>(std::type_identity<T>) {
                            const T* data = c[1].data<T>();
                            for (std::int64_t i = 0; i < out.num_elements(); ++i)
                              to[i] = derived_key(key[i], static_cast<std::uint64_t>(data[i]), word);
                          });
                          return {std::move(out)};
                        },
                        .lower = [](const Call& c) -> loopir::Lowered {
                          const loopir::Scalar data =
                              loopir::scalar::convert(loopir::Scalar::operand(1, c.dtype(1)), u64);
                          return loopir::Pointwise{c.shape(0).sizes(),
                                                   {derived_key(loopir::Scalar::operand(0, u64), data,
                                                                static_cast<std::uint32_t>(c[stream]))}};
                        }},
      .samples =
          [] {
            const auto key = [](Shape shape) {
              return SampleOperand{
                  .shape = std::move(shape), .dtype = u64, .draw = Draw::indices, .low = 0, .high = 1000};
            };
            return std::vector<Sample>{{.operands = {key({}), {.dtype = i32}}},
                                       {.operands = {key({3}), {.shape = {3}}}, .attrs = {attr(stream, 7)}},
                                       {.operands = {key({0}), {.shape = {0}, .dtype = u64}}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{
                {.operands = {{u64, {2}}, {i32, {3}}},
                 .id = ErrorId::shape_mismatch,
                 .message = "must have one shape"},
                {.operands = {{i64, {}}, {i32, {}}}, .id = ErrorId::dtype, .message = "`key` i64[]"},
                {.operands = {{u64, {}}, {f32, {}}}, .id = ErrorId::dtype, .message = "`data` f32[]"},
                {.operands = {{u64, {}}, {i32, {}}},
                 .attrs = {attr(stream, 0)},
                 .id = ErrorId::attribute,
                 .message = "`stream` is 0"}};
          },
  };
}

}  // namespace calx::ops
