// Short forms for samples.
#include "calx/core/samples.h"

namespace calx {

std::function<std::vector<Sample>()> shapes(std::vector<Shape> shapes, int count, Draw draw) {
  return [shapes = std::move(shapes), count, draw] {
    std::vector<Sample> samples;
    for (const Shape& shape : shapes) {
      samples.push_back({.operands = SampleOperands(static_cast<std::size_t>(count),
                                       SampleOperand{.shape = shape, .draw = draw})});
    }
    return samples;
  };
}

std::function<std::vector<Sample>()> pointwise_samples(int count, Draw draw) {
  return shapes({{}, {3}, {1}, {0}, {2, 3}, {17}}, count, draw);
}

}  // namespace calx
