// reduce_window: sums over moving windows. Its transpose is a reduce_window over the cotangent, with strides
// and base dilations exchanged.
#include "contraction/_support.h"
#include "window/_support.h"

namespace calx::ops {
namespace reduce_window_parts {

using namespace windows;

Types infer_windows(const Call& c) {
  check_windows(c, 0);
  check_accumulation(c);
  return Types(Type{c.dtype(0), result_shape(c)});
}

Tangent transpose_windows(const Call& c, const Tangent& ct) {
  if (ct.is_zero()) return Tangent::zero(c.type(0));
  const std::vector<Dim> sizes = c[window];
  const Geometry back = transposed(geometry_of(c), windowed(c.shape(0), sizes.size()), sizes,
                                   windowed(ct.type().shape, sizes.size()));
  const Attrs attrs = attributes(sizes, back).with(accumulation, c[accumulation]);
  return Tangent(with_sizes(apply_one(c.op(), {ct.tensor()}, attrs, c.where()), c.shape(0)));
}

std::vector<Array> reference_windows(const ReferenceCall& c) {
  const Reads reads = trace_reads(c);
  const DType running = running_dtype(c[accumulation], c[0].dtype());
  const Array x = contraction::converted(c[0], running);
  Array out = Array::uninitialized(running, c.sizes());
  if (out.num_elements() == 0) return {contraction::converted(out, c.dtype())};
  const std::int64_t planes = out.num_elements() / reads.num_outputs;
  std::vector<bool> is_outside(static_cast<std::size_t>(reads.num_outputs), reads.reaches_outside);
  for (std::size_t i = 0; i < reads.offsets.size(); ++i) {
    if (reads.offsets[i] >= 0) is_outside[i % static_cast<std::size_t>(reads.num_outputs)] = false;
  }
  visit_running(running, [&]<class T>(std::type_identity<T>) {
    const T* from = x.data<T>();
    T* to = out.mutable_data<T>();
    for (std::int64_t plane = 0; plane < planes; ++plane, from += reads.num_inputs, to += reads.num_outputs) {
      loopir::reduce_columns<T, loopir::Sum>(
          reads.num_elements, reads.num_outputs,
          [&](std::int64_t element, std::int64_t output) {
            const std::int64_t offset =
                reads.offsets[static_cast<std::size_t>(element * reads.num_outputs + output)];
            return offset < 0 ? loopir::Sum::identity<T>() : from[offset];
          },
          [&](std::int64_t output, T value) {
            to[output] = is_outside[static_cast<std::size_t>(output)] ? loopir::Sum::empty<T>() : value;
          });
    }
  });
  return {contraction::converted(out, c.dtype())};
}

std::vector<Dim> dims(std::initializer_list<int> values) { return {values.begin(), values.end()}; }

std::vector<Sample> window_samples() {
  return {
      {.operands = {{.shape = {5}}}, .attrs = {attr(window, dims({2}))}},
      {.operands = {{.shape = {2, 5, 4}}},
       .attrs = {attr(window, dims({3, 2})), attr(strides, Steps{2, 3})}},
      {.operands = {{.shape = {2, 4, 4}}},
       .attrs = {attr(window, dims({2, 2})), attr(padding_low, dims({3, -1})),
                 attr(padding_high, dims({-1, 2}))},
       .note = "windows wholly outside, and crops"},
      {.operands = {{.shape = {3, 4}}},
       .attrs = {attr(window, dims({2, 3})), attr(strides, Steps{1, 2}), attr(base_dilation, Steps{2, 3}),
                 attr(window_dilation, Steps{2, 1}), attr(padding_low, dims({1, 0}))}},
      {.operands = {{.shape = {2, 0}}},
       .attrs = {attr(window, dims({1})), attr(padding_high, dims({2}))}},
      {.operands = {{.shape = {2}}}, .attrs = {attr(window, dims({3}))}, .note = "no window fits"},
      {.operands = {{.shape = {Dim::symbol("N"), Dim::symbol("H"), Dim::symbol("W")}}},
       .attrs = {attr(window, dims({2, 3})), attr(strides, Steps{2, 1}), attr(padding_low, dims({1, 0}))}},
      {.operands = {{.shape = {Dim::symbol("H"), Dim::symbol("W")}}},
       .attrs = {attr(window, dims({5, 2})), attr(strides, Steps{2, 1})},
       .note = "no window fits where H is below 5"},
      {.operands = {{.shape = {0, 1}}},
       .attrs = {attr(window, dims({2, 1})), attr(padding_low, dims({2, 1})), attr(padding_high, dims({3, 1})),
                 attr(base_dilation, Steps{3, 2}), attr(window_dilation, Steps{2, 3})},
       .note = "dilated axes of sizes 0 and 1"},
      {.operands = {{.shape = {3}}},
       .attrs = {attr(window, dims({0})), attr(window_dilation, Steps{3})},
       .note = "a window of nothing"},
      {.operands = {{.shape = {2, 3}}},
       .attrs = {attr(window, dims({}))},
       .note = "a window of one element"},
      {.operands = {{.shape = {6}, .dtype = bf16}},
       .attrs = {attr(window, dims({3})), attr(accumulation, f64)}}};
}

}  // namespace reduce_window_parts

OpDef reduce_window() {
  using namespace reduce_window_parts;
  return {
      .name = "reduce_window",
      .family = "window",
      .doc = {.summary = "Sums over windows that move over the last axes.",
              .math = "y[p] = sum over k of x[(p * stride + k * window_dilation - low) / base_dilation], "
                      "where the division is exact "
                      "and inside",
              .shapes = "`x: f32[a,h]` -> `f32[a,oh]` with oh = floor(((h-1)*base_dilation + low + high - "
                        "(window-1)*window_dilation - 1) / stride) + 1, at least 0",
              .gradient = "the window sums of the cotangent, strides and base dilations exchanged",
              .accuracy = "summed in the fixed order in `accumulation` (f32 for f16 and bf16, i32 or u32 for "
                          "narrow integers), "
                          "converted once; a window wholly outside gives +0",
              .errors = "more windowed axes than axes: CALX-E201; lists of unfit lengths; sizes below 0, strides or "
                        "dilations below 1: CALX-E301; an `accumulation` that cannot hold the sums: CALX-E101",
              .example = "reduce_window(tensor({1, 2, 3}), {2})  // f32[2] [3, 5]",
              .source = "StableHLO reduce_window and jax.lax.reduce_window with addition, windows over the "
                        "last axes; as in "
                        "conv_general, (0-1)*dilation+1 counts for empty axes"},
      .operands = {{"x", DTypes::numeric}},
      .attrs = {window, strides, padding_low, padding_high, base_dilation, window_dilation,
                accumulation},
      .form = Primitive{
          .infer = infer_windows,
          .jvp = FromLinear{},
          .linear = LinearIn{{{0}},
                           [](const Call& c, int, const Tangents& ct) {
                             return Tangents(transpose_windows(c, ct[0]));
                           }},
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            return {{apply_one(c.call.op(), {c.tensor(0)}, c.call.attrs(), c.call.where()), c.batched(0)}};
          },
          .simplify = [](const Call& c) -> std::optional<Results> {
            if (!c[window].empty()) return std::nullopt;
            return Results(c[0]);
          },
          .reference = reference_windows,
          .lower = [](const Call& c) -> loopir::Lowered {
            return loopir::Kernel{
                loopir::WindowReduce{.window = lowered(c),
                                     .combiner = loopir::Combiner::sum,
                                     .accumulation = running_dtype(c[accumulation], c.dtype(0))}};
          }},
      .samples = window_samples,
      .rejects =
          [] {
            return std::vector<Reject>{
                {.operands = {{f32, {3}}},
                 .attrs = {attr(window, dims({1, 1}))},
                 .id = ErrorId::rank,
                 .message = "`window` has 2 entries"},
                {.operands = {{f32, {3}}},
                 .attrs = {},
                 .id = ErrorId::attribute_missing,
                 .message = "`window`"},
                {.operands = {{f32, {3}}},
                 .attrs = {attr(window, dims({-1}))},
                 .id = ErrorId::attribute,
                 .message = "`window` is -1"},
                {.operands = {{f32, {3}}},
                 .attrs = {attr(window, dims({2})), attr(strides, Steps{0})},
                 .id = ErrorId::attribute,
                 .message = "`strides` is 0"},
                {.operands = {{f32, {3}}},
                 .attrs = {attr(window, dims({2})), attr(padding_low, dims({1, 1}))},
                 .id = ErrorId::attribute,
                 .message = "`padding_low` has 2 entries"},
                {.operands = {{boolean, {3}}},
                 .attrs = {attr(window, dims({2}))},
                 .id = ErrorId::dtype,
                 .message = "`x` bool[3]"},
                {.operands = {{f32, {3}}},
                 .attrs = {attr(window, dims({2})), attr(accumulation, bf16)},
                 .id = ErrorId::dtype,
                 .message = "`accumulation` bf16"}};
          },
  };
}

}  // namespace calx::ops
