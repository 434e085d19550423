// Attributes: the typed, compile-time part of an equation. A key (Attr<T>) is declared once, in the op's file; reading
// `c[axis]` is typed; option structs, docs and the text format are generated from the same keys.
// Invariant: the attributes of a node or equation hold every attribute of its op, in the op's order, defaults filled in.
#pragma once

#include <concepts>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "calx/base/special_members.h"
#include "calx/core/function.h"
#include "calx/types/array.h"

namespace calx {

enum class AttrKind : std::uint8_t { boolean, integer, real, text, dtype, dim, integers, dims, array, function, functions, enumeration };

/// The value of an attribute. monostate is "none", for optional attributes. Enumerations are stored as integers.
class AttrValue : public std::variant<std::monostate, bool, std::int64_t, double, std::string, DType, Dim,
                                      std::vector<std::int64_t>, std::vector<Dim>, Array, Function, std::vector<Function>> {
 public:
  AttrValue() = default;
  CALX_SPECIAL_MEMBERS(AttrValue);
  AttrValue(std::monostate);
  AttrValue(bool value);
  AttrValue(std::int64_t value);
  AttrValue(double value);
  AttrValue(std::string value);
  AttrValue(DType value);
  AttrValue(Dim value);
  AttrValue(std::vector<std::int64_t> value);
  AttrValue(std::vector<Dim> value);
  AttrValue(Array value);
  AttrValue(Function value);
  AttrValue(std::vector<Function> value);
};

[[nodiscard]] bool same_attribute(const AttrValue& a, const AttrValue& b);  // bitwise on doubles and arrays
[[nodiscard]] std::uint64_t hash_attribute(const AttrValue& value);

/// Specialise for an enumeration that is an attribute: names[i] is the spelling of value i.
template <class Enum>
struct EnumNames;  // static constexpr std::string_view names[] = {...};

namespace detail {

template <class T>
struct AttrTraits;

#define CALX_ATTR_TRAITS(T, Kind)                                                  \
  template <>                                                                      \
  struct AttrTraits<T> {                                                           \
    static constexpr AttrKind kind = AttrKind::Kind;                               \
    static AttrValue store(T value) { return AttrValue(std::move(value)); }        \
    static T load(const AttrValue& value) { return std::get<T>(value); }           \
  };
CALX_ATTR_TRAITS(bool, boolean)
CALX_ATTR_TRAITS(std::int64_t, integer)
CALX_ATTR_TRAITS(double, real)
CALX_ATTR_TRAITS(std::string, text)
CALX_ATTR_TRAITS(DType, dtype)
CALX_ATTR_TRAITS(Dim, dim)
CALX_ATTR_TRAITS(std::vector<std::int64_t>, integers)
CALX_ATTR_TRAITS(std::vector<Dim>, dims)
CALX_ATTR_TRAITS(Array, array)
CALX_ATTR_TRAITS(Function, function)
CALX_ATTR_TRAITS(std::vector<Function>, functions)
#undef CALX_ATTR_TRAITS

template <class E>
  requires std::is_enum_v<E>
struct AttrTraits<E> {
  static constexpr AttrKind kind = AttrKind::enumeration;
  static AttrValue store(E value) { return AttrValue(static_cast<std::int64_t>(value)); }
  static E load(const AttrValue& value) { return static_cast<E>(std::get<std::int64_t>(value)); }
};

template <class T>
struct AttrTraits<std::optional<T>> {
  static constexpr AttrKind kind = AttrTraits<T>::kind;
  static AttrValue store(std::optional<T> value) {
    return value ? AttrTraits<T>::store(*std::move(value)) : AttrValue(std::monostate{});
  }
  static std::optional<T> load(const AttrValue& value) {
    if (std::holds_alternative<std::monostate>(value)) return std::nullopt;
    return AttrTraits<T>::load(value);
  }
};

template <class T>
struct Held {
  using type = T;
};
template <class T>
struct Held<std::optional<T>> {
  using type = T;
};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

}  // namespace detail

struct Required {};
inline constexpr Required required{};

/// A typed attribute key. Declare it `constinit const` at file scope in the op's file: the op table may be asked for before
/// the initialisers of other files have run, as by a tensor at namespace scope.
template <class T>
struct Attr {
  using value_type = T;
  std::string_view name;
  std::string_view doc;
  /// Inclusive range of integers and reals; checked when the op is applied.
  double lowest, largest;

