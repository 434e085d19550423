// Time to trace, differentiate and simplify the loss of a 12-layer transformer, and its third directional derivative; and
// how many equations come out. Nothing is run.
#include <benchmark/benchmark.h>

#include "calx/calx.h"

namespace {

using namespace calx;

struct Layer {
  Tensor norm1_scale, norm1_shift, query, key, value, out, norm2_scale, norm2_shift, up, up_bias, down, down_bias;
};
CALX_TREE(Layer, norm1_scale, norm1_shift, query, key, value, out, norm2_scale, norm2_shift, up, up_bias, down, down_bias);

struct Transformer {
  Tensor embedding;
  std::vector<Layer> layers;
  Tensor norm_scale, norm_shift;
};
CALX_TREE(Transformer, embedding, layers, norm_scale, norm_shift);

constexpr std::int64_t kWidth = 64;
constexpr std::int64_t kVocabulary = 128;

Transformer make_transformer(int num_layers) {
  Transformer t{.embedding = zeros({kVocabulary, kWidth}), .layers = {}, .norm_scale = ones({kWidth}), .norm_shift = zeros({kWidth})};
  const Tensor square = zeros({kWidth, kWidth});
  for (int i = 0; i < num_layers; ++i) {
    t.layers.push_back({ones({kWidth}), zeros({kWidth}), square, square, square, square, ones({kWidth}), zeros({kWidth}),
                        zeros({kWidth, 4 * kWidth}), zeros({4 * kWidth}), zeros({4 * kWidth, kWidth}), zeros({kWidth})});
  }
  return t;
}

Tensor transformer_loss(const Transformer& t, const Tensor& tokens, const Tensor& labels) {
  Tensor x = take(t.embedding, tokens, {.axis = 0, .mode = OutOfRange::clip});
  for (const Layer& layer : t.layers) {
    const Tensor a = layer_norm(x, layer.norm1_scale, layer.norm1_shift);
    x = x + matmul(attention(matmul(a, layer.query), matmul(a, layer.key), matmul(a, layer.value),
                             {.layout = AttentionLayout::bs_hd, .num_heads = 4, .causal = true}),
                   layer.out);
    const Tensor b = layer_norm(x, layer.norm2_scale, layer.norm2_shift);
    x = x + matmul(gelu(matmul(b, layer.up) + layer.up_bias), layer.down) + layer.down_bias;
  }
  x = layer_norm(x, t.norm_scale, t.norm_shift);
  const Tensor logits = matmul(x, transpose(t.embedding));
  return softmax_cross_entropy(reshape(logits, {logits.dim(0) * logits.dim(1), kVocabulary}), flatten(labels));
}

Function traced_loss(int num_layers) {
  return trace(transformer_loss, {.name = "loss"}, make_transformer(num_layers), spec(i32, {4, 32}), spec(i32, {4, 32}));
}

std::vector<bool> weights_of(const Function& f) {
  std::vector<bool> flags;
  for (const Argument& argument : f.arguments()) flags.push_back(argument.type.dtype.is_floating());
  return flags;
}

void gradient(benchmark::State& state) {
  std::size_t equations = 0;
  for (auto _ : state) {
    const Function f = traced_loss(static_cast<int>(state.range(0)));
    const Function g = optimize(value_and_grad(f, weights_of(f)));
    equations = g.count_equations();
  }
  state.counters["equations"] = static_cast<double>(equations);
  state.counters["forward"] = static_cast<double>(expand_composites(traced_loss(static_cast<int>(state.range(0)))).count_equations());
}
BENCHMARK(gradient)->Arg(6)->Arg(12)->Unit(benchmark::kMillisecond);

void third_directional_derivative(benchmark::State& state) {
  std::size_t equations = 0;
  for (auto _ : state) {
    const Function f = traced_loss(static_cast<int>(state.range(0)));
    const Function g = optimize(directional_derivative(f, weights_of(f), 3));
    equations = g.count_equations();
  }
  state.counters["equations"] = static_cast<double>(equations);
}
BENCHMARK(third_directional_derivative)->Arg(6)->Arg(12)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
