// Shape and Type: what is known of a tensor without its data. Regular values, printed `f32[B,784]` everywhere.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "calx/base/special_members.h"
#include "calx/types/dim.h"
#include "calx/types/dtype.h"

namespace calx {

class Shape {
 public:
  Shape() = default;  // rank 0
  CALX_SPECIAL_MEMBERS(Shape);
  Shape(std::initializer_list<Dim> dims);
  explicit Shape(std::vector<Dim> dims);
  [[nodiscard]] static Shape of(const std::vector<std::int64_t>& sizes);

  [[nodiscard]] int rank() const { return static_cast<int>(dims_.size()); }
  [[nodiscard]] const Dim& operator[](int axis) const { return dims_[static_cast<std::size_t>(axis)]; }
  [[nodiscard]] const std::vector<Dim>& dims() const { return dims_; }
  [[nodiscard]] auto begin() const { return dims_.begin(); }
  [[nodiscard]] auto end() const { return dims_.end(); }

  [[nodiscard]] bool is_static() const;
  /// The sizes of a static shape; an internal error otherwise.
  [[nodiscard]] std::vector<std::int64_t> sizes() const;
  /// Product of the dims; raises size_overflow.
  [[nodiscard]] Dim num_elements() const;

  [[nodiscard]] Shape with_axis(int axis, Dim size) const;       // replaces
  [[nodiscard]] Shape with_inserted(int axis, Dim size) const;   // inserts before axis (rank() appends)
  [[nodiscard]] Shape without_axis(int axis) const;

  friend bool operator==(const Shape& a, const Shape& b);        // structural
  [[nodiscard]] std::uint64_t hash() const;
  [[nodiscard]] std::string to_string() const;                   // "[2,B]"

 private:
  std::vector<Dim> dims_;
};

/// Are all dims equal, provably / not / perhaps?
[[nodiscard]] Proof proven_equal(const Shape& a, const Shape& b, const DimFacts& facts = {});

struct Type {
  DType dtype = f32;
  Shape shape = {};

  [[nodiscard]] int rank() const { return shape.rank(); }
  [[nodiscard]] Type with_dtype(DType other) const { return {other, shape}; }
  [[nodiscard]] Type with_shape(Shape other) const { return {dtype, std::move(other)}; }
  [[nodiscard]] Type bind(const Bindings& bindings) const;
  [[nodiscard]] Type substitute(const std::map<std::string, Dim, std::less<>>& replacements) const;
  friend bool operator==(const Type&, const Type&) = default;
  [[nodiscard]] std::uint64_t hash() const;
  [[nodiscard]] std::string to_string() const;                   // "f32[2,B]"
};

/// Parses "f32[2,B]"; nullopt if the text is no type.
[[nodiscard]] std::optional<Type> parse_type(std::string_view text);

}  // namespace calx
