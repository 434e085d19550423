// The functions of calx/ops.h. Written by tools/opgen from the op table (`make generate`); do not edit.
// clang-format off
#include "calx/ops.h"

#include "support/generated_support.h"

namespace calx {

using detail::apply_linear;
using detail::bind_list;
using detail::entry;

Tensor add(const Operand& lhs, const Operand& rhs) {
  static const OpDef& op = get_op("add");
  return bind_list(op, {lhs, rhs}, {}).front();
}

Tensor checked_index(const Operand& index, const Dim& size, const CheckedIndexOptions& options) {
  static const OpDef& op = get_op("checked_index");
  return bind_list(op, {index}, {
      entry("size", size),
      entry("from_back", options.from_back),
      entry("caller", options.caller)}).front();
}

Tensor checked_index(const Operand& index, const Operand& counts, const Dim& size,
                     const CheckedIndexOptions& options) {
  static const OpDef& op = get_op("checked_index");
  return bind_list(op, {index, counts}, {
      entry("size", size),
      entry("from_back", options.from_back),
      entry("caller", options.caller)}).front();
}

Tensor compare(const Operand& lhs, const Operand& rhs, Comparison comparison) {
  static const OpDef& op = get_op("compare");
  return bind_list(op, {lhs, rhs}, {entry("comparison", comparison)}).front();
}

Tensor convert(const Operand& x, DType dtype) {
  static const OpDef& op = get_op("convert");
  return bind_list(op, {x}, {entry("dtype", dtype)}).front();
}

Tensor div(const Operand& lhs, const Operand& rhs) {
  static const OpDef& op = get_op("div");
  return bind_list(op, {lhs, rhs}, {}).front();
}

Tensor expand(const Operand& x, const Shape& shape, const ExpandOptions& options) {
  static const OpDef& op = get_op("expand");
  return bind_list(op, {x}, {entry("shape", shape.dims()), entry("dims", options.dims)}).front();
}

Tensor iota(const Shape& shape, const IotaOptions& options, SourceLoc where) {
  static const OpDef& op = get_op("iota");
  return bind_list(op, {}, {
      entry("shape", shape.dims()),
      entry("axis", options.axis),
      entry("dtype", options.dtype)}, where).front();
}

Tensor mul(const Operand& lhs, const Operand& rhs) {
  static const OpDef& op = get_op("mul");
  return bind_list(op, {lhs, rhs}, {}).front();
}

Tensor neg(const Operand& x) {
  static const OpDef& op = get_op("neg");
  return bind_list(op, {x}, {}).front();
}

Tensor reduce_sum(const Operand& x, const std::vector<std::int64_t>& axes, const ReduceSumOptions& options) {
  static const OpDef& op = get_op("reduce_sum");
  return bind_list(op, {x}, {entry("axes", axes), entry("accumulation", options.accumulation)}).front();
}

Tensor select(const Operand& predicate, const Operand& on_true, const Operand& on_false) {
  static const OpDef& op = get_op("select");
  return bind_list(op, {predicate, on_true, on_false}, {}).front();
}

Tensor size(const Dim& dim, const SizeOptions& options, SourceLoc where) {
  static const OpDef& op = get_op("size");
  return bind_list(op, {}, {entry("dim", dim), entry("dtype", options.dtype)}, where).front();
}

Tensor strong_mul(const Operand& lhs, const Operand& rhs) {
  static const OpDef& op = get_op("strong_mul");
  return bind_list(op, {lhs, rhs}, {}).front();
}

Tensor sub(const Operand& lhs, const Operand& rhs) {
  static const OpDef& op = get_op("sub");
  return bind_list(op, {lhs, rhs}, {}).front();
}

Tensor transpose(const Operand& x, const std::vector<std::int64_t>& permutation) {
  static const OpDef& op = get_op("transpose");
  return bind_list(op, {x}, {entry("permutation", permutation)}).front();
}

Tensor abs(const Operand& x) {
  static const OpDef& op = get_op("abs");
  return bind_list(op, {x}, {}).front();
}

Tensor all(const Operand& x, const AllOptions& options) {
  static const OpDef& op = get_op("all");
  return bind_list(op, {x}, {entry("axes", options.axes), entry("keepdims", options.keepdims)}).front();
}

Tensor any(const Operand& x, const AnyOptions& options) {
  static const OpDef& op = get_op("any");
  return bind_list(op, {x}, {entry("axes", options.axes), entry("keepdims", options.keepdims)}).front();
}

Tensor argmax(const Operand& x, const ArgmaxOptions& options) {
  static const OpDef& op = get_op("argmax");
  return bind_list(op, {x}, {
      entry("axis", options.axis),
      entry("keepdims", options.keepdims),
      entry("dtype", options.dtype)}).front();
}

Tensor argmin(const Operand& x, const ArgminOptions& options) {
  static const OpDef& op = get_op("argmin");
  return bind_list(op, {x}, {
      entry("axis", options.axis),
      entry("keepdims", options.keepdims),
      entry("dtype", options.dtype)}).front();
}

Tensor argsort(const Operand& x, const ArgsortOptions& options) {
  static const OpDef& op = get_op("argsort");
  return bind_list(op, {x}, {
      entry("axis", options.axis),
      entry("descending", options.descending),
      entry("index_dtype", options.index_dtype)}).front();
}

Tensor atan2(const Operand& lhs, const Operand& rhs) {
  static const OpDef& op = get_op("atan2");
  return bind_list(op, {lhs, rhs}, {}).front();
}

Tensor attention(const Operand& query, const Operand& key, const Operand& value,
                 const AttentionOptions& options) {
  static const OpDef& op = get_op("attention");
  return bind_list(op, {query, key, value}, {
      entry("layout", options.layout),
      entry("num_heads", options.num_heads),
      entry("scale", options.scale),
      entry("causal", options.causal),
      entry("alignment", options.alignment),
      entry("window_left", options.window_left),
      entry("window_right", options.window_right),
      entry("softcap", options.softcap),
      entry("softcap_after_mask", options.softcap_after_mask),
      entry("mask_is_key_padding", options.mask_is_key_padding),
      entry("float_mask", options.float_mask),
      entry("strict_mask", options.strict_mask),
      entry("accumulation", options.accumulation)}).front();
}

Tensor attention(const Operand& query, const Operand& key, const Operand& value, const Operand& mask,
                 const AttentionOptions& options) {
  static const OpDef& op = get_op("attention");
  return bind_list(op, {query, key, value, mask}, {
      entry("layout", options.layout),
      entry("num_heads", options.num_heads),
      entry("scale", options.scale),
      entry("causal", options.causal),
      entry("alignment", options.alignment),
      entry("window_left", options.window_left),
      entry("window_right", options.window_right),
      entry("softcap", options.softcap),
      entry("softcap_after_mask", options.softcap_after_mask),
      entry("mask_is_key_padding", options.mask_is_key_padding),
      entry("float_mask", options.float_mask),
      entry("strict_mask", options.strict_mask),
      entry("accumulation", options.accumulation)}).front();
}

Tensor attention(const Operand& query, const Operand& key, const Operand& value, const Operand& mask,
                 const Operand& bias, const AttentionOptions& options) {
  static const OpDef& op = get_op("attention");
  return bind_list(op, {query, key, value, mask, bias}, {
      entry("layout", options.layout),
      entry("num_heads", options.num_heads),
      entry("scale", options.scale),
      entry("causal", options.causal),
      entry("alignment", options.alignment),
      entry("window_left", options.window_left),
      entry("window_right", options.window_right),
      entry("softcap", options.softcap),
      entry("softcap_after_mask", options.softcap_after_mask),
      entry("mask_is_key_padding", options.mask_is_key_padding),
      entry("float_mask", options.float_mask),
      entry("strict_mask", options.strict_mask),
      entry("accumulation", options.accumulation)}).front();
}

Tensor avg_pool(const Operand& x, const std::vector<Dim>& window, const AvgPoolOptions& options) {
  static const OpDef& op = get_op("avg_pool");
  return bind_list(op, {x}, {
      entry("window", window),
      entry("strides", options.strides),
      entry("padding_low", options.padding_low),
      entry("padding_high", options.padding_high),
      entry("base_dilation", options.base_dilation),
      entry("window_dilation", options.window_dilation),
      entry("count_include_pad", options.count_include_pad),
      entry("accumulation", options.accumulation)}).front();
}

Tensor bernoulli(const Operand& key, const Operand& probability) {
  static const OpDef& op = get_op("bernoulli");
  return bind_list(op, {key, probability}, {}).front();
}

Tensor ceil(const Operand& x) {
  static const OpDef& op = get_op("ceil");
  return bind_list(op, {x}, {}).front();
}

Tensor clamp(const Operand& x, const Operand& lo, const Operand& hi) {
  static const OpDef& op = get_op("clamp");
  return bind_list(op, {x, lo, hi}, {}).front();
}

Tensor concat(const std::vector<Tensor>& x, const ConcatOptions& options, SourceLoc where) {
  static const OpDef& op = get_op("concat");
  return bind_list(op, {}, x, {entry("axis", options.axis)}, where).front();
}

Tangent concat(const std::vector<Tangent>& x, const ConcatOptions& options) {
  static const OpDef& op = get_op("concat");
  return apply_linear(op, {}, x, {entry("axis", options.axis)}).front();
}

Tensor conv_general(const Operand& lhs, const Operand& rhs, const ConvGeneralOptions& options) {
  static const OpDef& op = get_op("conv_general");
  return bind_list(op, {lhs, rhs}, {
      entry("strides", options.strides),
      entry("padding_low", options.padding_low),
      entry("padding_high", options.padding_high),
      entry("lhs_dilation", options.lhs_dilation),
      entry("rhs_dilation", options.rhs_dilation),
      entry("feature_groups", options.feature_groups),
      entry("batch_groups", options.batch_groups),
      entry("accumulation", options.accumulation)}).front();
}

Tangent conv_general(const Tangent& lhs, const Tensor& rhs, const ConvGeneralOptions& options) {
  static const OpDef& op = get_op("conv_general");
  return apply_linear(op, {lhs, rhs}, {
      entry("strides", options.strides),
      entry("padding_low", options.padding_low),
      entry("padding_high", options.padding_high),
      entry("lhs_dilation", options.lhs_dilation),
      entry("rhs_dilation", options.rhs_dilation),
      entry("feature_groups", options.feature_groups),
      entry("batch_groups", options.batch_groups),
      entry("accumulation", options.accumulation)}).front();
}

Tangent conv_general(const Tensor& lhs, const Tangent& rhs, const ConvGeneralOptions& options) {
  static const OpDef& op = get_op("conv_general");
  return apply_linear(op, {lhs, rhs}, {
      entry("strides", options.strides),
      entry("padding_low", options.padding_low),
      entry("padding_high", options.padding_high),
      entry("lhs_dilation", options.lhs_dilation),
      entry("rhs_dilation", options.rhs_dilation),
      entry("feature_groups", options.feature_groups),
      entry("batch_groups", options.batch_groups),
      entry("accumulation", options.accumulation)}).front();
}

Tensor cos(const Operand& x) {
  static const OpDef& op = get_op("cos");
  return bind_list(op, {x}, {}).front();
}

Tensor cummax(const Operand& x, const CummaxOptions& options) {
  static const OpDef& op = get_op("cummax");
  return bind_list(op, {x}, {
      entry("axis", options.axis),
      entry("exclusive", options.exclusive),
      entry("reverse", options.reverse)}).front();
}

Tensor cummin(const Operand& x, const CumminOptions& options) {
  static const OpDef& op = get_op("cummin");
  return bind_list(op, {x}, {
      entry("axis", options.axis),
      entry("exclusive", options.exclusive),
      entry("reverse", options.reverse)}).front();
}

Tensor cumprod(const Operand& x, const CumprodOptions& options) {
  static const OpDef& op = get_op("cumprod");
  return bind_list(op, {x}, {
      entry("axis", options.axis),
      entry("exclusive", options.exclusive),
      entry("reverse", options.reverse),
      entry("accumulation", options.accumulation)}).front();
}

Tensor cumsum(const Operand& x, const CumsumOptions& options) {
  static const OpDef& op = get_op("cumsum");
  return bind_list(op, {x}, {
      entry("axis", options.axis),
      entry("exclusive", options.exclusive),
      entry("reverse", options.reverse),
      entry("accumulation", options.accumulation)}).front();
}

Tangent cumsum(const Tangent& x, const CumsumOptions& options) {
  static const OpDef& op = get_op("cumsum");
  return apply_linear(op, {x}, {
      entry("axis", options.axis),
      entry("exclusive", options.exclusive),
      entry("reverse", options.reverse),
      entry("accumulation", options.accumulation)}).front();
}

Tensor dot_general(const Operand& lhs, const Operand& rhs, const DotGeneralOptions& options) {
  static const OpDef& op = get_op("dot_general");
  return bind_list(op, {lhs, rhs}, {
      entry("lhs_batch", options.lhs_batch),
      entry("rhs_batch", options.rhs_batch),
      entry("lhs_contract", options.lhs_contract),
      entry("rhs_contract", options.rhs_contract),
      entry("accumulation", options.accumulation)}).front();
}

Tangent dot_general(const Tangent& lhs, const Tensor& rhs, const DotGeneralOptions& options) {
  static const OpDef& op = get_op("dot_general");
  return apply_linear(op, {lhs, rhs}, {
      entry("lhs_batch", options.lhs_batch),
      entry("rhs_batch", options.rhs_batch),
      entry("lhs_contract", options.lhs_contract),
      entry("rhs_contract", options.rhs_contract),
      entry("accumulation", options.accumulation)}).front();
}

Tangent dot_general(const Tensor& lhs, const Tangent& rhs, const DotGeneralOptions& options) {
  static const OpDef& op = get_op("dot_general");
  return apply_linear(op, {lhs, rhs}, {
      entry("lhs_batch", options.lhs_batch),
      entry("rhs_batch", options.rhs_batch),
      entry("lhs_contract", options.lhs_contract),
      entry("rhs_contract", options.rhs_contract),
      entry("accumulation", options.accumulation)}).front();
}

Tensor dynamic_slice(const Operand& x, const Operand& start, const std::vector<Dim>& sizes) {
  static const OpDef& op = get_op("dynamic_slice");
  return bind_list(op, {x, start}, {entry("sizes", sizes)}).front();
}

Tensor dynamic_update_slice(const Operand& x, const Operand& update, const Operand& start) {
  static const OpDef& op = get_op("dynamic_update_slice");
  return bind_list(op, {x, update, start}, {}).front();
}

Tensor elu(const Operand& x, const EluOptions& options) {
  static const OpDef& op = get_op("elu");
  return bind_list(op, {x}, {entry("alpha", options.alpha)}).front();
}

Tensor erf(const Operand& x) {
  static const OpDef& op = get_op("erf");
  return bind_list(op, {x}, {}).front();
}

Tensor erfc(const Operand& x) {
  static const OpDef& op = get_op("erfc");
  return bind_list(op, {x}, {}).front();
}

Tensor exp(const Operand& x) {
  static const OpDef& op = get_op("exp");
  return bind_list(op, {x}, {}).front();
}

Tensor expm1(const Operand& x) {
  static const OpDef& op = get_op("expm1");
  return bind_list(op, {x}, {}).front();
}

Tensor floor(const Operand& x) {
  static const OpDef& op = get_op("floor");
  return bind_list(op, {x}, {}).front();
}

Tensor floor_divide(const Operand& lhs, const Operand& rhs) {
  static const OpDef& op = get_op("floor_divide");
  return bind_list(op, {lhs, rhs}, {}).front();
}

Tensor floor_to_power_of_two(const Operand& x) {
  static const OpDef& op = get_op("floor_to_power_of_two");
  return bind_list(op, {x}, {}).front();
}

Tensor fold_in(const Operand& key, const Operand& data, const FoldInOptions& options) {
  static const OpDef& op = get_op("fold_in");
  return bind_list(op, {key, data}, {entry("stream", options.stream)}).front();
}

Tensor gather(const Operand& operand, const Operand& indices, std::int64_t index_vector_dim,
              const std::vector<Dim>& slice_sizes, const GatherOptions& options) {
  static const OpDef& op = get_op("gather");
  return bind_list(op, {operand, indices}, {
      entry("offset_dims", options.offset_dims),
      entry("collapsed_slice_dims", options.collapsed_slice_dims),
      entry("operand_batching_dims", options.operand_batching_dims),
      entry("start_indices_batching_dims", options.start_indices_batching_dims),
      entry("start_index_map", options.start_index_map),
      entry("index_vector_dim", index_vector_dim),
      entry("slice_sizes", slice_sizes),
      entry("mode", options.mode)}).front();
}

Tangent gather(const Tangent& operand, const Tensor& indices, std::int64_t index_vector_dim,
               const std::vector<Dim>& slice_sizes, const GatherOptions& options) {
  static const OpDef& op = get_op("gather");
  return apply_linear(op, {operand, indices}, {
      entry("offset_dims", options.offset_dims),
      entry("collapsed_slice_dims", options.collapsed_slice_dims),
      entry("operand_batching_dims", options.operand_batching_dims),
      entry("start_indices_batching_dims", options.start_indices_batching_dims),
      entry("start_index_map", options.start_index_map),
      entry("index_vector_dim", index_vector_dim),
      entry("slice_sizes", slice_sizes),
      entry("mode", options.mode)}).front();
}

Tensor gelu(const Operand& x, const GeluOptions& options) {
  static const OpDef& op = get_op("gelu");
  return bind_list(op, {x}, {entry("approximate", options.approximate)}).front();
}

Tensor hardsigmoid(const Operand& x) {
  static const OpDef& op = get_op("hardsigmoid");
  return bind_list(op, {x}, {}).front();
}

Tensor hardswish(const Operand& x) {
  static const OpDef& op = get_op("hardswish");
  return bind_list(op, {x}, {}).front();
}

Tensor is_finite(const Operand& x) {
  static const OpDef& op = get_op("is_finite");
  return bind_list(op, {x}, {}).front();
}

Tensor is_inf(const Operand& x) {
  static const OpDef& op = get_op("is_inf");
  return bind_list(op, {x}, {}).front();
}

Tensor is_nan(const Operand& x) {
  static const OpDef& op = get_op("is_nan");
  return bind_list(op, {x}, {}).front();
}

Tensor layer_norm(const Operand& x, const LayerNormOptions& options) {
  static const OpDef& op = get_op("layer_norm");
  return bind_list(op, {x}, {
      entry("axes", options.axes),
      entry("eps", options.eps),
      entry("accumulation", options.accumulation)}).front();
}

Tensor layer_norm(const Operand& x, const Operand& scale, const LayerNormOptions& options) {
  static const OpDef& op = get_op("layer_norm");
  return bind_list(op, {x, scale}, {
      entry("axes", options.axes),
      entry("eps", options.eps),
      entry("accumulation", options.accumulation)}).front();
}

Tensor layer_norm(const Operand& x, const Operand& scale, const Operand& bias,
                  const LayerNormOptions& options) {
  static const OpDef& op = get_op("layer_norm");
  return bind_list(op, {x, scale, bias}, {
      entry("axes", options.axes),
      entry("eps", options.eps),
      entry("accumulation", options.accumulation)}).front();
}

Tensor leaky_relu(const Operand& x, const LeakyReluOptions& options) {
  static const OpDef& op = get_op("leaky_relu");
  return bind_list(op, {x}, {entry("negative_slope", options.negative_slope)}).front();
}

Tensor linear_recurrence(const Operand& factors, const Operand& terms,
                         const LinearRecurrenceOptions& options) {
  static const OpDef& op = get_op("linear_recurrence");
  return bind_list(op, {factors, terms}, {
      entry("axis", options.axis),
      entry("reverse", options.reverse),
      entry("shifted", options.shifted),
      entry("exclusive", options.exclusive)}).front();
}

Tangent linear_recurrence(const Tensor& factors, const Tangent& terms,
                          const LinearRecurrenceOptions& options) {
  static const OpDef& op = get_op("linear_recurrence");
  return apply_linear(op, {factors, terms}, {
      entry("axis", options.axis),
      entry("reverse", options.reverse),
      entry("shifted", options.shifted),
      entry("exclusive", options.exclusive)}).front();
}

Tensor log(const Operand& x) {
  static const OpDef& op = get_op("log");
  return bind_list(op, {x}, {}).front();
}

Tensor log1p(const Operand& x) {
  static const OpDef& op = get_op("log1p");
  return bind_list(op, {x}, {}).front();
}

Tensor log_sigmoid(const Operand& x) {
  static const OpDef& op = get_op("log_sigmoid");
  return bind_list(op, {x}, {}).front();
}

Tensor log_softmax(const Operand& x, const LogSoftmaxOptions& options) {
  static const OpDef& op = get_op("log_softmax");
  return bind_list(op, {x}, {
      entry("axis", options.axis),
      entry("accumulation", options.accumulation)}).front();
}

Tensor logical_and(const Operand& lhs, const Operand& rhs) {
  static const OpDef& op = get_op("logical_and");
  return bind_list(op, {lhs, rhs}, {}).front();
}

Tensor logical_not(const Operand& x) {
  static const OpDef& op = get_op("logical_not");
  return bind_list(op, {x}, {}).front();
}

Tensor logical_or(const Operand& lhs, const Operand& rhs) {
  static const OpDef& op = get_op("logical_or");
  return bind_list(op, {lhs, rhs}, {}).front();
}

Tensor logical_xor(const Operand& lhs, const Operand& rhs) {
  static const OpDef& op = get_op("logical_xor");
  return bind_list(op, {lhs, rhs}, {}).front();
}

Tensor logsumexp(const Operand& x, const LogsumexpOptions& options) {
  static const OpDef& op = get_op("logsumexp");
  return bind_list(op, {x}, {
      entry("axes", options.axes),
      entry("keepdims", options.keepdims),
      entry("accumulation", options.accumulation)}).front();
}

Tensor max(const Operand& x, const MaxOptions& options) {
  static const OpDef& op = get_op("max");
  return bind_list(op, {x}, {entry("axes", options.axes), entry("keepdims", options.keepdims)}).front();
}

Tensor max_pool(const Operand& x, const std::vector<Dim>& window, const MaxPoolOptions& options) {
  static const OpDef& op = get_op("max_pool");
  return bind_list(op, {x}, {
      entry("window", window),
      entry("strides", options.strides),
      entry("padding_low", options.padding_low),
      entry("padding_high", options.padding_high),
      entry("base_dilation", options.base_dilation),
      entry("window_dilation", options.window_dilation)}).front();
}

Tensor maximum(const Operand& lhs, const Operand& rhs) {
  static const OpDef& op = get_op("maximum");
  return bind_list(op, {lhs, rhs}, {}).front();
}

Tensor mean(const Operand& x, const MeanOptions& options) {
  static const OpDef& op = get_op("mean");
  return bind_list(op, {x}, {
      entry("axes", options.axes),
      entry("keepdims", options.keepdims),
      entry("accumulation", options.accumulation)}).front();
}

Tensor min(const Operand& x, const MinOptions& options) {
  static const OpDef& op = get_op("min");
  return bind_list(op, {x}, {entry("axes", options.axes), entry("keepdims", options.keepdims)}).front();
}

Tensor minimum(const Operand& lhs, const Operand& rhs) {
  static const OpDef& op = get_op("minimum");
  return bind_list(op, {lhs, rhs}, {}).front();
}

Tensor norm(const Operand& x, const NormOptions& options) {
  static const OpDef& op = get_op("norm");
  return bind_list(op, {x}, {
      entry("axes", options.axes),
      entry("keepdims", options.keepdims),
      entry("ord", options.ord),
      entry("accumulation", options.accumulation)}).front();
}

Tensor normal(const Operand& key, const Shape& shape, const NormalOptions& options) {
  static const OpDef& op = get_op("normal");
  return bind_list(op, {key}, {entry("shape", shape.dims()), entry("dtype", options.dtype)}).front();
}

Tensor one_hot(const Operand& index, const Dim& num_classes, const OneHotOptions& options) {
  static const OpDef& op = get_op("one_hot");
  return bind_list(op, {index}, {
      entry("num_classes", num_classes),
      entry("axis", options.axis),
      entry("dtype", options.dtype)}).front();
}

Tensor pad(const Operand& x, const Operand& value, const std::vector<Dim>& low, const std::vector<Dim>& high,
           const PadOptions& options) {
  static const OpDef& op = get_op("pad");
  return bind_list(op, {x, value}, {
      entry("low", low),
      entry("high", high),
      entry("interior", options.interior)}).front();
}

Tangent pad(const Tangent& x, const Tangent& value, const std::vector<Dim>& low, const std::vector<Dim>& high,
            const PadOptions& options) {
  static const OpDef& op = get_op("pad");
  return apply_linear(op, {x, value}, {
      entry("low", low),
      entry("high", high),
      entry("interior", options.interior)}).front();
}

Tensor permutation(const Operand& key, const Dim& size, const PermutationOptions& options) {
  static const OpDef& op = get_op("permutation");
  return bind_list(op, {key}, {entry("size", size), entry("index_dtype", options.index_dtype)}).front();
}

Tensor pow(const Operand& lhs, const Operand& rhs) {
  static const OpDef& op = get_op("pow");
  return bind_list(op, {lhs, rhs}, {}).front();
}

Tensor prod(const Operand& x, const ProdOptions& options) {
  static const OpDef& op = get_op("prod");
  return bind_list(op, {x}, {
      entry("axes", options.axes),
      entry("keepdims", options.keepdims),
      entry("accumulation", options.accumulation)}).front();
}

Tensor random_bits(const Operand& key, const Shape& shape, const RandomBitsOptions& options) {
  static const OpDef& op = get_op("random_bits");
  return bind_list(op, {key}, {entry("shape", shape.dims()), entry("dtype", options.dtype)}).front();
}

Tensor reciprocal(const Operand& x) {
  static const OpDef& op = get_op("reciprocal");
  return bind_list(op, {x}, {}).front();
}

Tensor reduce_and(const Operand& x, const std::vector<std::int64_t>& axes) {
  static const OpDef& op = get_op("reduce_and");
  return bind_list(op, {x}, {entry("axes", axes)}).front();
}

Tensor reduce_max(const Operand& x, const std::vector<std::int64_t>& axes, const ReduceMaxOptions& options) {
  static const OpDef& op = get_op("reduce_max");
  return bind_list(op, {x}, {entry("axes", axes), entry("allow_empty", options.allow_empty)}).front();
}

Tensor reduce_min(const Operand& x, const std::vector<std::int64_t>& axes, const ReduceMinOptions& options) {
  static const OpDef& op = get_op("reduce_min");
  return bind_list(op, {x}, {entry("axes", axes), entry("allow_empty", options.allow_empty)}).front();
}

Tensor reduce_or(const Operand& x, const std::vector<std::int64_t>& axes) {
  static const OpDef& op = get_op("reduce_or");
  return bind_list(op, {x}, {entry("axes", axes)}).front();
}

Tensor reduce_prod(const Operand& x, const std::vector<std::int64_t>& axes,
                   const ReduceProdOptions& options) {
  static const OpDef& op = get_op("reduce_prod");
  return bind_list(op, {x}, {entry("axes", axes), entry("accumulation", options.accumulation)}).front();
}

Tensor reduce_window(const Operand& x, const std::vector<Dim>& window, const ReduceWindowOptions& options) {
  static const OpDef& op = get_op("reduce_window");
  return bind_list(op, {x}, {
      entry("window", window),
      entry("strides", options.strides),
      entry("padding_low", options.padding_low),
      entry("padding_high", options.padding_high),
      entry("base_dilation", options.base_dilation),
      entry("window_dilation", options.window_dilation),
      entry("accumulation", options.accumulation)}).front();
}

Tangent reduce_window(const Tangent& x, const std::vector<Dim>& window, const ReduceWindowOptions& options) {
  static const OpDef& op = get_op("reduce_window");
  return apply_linear(op, {x}, {
      entry("window", window),
      entry("strides", options.strides),
      entry("padding_low", options.padding_low),
      entry("padding_high", options.padding_high),
      entry("base_dilation", options.base_dilation),
      entry("window_dilation", options.window_dilation),
      entry("accumulation", options.accumulation)}).front();
}

Tensor relu(const Operand& x) {
  static const OpDef& op = get_op("relu");
  return bind_list(op, {x}, {}).front();
}

Tensor relu6(const Operand& x) {
  static const OpDef& op = get_op("relu6");
  return bind_list(op, {x}, {}).front();
}

Tensor remainder(const Operand& lhs, const Operand& rhs) {
  static const OpDef& op = get_op("remainder");
  return bind_list(op, {lhs, rhs}, {}).front();
}

Tensor reverse(const Operand& x, const std::vector<std::int64_t>& axes) {
  static const OpDef& op = get_op("reverse");
  return bind_list(op, {x}, {entry("axes", axes)}).front();
}

Tangent reverse(const Tangent& x, const std::vector<std::int64_t>& axes) {
  static const OpDef& op = get_op("reverse");
  return apply_linear(op, {x}, {entry("axes", axes)}).front();
}

Tensor rms_norm(const Operand& x, const RmsNormOptions& options) {
  static const OpDef& op = get_op("rms_norm");
  return bind_list(op, {x}, {
      entry("axes", options.axes),
      entry("eps", options.eps),
      entry("accumulation", options.accumulation)}).front();
}

Tensor rms_norm(const Operand& x, const Operand& scale, const RmsNormOptions& options) {
  static const OpDef& op = get_op("rms_norm");
  return bind_list(op, {x, scale}, {
      entry("axes", options.axes),
      entry("eps", options.eps),
      entry("accumulation", options.accumulation)}).front();
}

Tensor round(const Operand& x) {
  static const OpDef& op = get_op("round");
  return bind_list(op, {x}, {}).front();
}

Tensor rsqrt(const Operand& x) {
  static const OpDef& op = get_op("rsqrt");
  return bind_list(op, {x}, {}).front();
}

Tensor scatter(const Operand& operand, const Operand& indices, const Operand& updates,
               std::int64_t index_vector_dim, const ScatterOptions& options) {
  static const OpDef& op = get_op("scatter");
  return bind_list(op, {operand, indices, updates}, {
      entry("update_window_dims", options.update_window_dims),
      entry("inserted_window_dims", options.inserted_window_dims),
      entry("operand_batching_dims", options.operand_batching_dims),
      entry("scatter_indices_batching_dims", options.scatter_indices_batching_dims),
      entry("scatter_dims_to_operand_dims", options.scatter_dims_to_operand_dims),
      entry("index_vector_dim", index_vector_dim),
      entry("mode", options.mode)}).front();
}

Tangent scatter(const Tangent& operand, const Tensor& indices, const Tangent& updates,
                std::int64_t index_vector_dim, const ScatterOptions& options) {
  static const OpDef& op = get_op("scatter");
  return apply_linear(op, {operand, indices, updates}, {
      entry("update_window_dims", options.update_window_dims),
      entry("inserted_window_dims", options.inserted_window_dims),
      entry("operand_batching_dims", options.operand_batching_dims),
      entry("scatter_indices_batching_dims", options.scatter_indices_batching_dims),
      entry("scatter_dims_to_operand_dims", options.scatter_dims_to_operand_dims),
      entry("index_vector_dim", index_vector_dim),
      entry("mode", options.mode)}).front();
}

Tensor scatter_add(const Operand& operand, const Operand& indices, const Operand& updates,
                   std::int64_t index_vector_dim, const ScatterAddOptions& options) {
  static const OpDef& op = get_op("scatter_add");
  return bind_list(op, {operand, indices, updates}, {
      entry("update_window_dims", options.update_window_dims),
      entry("inserted_window_dims", options.inserted_window_dims),
      entry("operand_batching_dims", options.operand_batching_dims),
      entry("scatter_indices_batching_dims", options.scatter_indices_batching_dims),
      entry("scatter_dims_to_operand_dims", options.scatter_dims_to_operand_dims),
      entry("index_vector_dim", index_vector_dim),
      entry("mode", options.mode)}).front();
}

Tangent scatter_add(const Tangent& operand, const Tensor& indices, const Tangent& updates,
                    std::int64_t index_vector_dim, const ScatterAddOptions& options) {
  static const OpDef& op = get_op("scatter_add");
  return apply_linear(op, {operand, indices, updates}, {
      entry("update_window_dims", options.update_window_dims),
      entry("inserted_window_dims", options.inserted_window_dims),
      entry("operand_batching_dims", options.operand_batching_dims),
      entry("scatter_indices_batching_dims", options.scatter_indices_batching_dims),
      entry("scatter_dims_to_operand_dims", options.scatter_dims_to_operand_dims),
      entry("index_vector_dim", index_vector_dim),
      entry("mode", options.mode)}).front();
}

Tensor scatter_max(const Operand& operand, const Operand& indices, const Operand& updates,
                   std::int64_t index_vector_dim, const ScatterMaxOptions& options) {
  static const OpDef& op = get_op("scatter_max");
  return bind_list(op, {operand, indices, updates}, {
      entry("update_window_dims", options.update_window_dims),
      entry("inserted_window_dims", options.inserted_window_dims),
      entry("operand_batching_dims", options.operand_batching_dims),
      entry("scatter_indices_batching_dims", options.scatter_indices_batching_dims),
      entry("scatter_dims_to_operand_dims", options.scatter_dims_to_operand_dims),
      entry("index_vector_dim", index_vector_dim),
      entry("mode", options.mode)}).front();
}

Tensor scatter_min(const Operand& operand, const Operand& indices, const Operand& updates,
                   std::int64_t index_vector_dim, const ScatterMinOptions& options) {
  static const OpDef& op = get_op("scatter_min");
  return bind_list(op, {operand, indices, updates}, {
      entry("update_window_dims", options.update_window_dims),
      entry("inserted_window_dims", options.inserted_window_dims),
      entry("operand_batching_dims", options.operand_batching_dims),
      entry("scatter_indices_batching_dims", options.scatter_indices_batching_dims),
      entry("scatter_dims_to_operand_dims", options.scatter_dims_to_operand_dims),
      entry("index_vector_dim", index_vector_dim),
      entry("mode", options.mode)}).front();
}

Tensor scatter_mul(const Operand& operand, const Operand& indices, const Operand& updates,
                   std::int64_t index_vector_dim, const ScatterMulOptions& options) {
  static const OpDef& op = get_op("scatter_mul");
  return bind_list(op, {operand, indices, updates}, {
      entry("update_window_dims", options.update_window_dims),
      entry("inserted_window_dims", options.inserted_window_dims),
      entry("operand_batching_dims", options.operand_batching_dims),
      entry("scatter_indices_batching_dims", options.scatter_indices_batching_dims),
      entry("scatter_dims_to_operand_dims", options.scatter_dims_to_operand_dims),
      entry("index_vector_dim", index_vector_dim),
      entry("mode", options.mode)}).front();
}

Tangent scatter_mul(const Tangent& operand, const Tensor& indices, const Tensor& updates,
                    std::int64_t index_vector_dim, const ScatterMulOptions& options) {
  static const OpDef& op = get_op("scatter_mul");
  return apply_linear(op, {operand, indices, updates}, {
      entry("update_window_dims", options.update_window_dims),
      entry("inserted_window_dims", options.inserted_window_dims),
      entry("operand_batching_dims", options.operand_batching_dims),
      entry("scatter_indices_batching_dims", options.scatter_indices_batching_dims),
      entry("scatter_dims_to_operand_dims", options.scatter_dims_to_operand_dims),
      entry("index_vector_dim", index_vector_dim),
      entry("mode", options.mode)}).front();
}

Tensor selu(const Operand& x) {
  static const OpDef& op = get_op("selu");
  return bind_list(op, {x}, {}).front();
}

Tensor sigmoid(const Operand& x) {
  static const OpDef& op = get_op("sigmoid");
  return bind_list(op, {x}, {}).front();
}

Tensor sign(const Operand& x) {
  static const OpDef& op = get_op("sign");
  return bind_list(op, {x}, {}).front();
}

Tensor silu(const Operand& x) {
  static const OpDef& op = get_op("silu");
  return bind_list(op, {x}, {}).front();
}

Tensor sin(const Operand& x) {
  static const OpDef& op = get_op("sin");
  return bind_list(op, {x}, {}).front();
}

Tensor slice(const Operand& x, const std::vector<Dim>& start, const std::vector<Dim>& limit,
             const SliceOptions& options) {
  static const OpDef& op = get_op("slice");
  return bind_list(op, {x}, {
      entry("start", start),
      entry("limit", limit),
      entry("stride", options.stride)}).front();
}

Tangent slice(const Tangent& x, const std::vector<Dim>& start, const std::vector<Dim>& limit,
              const SliceOptions& options) {
  static const OpDef& op = get_op("slice");
  return apply_linear(op, {x}, {
      entry("start", start),
      entry("limit", limit),
      entry("stride", options.stride)}).front();
}

Tensor softmax(const Operand& x, const SoftmaxOptions& options) {
  static const OpDef& op = get_op("softmax");
  return bind_list(op, {x}, {
      entry("axis", options.axis),
      entry("accumulation", options.accumulation)}).front();
}

Tensor softmax_cross_entropy(const Operand& logits, const Operand& labels,
                             const SoftmaxCrossEntropyOptions& options) {
  static const OpDef& op = get_op("softmax_cross_entropy");
  return bind_list(op, {logits, labels}, {
      entry("axis", options.axis),
      entry("ignore_index", options.ignore_index),
      entry("label_smoothing", options.label_smoothing),
      entry("reduction", options.reduction),
      entry("accumulation", options.accumulation)}).front();
}

Tensor softmax_cross_entropy(const Operand& logits, const Operand& labels, const Operand& class_weights,
                             const SoftmaxCrossEntropyOptions& options) {
  static const OpDef& op = get_op("softmax_cross_entropy");
  return bind_list(op, {logits, labels, class_weights}, {
      entry("axis", options.axis),
      entry("ignore_index", options.ignore_index),
      entry("label_smoothing", options.label_smoothing),
      entry("reduction", options.reduction),
      entry("accumulation", options.accumulation)}).front();
}

Tensor softplus(const Operand& x) {
  static const OpDef& op = get_op("softplus");
  return bind_list(op, {x}, {}).front();
}

Tensors sort(const std::vector<Tensor>& x, const SortOptions& options, SourceLoc where) {
  static const OpDef& op = get_op("sort");
  return bind_list(op, {}, x, {
      entry("axis", options.axis),
      entry("num_keys", options.num_keys),
      entry("descending", options.descending),
      entry("index_dtype", options.index_dtype)}, where);
}

Tensor split(const Operand& key, const SplitOptions& options) {
  static const OpDef& op = get_op("split");
  return bind_list(op, {key}, {entry("num", options.num)}).front();
}

Tensor sqrt(const Operand& x) {
  static const OpDef& op = get_op("sqrt");
  return bind_list(op, {x}, {}).front();
}

Tensor square(const Operand& x) {
  static const OpDef& op = get_op("square");
  return bind_list(op, {x}, {}).front();
}

Tensor std(const Operand& x, const StdOptions& options) {
  static const OpDef& op = get_op("std");
  return bind_list(op, {x}, {
      entry("axes", options.axes),
      entry("keepdims", options.keepdims),
      entry("ddof", options.ddof),
      entry("accumulation", options.accumulation)}).front();
}

Tensor stop_gradient(const Operand& x) {
  static const OpDef& op = get_op("stop_gradient");
  return bind_list(op, {x}, {}).front();
}

Tensor sum(const Operand& x, const SumOptions& options) {
  static const OpDef& op = get_op("sum");
  return bind_list(op, {x}, {
      entry("axes", options.axes),
      entry("keepdims", options.keepdims),
      entry("accumulation", options.accumulation)}).front();
}

Tensor take(const Operand& x, const Operand& indices, const TakeOptions& options) {
  static const OpDef& op = get_op("take");
  return bind_list(op, {x, indices}, {
      entry("axis", options.axis),
      entry("mode", options.mode),
      entry("fill_value", options.fill_value)}).front();
}

Tensor take_along_axis(const Operand& x, const Operand& indices, const TakeAlongAxisOptions& options) {
  static const OpDef& op = get_op("take_along_axis");
  return bind_list(op, {x, indices}, {
      entry("axis", options.axis),
      entry("mode", options.mode),
      entry("fill_value", options.fill_value)}).front();
}

Tensor tan(const Operand& x) {
  static const OpDef& op = get_op("tan");
  return bind_list(op, {x}, {}).front();
}

Tensor tanh(const Operand& x) {
  static const OpDef& op = get_op("tanh");
  return bind_list(op, {x}, {}).front();
}

TopKResult top_k(const Operand& x, const Dim& k, const TopKOptions& options) {
  static const OpDef& op = get_op("top_k");
  const Tensors results = bind_list(op, {x}, {
      entry("k", k),
      entry("axis", options.axis),
      entry("smallest", options.smallest),
      entry("index_dtype", options.index_dtype)});
  return {results[0], results[1]};
}

Tensor uniform(const Operand& key, const Shape& shape, const UniformOptions& options) {
  static const OpDef& op = get_op("uniform");
  return bind_list(op, {key}, {
      entry("shape", shape.dims()),
      entry("dtype", options.dtype),
      entry("low", options.low),
      entry("high", options.high)}).front();
}

Tensor var(const Operand& x, const VarOptions& options) {
  static const OpDef& op = get_op("var");
  return bind_list(op, {x}, {
      entry("axes", options.axes),
      entry("keepdims", options.keepdims),
      entry("ddof", options.ddof),
      entry("accumulation", options.accumulation)}).front();
}

Tensor window_argmax(const Operand& x, const std::vector<Dim>& window, const WindowArgmaxOptions& options) {
  static const OpDef& op = get_op("window_argmax");
  return bind_list(op, {x}, {
      entry("window", window),
      entry("strides", options.strides),
      entry("padding_low", options.padding_low),
      entry("padding_high", options.padding_high),
      entry("base_dilation", options.base_dilation),
      entry("window_dilation", options.window_dilation),
      entry("index_dtype", options.index_dtype)}).front();
}

}  // namespace calx
