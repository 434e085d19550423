#include <utility>

#include "calx/base/format.h"
#include "support.h"

namespace calx::ops {

namespace {

/// Raises size_overflow if `value` is no number of T.
template <class T>
Array scalar_of_size(std::int64_t value, DType dtype, SourceLoc where) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    if (!std::in_range<T>(value)) {
      raise({.id = ErrorId::size_overflow,
             .op = "size",
             .message = format("the size {} does not fit {}", value, dtype.name()),
             .where = where,
             .hint = "use i64 where a size is counted"});
    }
  }
  return Array::scalar<T>(convert_element<T>(value));
}

}  // namespace

OpDef size() {
  return {
      .name = "size",
      .family = "core",
      .doc = {.summary = "A scalar tensor that holds a size of the program's types.",
              .math = "size = dim",
              .shapes = "-> `i64[]`, or the dtype asked for",
              .gradient = "none: it depends on nothing",
              .accuracy = "exact in integers; rounded once in floats",
              .errors = "a size that an integer dtype does not hold: CALX-E210, at run time where it has symbols",
              .example = "core::size(Dim::symbol(\"B\"))  // i64[]",
              .source = "StableHLO get_dimension_size, for any polynomial of sizes"},
      .attrs = {size_dim, size_dtype},
      .form = Primitive{
          .infer = [](const Call& c) {
            if (const std::optional<std::int64_t> known = c[size_dim].constant()) {
              visit_dtype(c[size_dtype], [&]<class T>(std::type_identity<T>) {
                static_cast<void>(scalar_of_size<T>(*known, c[size_dtype], c.where()));
              });
            }
            return Types(Type{c[size_dtype], {}});
          },
          .jvp = NoFloatOperand{},
          .linear = NotLinear{},
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            return {{apply_one(c.call.op(), {}, c.call.attrs(), c.call.where()), false}};
          },
          .simplify = [](const Call& c) -> std::optional<Results> {
            const std::optional<std::int64_t> known = c[size_dim].constant();
            if (!known) return std::nullopt;
            return visit_dtype(c[size_dtype], [&]<class T>(std::type_identity<T>) {
              return Results(Tensor(scalar_of_size<T>(*known, c[size_dtype], c.where())));
            });
          },
          .reference = [](const ReferenceCall& c) -> std::vector<Array> {
            const std::int64_t known = c.evaluate(c[size_dim]);
            return visit_dtype(c.dtype(), [&]<class T>(std::type_identity<T>) {
              return std::vector<Array>{scalar_of_size<T>(known, c.dtype(), c.where())};
            });
          },
          .lower = [](const Call& c) -> loopir::Lowered {
            return loopir::Pointwise{{}, {loopir::Scalar::constant(c[size_dim].value(), c[size_dtype])}};
          }},
      .samples = [] {
        return std::vector<Sample>{{.attrs = {attr(size_dim, Dim(7))}},
                                   {.attrs = {attr(size_dim, Dim(70000)), attr(size_dtype, f32)}}};
      },
      .rejects = [] {
        return std::vector<Reject>{{.attrs = {attr(size_dim, Dim(std::int64_t{1} << 31)), attr(size_dtype, i32)},
                                    .id = ErrorId::size_overflow, .message = "does not fit i32"},
                                   {.id = ErrorId::attribute_missing, .message = "attribute `dim` is missing"}};
      },
  };
}

}  // namespace calx::ops
