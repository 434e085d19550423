#include <algorithm>

#include "calx/base/format.h"
#include "support.h"

namespace calx::ops {

namespace {

bool has_modes(std::string_view op) {
  const OpDef* def = find_op(op);
  return def != nullptr && std::any_of(def->attrs.begin(), def->attrs.end(), [](const AttrSpec& attr) { return attr.name == "mode"; });
}

[[noreturn]] void raise_out_of_range(const std::string& caller, std::int64_t position, std::int64_t value, std::int64_t n,
                                     bool from_back, SourceLoc where) {
  if (from_back && value < 0) value -= n;
  raise({.id = ErrorId::index_out_of_range,
         .op = caller,
         .message = format("index {} at position {} is outside [{}, {})", value, position, from_back ? -n : 0, n),
         .where = where,
         .hint = has_modes(caller) ? "use mode clip, fill or wrap if such indices are meant" : "",
         .facts = {{"position", format("{}", position)}, {"value", format("{}", value)}, {"size", format("{}", n)}}});
}

}  // namespace

OpDef checked_index() {
  return {
      .name = "checked_index",
      .family = "core",
      .doc = {.summary = "Passes indices through and fails at run time where one is out of range.",
              .math = "y = index where 0 <= index < size; elsewhere y is clipped, and the run fails where counts holds",
              .shapes = "`index: i32[a]`, `counts: bool[a]` (absent: true everywhere) -> `i32[a]`",
              .gradient = "none: indices are integers",
              .accuracy = "exact",
              .errors = "at run time, an index outside [0, size), with from_back [-size, size): CALX-E401 with position and value, once the run is complete; "
                        "of several the first in program order. Silent on masked lanes and in branches not taken; another "
                        "shape of `counts`: CALX-E202",
              .example = "core::checked_index(tensor<std::int32_t>({0, 2}), 3)  // i32[2] [0, 2]",
              .source = "the index checks of numpy.take(mode='raise')"},
      .operands = {{"index", DTypes::index}, {.name = "counts", .dtypes = DTypes::boolean, .optional = true}},
      .attrs = {checked_size, checked_from_back, checked_caller},
      .form = Primitive{
          .infer = [](const Call& c) {
            if (c.size() > 1) require_same_shape(c, 0, 1);
            return Types(c.type(0));
          },
          .jvp = NoFloatOperand{},
          .linear = NotLinear{},
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            const Tensor index = c.with_batch(0);
            Tensors operands = {index};
            if (c.call.size() > 1) operands.push_back(c.with_batch(1));
            if (c.mask.defined()) {
              // Lanes that do not count must not fail.
              const Tensor mask = core::expand(c.mask, index.shape(), {0});
              if (operands.size() == 1) {
                operands.push_back(mask);
              } else {
                operands[1] = core::select(operands[1], mask, operands[1]);
              }
            }
            return {{apply_one(c.call.op(), std::move(operands), c.call.attrs(), c.call.where()), true}};
          },
          .simplify = NoIdentity{},
          .reference = [](const ReferenceCall& c) -> std::vector<Array> {
            Array out = c.result();
            const std::int64_t n = c.evaluate(c[checked_size]);
            ref::visit<DTypes::index>(c.dtype(), [&]<class T>(std::type_identity<T>) {
              const T* index = c[0].data<T>();
              const bool* counts = c.size() > 1 ? c[1].data<bool>() : nullptr;
              T* to = out.mutable_data<T>();
              for (std::int64_t i = 0; i < out.num_elements(); ++i) {
                to[i] = index[i];
                if (index[i] >= 0 && index[i] < n) continue;
                to[i] = static_cast<T>(index[i] < 0 || n == 0 ? 0 : n - 1);
                if (counts != nullptr && !counts[i]) continue;
                const auto value = static_cast<std::int64_t>(index[i]);
                c.context().record_failure(i, [i, value, n, from_back = c[checked_from_back], caller = c[checked_caller],
                                               where = c.where()] {
                  raise_out_of_range(caller, i, value, n, from_back, where);
                });
              }
            });
            return {std::move(out)};
          },
          .lower = NotInterpretable{"it reports failures to the run"}},
      .samples = [] {
        return std::vector<Sample>{
            {.operands = {{.shape = {4}, .draw = Draw::indices, .high = 3}}, .attrs = {attr(checked_size, Dim(3))}},
            {.operands = {{.draw = Draw::indices, .high = 7}}, .attrs = {attr(checked_size, Dim(7))}},
            {.operands = {{.shape = {0}, .draw = Draw::indices, .high = 1}}, .attrs = {attr(checked_size, Dim(0))}},
            {.operands = {{.shape = {3}, .draw = Draw::given, .values = {-5, 1, 4}},
                          {.shape = {3}, .dtype = boolean, .draw = Draw::given, .values = {0, 1, 0}}},
             .attrs = {attr(checked_size, Dim(3)), attr(checked_from_back, true), attr(checked_caller, "take")}},
            {.operands = {{.shape = {2}, .draw = Draw::given, .values = {0, 7}},
                          {.shape = {2}, .dtype = boolean, .draw = Draw::given, .values = {0, 0}}},
             .attrs = {attr(checked_size, Dim(0))}}};
      },
      .rejects = [] {
        return std::vector<Reject>{{.operands = {{f32, {2}}}, .attrs = {attr(checked_size, Dim(3))},
                                    .id = ErrorId::dtype, .message = "`index` f32[2] must be i32 or i64"},
                                   {.operands = {{i32, {2}}, {i32, {2}}}, .attrs = {attr(checked_size, Dim(3))},
                                    .id = ErrorId::dtype, .message = "`counts` i32[2] must be boolean"},
                                   {.operands = {{i32, {2}}, {boolean, {3}}}, .attrs = {attr(checked_size, Dim(3))},
                                    .id = ErrorId::shape_mismatch, .message = "must have one shape"}};
      },
  };
}

}  // namespace calx::ops
