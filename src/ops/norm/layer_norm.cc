#include <cmath>

#include "norm/_support.h"

namespace calx::ops {

OpDef layer_norm() {
  using namespace norm_family;
  return {
      .name = "layer_norm",
      .family = "norm",
      .doc = {.summary = "Shifts and scales to mean 0 and variance 1 over axes, then applies a scale and a bias.",
              .math = "y = (x - mean(x)) / sqrt(var(x) + eps) * scale + bias",
              .shapes = "`x: f32[a,b]`, `scale: f32[b]`, `bias: f32[b]`, axes [-1] -> `f32[a,b]`; scale and bias may be absent",
              .gradient = "that of the formula, at every order; NaN (0 / 0) where eps = 0 and all elements are equal",
              .accuracy = "two passes on values divided by a power of two, so that squares neither overflow nor vanish, in "
                          "`accumulation` (f32 for f16 and bf16), rounded once; 0 before the bias where all elements are equal",
              .errors = "an axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; `scale` or `bias` without the "
                        "sizes of the normalised axes: CALX-E201, CALX-E202; eps below 0: CALX-E301; an integer operand: CALX-E101",
              .example = "layer_norm(tensor({1, 3}), {.eps = 0})  // f32[2] [-1, 1]",
              .source = "Ba et al. (2016), eq. 4; torch.nn.LayerNorm"},
      .operands = {{"x", DTypes::floating},
                   {.name = "scale", .dtypes = DTypes::floating, .optional = true},
                   {.name = "bias", .dtypes = DTypes::floating, .optional = true}},
      .attrs = {norm_family::axes, eps, accumulation},
      .form = Composite{
          .infer = Derived{},
          .decompose = [](const Call& c) -> Results {
            const Axes reduced = reduction::normal_axes(c, c[norm_family::axes]);
            for (int i : {1, 2}) require_parameter(c, i, reduced);
            const Tensor x = core::convert(c[0], reduction::computation(c));
            const reduction::Centered centered = reduction::center(x, reduced, std::sqrt(c[eps]));
            Tensor y = divide_by_root_mean_square(centered.deviations, centered.scale, c[eps], reduced);
            if (c.size() > 1) y = y * parameter(c, 1, y, reduced);
            if (c.size() > 2) y = y + parameter(c, 2, y, reduced);
            return core::convert(y, c.dtype(0));
          },
          .jvp = Derived{},
          .batch = Derived{},
          .simplify = NoIdentity{},
          .reference = Derived{},
          .lower = Derived{}},
      .numerics = {.max_ulp_f32 = 16},
      .samples = [] { return norm_family::samples(2); },
      .rejects = [] { return norm_family::rejects(); },
  };
}

}  // namespace calx::ops
