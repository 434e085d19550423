// What samples must cover: every attribute has at least two values over them, at least one of which is not
// its default; there is a sample, and there are rejected ones.
#include <algorithm>

#include "calx/base/format.h"
#include "law_functions.h"

namespace calx::laws {

void check_samples(const LawInput& input, Cell& cell) {
  const OpDef& op = input.op;
  const std::vector<Sample> samples = op.samples();
  cell.check(!samples.empty(), [] { return std::string("there are no samples"); });
  for (const AttrSpec& spec : op.attrs) {
    std::vector<AttrValue> values;
    for (const Sample& sample : samples) {
      const AttrValue* value = sample.attrs.find(spec.name);
      if (value == nullptr && spec.default_value) value = &*spec.default_value;
      if (value == nullptr) continue;
      const bool known = std::any_of(values.begin(), values.end(),
                                     [&](const AttrValue& v) { return same_attribute(v, *value); });
      if (!known) values.push_back(*value);
    }
    cell.check(values.size() >= 2,
               [&] { return format("attribute `{}` has fewer than two values", spec.name); });
    const bool other = std::any_of(values.begin(), values.end(), [&](const AttrValue& v) {
      return !spec.default_value || !same_attribute(v, *spec.default_value);
    });
    cell.check(other, [&] { return format("attribute `{}` is always its default", spec.name); });
  }
  for (const Sample& sample : samples) {
    for (const Attrs::Entry& entry : sample.attrs.entries()) {
      const bool declared = std::any_of(op.attrs.begin(), op.attrs.end(),
                                        [&](const AttrSpec& s) { return s.name == entry.name; });
      cell.check(declared,
                 [&] { return format("a sample sets `{}`, which the op does not have", entry.name); });
    }
  }
}

}  // namespace calx::laws
