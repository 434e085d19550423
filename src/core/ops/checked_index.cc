#include "calx/base/format.h"
#include "support.h"

namespace calx::ops {

namespace {

[[noreturn]] void raise_out_of_range(std::int64_t position, std::int64_t value, std::int64_t n, SourceLoc where) {
  raise({.id = ErrorId::index_out_of_range,
         .op = "checked_index",
         .message = format("index {} at position {} is outside [0, {})", value, position, n),
         .where = where,
         .hint = "use mode clip, fill or wrap if such indices are meant",
         .facts = {{"position", format("{}", position)}, {"value", format("{}", value)}, {"size", format("{}", n)}}});
}

}  // namespace

OpDef checked_index() {
  return {
      .name = "checked_index",
      .family = "core",
      .doc = {.summary = "Passes indices through and fails at run time where one is out of range.",
              .math = "y = index where 0 <= index < size; elsewhere the run raises an error (y is clipped meanwhile)",
              .shapes = "`index: i32[a]` -> `i32[a]`",
              .gradient = "none: indices are integers",
              .accuracy = "exact",
              .errors = "at run time, an index outside [0, size): CALX-E401 with position and value, once the run is complete; "
                        "of several the first in program order. Silent on masked lanes and in branches not taken",
              .example = "core::checked_index(tensor<std::int32_t>({0, 2}), 3)  // i32[2] [0, 2]",
              .source = "the index checks of numpy.take(mode='raise')"},
      .operands = {{"index", DTypes::index}},
      .attrs = {checked_size},
      .form = Primitive{
          .infer = infer::same_as(0),
          .jvp = NoFloatOperand{},
          .linear = NotLinear{},
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            if (!c.mask.defined()) {
              return {{apply_one(c.call.op(), {c.tensor(0)}, c.call.attrs(), c.call.where()), c.batched(0)}};
            }
            // Lanes that do not count must not fail: 0 is in range where anything is, and an empty range is made 1.
            Tensor index = c.with_batch(0);
            const Tensor mask = core::expand(c.mask, index.shape(), {0});
            index = core::select(mask, index, core::zeros(index.type()));
            return {{apply_one(c.call.op(), {index}, c.call.attrs().with(checked_size, max(c.call[checked_size], 1)),
                               c.call.where()),
                     true}};
          },
          .simplify = NoIdentity{},
          .reference = [](const ReferenceCall& c) -> std::vector<Array> {
            Array out = c.result();
            const std::int64_t n = c.evaluate(c[checked_size]);
            ref::visit<DTypes::index>(c.dtype(), [&]<class T>(std::type_identity<T>) {
              const T* index = c[0].data<T>();
              T* to = out.mutable_data<T>();
              for (std::int64_t i = 0; i < out.num_elements(); ++i) {
                to[i] = index[i];
                if (index[i] >= 0 && index[i] < n) continue;
                to[i] = static_cast<T>(index[i] < 0 || n == 0 ? 0 : n - 1);
                const auto value = static_cast<std::int64_t>(index[i]);
                const SourceLoc where = c.where();
                c.context().record_failure(i, [i, value, n, where] { raise_out_of_range(i, value, n, where); });
              }
            });
            return {std::move(out)};
          },
          .lower = NotInterpretable{"it reports failures to the run"}},
      .samples = [] {
        return std::vector<Sample>{
            {.operands = {{.shape = {4}, .draw = Draw::indices, .high = 3}}, .attrs = {attr(checked_size, Dim(3))}},
            {.operands = {{.draw = Draw::indices, .high = 7}}, .attrs = {attr(checked_size, Dim(7))}},
            {.operands = {{.shape = {0}, .draw = Draw::indices, .high = 1}}, .attrs = {attr(checked_size, Dim(0))}}};
      },
      .rejects = [] {
        return std::vector<Reject>{{.operands = {{f32, {2}}}, .attrs = {attr(checked_size, Dim(3))},
                                    .id = ErrorId::dtype, .message = "`index` f32[2] must be i32 or i64"}};
      },
  };
}

}  // namespace calx::ops
