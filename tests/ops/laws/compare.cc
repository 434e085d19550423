#include "compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "calx/base/format.h"

namespace calx::laws {
namespace {

bool is_nan_at(const Array& array, std::int64_t i) {
  return array.dtype().is_floating() && std::isnan(array.element_as_double(i));
}

/// Elements before `axis`, along it, after it.
struct Split {
  std::int64_t outer = 1, count = 1, inner = 1;
};
Split split_at(const std::vector<std::int64_t>& sizes, int axis) {
  Split split;
  for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
    (i < axis ? split.outer : i == axis ? split.count : split.inner) *= sizes[static_cast<std::size_t>(i)];
  }
  return split;
}

}  // namespace

Tolerance tolerance(DType dtype) {
  if (dtype == f64) return {.epsilon = 0x1p-52, .step = 5e-4, .differences = 2e-7, .algebra = 1e-12};
  if (dtype == f32) return {.epsilon = 0x1p-23, .step = 2e-2, .differences = 1e-3, .algebra = 5e-6};
  if (dtype == f16) return {.epsilon = 0x1p-10, .step = 1e-1, .differences = 2e-1, .algebra = 32 * 0x1p-10};
  return {.epsilon = 0x1p-7, .step = 2.5e-1, .differences = 5e-1, .algebra = 32 * 0x1p-7};
}

DType coarsest(const std::vector<Array>& values) {
  DType result = f64;
  for (const Array& value : values) {
    if (value.dtype().is_floating() && tolerance(value.dtype()).algebra > tolerance(result).algebra)
      result = value.dtype();
  }
  return result;
}

double largest(const std::vector<Array>& values) {
  double result = 0;
  for (const Array& value : values) {
    if (!value.dtype().is_floating()) continue;
    for (std::int64_t i = 0; i < value.num_elements(); ++i) {
      const double magnitude = std::abs(value.element_as_double(i));
      if (std::isfinite(magnitude)) result = std::max(result, magnitude);
    }
  }
  return result;
}

Allowed reassociated(const std::vector<Array>& inputs, const std::vector<Array>& results, double scale) {
  constexpr double kCancelled = 4;
  std::vector<Array> all = inputs;
  all.insert(all.end(), results.begin(), results.end());
  const Tolerance table = tolerance(coarsest(all));
  return {.relative = scale * table.algebra, .absolute = scale * kCancelled * table.epsilon * largest(inputs)};
}

bool same_bits(const Array& a, const Array& b) {
  if (a == b) return true;
  if (a.dtype() != b.dtype() || a.sizes() != b.sizes()) return false;
  const auto width = static_cast<std::size_t>(a.dtype().size_bytes());
  for (std::int64_t i = 0; i < a.num_elements(); ++i) {
    const std::size_t at = static_cast<std::size_t>(i) * width;
    if (std::memcmp(a.bytes().data() + at, b.bytes().data() + at, width) == 0) continue;
    if (!is_nan_at(a, i) || !is_nan_at(b, i)) return false;
  }
  return true;
}

std::optional<std::string> difference(const Array& a, const Array& b, Allowed allowed, Compared compared) {
  if (a.type() != b.type()) return format("types {} and {}", a.type().to_string(), b.type().to_string());
  if (!a.dtype().is_floating()) {
    if (a == b) return std::nullopt;
    return show(a) + " and " + show(b);
  }
  const double distance = allowed.relative * largest({a, b}) + allowed.absolute;
  for (std::int64_t i = 0; i < a.num_elements(); ++i) {
    const double x = a.element_as_double(i);
    const double y = b.element_as_double(i);
    if (!std::isfinite(x) || !std::isfinite(y)) {
      const bool is_skipped = compared == Compared::where_finite ||
                              (compared == Compared::where_second_finite && !std::isfinite(y));
      if (is_skipped || x == y || (std::isnan(x) && std::isnan(y))) continue;
    } else if (std::abs(x - y) <= distance) {
      continue;
    }
    return format("element {}: {:.12g} and {:.12g} with {:.3g} allowed (of {} and {})", i, x, y, distance, show(a),
                  show(b));
  }
  return std::nullopt;
}

std::string show(const Array& array) {
  std::string text = array.type().to_string() + " [";
  for (std::int64_t i = 0; i < array.num_elements(); ++i) {
    if (i == 12) return text + ", ...]";
    text += format("{}{:.6g}", i == 0 ? "" : ", ", array.element_as_double(i));
  }
  return text + "]";
}

Array combine(double a, const Array& x, double b, const Array& y) {
  CALX_ASSERT(x.type() == y.type());
  Array out = Array::uninitialized(x.dtype(), x.sizes());
  visit_dtype(x.dtype(), [&]<class T>(std::type_identity<T>) {
    T* to = out.mutable_data<T>();
    for (std::int64_t i = 0; i < out.num_elements(); ++i) {
      to[i] = convert_element<T>(a * x.element_as_double(i) + b * y.element_as_double(i));
    }
  });
  return out;
}

double inner_product(const Array& a, const Array& b) {
  double sum = 0;
  for (std::int64_t i = 0; i < a.num_elements(); ++i) sum += a.element_as_double(i) * b.element_as_double(i);
  return sum;
}

Array converted_to(const Array& array, DType dtype) {
  Array out = Array::uninitialized(dtype, array.sizes());
  visit_dtype(array.dtype(), [&]<class From>(std::type_identity<From>) {
    visit_dtype(dtype, [&]<class To>(std::type_identity<To>) {
      for (std::int64_t i = 0; i < out.num_elements(); ++i) {
        out.mutable_data<To>()[i] = convert_element<To>(array.data<From>()[i]);
      }
    });
  });
  return out;
}

Array take_lane(const Array& array, int axis, std::int64_t lane) {
  const Split split = split_at(array.sizes(), axis);
  std::vector<std::int64_t> sizes = array.sizes();
  sizes.erase(sizes.begin() + axis);
  Array out = Array::uninitialized(array.dtype(), std::move(sizes));
  const auto width = static_cast<std::size_t>(array.dtype().size_bytes());
  const auto row = static_cast<std::size_t>(split.inner) * width;
  auto* to = const_cast<std::byte*>(out.buffer().data());
  for (std::int64_t i = 0; i < split.outer; ++i) {
    std::memcpy(to + static_cast<std::size_t>(i) * row,
                array.bytes().data() + static_cast<std::size_t>(i * split.count + lane) * row, row);
  }
  return out;
}

Array stack(const std::vector<Array>& lanes, int axis, const Type& lane_type) {
  std::vector<std::int64_t> sizes = lane_type.shape.sizes();
  sizes.insert(sizes.begin() + axis, static_cast<std::int64_t>(lanes.size()));
  const Split split = split_at(sizes, axis);
  Array out = Array::uninitialized(lane_type.dtype, std::move(sizes));
  const auto row =
      static_cast<std::size_t>(split.inner) * static_cast<std::size_t>(lane_type.dtype.size_bytes());
  auto* to = const_cast<std::byte*>(out.buffer().data());
  for (std::int64_t i = 0; i < split.outer; ++i) {
    for (std::int64_t lane = 0; lane < split.count; ++lane) {
      std::memcpy(to + static_cast<std::size_t>(i * split.count + lane) * row,
                  lanes[static_cast<std::size_t>(lane)].bytes().data() + static_cast<std::size_t>(i) * row,
                  row);
    }
  }
  return out;
}

}  // namespace calx::laws
