// Trains a small classifier of handwritten digits (convolution, max pool, layer norm, attention block, linear) with gradients
// made by the transforms; then looks at the loss's curvature, checks the gradient and saves the weights.
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <random>

#include "adam.h"
#include "data.h"

namespace {

using namespace calx;

struct AttentionBlock {
  Tensor query, key, value, out;  // f32[16,16] each
};
CALX_TREE(AttentionBlock, query, key, value, out);

struct Classifier {
  Tensor kernel, bias;         // 16 filters of 3 x 3
  Tensor scale, shift;         // layer norm over 16 channels
  AttentionBlock attention;
  Tensor weight, weight_bias;  // 256 -> 10
};
CALX_TREE(Classifier, kernel, bias, scale, shift, attention, weight, weight_bias);

constexpr int kChannels = 16;
constexpr int kTokens = 16;  // 4 x 4 positions after pooling
constexpr int kClasses = 10;

/// images: f32[n,1,8,8] -> logits: f32[n,10]
Tensor forward(const Classifier& c, const Tensor& images) {
  const Dim n = images.dim(0);
  const Tensor features = relu(conv(images, c.kernel, {.padding = "same"}) + reshape(c.bias, {kChannels, 1, 1}));
  const Tensor pooled = max_pool(features, {2, 2}, {.strides = {2, 2}});
  const Tensor tokens = swapaxes(reshape(pooled, {n, kChannels, kTokens}), 1, 2);
  const Tensor normed = layer_norm(tokens, c.scale, c.shift);
  const Tensor mixed = attention(matmul(normed, c.attention.query), matmul(normed, c.attention.key),
                                 matmul(normed, c.attention.value), {.layout = AttentionLayout::bs_hd, .num_heads = 2});
  const Tensor attended = tokens + matmul(mixed, c.attention.out);
  return matmul(reshape(attended, {n, kTokens * kChannels}), c.weight) + c.weight_bias;
}

Tensor loss(const Classifier& c, const Tensor& images, const Tensor& labels) {
  return softmax_cross_entropy(forward(c, images), labels);
}

Classifier initialize(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto weights = [&](const std::vector<std::int64_t>& sizes, double fan_in) {
    std::normal_distribution<float> normal(0.0f, static_cast<float>(1 / std::sqrt(fan_in)));
    std::int64_t count = 1;
    for (std::int64_t size : sizes) count *= size;
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) value = normal(random);
    return tensor(values, sizes);
  };
  return {.kernel = weights({kChannels, 1, 3, 3}, 9.0 / 2),
          .bias = zeros({kChannels}),
          .scale = ones({kChannels}),
          .shift = zeros({kChannels}),
          .attention = {weights({16, 16}, 16), weights({16, 16}, 16), weights({16, 16}, 16), weights({16, 16}, 16)},
          .weight = weights({kTokens * kChannels, kClasses}, kTokens * kChannels),
          .weight_bias = zeros({kClasses})};
}

