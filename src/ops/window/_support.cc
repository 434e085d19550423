#include "window/_support.h"

#include "calx/base/format.h"

namespace calx::ops::windows {

void check_windows(const Call& c, std::int64_t smallest) {
  const std::vector<Dim> sizes = c[window];
  if (static_cast<int>(sizes.size()) > c.type(0).rank()) {
    c.fail(ErrorId::rank, format("`window` has {} entries, but `x` {} has rank {}", sizes.size(), c.type(0).to_string(),
                                 c.type(0).rank()));
  }
  static_cast<void>(geometry_of(c));
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    if (proven_less_equal(smallest, sizes[a]) != Proof::no) continue;
    c.fail(ErrorId::attribute,
           format("`window` is {} along its axis {}, but must be at least {}", sizes[a].to_string(), a, smallest));
  }
}

Geometry geometry_of(const Call& c) {
  const std::size_t count = c[window].size();
  return {per_axis(c, strides, count), per_axis(c, padding_low, count), per_axis(c, padding_high, count),
          per_axis(c, base_dilation, count), per_axis(c, window_dilation, count)};
}

Attrs attributes(const std::vector<Dim>& sizes, const Geometry& geometry) {
  return {attr(window, sizes),
          attr(strides, geometry.strides),
          attr(padding_low, geometry.low),
          attr(padding_high, geometry.high),
          attr(base_dilation, geometry.base_dilation),
          attr(window_dilation, geometry.dilation)};
}

std::span<const Dim> windowed(const Shape& shape, std::size_t count) { return std::span(shape.dims()).last(count); }

Shape with_flat_planes(const Shape& shape, std::size_t count) {
  std::vector<Dim> dims(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(count));
  Dim plane(1);
  for (const Dim& size : windowed(shape, count)) plane *= size;
  dims.push_back(std::move(plane));
  return Shape(std::move(dims));
}

Shape result_shape(const Call& c) {
  const std::vector<Dim> sizes = c[window];
  const Shape& x = c.shape(0);
  std::vector<Dim> dims(x.begin(), x.end() - static_cast<std::ptrdiff_t>(sizes.size()));
  for (Dim& size : output_sizes(geometry_of(c), windowed(x, sizes.size()), sizes)) dims.push_back(std::move(size));
  return Shape(std::move(dims));
}

Reads trace_reads(const ReferenceCall& c) {
  const std::vector<Type> types = {c[0].type()};
  const Geometry geometry = geometry_of(Call(c.op(), types, c.attrs(), c.where()));
  const std::vector<std::int64_t> sizes = c.evaluate(c[window]);
  const std::vector<std::int64_t> results = c.sizes();
  return trace_reads(c, geometry, std::span(c[0].sizes()).last(sizes.size()), sizes, std::span(results).last(sizes.size()));
}

loopir::Window lowered(const Call& c) { return lowered(geometry_of(c), Shape(c[window]).sizes()); }

}  // namespace calx::ops::windows
