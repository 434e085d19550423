// Enumerations that are attributes of ops. Each has an EnumNames specialisation whose names are its enumerators, in
// order: the text format and the generated code spell them so.
#pragma once

#include "calx/core/attributes.h"
#include "calx/loopir/lowered.h"

namespace calx {

/// How attention's operands are laid out: b batch, h heads, s positions, d features; hd heads and features fused.
enum class AttentionLayout : std::uint8_t { bhsd, bshd, bs_hd };
template <>
struct EnumNames<AttentionLayout> {
  static constexpr std::string_view type = "AttentionLayout";
  static constexpr std::string_view names[] = {"bhsd", "bshd", "bs_hd"};
};

/// Which query and key positions count as the same moment where there are not as many queries as keys.
enum class AttentionAlignment : std::uint8_t { automatic, top_left, bottom_right };
template <>
struct EnumNames<AttentionAlignment> {
  static constexpr std::string_view type = "AttentionAlignment";
  static constexpr std::string_view names[] = {"automatic", "top_left", "bottom_right"};
};

/// What a floating mask of attention means: added to the scores, or a key is kept iff the entry is at least 0.5.
enum class FloatMask : std::uint8_t { additive, at_least_half };
template <>
struct EnumNames<FloatMask> {
  static constexpr std::string_view type = "FloatMask";
  static constexpr std::string_view names[] = {"additive", "at_least_half"};
};

/// gelu: the exact form, or the one with tanh.
enum class GeluApproximation : std::uint8_t { none, tanh };
template <>
struct EnumNames<GeluApproximation> {
  static constexpr std::string_view type = "GeluApproximation";
  static constexpr std::string_view names[] = {"none", "tanh"};
};

/// Losses: what becomes of the values of the single examples.
enum class LossReduction : std::uint8_t { none, sum, mean };
template <>
struct EnumNames<LossReduction> {
  static constexpr std::string_view type = "LossReduction";
  static constexpr std::string_view names[] = {"none", "sum", "mean"};
};

// What gather and the scatters do with slices that are not wholly inside; loopir owns its meaning.
using loopir::IndexMode;
template <>
struct EnumNames<IndexMode> {
  static constexpr std::string_view type = "IndexMode";
  static constexpr std::string_view names[] = {"in_bounds", "clip", "fill", "wrap"};
};

/// What the index ops that people call do with an index outside [0, size). Negative ones count from the back first.
enum class OutOfRange : std::uint8_t {
  error,  // the run completes, then raises index_out_of_range
  clip,   // the nearest index that is inside
  fill,   // reads give the fill value, writes are dropped
  wrap,   // the index modulo the size
};
template <>
struct EnumNames<OutOfRange> {
  static constexpr std::string_view type = "OutOfRange";
  static constexpr std::string_view names[] = {"error", "clip", "fill", "wrap"};
};

}  // namespace calx