  constexpr Attr(std::string_view key, Required, std::string_view text, double low = -kNoBound, double high = kNoBound)
      : name(key), doc(text), lowest(low), largest(high) {}
  constexpr Attr(std::string_view key, T value, std::string_view text, double low = -kNoBound, double high = kNoBound)
      : name(key), doc(text), lowest(low), largest(high), constant_(std::move(value)) {}
  /// A default that owns memory, which a constant may not: made where it is asked for.
  constexpr Attr(std::string_view key, T (*make)(), std::string_view text, double low = -kNoBound, double high = kNoBound)
      : name(key), doc(text), lowest(low), largest(high), make_(make) {}

  /// Empty: required.
  [[nodiscard]] std::optional<T> default_value() const { return make_ != nullptr ? std::optional<T>(make_()) : constant_; }

 private:
  static constexpr double kNoBound = std::numeric_limits<double>::infinity();
  std::optional<T> constant_ = {};
  T (*make_)() = nullptr;
};

/// What the table knows of an attribute: a type-erased key.
struct AttrSpec {
  std::string_view name;
  AttrKind kind = AttrKind::integer;
  bool is_optional = false;                  // "none" is a value
  std::optional<AttrValue> default_value = {};  // empty: required
  std::string_view doc = {};
  std::span<const std::string_view> names = {};  // of an enumeration
  double lowest = -std::numeric_limits<double>::infinity();
  double largest = std::numeric_limits<double>::infinity();
  std::string_view enum_type = {};           // C++ name of the enumeration, for generated headers

  template <class T>
  AttrSpec(const Attr<T>& key)
      : name(key.name),
        kind(detail::AttrTraits<T>::kind),
        is_optional(detail::is_optional<T>),
        doc(key.doc),
        lowest(key.lowest),
        largest(key.largest) {
    if (std::optional<T> value = key.default_value()) set_default(detail::AttrTraits<T>::store(*std::move(value)));
    using Held = typename detail::Held<T>::type;
    if constexpr (std::is_enum_v<Held>) {
      names = EnumNames<Held>::names;
      enum_type = EnumNames<Held>::type;
    }
  }
  CALX_SPECIAL_MEMBERS(AttrSpec);

 private:
  void set_default(AttrValue value);
};

class Attrs {
 public:
  struct Entry {
    std::string_view name;  // static storage: the op's spec
    AttrValue value;
  };

  Attrs() = default;
  CALX_SPECIAL_MEMBERS(Attrs);
  Attrs(std::initializer_list<Entry> entries);

  [[nodiscard]] const AttrValue* find(std::string_view name) const;
  template <class T>
  [[nodiscard]] T operator[](const Attr<T>& key) const {
    if (const AttrValue* value = find(key.name)) return detail::AttrTraits<T>::load(*value);
    std::optional<T> value = key.default_value();
    CALX_ASSERT(value.has_value(), std::string(key.name));
    return *std::move(value);
  }
  /// Adds or replaces.
  template <class T>
  Attrs& set(const Attr<T>& key, std::type_identity_t<T> value) {
    return set_value(key.name, detail::AttrTraits<T>::store(std::move(value)));
  }
  template <class T>
  [[nodiscard]] Attrs with(const Attr<T>& key, std::type_identity_t<T> value) const {
    Attrs result = *this;
    result.set(key, std::move(value));
    return result;
  }
  Attrs& set_value(std::string_view name, AttrValue value);

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::uint64_t hash() const;
  friend bool operator==(const Attrs& a, const Attrs& b);

 private:
  std::vector<Entry> entries_;
};

/// Makes one entry, for lists: apply(op, operands, {attr(axis, 1), attr(keepdims, true)}).
template <class T>
[[nodiscard]] Attrs::Entry attr(const Attr<T>& key, std::type_identity_t<T> value) {
  return {key.name, detail::AttrTraits<T>::store(std::move(value))};
}

}  // namespace calx
