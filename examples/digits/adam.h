// AdamW (Loshchilov and Hutter, 2019) over any tree of parameters: Adam with decoupled weight decay. Lives in the example until training has its own layer.
#pragma once

#include <cmath>

#include "calx/calx.h"

namespace digits {

template <calx::Tree Parameters>
struct AdamState {
  Parameters mean;
  Parameters variance;
  calx::Tensor step;  // f32[]
};

template <calx::Tree Parameters>
[[nodiscard]] AdamState<Parameters> adam_init(const Parameters& parameters) {
  const auto zeros = calx::tree::map([](const calx::Tensor& p) { return calx::zeros_like(p); }, parameters);
  return {zeros, zeros, calx::scalar(0.0f)};
}

/// One step: new parameters and new state.
template <calx::Tree Parameters>
[[nodiscard]] std::pair<Parameters, AdamState<Parameters>> adam_step(const Parameters& parameters, const Parameters& gradient,
                                                                     const AdamState<Parameters>& state,
                                                                     const calx::Tensor& learning_rate) {
  constexpr double kMeanDecay = 0.9, kVarianceDecay = 0.999, kEpsilon = 1e-8, kWeightDecay = 0.05;
  const calx::Tensor step = state.step + 1.0;
  const auto mean = calx::tree::map(
      [&](const calx::Tensor& m, const calx::Tensor& g) { return m * kMeanDecay + g * (1 - kMeanDecay); }, state.mean,
      gradient);
  const auto variance = calx::tree::map(
      [&](const calx::Tensor& v, const calx::Tensor& g) { return v * kVarianceDecay + g * g * (1 - kVarianceDecay); },
      state.variance, gradient);
  const calx::Tensor mean_scale = 1.0 / (1.0 - calx::exp(step * std::log(kMeanDecay)));
  const calx::Tensor variance_scale = 1.0 / (1.0 - calx::exp(step * std::log(kVarianceDecay)));
  const auto updated = calx::tree::map(
      [&](const calx::Tensor& p, const calx::Tensor& m, const calx::Tensor& v) {
        const calx::Tensor step_size = (m * mean_scale) / (calx::sqrt(v * variance_scale) + kEpsilon);
        return p - learning_rate * (step_size + p * kWeightDecay);
      },
      parameters, mean, variance);
  return {updated, {mean, variance, step}};
}

}  // namespace digits

namespace digits {
// CALX_TREE takes no templates: the fields are listed by hand.
template <class State, class Visit>
  requires requires(State& s) { s.mean; s.variance; s.step; }
void calx_visit_fields(State& state, Visit&& visit) {
  visit("mean", state.mean);
  visit("variance", state.variance);
  visit("step", state.step);
}
}  // namespace digits
