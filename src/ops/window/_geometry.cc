// Sizes, transposed paddings and reads of moving windows.
#include "window/_geometry.h"

#include "calx/base/checked.h"
#include "calx/base/format.h"
#include "calx/core/bind.h"

namespace calx::ops::windows {
namespace {

template <class T>
std::vector<T> checked(const Call& c, std::string_view name, std::vector<T> given, std::size_t rank,
                       T fallback) {
  if (given.empty()) return std::vector<T>(rank, fallback);
  if (given.size() != rank) {
    c.fail(ErrorId::attribute,
           format("`{}` has {} entries, but there are {} spatial axes", name, given.size(), rank),
           "leave it empty for the default on every axis");
  }
  return given;
}

}  // namespace

std::vector<std::int64_t> per_axis(const Call& c, const Attr<std::vector<std::int64_t>>& key,
                                   std::size_t rank) {
  return checked<std::int64_t>(c, key.name, c[key], rank, 1);
}

std::vector<Dim> per_axis(const Call& c, const Attr<std::vector<Dim>>& key, std::size_t rank) {
  return checked<Dim>(c, key.name, c[key], rank, Dim(0));
}

Dim span_of(const Dim& size, std::int64_t dilation) { return (size - 1) * dilation + 1; }

std::vector<Dim> output_sizes(const Geometry& geometry, std::span<const Dim> sizes,
                              std::span<const Dim> window) {
  std::vector<Dim> outputs;
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    const Dim padded = span_of(sizes[a], geometry.base_dilation[a]) + geometry.low[a] + geometry.high[a];
    const Dim fitting = floor_div(padded - span_of(window[a], geometry.dilation[a]), geometry.strides[a]) + 1;
    outputs.push_back(max(fitting, Dim(0)));
  }
  return outputs;
}

Geometry transposed(const Geometry& geometry, std::span<const Dim> sizes, std::span<const Dim> window,
                    std::span<const Dim> outputs) {
  Geometry result;
  result.strides = geometry.base_dilation;
  result.base_dilation = geometry.strides;
  result.dilation = geometry.dilation;
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    const Dim reach = span_of(window[a], geometry.dilation[a]) - 1;
    const Dim low = reach - geometry.low[a];
    result.low.push_back(low);
    result.high.push_back(span_of(sizes[a], geometry.base_dilation[a]) + reach -
                          span_of(outputs[a], geometry.strides[a]) - low);
  }
  return result;
}

Geometry transposed_to_window(const Geometry& geometry, std::span<const Dim> sizes,
                              std::span<const Dim> window, std::span<const Dim> outputs) {
  Geometry result;
  result.strides = geometry.dilation;
  result.base_dilation = geometry.base_dilation;
  result.dilation = geometry.strides;
  result.low = geometry.low;
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    result.high.push_back(span_of(outputs[a], geometry.strides[a]) +
                          span_of(window[a], geometry.dilation[a]) - 1 -
                          span_of(sizes[a], geometry.base_dilation[a]) - geometry.low[a]);
  }
  return result;
}

namespace {

/// The product of sizes that a run was given; raises size_overflow.
std::int64_t product(const ReferenceCall& c, std::initializer_list<std::int64_t> sizes) {
  const std::optional<std::int64_t> result = checked_product({sizes.begin(), sizes.size()});
  if (!result) {
    raise({.id = ErrorId::size_overflow,
           .op = std::string(c.op().name),
           .message = "has more windows than 63 bits count",
           .where = c.where()});
  }
  return *result;
}

}  // namespace

Reads trace_reads(const ReferenceCall& c, const Geometry& geometry, std::span<const std::int64_t> sizes,
                  std::span<const std::int64_t> window, std::span<const std::int64_t> outputs) {
  Reads reads;
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    reads.num_inputs *= sizes[a];
    reads.num_elements = product(c, {reads.num_elements, window[a]});
    reads.num_outputs = product(c, {reads.num_outputs, outputs[a]});
  }
  // Axis by axis: the offsets of the axes so far, extended by one more axis of elements and of outputs.
  std::vector<std::int64_t> table = {0};
  std::int64_t elements = 1;
  std::int64_t positions = 1;
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    const std::int64_t low = c.evaluate(geometry.low[a]);
    std::vector<std::int64_t> next(static_cast<std::size_t>(product(c, {elements, window[a], positions, outputs[a]})));
    for (std::int64_t e = 0; e < elements; ++e) {
      for (std::int64_t w = 0; w < window[a]; ++w) {
        for (std::int64_t p = 0; p < positions; ++p) {
          const std::int64_t before = table[static_cast<std::size_t>(e * positions + p)];
          std::int64_t* to = next.data() + ((e * window[a] + w) * positions + p) * outputs[a];
          for (std::int64_t o = 0; o < outputs[a]; ++o) {
            const std::int64_t spread = o * geometry.strides[a] + w * geometry.dilation[a] - low;
            const std::int64_t index = spread / geometry.base_dilation[a];
            const bool inside =
                before >= 0 && spread >= 0 && index * geometry.base_dilation[a] == spread && index < sizes[a];
            to[o] = inside ? before * sizes[a] + index : -1;
            reads.reaches_outside = reads.reaches_outside || !inside;
          }
        }
      }
    }
    table = std::move(next);
    elements *= window[a];
    positions *= outputs[a];
  }
  reads.offsets = std::move(table);
  return reads;
}

loopir::Window lowered(const Geometry& geometry, std::vector<std::int64_t> window) {
  loopir::Window result;
  result.sizes = std::move(window);
  result.strides = geometry.strides;
  result.base_dilation = geometry.base_dilation;
  result.dilation = geometry.dilation;
  for (const Dim& low : geometry.low) result.padding_low.push_back(low.value());
  for (const Dim& high : geometry.high) result.padding_high.push_back(high.value());
  return result;
}

}  // namespace calx::ops::windows
