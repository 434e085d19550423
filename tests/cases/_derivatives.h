// Derivatives of functions of one tensor, by any nesting of modes: what the replayed cases are written with.
#pragma once

#include <functional>

#include "calx/core/trace.h"
#include "calx/ops.h"
#include "calx/transforms/transforms.h"

namespace calx::cases {

using Fn = std::function<Tensor(const Tensor&)>;

inline Function traced(const Fn& f, const Type& type) {
  return trace_flat({{"x", type}}, [&](std::span<const Tensor> arguments) { return Tensors{f(arguments[0])}; }).function;
}

/// The tangent of f for the tangent 1 in every element.
inline Fn forward(Fn f) {
  return [f = std::move(f)](const Tensor& x) {
    const Function pushed = jvp(traced(f, x.type()), {true});
    return inline_function(pushed, Tensors{x, core::ones(x.type())})[1];
  };
}

/// The cotangent of x for the cotangent 1 (or `cotangent`) in every element of f(x): the gradient of the sum of f(x).
inline Fn reverse(Fn f, double cotangent = 1) {
  return [f = std::move(f), cotangent](const Tensor& x) {
    const Function primal = traced(f, x.type());
    const Type& result = primal.type(primal.results()[0].value);
    return inline_function(vjp(primal, {true}), Tensors{x, core::full(result, cotangent)})[1];
  };
}

inline std::vector<float> floats(const Tensor& x) { return x.to_vector<float>(); }
/// The gradient of the sum of f, as numbers.
inline std::vector<float> gradient(const Fn& f, const Tensor& x) { return floats(reverse(f)(x)); }

}  // namespace calx::cases
