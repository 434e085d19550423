#include "support.h"

namespace calx::ops {

OpDef iota() {
  return {
      .name = "iota",
      .family = "core",
      .doc = {.summary = "Counts 0, 1, 2, ... along one axis and repeats along the others.",
              .math = "iota[i_0, ..., i_r] = i_axis",
              .shapes = "-> `dtype[shape]`",
              .gradient = "none: it depends on nothing",
              .accuracy = "exact where the dtype holds the integers; rounded once in floats",
              .errors = "axis outside [0, rank): CALX-E203",
              .example = "core::iota({3}, 0)  // i32[3] [0, 1, 2]",
              .source = "StableHLO iota; jax.lax.broadcasted_iota"},
      .attrs = {shape, iota_axis, iota_dtype},
      .form = Primitive{
          .infer = [](const Call& c) {
            Shape result(c[shape]);
            const int axis = normalize_axis(c, c[iota_axis], result.rank());
            if (c[iota_axis] != axis) c.fail(ErrorId::axis, "`axis` must not be negative");
            if (c[iota_dtype].is_boolean()) c.fail(ErrorId::dtype, "a boolean cannot count");
            return Types(Type{c[iota_dtype], std::move(result)});
          },
          .jvp = NoFloatOperand{},
          .linear = NotLinear{},
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            return {{apply_one(c.call.op(), {}, c.call.attrs(), c.call.where()), false}};
          },
          .simplify = [](const Call& c) -> std::optional<Results> {
            if (c[shape][static_cast<std::size_t>(c[iota_axis])] != Dim(1)) return std::nullopt;
            return Results(core::zeros({c[iota_dtype], Shape(c[shape])}));
          },
          .reference = [](const ReferenceCall& c) -> std::vector<Array> {
            Array out = c.result();
            const auto axis = static_cast<std::size_t>(c[iota_axis]);
            const std::int64_t inner = row_major_strides(out.sizes())[axis];
            const std::int64_t count = out.sizes()[axis];
            ref::visit<DTypes::numeric>(out.dtype(), [&]<class T>(std::type_identity<T>) {
              T* to = out.mutable_data<T>();
              for (std::int64_t i = 0; i < out.num_elements(); ++i) to[i] = convert_element<T>(i / inner % count);
            });
            return {std::move(out)};
          },
          .lower = [](const Call& c) -> loopir::Lowered {
            return loopir::Pointwise{
                Shape(c[shape]).sizes(),
                {loopir::scalar::convert(loopir::Scalar::index(static_cast<int>(c[iota_axis])), c[iota_dtype])}};
          }},
      .samples = [] {
        return std::vector<Sample>{
            {.attrs = {attr(shape, {Dim(4)})}},
            {.attrs = {attr(shape, {Dim(2), Dim(3)}), attr(iota_axis, 1), attr(iota_dtype, f32)}},
            {.attrs = {attr(shape, {Dim(1), Dim(0)}), attr(iota_dtype, i64)}}};
      },
      .rejects = [] {
        return std::vector<Reject>{
            {.attrs = {attr(shape, {Dim(4)}), attr(iota_axis, 1)}, .id = ErrorId::axis, .message = "`axis` is 1"},
            {.attrs = {attr(shape, {Dim(4)}), attr(iota_dtype, boolean)}, .id = ErrorId::dtype, .message = "boolean"}};
      },
  };
}

}  // namespace calx::ops
