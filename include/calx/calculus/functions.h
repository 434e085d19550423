// Derivatives as transforms of Functions: what the typed forms of calculus.h and the command line are made of. Errors name the
// place of the equation that they concern; without one, `where`.
#pragma once

#include <vector>

#include "calx/transforms/transforms.h"

namespace calx {

/// f's arguments -> f's results, then the gradient of result 0 with respect to each argument i with differentiated[i].
/// Result 0 must be a floating scalar (grad_not_scalar); other results are auxiliary.
[[nodiscard]] Function value_and_grad(const Function& f, const std::vector<bool>& differentiated,
                                      SourceLoc where = SourceLoc::current());
/// The gradients alone.
[[nodiscard]] Function grad(const Function& f, const std::vector<bool>& differentiated, SourceLoc where = SourceLoc::current());
/// Hessian-vector products, forward over reverse: f's arguments, then a vector for each differentiated argument -> H v.
[[nodiscard]] Function hvp(const Function& f, const std::vector<bool>& differentiated, SourceLoc where = SourceLoc::current());
/// d^order/dt^order of f(x + t v) at t = 0, for result 0, which is floating: f's arguments, then v for each differentiated
/// argument.
[[nodiscard]] Function directional_derivative(const Function& f, const std::vector<bool>& differentiated, int order,
                                              SourceLoc where = SourceLoc::current());
/// The Jacobian of result 0 with respect to argument `argument`: result shape [result..., argument...].
[[nodiscard]] Function jacobian_forward(const Function& f, int argument, SourceLoc where = SourceLoc::current());
[[nodiscard]] Function jacobian_reverse(const Function& f, int argument, SourceLoc where = SourceLoc::current());

struct GradientCheck {
  double worst_error = 0;  // |difference| / (1 + |expected|), over all probes
  int probes = 0;
};
/// Compares jvp with central differences, vjp with jvp, at orders 1 to `order` (>= 1), in random directions drawn from `seed`.
/// f runs in its own dtypes, with steps of 1e-5: give it f64 arguments, or a tolerance that fits f32. Raises gradient_check,
/// naming the argument and the mode, beyond `tolerance`; grad_integer where no argument or no result is floating.
GradientCheck check_gradients(const Function& f, const std::vector<Array>& arguments, int order = 1, double tolerance = 1e-5,
                              std::uint64_t seed = 0, SourceLoc where = SourceLoc::current());

}  // namespace calx
