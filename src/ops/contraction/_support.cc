// What contraction-like ops share.
#include "contraction/_support.h"

#include <algorithm>

namespace calx::ops::contraction {

Array converted(const Array& array, DType dtype) {
  if (array.dtype() == dtype) return array;
  Array out = Array::uninitialized(dtype, array.sizes());
  visit_dtype(array.dtype(), [&]<class From>(std::type_identity<From>) {
    visit_dtype(dtype, [&]<class To>(std::type_identity<To>) {
      const From* from = array.data<From>();
      To* to = out.mutable_data<To>();
      for (std::int64_t i = 0; i < array.num_elements(); ++i) to[i] = convert_element<To>(from[i]);
    });
  });
  return out;
}

std::vector<std::int64_t> other_axes(int rank, const std::vector<std::int64_t>& a,
                                     const std::vector<std::int64_t>& b) {
  std::vector<std::int64_t> others;
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    if (std::find(a.begin(), a.end(), axis) == a.end() && std::find(b.begin(), b.end(), axis) == b.end()) {
      others.push_back(axis);
    }
  }
  return others;
}

}  // namespace calx::ops::contraction
