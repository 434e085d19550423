// attention: scaled dot-product attention as a composite. Masks select; nothing is ever added to hide a key.
#include <cmath>
#include <limits>

#include "attention/_scores.h"
#include "calx/base/format.h"
#include "calx/ops/enums.h"
#include "contraction/_support.h"

namespace calx::ops {
namespace {

using namespace attention_parts;

constinit const Attr<AttentionLayout> layout{"layout", AttentionLayout::bhsd,
                                   "axes of query, key, value and the result"};
constinit const Attr<Dim> num_heads{"num_heads", [] { return Dim(0); }, "query heads in layout bs_hd; 0 in the other layouts", 0,
                          1e15};
constinit const Attr<std::optional<double>> scale{"scale", std::optional<double>{},
                                        "factor of the scores; none: 1 / sqrt(features)"};
constinit const Attr<bool> causal{"causal", false, "a query attends no key after its own position"};
constinit const Attr<AttentionAlignment> alignment{
    "alignment", AttentionAlignment::automatic,
    "which positions are the same: counted from the start (top_left) or from the end (bottom_right); automatic: "
    "bottom_right, "
    "where there are at least as many keys as queries"};
constinit const Attr<std::optional<std::int64_t>> window_left{
    "window_left", std::optional<std::int64_t>{},
    "how many keys before its own position a query attends; none: all", 0, 1e15};
constinit const Attr<std::optional<std::int64_t>> window_right{
    "window_right", std::optional<std::int64_t>{},
    "how many keys after its own position a query attends; none: all", 0, 1e15};
constinit const Attr<std::optional<double>> softcap{"softcap", std::optional<double>{},
                                          "scores become softcap * tanh(scores / softcap)"};
constinit const Attr<bool> softcap_after_mask{
    "softcap_after_mask", false,
    "masked scores are -inf before the cap, so they weigh e^-softcap: for importing such graphs"};
constinit const Attr<bool> mask_is_key_padding{"mask_is_key_padding", false, "`mask` is [batch, keys]"};
constinit const Attr<FloatMask> float_mask{"float_mask", FloatMask::additive, "what a floating `mask` means"};
constinit const Attr<bool> strict_mask{
    "strict_mask", false,
    "NaN and inf reach only what attends them, at the cost of memory for queries * keys * features"};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Tensor full_like(const Tensor& x, double value) { return core::full(x.type(), value); }

Tensor apply_unary(std::string_view name, const Tensor& x) { return apply_one(get_op(name), {x}); }

/// [b, s, h, d] or [b, h, s, d] from any layout, as [b, h, s, d].
Tensor by_head(const Call& c, const Tensor& x, const Dim& features) {
  Tensor result = x;
  if (c[layout] == AttentionLayout::bs_hd) {
    const std::optional<Dim> heads = exact_div(x.shape()[2], features);
    if (!heads) {
      c.fail(ErrorId::shape_mismatch, format("{} cannot be split into heads of {} features",
                                             x.type().to_string(), features.to_string()));
    }
    result = core::reshape(x, {x.shape()[0], x.shape()[1], *heads, features});
  }
  return c[layout] == AttentionLayout::bhsd ? result : core::transpose(result, {0, 2, 1, 3});
}

Heads split_heads(const Call& c, DType running) {
  const int rank = c[layout] == AttentionLayout::bs_hd ? 3 : 4;
  for (int i = 0; i < 3; ++i) {
    require_rank(c, i, rank);
    require_same_dtype(c, 0, i);
  }
  if ((rank == 3) != (c[num_heads] != Dim(0))) {
    c.fail(ErrorId::attribute,
           rank == 3 ? "layout bs_hd needs `num_heads`"
                     : "`num_heads` belongs to layout bs_hd; other layouts have an axis of heads");
  }
  Dim features = c.shape(0)[rank - 1];
  if (rank == 3) {
    const std::optional<Dim> split = exact_div(features, c[num_heads]);
    if (!split) {
      c.fail(ErrorId::shape_mismatch, format("`query` {} cannot be split into {} heads",
                                             c.type(0).to_string(), c[num_heads].to_string()));
    }
    features = *split;
  }
  const Tensor query = by_head(c, core::convert(c[0], running), features);
  const Tensor key = by_head(c, core::convert(c[1], running), rank == 3 ? features : c.shape(1)[3]);
  Dim value_features = c.shape(2)[rank - 1];
  const Dim& kv_heads = key.shape()[1];
  if (rank == 3) {
    const std::optional<Dim> split = kv_heads == Dim(0) ? std::nullopt : exact_div(value_features, kv_heads);
    if (!split) {
      c.fail(ErrorId::shape_mismatch,
             format("`value` {} cannot be split into {} heads", c.type(2).to_string(), kv_heads.to_string()));
    }
    value_features = *split;
  }
  const Tensor value = by_head(c, core::convert(c[2], running), value_features);
  const auto equal = [&](const Tensor& a, const Tensor& b, int axis, std::string_view what,
                         std::string_view names) {
    require_equal(c, a.shape()[axis], b.shape()[axis],
                  format("the {} of {}", what, names.substr(0, names.find(' '))),
                  format("that of {}", names.substr(names.find(' ') + 1)),
                  axis == 3 ? ErrorId::contracted_size : ErrorId::shape_mismatch);
  };
  equal(query, key, 0, "batch size", "`query` `key`");
  equal(query, value, 0, "batch size", "`query` `value`");
  equal(query, key, 3, "number of features", "`query` `key`");
  equal(key, value, 1, "number of heads", "`key` `value`");
  equal(key, value, 2, "number of positions", "`key` `value`");
  const Dim& heads = query.shape()[1];
  const std::optional<Dim> group =
      kv_heads == Dim(0) ? std::optional<Dim>(heads == Dim(0) ? std::optional<Dim>(1) : std::nullopt)
                         : exact_div(heads, kv_heads);
  if (!group) {
    c.fail(ErrorId::shape_mismatch,
           format("the query heads ({}) must be a multiple of the key and value heads ({})",
                  heads.to_string(), kv_heads.to_string()));
  }
  return {core::reshape(query, {query.shape()[0], kv_heads, *group, query.shape()[2], features}), key, value};
}

/// How far a query's own position is from its index.
Dim offset_of(const Call& c, const Heads& heads) {
  const Dim& queries = heads.num_queries();
  const Dim& keys = heads.num_keys();
  if (const AttentionAlignment asked = c[alignment]; asked != AttentionAlignment::automatic)
    return asked == AttentionAlignment::top_left ? Dim(0) : keys - queries;
  const Proof fits = proven_less_equal(queries, keys);
  if (fits != Proof::yes) {
    c.fail(
        fits == Proof::no ? ErrorId::attribute : ErrorId::dim_unknown,
        format("{} queries and {} keys need an explicit `alignment`", queries.to_string(), keys.to_string()),
        "top_left counts positions from the start, bottom_right from the end");
  }
  return keys - queries;
}

/// bool over the scores where attributes mask; undefined where they do not.
Tensor positions_kept(const Call& c, const Heads& heads) {
  std::optional<std::int64_t> right = c[window_right];
  if (c[causal]) right = 0;
  const std::optional<std::int64_t> left = c[window_left];
  if (!left && !right) return {};
  const Tensor keep = band(heads.num_queries(), heads.num_keys(), left, right, offset_of(c, heads));
  return core::expand(keep, heads.scores(), {3, 4});
}

struct Masking {
  Tensor keep;  // bool over the scores; undefined: everything
  Tensor bias;  // over the scores, finite where kept; undefined: none
};

void add_bias(Masking& masking, const Tensor& bias, DType running) {
  const Tensor wide = core::convert(bias, running);
  const Tensor hidden = core::compare(wide, full_like(wide, -kInfinity), Comparison::eq);
  const Tensor finite = core::select(hidden, full_like(wide, 0), wide);
  masking.keep = both(masking.keep, core::compare(wide, full_like(wide, -kInfinity), Comparison::ne));
  masking.bias = masking.bias.defined() ? core::add(masking.bias, finite) : finite;
}

Masking masking_of(const Call& c, const Heads& heads, DType running) {
  Masking masking{positions_kept(c, heads), {}};
  if (c.size() > 3) {
    Tensor mask = c[3];
    if (c[mask_is_key_padding]) {
      require_rank(c, 3, 2);
      mask = core::reshape(mask, {mask.shape()[0], 1, 1, mask.shape()[1]});
    }
    mask = spread_over_scores(c, mask, "mask", heads);
    if (mask.dtype().is_boolean()) {
      masking.keep = both(masking.keep, mask);
    } else if (!mask.dtype().is_floating()) {
      c.fail(ErrorId::dtype, format("`mask` {} must be boolean or floating", c.type(3).to_string()),
             "compare it with 0");
    } else if (c[float_mask] == FloatMask::at_least_half) {
      masking.keep = both(masking.keep, core::compare(mask, full_like(mask, 0.5), Comparison::ge));
    } else {
      add_bias(masking, mask, running);
    }
  }
  if (c.size() > 4) add_bias(masking, spread_over_scores(c, c[4], "bias", heads), running);
  return masking;
}

Tensor scaled(const Call& c, const Tensor& scores, const Dim& features) {
  if (const std::optional<double> given = c[scale]) return core::mul(scores, full_like(scores, *given));
  if (const std::optional<std::int64_t> count = features.constant()) {
    // Queries of no features score 0, whatever the factor.
    return core::mul(scores, full_like(scores, *count == 0 ? 1 : 1 / std::sqrt(static_cast<double>(*count))));
  }
  const Tensor root = apply_unary("sqrt", core::size(max(features, Dim(1)), f64));
  const Tensor factor = core::convert(core::div(core::ones(root.type()), root), scores.dtype());
  return core::mul(scores, core::expand(factor, scores.shape(), {}));
}

Tensor capped(const Call& c, const Tensor& scores) {
  const std::optional<double> cap = c[softcap];
  if (!cap) return scores;
  return core::mul(full_like(scores, *cap), apply_unary("tanh", core::div(scores, full_like(scores, *cap))));
}

Results decompose_attention(const Call& c) {
  check_accumulation(c);
  if (const auto cap = c[softcap]; cap && !(*cap > 0))
    c.fail(ErrorId::attribute, "`softcap` must be positive");
  const DType running = running_dtype(c[accumulation], c.dtype(0));
  const Heads given = split_heads(c, running);
  const Masking masking = masking_of(c, given, running);
  // A cap after the mask lets masked keys weigh in, so nothing is unused there.
  const bool caps_masked = c[softcap_after_mask] && c[softcap].has_value();
  const Heads heads = caps_masked ? given : without_unused_rows(given, masking.keep);
  const bool strict = c[strict_mask] && !caps_masked;

  Tensor scores = scaled(c, score(heads, strict), heads.query.shape()[4]);
  if (!caps_masked) scores = capped(c, scores);
  if (masking.bias.defined()) scores = core::add(scores, masking.bias);
  if (masking.keep.defined()) scores = core::select(masking.keep, scores, full_like(scores, -kInfinity));
  if (caps_masked) scores = capped(c, scores);
  const Tensor weights = apply_unary("softmax", scores);
  const Tensor mixed = core::convert(mix(weights, heads, masking.keep, strict), c.dtype(0));

  const Dim query_heads = heads.kv_heads() * heads.group();
  const Dim& features = mixed.shape()[4];
  const Tensor result = core::reshape(mixed, {heads.batch(), query_heads, heads.num_queries(), features});
  if (c[layout] == AttentionLayout::bhsd) return result;
  const Tensor moved = core::transpose(result, {0, 2, 1, 3});
  if (c[layout] == AttentionLayout::bshd) return moved;
  return core::reshape(moved, {heads.batch(), heads.num_queries(), query_heads * features});
}

std::vector<Sample> attention_samples() {
  const SampleOperand q{.shape = {2, 2, 3, 4}};
  const SampleOperand k{.shape = {2, 2, 5, 4}};
  const SampleOperand v{.shape = {2, 2, 5, 3}};
  const auto bools = [](Shape shape, std::vector<double> values) {
    return SampleOperand{
        .shape = std::move(shape), .dtype = boolean, .draw = Draw::given, .values = std::move(values)};
  };
  return {
      {.operands = {q, k, v}},
      {.operands = {q, k, v}, .attrs = {attr(causal, true), attr(scale, 0.25), attr(softcap, 2.0)}},
      {.operands = {k, q, {.shape = {2, 2, 3, 4}}},
       .attrs = {attr(causal, true), attr(alignment, AttentionAlignment::bottom_right)},
       .note = "more queries than keys: the first two rows are empty"},
      {.operands = {k, q, {.shape = {2, 2, 3, 4}}},
       .attrs = {attr(window_left, 1), attr(window_right, 1), attr(alignment, AttentionAlignment::top_left)}},
      {.operands = {{.shape = {1, 3, 4, 2}}, {.shape = {1, 3, 2, 2}}, {.shape = {1, 3, 2, 5}}},
       .attrs = {attr(layout, AttentionLayout::bshd)},
       .note = "two query heads for each key head"},
      {.operands = {{.shape = {2, 2, 6}},
                    {.shape = {2, 3, 3}},
                    {.shape = {2, 3, 4}},
                    {.shape = {2, 2, 2, 3}, .dtype = f32}},
       .attrs = {attr(layout, AttentionLayout::bs_hd), attr(num_heads, 2), attr(strict_mask, true)}},
      {.operands = {q, k, v, bools({2, 5}, {1, 1, 1, 0, 0, 0, 1, 1, 1, 1}), {.shape = {3, 5}, .dtype = f32}},
       .attrs = {attr(mask_is_key_padding, true)}},
      {.operands = {q,
                    k,
                    v,
                    {.shape = {3, 5},
                     .dtype = f32,
                     .draw = Draw::given,
                     .values = {1, 0, 0.75, 0.25, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1}}},
       .attrs = {attr(float_mask, FloatMask::at_least_half)},
       .note = "a row without a key"},
      {.operands = {q, k, v, bools({2, 1, 1, 5}, {1, 1, 1, 0, 0, 0, 1, 1, 1, 1})},
       .attrs = {attr(softcap, 3.0), attr(softcap_after_mask, true)}},
      {.operands = {{.shape = {1, 1, 2, 2}, .dtype = bf16},
                    {.shape = {1, 1, 2, 2}, .dtype = bf16},
                    {.shape = {1, 1, 2, 2}, .dtype = bf16}},
       .attrs = {attr(accumulation, f64)}},
      {.operands = {{.shape = {1, 1, 0, 2}}, {.shape = {1, 1, 2, 2}}, {.shape = {1, 1, 2, 2}}},
       .note = "no queries"},
      {.operands = {{.shape = {1, 1, 2, 2}}, {.shape = {1, 1, 0, 2}}, {.shape = {1, 1, 0, 2}}},
       .note = "no keys: rows are 0"}};
}

std::vector<Reject> attention_rejects() {
  const Type q{f32, {2, 2, 3, 4}};
  const Type k{f32, {2, 2, 5, 4}};
  return {{.operands = {q, {f32, {2, 2, 5, 3}}, k},
           .id = ErrorId::contracted_size,
           .message = "the number of features of `query`"},
          {.operands = {q, k, {f32, {2, 2, 4, 4}}},
           .id = ErrorId::shape_mismatch,
           .message = "number of positions"},
          {.operands = {q, {f32, {2, 3, 5, 4}}, {f32, {2, 3, 5, 4}}},
           .id = ErrorId::shape_mismatch,
           .message = "must be a multiple"},
          {.operands = {{f32, {2, 3, 4}}, k, k}, .id = ErrorId::rank, .message = "`query` f32[2,3,4]"},
          {.operands = {q, k, {f16, {2, 2, 5, 4}}},
           .id = ErrorId::dtype_mismatch,
           .message = "`value` f16[2,2,5,4]"},
          {.operands = {k, q, q},
           .attrs = {attr(causal, true)},
           .id = ErrorId::attribute,
           .message = "explicit `alignment`"},
          {.operands = {q, {f32, {2, 2, Dim::symbol("S"), 4}}, {f32, {2, 2, Dim::symbol("S"), 4}}},
           .attrs = {attr(causal, true)},
           .id = ErrorId::dim_unknown,
           .message = "explicit `alignment`"},
          {.operands = {q, k, k, {boolean, {2, 5}}},
           .id = ErrorId::shape_mismatch,
           .message = "`mask` bool[2,5]"},
          {.operands = {q, k, k, {i32, {3, 5}}}, .id = ErrorId::dtype, .message = "`mask` i32[3,5]"},
          {.operands = {{f32, {2, 3, 4}}, {f32, {2, 3, 4}}, {f32, {2, 3, 4}}},
           .attrs = {attr(layout, AttentionLayout::bs_hd)},
           .id = ErrorId::attribute,
           .message = "needs `num_heads`"},
          {.operands = {q, k, k},
           .attrs = {attr(softcap, 0.0)},
           .id = ErrorId::attribute,
           .message = "`softcap`"},
          {.operands = {q, k, k},
           .attrs = {attr(window_left, -1)},
           .id = ErrorId::attribute,
           .message = "`window_left` is -1"},
          {.operands = {q, k, k},
           .attrs = {attr(accumulation, f16)},
           .id = ErrorId::dtype,
           .message = "`accumulation` f16"}};
}

}  // namespace

OpDef attention() {
  return {
      .name = "attention",
      .family = "attention",
      .doc = {.summary = "Scaled dot-product attention with masks, bias, grouped heads and windows.",
              .math = "y[q] = sum over k of softmax over k of (cap(scale * query[q] . key[k]) + bias[q, k], "
                      "where kept) * value[k]",
              .shapes = "`query: f32[b,h,q,d]`, `key: f32[b,g,k,d]`, `value: f32[b,g,k,e]` -> "
                        "`f32[b,h,q,e]`; query head i uses "
                        "key and value head i / (h/g)",
              .gradient = "that of the formula; 0 for masked pairs, and for everything in a row without "
                          "keys; keys and values are "
                          "summed over the query heads that use them",
              .accuracy = "computed in `accumulation` (f32 for f16 and bf16), converted once",
              .errors = "features that differ: CALX-E207; ranks: CALX-E201; other sizes that do not fit: "
                        "CALX-E202; dtypes that "
                        "differ: CALX-E102; a causal or windowed mask with more queries than keys and no "
                        "`alignment`: CALX-E301 "
                        "(CALX-E208 where it cannot be decided)",
              .example = "const Tensor x = reshape(tensor({1, 2}), {1, 1, 2, 1});\nattention(x, x, x, "
                         "{.causal = true, .scale = 0.0})"
                         "  // f32[1,1,2,1] [[[[1], [1.5]]]]",
              .source = "Vaswani et al. (2017), eq. 1; ONNX Attention-23, jax.nn.dot_product_attention; rows "
                        "without a key give 0"},
      .operands = {{"query", DTypes::floating},
                   {"key", DTypes::floating},
                   {"value", DTypes::floating},
                   {.name = "mask",
                    .dtypes = DTypes::any,
                    .doc = "boolean: true keeps; floating: see `float_mask`; broadcasts to [batch, heads, "
                           "queries, keys]",
                    .optional = true},
                   {.name = "bias",
                    .dtypes = DTypes::floating,
                    .doc = "added to the scores; -inf masks; broadcasts to [batch, heads, queries, keys]",
                    .optional = true}},
      .attrs = {layout, num_heads, scale, causal, alignment, window_left, window_right, softcap,
                softcap_after_mask, mask_is_key_padding, float_mask, strict_mask, accumulation},
      .form = Composite{.infer = Derived{},
                        .decompose = decompose_attention,
                        .jvp = Derived{},
                        .batch = Derived{},
                        .simplify = NoIdentity{},
                        .reference = Derived{},
                        .lower = Derived{}},
      .samples = attention_samples,
      .rejects = attention_rejects,
  };
}

}  // namespace calx::ops
