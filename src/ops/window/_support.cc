#include "window/_support.h"

#include "calx/base/format.h"

namespace calx::ops::window_attrs {

windows::Geometry geometry_of(const Call& c) {
  const std::size_t rank = c[window].size();
  if (rank > c.shape(0).dims().size()) {
    c.fail(ErrorId::rank, format("`window` has {} entries, but `x` {} has rank {}", rank, c.type(0).to_string(), c.type(0).rank()));
  }
  return {windows::per_axis(c, strides, rank), windows::per_axis(c, padding_low, rank), windows::per_axis(c, padding_high, rank),
          windows::per_axis(c, base_dilation, rank), windows::per_axis(c, window_dilation, rank)};
}

void require_elements(const Call& c) {
  const std::vector<Dim> sizes = c[window];
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    if (proven_less_equal(1, sizes[a]) != Proof::no) continue;
    c.fail(ErrorId::attribute, format("the window's size along its axis {} is {}, below 1", a, sizes[a].to_string()));
  }
}

std::span<const Dim> windowed(const Call& c, const Shape& shape) { return std::span(shape.dims()).last(c[window].size()); }

Shape windows_shape(const Call& c) {
  const windows::Geometry geometry = geometry_of(c);
  const Shape& x = c.shape(0);
  const std::vector<Dim> sizes = c[window];
  std::vector<Dim> dims(x.dims().begin(), x.dims().end() - static_cast<std::ptrdiff_t>(sizes.size()));
  const std::vector<Dim> outputs = windows::output_sizes(geometry, windowed(c, x), sizes);
  dims.insert(dims.end(), outputs.begin(), outputs.end());
  return Shape(std::move(dims));
}

loopir::Window lowered_window(const Call& c) { return windows::lowered(geometry_of(c), Shape(c[window]).sizes()); }

}  // namespace calx::ops::window_attrs
