// Products of tensors as people write them: matmul, einsum and conv. Sugar: they become dot_general and
// conv_general (with reshapes, transposes and sums), so that transforms and backends meet two ops.
#pragma once

#include <optional>
#include <source_location>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "calx/core/operand.h"

namespace calx {

struct MatmulOptions {
  /// dtype of the running sums; none: the dtype's own (f32 for f16 and bf16).
  std::optional<DType> accumulation = {};
};

/// NumPy's matmul. `lhs: f32[a,m,k]`, `rhs: f32[a,k,n]` -> `f32[a,m,n]`: leading axes broadcast; an operand
/// of rank 1 is a vector whose axis is contracted. dtypes are promoted. Errors: CALX-E207 where the
/// contracted sizes differ, CALX-E201 for rank 0, CALX-E202 where leading axes do not broadcast, CALX-E101
/// for booleans.
[[nodiscard]] Tensor matmul(const Operand& lhs, const Operand& rhs, const MatmulOptions& options = {});

/// NumPy's einsum: `einsum("bhqd,bhkd->bhqk", {q, k})`. One letter per axis; a letter that occurs twice in
/// one operand takes its diagonal; letters not in the result are summed over. Without `->` the result has the
/// letters that occur once, sorted. Operands are contracted from left to right, two at a time. Sizes of one
/// letter must be equal (1 does not stretch); there is no `...`. Errors: CALX-E305 for a malformed text,
/// CALX-E304 for the number of operands, CALX-E201 for their rank, CALX-E202 for sizes.
[[nodiscard]] Tensor einsum(std::string_view subscripts, const std::vector<Operand>& operands,
                            const MatmulOptions& options = {}, SourceLoc line = SourceLoc::current());

/// Zeros around the spatial axes: `"valid"` (none), `"same"` (as many as give ceil(size / stride) results,
/// the odd one at the end), one count for every side, or the counts before and after each axis.
class Padding {
 public:
  Padding(const char* kind, const std::source_location& where = std::source_location::current());
  template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
  Padding(T everywhere, const std::source_location& where = std::source_location::current()) : kind_(Kind::everywhere) {
    if constexpr (std::is_constructible_v<Dim, T, const std::source_location&>) {
      everywhere_ = Dim(everywhere, where);
    } else {
      everywhere_ = everywhere;
    }
  }
  Padding(std::vector<std::pair<Dim, Dim>> low_and_high);

  /// (low, high) of each axis; `where` and the sizes are for errors and for `"same"`.
  [[nodiscard]] std::vector<std::pair<Dim, Dim>> resolve(const std::vector<Dim>& sizes,
                                                         const std::vector<Dim>& kernel_spans,
                                                         const std::vector<std::int64_t>& strides,
                                                         SourceLoc where) const;

 private:
  enum class Kind : std::uint8_t { valid, same, everywhere, explicit_counts };
  Kind kind_ = Kind::valid;
  Dim everywhere_ = 0;
  std::vector<std::pair<Dim, Dim>> low_and_high_ = {};
};

struct ConvOptions {
  std::vector<std::int64_t> strides = {};  // empty: 1 on every axis; one entry: for every axis
  Padding padding = "valid";
  std::vector<std::int64_t> dilation = {};  // of the kernel, as strides
  Dim groups = 1;
  std::optional<DType> accumulation = {};
};

/// Convolution as networks use it (the kernel is not turned round). `x: f32[n,c,h,w]`,
/// `w: f32[o,c/groups,kh,kw]` -> `f32[n,o,oh,ow]`, for any number of spatial axes. dtypes are promoted.
/// Errors: as conv_general, which it becomes.
[[nodiscard]] Tensor conv(const Operand& x, const Operand& w, const ConvOptions& options = {});

}  // namespace calx
