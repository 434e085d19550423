// What normalisations share: the axes that they normalise over, and the scale and bias that may follow.
#pragma once

#include "reduction/_support.h"

namespace calx::ops::norm_family {

using reduction::Axes;

inline constinit const Attr<Axes> axes{"axes", [] { return Axes{-1}; }, "the axes that are normalised over together, in [-rank, rank)"};
inline constinit const Attr<double> eps{"eps", 1e-5, "what is added to the mean square before its root", 0,
                              std::numeric_limits<double>::infinity()};

/// Raises unless operand `i`, where it is there, has the sizes of x along the normalised axes.
void require_parameter(const Call& call, int i, const Axes& reduced);
/// Operand i in the dtype of `like`, spread over its shape.
[[nodiscard]] Tensor parameter(const Call& call, int i, const Tensor& like, const Axes& reduced);

/// x / sqrt(mean(x^2) + eps / scale^2) for x already divided by `scale`, which is without the reduced axes: 0 where x
/// is 0, even for eps = 0.
[[nodiscard]] Tensor divide_by_root_mean_square(const Tensor& x, const Tensor& scale, double eps, const Axes& reduced);

/// For samples: x, then up to `parameters` operands of the sizes of the normalised axes.
[[nodiscard]] std::vector<Sample> samples(int parameters);
[[nodiscard]] std::vector<Reject> rejects();

}  // namespace calx::ops::norm_family
