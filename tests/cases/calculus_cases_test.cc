// Public reports about derivatives and loops (areas AD, CF, NUM), replayed through the C++ face of derivatives.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "calx/calx.h"
#include "support/expect_error.h"

namespace calx::calculus_cases_test {
namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using List = std::span<const Tensor>;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Floats floats(const Tensor& x) { return x.to_vector<float>(); }
Doubles doubles(const Tensor& x) { return x.to_vector<double>(); }

TEST(Cases, B4_SumWithoutNaN) {
  const auto f = [](const Tensor& b) {
    const Tensor x = b * tensor({1, 2, kNaN});
    return sum(select(is_nan(x), 0.0, x));
  };
  const auto [value, slope] = value_and_grad(f)(scalar(1.0F));
  EXPECT_EQ(value.item<float>(), 3);
  EXPECT_EQ(slope.item<float>(), 3);
  EXPECT_EQ(jvp(f)(scalar(1.0F), scalar(1.0F)).second.item<float>(), 3);
}

TEST(Cases, B5_InfinityInTheMaskedBranch) {
  const auto f = [](const Tensor& w) {
    const Tensor used = select(tensor<bool>({false}), w / 0.0, w);
    return sum(square(used - 1.0));
  };
  EXPECT_EQ(floats(grad(f)(tensor({1}))), (Floats{0}));
  EXPECT_EQ(floats(grad(f)(tensor({3}))), (Floats{4}));
  EXPECT_EQ(floats(hessian(f)(tensor({3}))), (Floats{2}));
}

TEST(Cases, B10_DeviationWithoutNaN) {
  // NumPy's nanstd, of the ops that are there.
  const auto nanstd = [](const Tensor& x) {
    const Tensor valid = logical_not(is_nan(x));
    const Tensor count = sum(convert(valid, x.dtype()));
    const Tensor mean = sum(select(valid, x, 0.0)) / count;
    return sqrt(sum(square(select(valid, x - mean, 0.0))) / count);
  };
  const Tensor x = tensor<double>({std::nan(""), 1, 2, 3, 4});
  const auto [value, slope] = value_and_grad(nanstd)(x);
  EXPECT_DOUBLE_EQ(value.item<double>(), std::sqrt(1.25));
  const Doubles slopes = doubles(slope);
  EXPECT_EQ(slopes[0], 0);
  for (int i = 1; i <= 4; ++i) EXPECT_NEAR(slopes[static_cast<std::size_t>(i)], (i - 2.5) / (4 * std::sqrt(1.25)), 1e-15);
  for (double entry : doubles(hvp(nanstd)(ones({5}, f64), x))) EXPECT_NEAR(entry, 0, 1e-15);  // a shift changes nothing
}

TEST(Cases, B23_BroadcastSquareThatIsObserved) {
  const Tensor ones3 = ones({3, 3, 3});
  const auto f = [&](const Tensor& a) {
    (void)ones3.to_vector<float>();
    test::expect_error(ErrorId::traced_read, [&] { (void)a.to_vector<float>(); });
    return square(a + ones3);
  };
  EXPECT_EQ(floats(vjp(f)(ones({3, 3, 3}), ones({3, 3})).second), Floats(9, 12));
}

TEST(Cases, B29_SecondDerivatives) {
  const auto f = [](const Tensor& x) { return exp(3.0 * x); };
  EXPECT_NEAR(grad(grad(f))(scalar(2.0)).item<double>(), 3630.859141, 1e-6);
  EXPECT_NEAR(nth_derivative<2>(f)(scalar(2.0)).item<double>(), 3630.859141, 1e-6);
  const auto g = [](const Tensor& x) { return sum(x * x); };
  EXPECT_EQ(floats(hessian(g)(tensor({7, -1}))), (Floats{2, 0, 0, 2}));
}

TEST(Cases, B32_AngleNearAndAtTheAxes) {
  const auto f = [](const Tensor& y, const Tensor& x) { return atan2(y, x); };
  const Tensor y = scalar(1e-13F), x = scalar(5.6843e-14F);
  EXPECT_NEAR(grad<1>(f)(y, x).item<float>(), -7.557935e12F, 1e7F);
  EXPECT_NEAR(grad<0>(f)(y, x).item<float>(), 4.296157e12F, 1e7F);
  const Tensor zero = scalar(0.0F), one = scalar(1.0F);
  EXPECT_EQ(grad<0>(f)(zero, one).item<float>(), 1);
  EXPECT_EQ(grad<1>(f)(zero, one).item<float>(), 0);
  EXPECT_EQ(grad<0>(f)(zero, zero).item<float>(), 0);
  EXPECT_EQ(grad<1>(f)(zero, zero).item<float>(), 0);
}

TEST(Cases, B34_AValueUsedTwiceGetsBothCotangents) {
  const Tensor repeated = tensor<std::int32_t>({0, 0, 1, 1});
  const auto f = [&](const Tensor& x) { return sum(take(x, repeated, {.axis = 0}) * tensor({1, 2, 3, 4})) + sum(x * 10.0); };
  EXPECT_EQ(floats(grad(f)(tensor({5, 6}))), (Floats{13, 17}));
}

TEST(Cases, B44_PerSampleGradientsOfLayerNorm) {
  const auto loss = [](const Tensor& scale, const Tensor& shift, const Tensor& x) {
    return sum(square(layer_norm(x, scale, shift)) * tensor<double>({1, -2, 3}));
  };
  const Tensor scale = tensor<double>({1, 0.5, 2}), shift = tensor<double>({0.1, 0.2, 0.3});
  const Tensor x = tensor<double>({{1, 2, 4}, {-3, 0, 1}, {5, 5.5, 7}});
  const auto check = [&](const Tensor& batched, auto&& of_sample) {
    const Doubles all = doubles(batched);
    for (std::int64_t i = 0; i < 3; ++i) {
      const Doubles one = doubles(of_sample(reshape(slice(x, {i, 0}, {i + 1, 3}), {3})));
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(all[static_cast<std::size_t>(i) * 3 + k], one[k], 1e-13);
    }
  };
  const VmapOptions samples{.in_axes = {std::nullopt, std::nullopt, 0}};
  check(vmap(grad<0>(loss), samples)(scale, shift, x), [&](const Tensor& one) { return grad<0>(loss)(scale, shift, one); });
  check(vmap(grad<1>(loss), samples)(scale, shift, x), [&](const Tensor& one) { return grad<1>(loss)(scale, shift, one); });
  check(vmap(grad<2>(loss), samples)(scale, shift, x), [&](const Tensor& one) { return grad<2>(loss)(scale, shift, one); });
}

TEST(Cases, B46_AScratchBufferThatIsReused) {
  const auto f = [](const Tensor& u, const Tensor& k) {
    const Tensor u1 = slice(u, {0}, {1}), u2 = slice(u, {1}, {2});
    Tensor scratch = zeros({1}, f64);
    const auto put = [&](const Tensor& value) { scratch = dynamic_update_slice(scratch, value, tensor<std::int32_t>({0})); };
    Tensor du = zeros({2}, f64);
    put(u2);
    du = dynamic_update_slice(du, scratch, tensor<std::int32_t>({0}));
    put(-k * u1);
    return dynamic_update_slice(du, scratch, tensor<std::int32_t>({1}));
  };
  const Tensor u = tensor<double>({1, 3}), k = scalar(1.0), cotangent = tensor<double>({0, 1});
  EXPECT_EQ(doubles(f(u, k)), (Doubles{3, -1}));
  EXPECT_EQ(doubles(vjp<0>(f)(cotangent, u, k).second), (Doubles{-1, 0}));
  EXPECT_EQ(doubles(vjp<1>(f)(cotangent, u, k).second), (Doubles{-1}));
}

TEST(Cases, B47_ALoopThatOnlySomeLanesEnd) {
  const auto shrunk = [](List x, bool positive) {
    return while_loop_flat(
        // Never false for an x of the other sign.
        [=](List c) -> Tensors {
          return {positive ? logical_or(c[0] > 1e-6, c[0] <= 0.0) : logical_or(c[0] < -1e-6, c[0] >= 0.0)};
        },
        [](List c) -> Tensors { return {c[0] * 0.5}; }, {x[0]})[0];
  };
  const auto f = [&](const Tensor& x) {
    return cond_flat(x > 0.0, [&](List y) -> Tensors { return {shrunk(y, true)}; },
                     [&](List y) -> Tensors { return {shrunk(y, false)}; }, {x})[0];
  };
  const Floats results = floats(vmap(f)(tensor({1, -1, 0.5, -0.5})));
  for (std::size_t i : {0, 2}) EXPECT_TRUE(results[i] > 0 && results[i] <= 1e-6F) << results[i];
  for (std::size_t i : {1, 3}) EXPECT_TRUE(results[i] < 0 && results[i] >= -1e-6F) << results[i];
  // No lane takes the branch of the loop.
  const auto endless = [&](const Tensor& x) {
    return cond_flat(x > 0.0, [&](List y) -> Tensors { return {shrunk(y, true)}; },
                     [](List y) -> Tensors { return {-y[0] * 0.0 + 7.0}; }, {x})[0];
  };
  EXPECT_EQ(floats(vmap(endless)(tensor({-1, -3}))), (Floats{7, 7}));
}

TEST(Cases, B49_ScansOfLengthZeroAndOne) {
  const auto last = [](const Tensor& carry, const Tensor& xs) {
    const ScanFlatResult result =
        scan_flat([](List s) -> Tensors { return {s[0] * 3.0 + s[1], s[0] + s[1]}; }, {carry}, {xs});
    return std::pair(result.carry[0], result.ys[0]);
  };
  const auto carry_only = [&](const Tensor& carry, const Tensor& xs) { return last(carry, xs).first; };
  const Tensor zero = scalar(0.0F), none = zeros({0}), one = tensor({5});
  EXPECT_EQ(last(zero, none).first.item<float>(), 0);
  EXPECT_EQ(last(zero, none).second.type().to_string(), "f32[0]");
  EXPECT_TRUE(floats(last(zero, none).second).empty());
  EXPECT_EQ(grad(carry_only)(zero, none).item<float>(), 1);
  EXPECT_TRUE(floats(grad<1>(carry_only)(zero, none)).empty());
  EXPECT_EQ(last(scalar(2.0F), one).first.item<float>(), 11);
  EXPECT_EQ(floats(last(scalar(2.0F), one).second), (Floats{7}));
  EXPECT_EQ(grad(carry_only)(zero, one).item<float>(), 3);
  EXPECT_EQ(floats(grad<1>(carry_only)(zero, one)), (Floats{1}));
}

TEST(Cases, B50_LoopsWithKnownAndUnknownTripCounts) {
  const auto doubled = [](const Tensor& x) {
    return scan_flat([](List s) -> Tensors { return {s[0] * 2.0}; }, {x}, {}, {.length = 3}).carry[0];
  };
  const Tensor two = scalar(2.0);
  EXPECT_EQ(doubled(two).item<double>(), 16);
  EXPECT_EQ(jvp(doubled)(scalar(1.0), two).second.item<double>(), 8);
  EXPECT_EQ(grad(doubled)(two).item<double>(), 8);
  const auto factorial = [](const Tensor& x, const Tensor& trips) {
    return while_loop_flat([&](List c) -> Tensors { return {c[1] <= trips}; },
                           [](List c) -> Tensors { return {c[0] * convert(c[1], f64), c[1] + 1}; },
                           {x, scalar<std::int32_t>(1)}, {.max_steps = 8})[0];
  };
  const Tensor three = scalar<std::int32_t>(3);
  EXPECT_EQ(factorial(two, three).item<double>(), 12);
  EXPECT_EQ(jvp(factorial)(scalar(1.0), two, three).second.item<double>(), 6);
  EXPECT_EQ(vjp(factorial)(scalar(1.0), two, three).second.item<double>(), 6);
  EXPECT_EQ(grad(factorial)(two, scalar<std::int32_t>(0)).item<double>(), 1);
}

TEST(Cases, B53_GradientOfALongScanEqualsTheUnrolledLoop) {
  const auto step = [](const Tensor& h, const Tensor& x) { return sqrt(h / (1.0 + x * x)) + x / (2.0 + h); };
  const auto scanned = [&](const Tensor& h, const Tensor& xs) {
    return scan_flat([&](List s) -> Tensors { return {step(s[0], s[1])}; }, {h}, {xs}).carry[0];
  };
  const auto unrolled = [&](const Tensor& h, const Tensor& xs) {
    Tensor state = h;
    for (std::int64_t i = 0; i < 80; ++i) state = step(state, reshape(slice(xs, {i}, {i + 1}), {}));
    return state;
  };
  Doubles inputs;
  for (int i = 0; i < 80; ++i) inputs.push_back(std::sin(i) * 0.5 + 0.6);
  const Tensor h = scalar(1.5), xs = tensor(inputs, {80});
  EXPECT_EQ(scanned(h, xs).value(), unrolled(h, xs).value());
  const Doubles found = doubles(grad<1>(scanned)(h, xs)), expected = doubles(grad<1>(unrolled)(h, xs));
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-15 + 1e-12 * std::abs(expected[i]));
}

