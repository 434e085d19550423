#include "indexing/_window_attrs.h"

#include "calx/base/format.h"

namespace calx::ops::window_attrs {

void check_windows(const Call& c) {
  const std::vector<Dim> sizes = c[window];
  if (static_cast<int>(sizes.size()) > c.type(0).rank()) {
    c.fail(ErrorId::rank, format("`window` has {} entries but `x` {} has rank {}", sizes.size(),
                                 c.type(0).to_string(), c.type(0).rank()));
  }
  const auto check = [&](std::size_t length, std::string_view name) {
    if (length == 0 || length == sizes.size()) return;
    c.fail(ErrorId::rank, format("`{}` needs {} entries, one per entry of `window`", name, sizes.size()));
  };
  check(c[strides].size(), strides.name);
  check(c[padding_low].size(), padding_low.name);
  check(c[padding_high].size(), padding_high.name);
  check(c[base_dilation].size(), base_dilation.name);
  check(c[window_dilation].size(), window_dilation.name);
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    if (proven_less_equal(1, sizes[a]) != Proof::no) continue;
    c.fail(ErrorId::attribute,
           format("the window's size along its axis {} is {}, below 1", a, sizes[a].to_string()));
  }
}

}  // namespace calx::ops::window_attrs
