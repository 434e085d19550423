// Equality and hashing of attributes.
#include "calx/core/attributes.h"

#include <bit>

#include "calx/base/hash.h"
#include "calx/core/equation.h"

namespace calx {

CALX_DEFINE_SPECIAL_MEMBERS(AttrValue, AttrValue);
AttrValue::AttrValue(std::monostate) {}
AttrValue::AttrValue(bool value) : variant(value) {}
AttrValue::AttrValue(std::int64_t value) : variant(value) {}
AttrValue::AttrValue(double value) : variant(value) {}
AttrValue::AttrValue(std::string value) : variant(std::move(value)) {}
AttrValue::AttrValue(DType value) : variant(value) {}
AttrValue::AttrValue(Dim value) : variant(std::move(value)) {}
AttrValue::AttrValue(std::vector<std::int64_t> value) : variant(std::move(value)) {}
AttrValue::AttrValue(std::vector<Dim> value) : variant(std::move(value)) {}
AttrValue::AttrValue(Array value) : variant(std::move(value)) {}
AttrValue::AttrValue(Function value) : variant(std::move(value)) {}
AttrValue::AttrValue(std::vector<Function> value) : variant(std::move(value)) {}

CALX_DEFINE_SPECIAL_MEMBERS(AttrSpec, AttrSpec);
void AttrSpec::set_default(AttrValue value) { default_value = std::move(value); }

CALX_DEFINE_SPECIAL_MEMBERS(Attrs, Attrs);
Attrs::Attrs(std::initializer_list<Entry> entries) : entries_(entries) {}

const AttrValue* Attrs::find(std::string_view name) const {
  for (const Entry& entry : entries_) {
    if (entry.name == name) return &entry.value;
  }
  return nullptr;
}

bool same_attribute(const AttrValue& a, const AttrValue& b) {
  if (a.index() != b.index()) return false;
  if (const double* real = std::get_if<double>(&a)) {
    return std::bit_cast<std::uint64_t>(*real) == std::bit_cast<std::uint64_t>(std::get<double>(b));
  }
  return a == b;
}

std::uint64_t hash_attribute(const AttrValue& value) {
  const std::uint64_t kind = value.index();
  return std::visit(
      [kind]<class T>(const T& v) -> std::uint64_t {
        std::uint64_t state = kind;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return state;
        } else if constexpr (std::is_same_v<T, double>) {
          return hash_mix(state, std::bit_cast<std::uint64_t>(v));
        } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::int64_t>) {
          return hash_mix(state, static_cast<std::uint64_t>(v));
        } else if constexpr (std::is_same_v<T, std::string>) {
          return hash_string(v, state);
        } else if constexpr (std::is_same_v<T, DType>) {
          return hash_mix(state, static_cast<std::uint64_t>(v.kind()));
        } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
          for (std::int64_t x : v) state = hash_mix(state, static_cast<std::uint64_t>(x));
          return hash_mix(state, v.size());
        } else if constexpr (std::is_same_v<T, std::vector<Dim>> || std::is_same_v<T, std::vector<Function>>) {
          for (const auto& x : v) state = hash_mix(state, x.hash());
          return hash_mix(state, v.size());
        } else {
          return hash_mix(state, v.hash());
        }
      },
      value);
}

Attrs& Attrs::set_value(std::string_view name, AttrValue value) {
  for (Entry& entry : entries_) {
    if (entry.name == name) {
      entry.value = std::move(value);
      return *this;
    }
  }
  entries_.push_back({name, std::move(value)});
  return *this;
}

std::uint64_t Attrs::hash() const {
  std::uint64_t state = entries_.size();
  for (const Entry& entry : entries_) state = hash_mix(hash_string(entry.name, state), hash_attribute(entry.value));
  return state;
}

bool operator==(const Attrs& a, const Attrs& b) {
  if (a.entries_.size() != b.entries_.size()) return false;
  for (std::size_t i = 0; i < a.entries_.size(); ++i) {
    if (a.entries_[i].name != b.entries_[i].name || !same_attribute(a.entries_[i].value, b.entries_[i].value)) {
      return false;
    }
  }
  return true;
}

}  // namespace calx