double accuracy(const Classifier& c, const digits::Dataset& data) {
  std::vector<std::size_t> all(data.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto [images, labels] = data.rows(all, [] { return 0; });
  static const auto predict = jit([](const Classifier& model, const Tensor& x) { return argmax(forward(model, x), {.axis = -1}); });
  const std::vector<std::int32_t> predicted = predict(c, images).to_vector<std::int32_t>();
  std::size_t right = 0;
  for (std::size_t i = 0; i < all.size(); ++i) right += predicted[i] == data.labels[i] ? 1 : 0;
  return 100.0 * static_cast<double>(right) / static_cast<double>(all.size());
}

void progress(int step, int steps, float value) {
  constexpr int kWidth = 30;
  const int filled = kWidth * step / steps;
  if (isatty(STDOUT_FILENO) != 0) {
    std::printf("\r[%.*s%*s] %3d %%  loss %.4f", filled, "##############################", kWidth - filled, "",
                100 * step / steps, static_cast<double>(value));
    std::fflush(stdout);
    if (step == steps) std::printf("\n");
  } else if (step == steps || step % (steps / 10) == 0) {
    std::printf("[%.*s%*s] %3d %%  loss %.4f\n", filled, "##############################", kWidth - filled, "",
                100 * step / steps, static_cast<double>(value));
  }
}

int run() {
  const digits::Split data = digits::load(std::string(CALX_EXAMPLE_DIR) + "/digits.csv");
  std::printf("%zu images to train on, %zu held out\n", data.train.size(), data.held_out.size());

  constexpr int kEpochs = 25;
  constexpr std::size_t kBatch = 32;
  const int steps = kEpochs * static_cast<int>(data.train.size() / kBatch);
  const auto train_step = jit([](const Classifier& c, const digits::AdamState<Classifier>& state, const Tensor& images,
                                 const Tensor& labels, const Tensor& learning_rate) {
    const auto [value, gradient] = value_and_grad(loss)(c, images, labels);
    auto [updated, next] = digits::adam_step(c, gradient, state, learning_rate);
    return std::tuple(value, gradient, updated, next);
  });

  const auto start = std::chrono::steady_clock::now();
  Classifier model = initialize(1);
  digits::AdamState<Classifier> state = digits::adam_init(model);
  Classifier gradient = model;
  std::vector<std::size_t> order(data.train.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(2);
  // Some images move by a pixel: more data from the same.
  std::bernoulli_distribution moves(0.3);
  std::uniform_int_distribution<int> shift(-1, 1);
  Tensor images, labels;
  int step = 0;
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    std::shuffle(order.begin(), order.end(), random);
    for (std::size_t first = 0; first + kBatch <= order.size(); first += kBatch) {
      std::tie(images, labels) = data.train.rows({order.begin() + static_cast<std::ptrdiff_t>(first),
                                                  order.begin() + static_cast<std::ptrdiff_t>(first + kBatch)},
                                                 [&] { return moves(random) ? shift(random) : 0; });
      const double rate = 2e-3 * 0.5 * (1 + std::cos(M_PI * step / steps));
      Tensor value;
      std::tie(value, gradient, model, state) =
          train_step(model, state, images, labels, scalar(static_cast<float>(rate)));
      progress(++step, steps, value.item<float>());
    }
  }
  std::printf("held-out accuracy: %.1f %%\n", accuracy(model, data.held_out));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("trained and evaluated in %.1f s\n", seconds);

  // Curvature of the loss along the last gradient: g' H g / g' g.
  const Classifier curved = hvp(loss)(gradient, model, images, labels);
  double gg = 0, ghg = 0;
  const Tensors g = tree::leaves(gradient);
  const Tensors hg = tree::leaves(curved);
  for (std::size_t i = 0; i < g.size(); ++i) {
    gg += sum(g[i] * g[i]).item<float>();
    ghg += sum(g[i] * hg[i]).item<float>();
  }
  std::printf("curvature along the last gradient: %.4f\n", ghg / gg);

  // The same function in f64, where differences are sharp.
  const auto wide = [](const Tensor& t) { return astype(t, f64); };
  const GradientCheck check =
      check_grads([&](const Classifier& c) { return loss(c, wide(images), labels); }, 1, 1e-4, tree::map(wide, model));
  std::printf("gradient against finite differences: %d probes, worst error %.1e\n", check.probes, check.worst_error);

  std::printf("\nthe loss as a program:\n%s\n", print(trace(loss, {.names = {"model", "images", "labels"}, .name = "loss"}, model,
                                                            spec(f32, {"B", 1, 8, 8}), spec(i32, {"B"})))
                                                  .c_str());
  std::map<std::string, Array> weights;
  tree::for_each(model, [&](const std::string& path, const Tensor& leaf) { weights.emplace(path, leaf.value()); });
  const std::string path = "digits.safetensors";
  write_safetensors(path, weights);
  std::printf("weights saved to %s\n", path.c_str());
  return 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const calx::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
