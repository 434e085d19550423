#include <cmath>

#include "norm/_support.h"

namespace calx::ops {

OpDef rms_norm() {
  using namespace norm_family;
  return {
      .name = "rms_norm",
      .family = "norm",
      .doc = {.summary = "Scales to mean square 1 over axes, then applies a scale.",
              .math = "y = x / sqrt(mean(x^2) + eps) * scale",
              .shapes = "`x: f32[a,b]`, `scale: f32[b]`, axes [-1] -> `f32[a,b]`; scale may be absent",
              .gradient = "that of the formula, at every order",
              .accuracy = "on values divided by a power of two, so that squares neither overflow nor vanish, in `accumulation` (f32 "
                          "for f16 and bf16), rounded once",
              .errors = "an axis outside [-rank, rank): CALX-E203; an axis named twice: CALX-E204; `scale` without the sizes of the "
                        "normalised axes: CALX-E201, CALX-E202; eps below 0: CALX-E301; an integer operand: CALX-E101",
              .example = "rms_norm(tensor({3, -3}), {.eps = 0})  // f32[2] [1, -1]",
              .source = "Zhang and Sennrich (2019), eq. 4; torch.nn.RMSNorm"},
      .operands = {{"x", DTypes::floating}, {.name = "scale", .dtypes = DTypes::floating, .optional = true}},
      .attrs = {norm_family::axes, eps, accumulation},
      .form = Composite{
          .infer = Derived{},
          .decompose = [](const Call& c) -> Results {
            const Axes reduced = reduction::normal_axes(c, c[norm_family::axes]);
            require_parameter(c, 1, reduced);
            const Tensor x = core::convert(c[0], reduction::computation(c));
            const Tensor scale = reduction::scale_of(x, reduced, std::sqrt(c[eps]));
            const Tensor scaled = x / reduction::spread_back(scale, x.shape(), reduced);
            Tensor y = divide_by_root_mean_square(scaled, scale, c[eps], reduced);
            if (c.size() > 1) y = y * parameter(c, 1, y, reduced);
            return core::convert(y, c.dtype(0));
          },
          .jvp = Derived{},
          .batch = Derived{},
          .simplify = NoIdentity{},
          .reference = Derived{},
          .lower = Derived{}},
      .numerics = {.max_ulp_f32 = 16},
      .samples = [] { return norm_family::samples(1); },
      .rejects = [] { return norm_family::rejects(); },
  };
}

}  // namespace calx::ops