TEST(Cases, B76_AnUpdatedCopyLeavesTheOriginal) {
  const auto f = [](const Tensor& z, const Tensor& source) {
    const Tensor at = tensor<std::int32_t>({0});
    const Tensor s = dynamic_update_slice(z, slice(z, {0}, {1}) + source * 2.0, at) / 2.0;
    return std::vector<Tensor>{s, z, s};
  };
  const Tensor z = zeros({1}), source = tensor({1.25});
  for (const std::vector<Tensor>& results : {f(z, source), jit(f)(z, source)}) {
    EXPECT_EQ(floats(results[0]), (Floats{1.25}));
    EXPECT_EQ(floats(results[1]), (Floats{0}));
    EXPECT_EQ(floats(results[2]), (Floats{1.25}));
  }
  EXPECT_EQ(floats(z), (Floats{0}));
}

TEST(Cases, B101_ALoopThatAddsItsIterationNumber) {
  const Tensor outer = scalar<std::int32_t>(100);
  const auto loop = [&](const Tensor& trips) {
    const std::vector<Tensor> carry = while_loop_flat([&](List c) -> Tensors { return {c[0] < trips}; },
                                                      [](List c) -> Tensors { return {c[0] + 1, c[1] + c[0]}; },
                                                      {scalar<std::int32_t>(0), outer});
    return carry[1];
  };
  EXPECT_EQ(loop(scalar<std::int32_t>(5)).item<std::int32_t>(), 110);
  EXPECT_EQ(loop(scalar<std::int32_t>(0)).item<std::int32_t>(), 100);
  EXPECT_EQ(loop(scalar<std::int32_t>(-3)).item<std::int32_t>(), 100);
  EXPECT_EQ(jit(loop)(scalar<std::int32_t>(5)).item<std::int32_t>(), 110);
  const auto scanned = [&](std::int64_t trips) {
    return scan_flat([](List s) -> Tensors { return {s[0] + s[1], s[0]}; }, {outer}, {arange(trips)});
  };
  EXPECT_EQ(scanned(5).carry[0].item<std::int32_t>(), 110);
  EXPECT_EQ(scanned(0).carry[0].item<std::int32_t>(), 100);
  EXPECT_EQ(scanned(0).ys[0].type().to_string(), "i32[0]");
}

TEST(Cases, B140_CrossEntropyOfALogit) {
  // softplus(x) - x t: the binary cross entropy of the logit x with the target t.
  const auto loss = [](const Tensor& x, const Tensor& t) { return softplus(x) - x * t; };
  const Tensor zero = scalar(0.0F);
  const auto at = [&](float x) { return value_and_grad(loss)(scalar(x), zero); };
  EXPECT_FLOAT_EQ(at(0).first.item<float>(), 0.6931472F);
  EXPECT_EQ(at(0).second.item<float>(), 0.5F);
  EXPECT_LT(at(-100).first.item<float>(), 1e-43F);
  EXPECT_GT(at(-100).first.item<float>(), 0);
  EXPECT_LT(at(-100).second.item<float>(), 1e-43F);
  EXPECT_EQ(at(100).first.item<float>(), 100);
  EXPECT_EQ(at(100).second.item<float>(), 1);
}

}  // namespace
}  // namespace calx::calculus_cases_test
