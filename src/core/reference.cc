// Strided copies: the one loop behind expand, transpose, slice and their like.
#include "calx/core/reference.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace calx::ref {
namespace {

template <class Word>
void copy_words(std::byte* to, const std::byte* from, const std::vector<std::int64_t>& sizes,
                std::span<const std::int64_t> strides, std::int64_t offset) {
  auto* out = reinterpret_cast<Word*>(to);
  const auto* in = reinterpret_cast<const Word*>(from);
  if (sizes.empty()) {
    out[0] = in[offset];
    return;
  }
  const std::size_t last = sizes.size() - 1;
  const std::int64_t inner = sizes[last];
  const std::int64_t step = strides[last];
  std::vector<std::int64_t> index(last, 0);
  std::int64_t base = offset;
  while (true) {
    const Word* row = in + base;
    if (step == 1) {
      std::memcpy(out, row, static_cast<std::size_t>(inner) * sizeof(Word));
    } else if (step == 0) {
      std::fill(out, out + inner, row[0]);
    } else {
      for (std::int64_t i = 0; i < inner; ++i) out[i] = row[i * step];
    }
    out += inner;
    std::size_t axis = last;
    while (axis-- > 0) {
      base += strides[axis];
      if (++index[axis] < sizes[axis]) break;
      base -= strides[axis] * sizes[axis];
      index[axis] = 0;
    }
    if (axis == static_cast<std::size_t>(-1)) return;
  }
}

}  // namespace

Array copy_strided(const Array& source, std::vector<std::int64_t> sizes, std::int64_t offset,
                   std::span<const std::int64_t> strides) {
  Array out = Array::uninitialized(source.dtype(), std::move(sizes));
  if (out.num_elements() == 0) return out;
  std::byte* to = const_cast<std::byte*>(out.buffer().data());
  const std::byte* from = source.buffer().data();
  switch (source.dtype().size_bytes()) {
    case 1: copy_words<std::uint8_t>(to, from, out.sizes(), strides, offset); break;
    case 2: copy_words<std::uint16_t>(to, from, out.sizes(), strides, offset); break;
    case 4: copy_words<std::uint32_t>(to, from, out.sizes(), strides, offset); break;
    default: copy_words<std::uint64_t>(to, from, out.sizes(), strides, offset); break;
  }
  return out;
}

Array convert_array(const Array& x, DType dtype) {
  if (x.dtype() == dtype) return x;
  Array out = Array::uninitialized(dtype, x.sizes());
  visit_dtype(x.dtype(), [&]<class From>(std::type_identity<From>) {
    visit_dtype(dtype, [&]<class To>(std::type_identity<To>) {
      const From* from = x.data<From>();
      To* to = out.mutable_data<To>();
      for (std::int64_t i = 0; i < out.num_elements(); ++i) to[i] = convert_element<To>(from[i]);
    });
  });
  return out;
}

ReducedView arrange_for_reduction(const Array& x, const std::vector<std::int64_t>& axes) {
  const int rank = x.rank();
  std::vector<bool> is_reduced(static_cast<std::size_t>(rank), false);
  for (std::int64_t axis : axes) is_reduced[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = true;
  ReducedView view{.data = x};
  std::vector<std::size_t> order;
  for (bool reduced : {false, true}) {
    for (std::size_t axis = 0; axis < is_reduced.size(); ++axis) {
      if (is_reduced[axis] != reduced) continue;
      order.push_back(axis);
      (reduced ? view.reduced : view.kept) *= x.sizes()[axis];
    }
  }
  const auto changes = std::adjacent_find(is_reduced.begin(), is_reduced.end(), std::not_equal_to<>());
  const bool one_change = changes == is_reduced.end() ||
                          std::adjacent_find(changes + 1, is_reduced.end(), std::not_equal_to<>()) == is_reduced.end();
  if (one_change) {
    view.leading = !is_reduced.empty() && is_reduced.front() && !is_reduced.back();
    return view;
  }
  const std::vector<std::int64_t> own = row_major_strides(x.sizes());
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  for (std::size_t axis : order) {
    sizes.push_back(x.sizes()[axis]);
    strides.push_back(own[axis]);
  }
  view.data = copy_strided(x, std::move(sizes), 0, strides);
  return view;
}

}  // namespace calx::ref
