// Shapes and types: queries, printing, parsing.
#include "calx/types/type.h"

#include "calx/base/hash.h"

namespace calx {

CALX_DEFINE_SPECIAL_MEMBERS(Shape, Shape);

Shape::Shape(std::initializer_list<Dim> dims) : dims_(dims) {}

Shape::Shape(std::vector<Dim> dims) : dims_(std::move(dims)) {}

Shape Shape::of(const std::vector<std::int64_t>& sizes) { return Shape(std::vector<Dim>(sizes.begin(), sizes.end())); }

bool operator==(const Shape& a, const Shape& b) { return a.dims_ == b.dims_; }

bool Shape::is_static() const {
  for (const Dim& dim : dims_) {
    if (!dim.is_constant()) return false;
  }
  return true;
}

std::vector<std::int64_t> Shape::sizes() const {
  std::vector<std::int64_t> result;
  result.reserve(dims_.size());
  for (const Dim& dim : dims_) result.push_back(dim.value());
  return result;
}

Dim Shape::num_elements() const {
  Dim product = 1;
  for (const Dim& dim : dims_) {
    if (dim == Dim(0)) return 0;
  }
  for (const Dim& dim : dims_) product *= dim;
  return product;
}

Shape Shape::with_axis(int axis, Dim size) const {
  Shape result = *this;
  result.dims_[static_cast<std::size_t>(axis)] = std::move(size);
  return result;
}

Shape Shape::with_inserted(int axis, Dim size) const {
  Shape result = *this;
  result.dims_.insert(result.dims_.begin() + axis, std::move(size));
  return result;
}

Shape Shape::without_axis(int axis) const {
  Shape result = *this;
  result.dims_.erase(result.dims_.begin() + axis);
  return result;
}

std::uint64_t Shape::hash() const {
  std::uint64_t state = dims_.size();
  for (const Dim& dim : dims_) state = hash_mix(state, dim.hash());
  return state;
}

std::string Shape::to_string() const {
  std::string text = "[";
  for (std::size_t i = 0; i < dims_.size(); ++i) {
    if (i > 0) text += ',';
    text += dims_[i].to_string();
  }
  return text + "]";
}

Proof proven_equal(const Shape& a, const Shape& b, const DimFacts& facts) {
  if (a.rank() != b.rank()) return Proof::no;
  Proof result = Proof::yes;
  for (int axis = 0; axis < a.rank(); ++axis) {
    const Proof one = proven_equal(a[axis], b[axis], facts);
    if (one == Proof::no) return Proof::no;
    if (one == Proof::unknown) result = Proof::unknown;
  }
  return result;
}

Type Type::bind(const Bindings& bindings) const {
  std::vector<Dim> dims;
  dims.reserve(shape.dims().size());
  for (const Dim& dim : shape) dims.emplace_back(dim.evaluate(bindings));
  return {dtype, Shape(std::move(dims))};
}

Type Type::substitute(const std::map<std::string, Dim, std::less<>>& replacements) const {
  std::vector<Dim> dims;
  dims.reserve(shape.dims().size());
  for (const Dim& dim : shape) dims.push_back(dim.substitute(replacements));
  return {dtype, Shape(std::move(dims))};
}

std::uint64_t Type::hash() const { return hash_mix(static_cast<std::uint64_t>(dtype.kind()), shape.hash()); }

std::string Type::to_string() const { return std::string(dtype.name()) + shape.to_string(); }

std::optional<Type> parse_type(std::string_view text) {
  const auto open = text.find('[');
  if (open == std::string_view::npos || text.back() != ']') return std::nullopt;
  const std::optional<DType> dtype = DType::from_name(text.substr(0, open));
  if (!dtype) return std::nullopt;
  std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  std::vector<Dim> dims;
  while (!inside.empty()) {
    // A comma inside min(a,b) belongs to the dim.
    std::size_t end = 0;
    for (int depth = 0; end < inside.size() && !(inside[end] == ',' && depth == 0); ++end) {
      depth += inside[end] == '(' ? 1 : inside[end] == ')' ? -1 : 0;
    }
    std::optional<Dim> dim = parse_dim(inside.substr(0, end));
    if (!dim) return std::nullopt;
    dims.push_back(*std::move(dim));
    if (end == inside.size()) break;
    inside.remove_prefix(end + 1);
    if (inside.empty()) return std::nullopt;
  }
  return Type{*dtype, Shape(std::move(dims))};
}

}  // namespace calx
