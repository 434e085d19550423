// conv_general: convolutions with every stride, padding, dilation and grouping, closed under transposition.
// The windows' arithmetic is in window/_geometry, the rules in _convolution.
#include "calx/base/format.h"
#include "contraction/_convolution.h"

namespace calx::ops {
namespace {

using namespace convolution;
using Axes = std::vector<std::int64_t>;

Types infer_convolution(const Call& c) {
  require_same_dtype(c, 0, 1);
  for (int i : {0, 1}) {
    if (c.type(i).rank() < 2) {
      c.fail(ErrorId::rank, format("`{}` {} needs two axes before the spatial ones", c.operand_name(i),
                                   c.type(i).to_string()));
    }
  }
  if (c.type(0).rank() != c.type(1).rank()) {
    c.fail(ErrorId::rank,
           format("`lhs` {} and `rhs` {} must have one rank", c.type(0).to_string(), c.type(1).to_string()));
  }
  check_accumulation(c);
  const windows::Geometry geometry = geometry_of(c);
  const Dim features = c[feature_groups];
  const Dim batches = c[batch_groups];
  if (features != Dim(1) && batches != Dim(1)) {
    c.fail(ErrorId::attribute, "at most one of `feature_groups` and `batch_groups` may differ from 1");
  }
  const Shape& lhs = c.shape(0);
  const Shape& rhs = c.shape(1);
  require_equal(c, lhs[1], features * rhs[1], "the channels of `lhs` " + c.type(0).to_string(),
                "feature_groups times the input channels of `rhs` " + c.type(1).to_string(),
                ErrorId::contracted_size);
  const auto divides = [&](const Dim& size, const Dim& groups, std::string_view what, std::string_view key) {
    const std::optional<Dim> quotient = groups == Dim(1) ? std::optional<Dim>(size)
                                        : groups == Dim(0)
                                            ? (size == Dim(0) ? std::optional<Dim>(0) : std::nullopt)
                                            : exact_div(size, groups);
    if (quotient) return *quotient;
    c.fail(ErrorId::attribute, format("{} ({}) must be a multiple of `{}` ({})", what, size.to_string(), key,
                                      groups.to_string()));
  };
  static_cast<void>(divides(rhs[0], features, "the number of output channels", feature_groups.name));
  static_cast<void>(divides(rhs[0], batches, "the number of output channels", batch_groups.name));
  std::vector<Dim> dims = {divides(lhs[0], batches, "the batch size", batch_groups.name), rhs[0]};
  const std::vector<Dim> outputs =
      windows::output_sizes(geometry, std::span(lhs.dims()).subspan(2), std::span(rhs.dims()).subspan(2));
  dims.insert(dims.end(), outputs.begin(), outputs.end());
  return Types(Type{c.dtype(0), Shape(std::move(dims))});
}

loopir::Lowered lower_convolution(const Call& c) {
  const std::vector<std::int64_t> kernel = c.shape(1).sizes();
  return loopir::Kernel{loopir::Convolution{.window = windows::lowered(geometry_of(c), {kernel.begin() + 2, kernel.end()}),
                                            .feature_groups = c[feature_groups].value(),
                                            .batch_groups = c[batch_groups].value(),
                                            .accumulation = running_dtype(c[accumulation], c.dtype(0))}};
}

std::vector<Sample> convolution_samples() {
  const auto dims = [](std::initializer_list<int> values) {
    return std::vector<Dim>(values.begin(), values.end());
  };
  return {
      {.operands = {{.shape = {1, 1, 4, 5}}, {.shape = {1, 1, 3, 3}}}},
      {.operands = {{.shape = {2, 3, 5, 4}}, {.shape = {4, 3, 2, 3}}},
       .attrs = {attr(strides, Axes{2, 1}), attr(padding_low, dims({1, 0})),
                 attr(padding_high, dims({0, 2}))}},
      {.operands = {{.shape = {2, 4, 7}}, {.shape = {6, 2, 3}}},
       .attrs = {attr(strides, Axes{2}), attr(rhs_dilation, Axes{2}), attr(feature_groups, 2)},
       .note = "a stride that does not divide"},
      {.operands = {{.shape = {2, 2, 3, 4}}, {.shape = {2, 1, 3, 2}}},
       .attrs = {attr(lhs_dilation, Axes{2, 3}), attr(padding_low, dims({3, -1})),
                 attr(padding_high, dims({-1, 4})), attr(feature_groups, 2)},
       .note = "holes, crops and more padding than kernel"},
      {.operands = {{.shape = {4, 3, 5}}, {.shape = {4, 3, 2}}}, .attrs = {attr(batch_groups, 2)}},
      {.operands = {{.shape = {3, 4}}, {.shape = {2, 4}}}, .note = "no spatial axis: a product of matrices"},
      {.operands = {{.shape = {0, 2, 4}}, {.shape = {3, 2, 3}}}, .note = "an empty batch"},
      {.operands = {{.shape = {1, 2, 2}}, {.shape = {1, 2, 3}}}, .note = "no window fits"},
      {.operands = {{.shape = {1, 1, 6}, .dtype = f16}, {.shape = {1, 1, 2}, .dtype = f16}},
       .attrs = {attr(accumulation, f64)}}};
}

std::vector<Reject> convolution_rejects() {
  return {{.operands = {{f32, {1, 3, 8}}, {f32, {4, 2, 3}}},
           .id = ErrorId::contracted_size,
           .message = "the channels of `lhs` f32[1,3,8]"},
          {.operands = {{f32, {8}}, {f32, {3}}}, .id = ErrorId::rank, .message = "two axes before"},
          {.operands = {{f32, {1, 3, 8, 8}}, {f32, {4, 3, 3}}}, .id = ErrorId::rank, .message = "one rank"},
          {.operands = {{f32, {1, 3, 8}}, {f64, {4, 3, 3}}},
           .id = ErrorId::dtype_mismatch,
           .message = "`rhs` f64[4,3,3]"},
          {.operands = {{boolean, {1, 3, 8}}, {boolean, {4, 3, 3}}},
           .id = ErrorId::dtype,
           .message = "`lhs` bool[1,3,8]"},
          {.operands = {{f32, {1, 3, 8}}, {f32, {4, 3, 3}}},
           .attrs = {attr(strides, Axes{1, 1})},
           .id = ErrorId::attribute,
           .message = "`strides` has 2 entries"},
          {.operands = {{f32, {1, 3, 8}}, {f32, {4, 3, 3}}},
           .attrs = {attr(strides, Axes{0})},
           .id = ErrorId::attribute,
           .message = "`strides` is 0"},
          {.operands = {{f32, {1, 4, 8}}, {f32, {3, 2, 3}}},
           .attrs = {attr(feature_groups, 2)},
           .id = ErrorId::attribute,
           .message = "must be a multiple of `feature_groups` (2)"},
          {.operands = {{f32, {3, 2, 8}}, {f32, {2, 2, 3}}},
           .attrs = {attr(batch_groups, 2)},
           .id = ErrorId::attribute,
           .message = "the batch size (3)"},
          {.operands = {{f32, {2, 4, 8}}, {f32, {2, 2, 3}}},
           .attrs = {attr(feature_groups, 2), attr(batch_groups, 2)},
           .id = ErrorId::attribute,
           .message = "at most one"},
          {.operands = {{f32, {1, 3, 8}}, {f32, {4, 3, 3}}},
           .attrs = {attr(accumulation, f16)},
           .id = ErrorId::dtype,
           .message = "`accumulation` f16"}};
}

}  // namespace

OpDef conv_general() {
  return {
      .name = "conv_general",
      .family = "contraction",
      .doc = {.summary = "Convolution (without turning the kernel round) over any number of spatial axes.",
              .math = "y[n, o, p] = sum over c, k of lhs[n, c, (p * stride + k * rhs_dilation - low) / "
                      "lhs_dilation] * rhs[o, c, k], "
                      "where the division is exact and inside",
              .shapes = "`lhs: f32[n,c,h,w]`, `rhs: f32[o,c/feature_groups,kh,kw]` -> "
                        "`f32[n/batch_groups,o,oh,ow]` with "
                        "oh = floor(((h-1)*lhs_dilation + low + high - (kh-1)*rhs_dilation - 1) / stride) + "
                        "1, at least 0",
              .gradient = "for lhs the convolution of the cotangent with the kernel turned round, for rhs "
                          "that of lhs with the "
                          "cotangent, strides and dilations exchanged",
              .accuracy = "fused multiply-adds over (channel, kernel position) in the fixed order, in "
                          "`accumulation` (f32 for f16 "
                          "and bf16, i32 or u32 for narrow integers), converted once; padding contributes "
                          "nothing, even where the "
                          "kernel is inf or NaN",
              .errors = "channels that do not fit: CALX-E207; ranks: CALX-E201; lists of another length, "
                        "strides or dilations below "
                        "1, sizes that groups do not divide: CALX-E301; an `accumulation` that cannot hold "
                        "the sums: CALX-E101",
              .example =
                  "conv_general(reshape(tensor({1, 2, 3}), {1, 1, 3}), reshape(tensor({1, 10}), {1, 1, 2}))"
                  "  // f32[1,1,2] [[[21, 32]]]",
              .source = "StableHLO convolution, jax.lax.conv_general_dilated with NCHW, OIHW; differs where "
                        "lhs has size 0 and "
                        "lhs_dilation > 1: (0-1)*dilation+1 counts there too"},
      .operands = {{"lhs", DTypes::numeric}, {"rhs", DTypes::numeric}},
      .attrs = {strides, padding_low, padding_high, lhs_dilation, rhs_dilation, feature_groups, batch_groups,
                accumulation},
      .binding = Binding::promote,
      .form = Primitive{.infer = infer_convolution,
                        .jvp = FromLinear{},
                        .linear = LinearIn{{{0}, {1}},
                                         [](const Call& c, int group, const Tangents& ct) {
                                           if (ct[0].is_zero()) return Tangents(Tangent::zero(c.type(group)));
                                           return Tangents(Tangent(transpose_to(c, ct[0].tensor(), group)));
                                         }},
                        .batch = batch_convolution,
                        .simplify = NoIdentity{},
                        .reference = [](const ReferenceCall& c) -> std::vector<Array> {
                          return {run_convolution(c)};
                        },
                        .lower = lower_convolution},
      .samples = convolution_samples,
      .rejects = convolution_rejects,
  };
}

}  // namespace calx::ops
