// What the definitions of shape ops share: their attribute keys, and builders for the rules of other ops.
// Operands fit exactly here; negative axes are the business of each op's type rule.
#pragma once

#include <vector>

#include "calx/core/core_ops.h"
#include "calx/core/lower.h"
#include "calx/core/match.h"
#include "calx/core/reference.h"
#include "calx/core/samples.h"

namespace calx::ops {

namespace shape_attrs {
inline constinit const Attr<std::vector<Dim>> start{"start", required, "first position taken, per axis"};
inline constinit const Attr<std::vector<Dim>> limit{"limit", required,
                                          "the position before which taking stops, per axis"};
inline constinit const Attr<std::vector<std::int64_t>> stride{"stride", std::vector<std::int64_t>{},
                                                    "step between positions taken, per axis; empty: all 1", 1,
                                                    std::numeric_limits<double>::infinity()};
inline constinit const Attr<std::vector<Dim>> low{"low", required,
                                        "elements added before the first, per axis; negative: removed"};
inline constinit const Attr<std::vector<Dim>> high{"high", required,
                                         "elements added after the last, per axis; negative: removed"};
inline constinit const Attr<std::vector<std::int64_t>> interior{
    "interior", std::vector<std::int64_t>{}, "elements added between two neighbours, per axis; empty: all 0",
    0, std::numeric_limits<double>::infinity()};
inline constinit const Attr<std::vector<std::int64_t>> reverse_axes{"axes", required,
                                                          "the axes that are reversed, in [-rank, rank)"};
inline constinit const Attr<std::int64_t> concat_axis{"axis", std::int64_t{0},
                                            "the axis along which operands follow, in [-rank, rank)"};
}  // namespace shape_attrs

/// Calls visit with the unsigned integer type of the dtype's size, for loops that move elements whole.
template <class Visit>
void visit_words(DType dtype, Visit&& visit) {
  switch (dtype.size_bytes()) {
    case 1:
      return visit(std::type_identity<std::uint8_t>{});
    case 2:
      return visit(std::type_identity<std::uint16_t>{});
    case 4:
      return visit(std::type_identity<std::uint32_t>{});
    default:
      return visit(std::type_identity<std::uint64_t>{});
  }
}
template <class Word>
[[nodiscard]] const Word* words(const Array& array) {
  return reinterpret_cast<const Word*>(array.buffer().data());
}
template <class Word>
[[nodiscard]] Word* mutable_words(Array& array) {
  return reinterpret_cast<Word*>(const_cast<std::byte*>(array.buffer().data()));
}

/// An op that is linear in operand 0 and has no other, on a tangent.
[[nodiscard]] Tangent apply_linear(const OpDef& op, const Tangent& t, Attrs attrs);

[[nodiscard]] Tensor make_slice(const Tensor& x, std::vector<Dim> start, std::vector<Dim> limit,
                                std::vector<std::int64_t> stride = {});
[[nodiscard]] Tangent make_slice(const Tangent& t, std::vector<Dim> start, std::vector<Dim> limit,
                                 std::vector<std::int64_t> stride = {});
/// Positions [from, to) along one axis.
[[nodiscard]] Tensor make_slice_along(const Tensor& x, int axis, const Dim& from, const Dim& to);
[[nodiscard]] Tangent make_slice_along(const Tangent& t, int axis, const Dim& from, const Dim& to);
[[nodiscard]] Tensor make_pad(const Tensor& x, const Tensor& value, std::vector<Dim> low,
                              std::vector<Dim> high, std::vector<std::int64_t> interior = {});
/// Padded with zeros.
[[nodiscard]] Tangent make_pad(const Tangent& t, std::vector<Dim> low, std::vector<Dim> high,
                               std::vector<std::int64_t> interior = {});
/// x moved by `by` positions along an axis; what comes in is `value`, what leaves is lost.
[[nodiscard]] Tensor make_shift(const Tensor& x, const Tensor& value, int axis, int by);
[[nodiscard]] Tangent make_shift(const Tangent& t, int axis, int by);
[[nodiscard]] Tensor make_reverse(const Tensor& x, std::vector<std::int64_t> axes);
[[nodiscard]] Tensor make_concat(const Tensors& parts, int axis);
/// x with the axes that have size 1 by construction removed or added: a reshape that keeps the order of
/// elements.
[[nodiscard]] Tensor make_squeeze(const Tensor& x, int axis);
[[nodiscard]] Tensor make_unsqueeze(const Tensor& x, int axis);

/// Size of the result of a slice or of padding along one axis.
[[nodiscard]] Dim sliced_size(const Dim& start, const Dim& limit, std::int64_t stride);
[[nodiscard]] Dim padded_size(const Dim& size, const Dim& low, const Dim& high, std::int64_t interior);

/// `values`, or `count` times `value` where it is empty.
[[nodiscard]] std::vector<std::int64_t> filled(std::vector<std::int64_t> values, int count,
                                               std::int64_t value);
/// `values` with `value` put before them.
template <class T>
[[nodiscard]] std::vector<T> prepended(T value, std::vector<T> values) {
  values.insert(values.begin(), std::move(value));
  return values;
}
/// Every axis moved by one: what a new leading axis does to it.
[[nodiscard]] std::vector<std::int64_t> shifted(std::vector<std::int64_t> axes, std::int64_t by = 1);

}  // namespace calx::ops
