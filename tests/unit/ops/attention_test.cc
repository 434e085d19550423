// attention: every option against a plain loop, empty rows, padding that holds NaN, and errors.
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "calx/core/core_ops.h"
#include "calx/core/trace.h"
#include "calx/ops/enums.h"
#include "calx/transforms/transforms.h"
#include "ops_testing.h"

namespace calx::attention_test {
namespace {

using Doubles = std::vector<double>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();

Attrs::Entry entry(std::string_view name, AttrValue value) { return {name, std::move(value)}; }
AttrValue of(AttentionLayout layout) { return static_cast<std::int64_t>(layout); }
AttrValue of(AttentionAlignment alignment) { return static_cast<std::int64_t>(alignment); }

Tensor attend(Tensors operands, Attrs attrs = {}) {
  return apply_one(get_op("attention"), std::move(operands), std::move(attrs));
}

Tensor normal(std::mt19937& random, std::vector<std::int64_t> sizes) {
  std::normal_distribution<double> draw;
  std::int64_t count = 1;
  for (std::int64_t size : sizes) count *= size;
  Doubles values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(draw(random));
  return tensor(values, std::move(sizes));
}

struct Problem {
  std::int64_t batch = 2, heads = 4, kv_heads = 2, queries = 3, keys = 5, features = 4, values = 3;
  double scale = 0.5;
  std::optional<double> cap = {};
  std::function<bool(std::int64_t b, std::int64_t h, std::int64_t q, std::int64_t k)> keep = [](auto...) {
    return true;
  };
  std::function<double(std::int64_t b, std::int64_t h, std::int64_t q, std::int64_t k)> bias = [](auto...) {
    return 0.0;
  };
};

/// The definition, one query at a time, on layout bhsd.
Doubles attend_plainly(const Problem& p, const Doubles& query, const Doubles& key, const Doubles& value) {
  Doubles out;
  for (std::int64_t b = 0; b < p.batch; ++b) {
    for (std::int64_t h = 0; h < p.heads; ++h) {
      const std::int64_t g = h / (p.heads / p.kv_heads);
      for (std::int64_t q = 0; q < p.queries; ++q) {
        Doubles weights(static_cast<std::size_t>(p.keys), 0);
        double largest = -kInfinity;
        for (std::int64_t k = 0; k < p.keys; ++k) {
          double score = 0;
          for (std::int64_t d = 0; d < p.features; ++d) {
            score += query[static_cast<std::size_t>(((b * p.heads + h) * p.queries + q) * p.features + d)] *
                     key[static_cast<std::size_t>(((b * p.kv_heads + g) * p.keys + k) * p.features + d)];
          }
          score *= p.scale;
          if (p.cap) score = *p.cap * std::tanh(score / *p.cap);
          score += p.bias(b, h, q, k);
          if (!p.keep(b, h, q, k)) score = -kInfinity;
          weights[static_cast<std::size_t>(k)] = score;
          largest = std::max(largest, score);
        }
        double sum = 0;
        for (double& weight : weights) {
          weight = largest == -kInfinity ? 0 : std::exp(weight - largest);
          sum += weight;
        }
        for (std::int64_t e = 0; e < p.values; ++e) {
          double mixed = 0;
          for (std::int64_t k = 0; k < p.keys; ++k) {
            const double weight = weights[static_cast<std::size_t>(k)];
            if (weight == 0) continue;
            mixed += weight / sum *
                     value[static_cast<std::size_t>(((b * p.kv_heads + g) * p.keys + k) * p.values + e)];
          }
          out.push_back(mixed);
        }
      }
    }
  }
  return out;
}

void expect_near(const Tensor& y, const Doubles& expected) {
  const Doubles got = y.to_vector<double>();
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-13) << i;
}

class Attention : public ::testing::Test {
 protected:
  void make(const Problem& p) {
    query = normal(random, {p.batch, p.heads, p.queries, p.features});
    key = normal(random, {p.batch, p.kv_heads, p.keys, p.features});
    value = normal(random, {p.batch, p.kv_heads, p.keys, p.values});
  }
  [[nodiscard]] Doubles plainly(const Problem& p) const {
    return attend_plainly(p, query.to_vector<double>(), key.to_vector<double>(), value.to_vector<double>());
  }
  std::mt19937 random{5};
  Tensor query, key, value;
};

TEST_F(Attention, FollowsItsDefinitionInEveryLayout) {
  const Problem p;
  make(p);
  expect_near(attend({query, key, value}), plainly(p));
  const auto swapped = [](const Tensor& x) { return core::transpose(x, {0, 2, 1, 3}); };
  const Tensor apart =
      attend({swapped(query), swapped(key), swapped(value)}, {entry("layout", of(AttentionLayout::bshd))});
  expect_near(swapped(apart), plainly(p));
  const auto fused = [&](const Tensor& x) {
    const Tensor y = swapped(x);
    return core::reshape(y, {y.dim(0), y.dim(1), y.dim(2) * y.dim(3)});
  };
  const Tensor together =
      attend({fused(query), fused(key), fused(value)},
             {entry("layout", of(AttentionLayout::bs_hd)), entry("num_heads", Dim(p.heads))});
  EXPECT_EQ(together.type().to_string(), "f64[2,3,12]");
  expect_near(swapped(core::reshape(together, {2, 3, 4, 3})), plainly(p));
}

TEST_F(Attention, ScalesCapsAndAddsBias) {
  Problem p{.scale = 0.3, .cap = 1.5};
  make(p);
  const Tensor bias = normal(random, {4, 1, 5});
  const Doubles added = bias.to_vector<double>();
  p.bias = [&](auto, auto h, auto, auto k) { return added[static_cast<std::size_t>(h * 5 + k)]; };
  const Attrs attrs = {entry("scale", 0.3), entry("softcap", 1.5)};
  expect_near(attend({query, key, value, bias}, attrs), plainly(p));
  const Tensor all = core::ones({boolean, {}});
  expect_near(attend({query, key, value, all, bias}, attrs), plainly(p));
}

TEST_F(Attention, MasksByPosition) {
  for (const auto& [queries, keys] : {std::pair<std::int64_t, std::int64_t>(3, 5), {4, 4}, {5, 2}}) {
    for (const auto alignment : {AttentionAlignment::top_left, AttentionAlignment::bottom_right}) {
      Problem p{.queries = queries, .keys = keys};
      make(p);
      const std::int64_t offset = alignment == AttentionAlignment::top_left ? 0 : keys - queries;
      p.keep = [&](auto, auto, auto q, auto k) { return k <= q + offset; };
      expect_near(attend({query, key, value}, {entry("causal", true), entry("alignment", of(alignment))}),
                  plainly(p));
      p.keep = [&](auto, auto, auto q, auto k) { return k <= q + offset && k >= q + offset - 1; };
      expect_near(attend({query, key, value}, {entry("causal", true), entry("alignment", of(alignment)),
                                               entry("window_left", std::int64_t{1})}),
                  plainly(p));
      p.keep = [&](auto, auto, auto q, auto k) { return k <= q + offset + 2 && k >= q + offset; };
      expect_near(attend({query, key, value},
                         {entry("alignment", of(alignment)), entry("window_left", std::int64_t{0}),
                          entry("window_right", std::int64_t{2})}),
                  plainly(p));
    }
  }
}

TEST_F(Attention, MasksByTensorInEveryForm) {
  Problem p;
  make(p);
  const std::vector<bool> bits = {true, false, true, true, false, true, true, false, false, true};
  const auto bit = [&](std::int64_t i) { return bits[static_cast<std::size_t>(i)]; };
  Doubles ones, added;
  for (const bool b : bits) {
    ones.push_back(b ? 0.5 : 0.4);
    added.push_back(b ? 0.25 : -kInfinity);
  }
  p.keep = [&](auto b, auto, auto, auto k) { return bit(b * 5 + k); };
  const Tensor padding = core::compare(tensor(ones, {2, 5}), core::full({f64, {2, 5}}, 0.5), Comparison::ge);
  expect_near(attend({query, key, value, padding}, {entry("mask_is_key_padding", true)}), plainly(p));
  expect_near(attend({query, key, value, core::reshape(padding, {2, 1, 1, 5})}), plainly(p));
  expect_near(attend({query, key, value, tensor(ones, {2, 5})},
                     {entry("mask_is_key_padding", true), entry("float_mask", std::int64_t{1})}),
              plainly(p));
  expect_near(attend({query, key, value, tensor(added, {2, 1, 1, 5})}), plainly(p));
  expect_near(
      attend({query, key, value, padding}, {entry("mask_is_key_padding", true), entry("strict_mask", true)}),
      plainly(p));
  expect_near(
      attend({query, key, value, padding}, {entry("mask_is_key_padding", true), entry("causal", true)}), [&] {
        p.keep = [&](auto b, auto, auto q, auto k) { return bit(b * 5 + k) && k <= q + 2; };
        return plainly(p);
      }());
}

TEST_F(Attention, CapsAfterTheMaskOnlyWhenAsked) {
  const Tensor x = tensor(Doubles{0, 0}, {1, 1, 2, 1});
  const Tensor one = tensor(Doubles{1}, {1, 1, 1, 1});
  const Tensor mask = core::compare(core::iota({2}, 0), core::zeros({i32, {2}}), Comparison::eq);
  const Tensor values = tensor(Doubles{0, 1}, {1, 1, 2, 1});
  EXPECT_EQ(attend({one, x, values, mask}, {entry("softcap", 1.0)}).item<double>(), 0);
  const double y = attend({one, x, values, mask}, {entry("softcap", 1.0), entry("softcap_after_mask", true)})
                       .item<double>();
  EXPECT_NEAR(y, std::exp(-1.0) / (1 + std::exp(-1.0)), 1e-15);
}

/// Gradients of sum(result * ct) with respect to query, key and value.
std::vector<Tensor> gradients(const Tensors& operands, const Attrs& attrs, const Tensor& ct) {
  std::vector<Argument> arguments;
  for (const Tensor& operand : operands)
    arguments.push_back({"x" + std::to_string(arguments.size()), operand.type()});
  const Function f = trace_flat(arguments, [&](std::span<const Tensor> x) {
                       return Tensors{attend(Tensors(x.begin(), x.end()), attrs)};
                     }).function;
  std::vector<bool> differentiated(operands.size(), false);
  for (int i : {0, 1, 2}) differentiated[static_cast<std::size_t>(i)] = true;
  Tensors given = operands;
  given.push_back(ct);
  const Tensors results = inline_function(vjp(f, differentiated), given);
  return {results[1], results[2], results[3]};
}

TEST_F(Attention, PaddingThatHoldsNaNReachesNothing) {
  Problem p{.batch = 1,
            .heads = 2,
            .kv_heads = 1,
            .queries = 3,
            .keys = 3,
            .features = 2,
            .values = 2,
            .scale = 1 / std::sqrt(2.0)};
  make(p);
  Doubles bad_key = key.to_vector<double>();
  Doubles bad_value = value.to_vector<double>();
  Doubles bad_query = query.to_vector<double>();
  for (std::size_t i : {4U, 5U}) bad_key[i] = bad_value[i] = kNaN;  // key 2
  for (std::size_t i : {2U, 3U, 8U, 9U}) bad_query[i] = kInfinity;  // query 1 of both heads
  std::vector<float> bits = {1, 1, 0, 0, 0, 0, 1, 1, 0};
  const Tensor mask = core::convert(tensor(bits, {3, 3}), boolean);
  p.keep = [&](auto, auto, auto q, auto k) { return bits[static_cast<std::size_t>(q * 3 + k)] != 0; };
  const Tensors bad = {tensor(bad_query, query.shape().sizes()), tensor(bad_key, key.shape().sizes()),
                       tensor(bad_value, value.shape().sizes()), mask};
  const Tensors good = {query, key, value, mask};
  expect_near(attend(bad), plainly(p));
  const Tensor ct = normal(random, {1, 2, 3, 2});
  for (const bool strict : {false, true}) {
    const Attrs attrs = {entry("strict_mask", strict)};
    const std::vector<Tensor> from_bad = gradients(bad, attrs, ct);
    const std::vector<Tensor> from_good = gradients(good, attrs, ct);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(from_bad[i].to_vector<double>(), from_good[i].to_vector<double>()) << i;
    for (const std::size_t i : {2U, 3U, 8U, 9U}) EXPECT_EQ(from_bad[0].to_vector<double>()[i], 0);
    for (const std::size_t i : {4U, 5U}) EXPECT_EQ(from_bad[1].to_vector<double>()[i], 0);
  }
}

TEST_F(Attention, AStrictMaskKeepsAnAttendedNaNToItsQueries) {
  // Query 0 attends key 0 only; key 1, a NaN, is attended by query 1.
  const Tensor q = tensor(Doubles{1, 2}, {1, 1, 2, 1});
  const Tensor k = tensor(Doubles{1, kNaN}, {1, 1, 2, 1});
  const Tensor v = tensor(Doubles{3, kNaN}, {1, 1, 2, 1});
  const Doubles y =
      attend({q, k, v}, {entry("causal", true), entry("strict_mask", true)}).to_vector<double>();
  EXPECT_EQ(y[0], 3);
  EXPECT_TRUE(std::isnan(y[1]));
  const std::vector<Tensor> back = gradients({q, k, v}, {entry("causal", true), entry("strict_mask", true)},
                                             tensor(Doubles{1, 0}, {1, 1, 2, 1}));
  EXPECT_EQ(back[0].to_vector<double>(), (Doubles{0, 0}));
  EXPECT_EQ(back[1].to_vector<double>(), (Doubles{0, 0}));
  EXPECT_EQ(back[2].to_vector<double>(), (Doubles{1, 0}));
}

TEST_F(Attention, SymbolicSizesGiveTheSameValues) {
  Problem p{.heads = 2, .kv_heads = 2, .queries = 3, .keys = 5};
  make(p);
  const Dim b = Dim::symbol("B"), s = Dim::symbol("S"), d = Dim::symbol("D");
  const Function f =
      trace_flat({{"q", {f64, {b, 2, s, d}}}, {"k", {f64, {b, 2, s + 2, d}}}, {"v", {f64, {b, 2, s + 2, 3}}}},
                 [](std::span<const Tensor> x) {
                   return Tensors{attend({x[0], x[1], x[2]}, {entry("causal", true)})};
                 })
          .function;
  EXPECT_EQ(f.result_types()[0].to_string(), "f64[B,2,S,3]");
  p.keep = [](auto, auto, auto q, auto k) { return k <= q + 2; };
  expect_near(
      inline_function(bind(f, {{"B", 2}, {"S", 3}, {"D", 4}}), std::vector<Tensor>{query, key, value})[0],
      plainly(p));
}

TEST_F(Attention, RejectsWhatItsDefinitionSays) {
  for (const Reject& reject : get_op("attention").rejects()) {
    Attrs attrs = reject.attrs;
    try {
      static_cast<void>(infer_types(get_op("attention"), reject.operands, attrs, {}));
      ADD_FAILURE() << reject.message;
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), reject.id) << error.what();
      EXPECT_NE(std::string(error.what()).find(reject.message), std::string::npos) << error.what();
      EXPECT_EQ(error.op(), "attention");
    }
  }
}

}  // namespace
}  // namespace calx::attention_test
