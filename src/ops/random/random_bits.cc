// random_bits: the source of all randomness, counter-based: the bits of an element depend on its key and
// position alone.
#include "random/_support.h"

namespace calx::ops {

namespace random_bits_parts {

const Attr<std::vector<Dim>>& shape = random_attrs::shape;
constinit const Attr<DType> bits_dtype{"dtype", u32, "dtype of the result: u8, u16, u32 or u64"};

}  // namespace random_bits_parts

OpDef random_bits() {
  using namespace random_bits_parts;
  return {
      .name = "random_bits",
      .family = "random",
      .doc = {.summary = "Uniformly random bits under each key.",
              .math = "y[k, i] = the low bits of Philox4x32-10(counter = (i, 0), key = key[k]), i counted "
                      "row-major in `shape`; output "
                      "word 0 is the low half of 64 bits, word 1 the high half",
              .shapes = "`key: u64[a]`, shape [b] -> `u32[a,b]`",
              .gradient = "none: keys and bits are integers",
              .accuracy =
                  "the same bits on every backend and number of threads; key 0, element 0, u32: 0x6627e8d5",
              .errors = "a dtype that is not unsigned: CALX-E301",
              .example = "random_bits(scalar<std::uint64_t>(0), {1})  // u32[1] [1713891541]",
              .source = "Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (SC 2011)"},
      .operands = {{"key", DTypes::u64_key}},
      .attrs = {shape, bits_dtype},
      .form =
          Primitive{
              .infer =
                  [](const Call& c) {
                    const DType type = c[bits_dtype];
                    if (!type.is_integer() || type.is_signed())
                      c.fail(ErrorId::attribute, "`dtype` must be u8, u16, u32 or u64");
                    std::vector<Dim> dims = c.shape(0).dims();
                    for (const Dim& dim : c[shape]) {
                      if (proven_less_equal(0, dim) == Proof::no)
                        c.fail(ErrorId::attribute, "`shape` has a negative size");
                      dims.push_back(dim);
                    }
                    return Types(Type{type, Shape(std::move(dims))});
                  },
              .jvp = NoFloatOperand{},
              .linear = NotLinear{},
              .batch = [](const BatchCall& c) -> std::vector<Batched> {
                return {
                    {apply_one(c.call.op(), {c.tensor(0)}, c.call.attrs(), c.call.where()), c.batched(0)}};
              },
              .simplify = NoIdentity{},
              .reference = [](const ReferenceCall& c) -> std::vector<Array> {
                Array out = c.result();
                const std::int64_t keys = c[0].num_elements();
                const std::int64_t count = keys == 0 ? 0 : out.num_elements() / keys;
                const std::uint64_t* key = c[0].data<std::uint64_t>();
                ref::visit<DTypes::integer>(c.dtype(), [&]<class T>(std::type_identity<T>) {
                  T* to = out.mutable_data<T>();
                  for (std::int64_t k = 0; k < keys; ++k) {
                    for (std::int64_t i = 0; i < count; ++i) {
                      *to++ = static_cast<T>(loopir::random_bits(key[k], static_cast<std::uint64_t>(i)));
                    }
                  }
                });
                return {std::move(out)};
              },
              .lower = [](const Call&) -> loopir::Lowered { return loopir::Kernel(loopir::RandomBits{}); }},
      .samples =
          [] {
            const SampleOperand key{.shape = {}, .dtype = u64, .draw = Draw::indices, .low = 0, .high = 1000};
            const SampleOperand keys{
                .shape = {3}, .dtype = u64, .draw = Draw::indices, .low = 0, .high = 1000};
            return std::vector<Sample>{
                {.operands = {key}, .attrs = {attr(shape, {Dim(5)})}},
                {.operands = {keys}, .attrs = {attr(shape, {Dim(2), Dim(3)}), attr(bits_dtype, u64)}},
                {.operands = {key}, .attrs = {attr(shape, std::vector<Dim>{}), attr(bits_dtype, u16)}},
                {.operands = {key}, .attrs = {attr(shape, {Dim(0)}), attr(bits_dtype, u8)}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.operands = {{u64, {}}},
                                        .attrs = {attr(shape, {Dim(2)}), attr(bits_dtype, f32)},
                                        .id = ErrorId::attribute,
                                        .message = "`dtype`"},
                                       {.operands = {{u64, {}}},
                                        .attrs = {attr(shape, {Dim(-2)})},
                                        .id = ErrorId::attribute,
                                        .message = "negative"},
                                       {.operands = {{i32, {}}},
                                        .attrs = {attr(shape, {Dim(2)})},
                                        .id = ErrorId::dtype,
                                        .message = "`key` i32[]"}};
          },
  };
}

}  // namespace calx::ops
