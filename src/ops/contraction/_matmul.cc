// matmul as dot_general. A batch axis that only one operand has (or that is 1 in the other) becomes a free
// axis of that operand, so that nothing is repeated in memory and no gradient has to be summed over copies.
#include <algorithm>

#include "calx/base/format.h"
#include "calx/ops/contraction.h"
#include "contraction/_sugar.h"

namespace calx {
namespace {

using Axes = std::vector<std::int64_t>;

[[noreturn]] void fail(ErrorId id, const std::string& message, const Tensor& lhs, const Tensor& rhs,
                       SourceLoc where, std::string hint = {}) {
  raise({.id = id,
         .op = "matmul",
         .message = message,
         .where = where,
         .hint = std::move(hint),
         .facts = {{"lhs", lhs.type().to_string()}, {"rhs", rhs.type().to_string()}}});
}

bool is_one(const Dim& dim) { return dim == Dim(1); }

}  // namespace

Tensor matmul(const Operand& left, const Operand& right, const MatmulOptions& options) {
  const SourceLoc where = left.where();
  const std::vector<Tensor> promoted = detail::promote_operands("matmul", {left, right}, where);
  const Tensor& lhs = promoted[0];
  const Tensor& rhs = promoted[1];
  const LocationScope location(where);
  if (lhs.rank() == 0 || rhs.rank() == 0) {
    fail(ErrorId::rank,
         format("`{}` is {}, but both operands need rank 1 or more", lhs.rank() == 0 ? "lhs" : "rhs",
                (lhs.rank() == 0 ? lhs : rhs).type().to_string()),
         lhs, rhs, where, "multiply by a scalar with *");
  }
  const bool lhs_is_vector = lhs.rank() == 1;
  const bool rhs_is_vector = rhs.rank() == 1;
  const Dim& inner = lhs.shape()[lhs.rank() - 1];
  const Dim& outer = rhs.shape()[rhs_is_vector ? 0 : rhs.rank() - 2];
  if (const Proof equal = proven_equal(inner, outer); equal != Proof::yes) {
    const bool transposes = !rhs_is_vector && proven_equal(inner, rhs.shape()[rhs.rank() - 1]) == Proof::yes;
    fail(equal == Proof::no ? ErrorId::contracted_size : ErrorId::dim_unknown,
         format("`lhs` {} and `rhs` {} {} in the contracted size ({} and {})", lhs.type().to_string(),
                rhs.type().to_string(), equal == Proof::no ? "differ" : "may differ", inner.to_string(),
                outer.to_string()),
         lhs, rhs, where, transposes ? "transpose `rhs`?" : "");
  }

  const int lhs_leading = std::max(lhs.rank() - 2, 0);
  const int rhs_leading = std::max(rhs.rank() - 2, 0);
  const int leading = std::max(lhs_leading, rhs_leading);
  // Axis i of the result's leading axes comes from both, from lhs alone or from rhs alone.
  enum class From { both, lhs, rhs, neither };
  std::vector<From> origin;
  std::vector<Dim> sizes;
  std::vector<Dim> lhs_kept;
  std::vector<Dim> rhs_kept;
  Axes lhs_batch;
  Axes rhs_batch;
  for (int i = 0; i < leading; ++i) {
    const int l = i - (leading - lhs_leading);
    const int r = i - (leading - rhs_leading);
    const Dim a = l >= 0 ? lhs.shape()[l] : Dim(1);
    const Dim b = r >= 0 ? rhs.shape()[r] : Dim(1);
    From from = From::both;
    if (is_one(a) && is_one(b)) {
      from = From::neither;
    } else if (is_one(b)) {
      from = From::lhs;
    } else if (is_one(a)) {
      from = From::rhs;
    } else if (const Proof equal = proven_equal(a, b); equal != Proof::yes) {
      fail(equal == Proof::no ? ErrorId::shape_mismatch : ErrorId::dim_unknown,
           format("the leading axes of `lhs` {} and `rhs` {} do not broadcast ({} and {})",
                  lhs.type().to_string(), rhs.type().to_string(), a.to_string(), b.to_string()),
           lhs, rhs, where, "leading sizes broadcast when they are equal or 1");
    }
    origin.push_back(from);
    sizes.push_back(is_one(a) ? b : a);
    if (from == From::both) {
      lhs_batch.push_back(static_cast<std::int64_t>(lhs_kept.size()));
      rhs_batch.push_back(static_cast<std::int64_t>(rhs_kept.size()));
    }
    if (from == From::both || from == From::lhs) lhs_kept.push_back(a);
    if (from == From::both || from == From::rhs) rhs_kept.push_back(b);
  }
  for (int axis = lhs_leading; axis < lhs.rank(); ++axis) lhs_kept.push_back(lhs.shape()[axis]);
  for (int axis = rhs_leading; axis < rhs.rank(); ++axis) rhs_kept.push_back(rhs.shape()[axis]);
  const auto lhs_contract = static_cast<std::int64_t>(lhs_kept.size()) - 1;
  const auto rhs_contract = static_cast<std::int64_t>(rhs_kept.size()) - (rhs_is_vector ? 1 : 2);
  const Tensor product = detail::dot(core::reshape(lhs, Shape(std::move(lhs_kept))),
                                     core::reshape(rhs, Shape(std::move(rhs_kept))), lhs_batch, rhs_batch,
                                     {lhs_contract}, {rhs_contract}, options.accumulation, where);

  // The product's axes: both, lhs alone, rows, rhs alone, columns.
  Axes order;
  std::int64_t next_both = 0;
  std::int64_t next_lhs = std::count(origin.begin(), origin.end(), From::both);
  const std::int64_t rows = next_lhs + std::count(origin.begin(), origin.end(), From::lhs);
  std::int64_t next_rhs = rows + (lhs_is_vector ? 0 : 1);
  const std::int64_t columns = next_rhs + std::count(origin.begin(), origin.end(), From::rhs);
  for (const From from : origin) {
    if (from == From::both) order.push_back(next_both++);
    if (from == From::lhs) order.push_back(next_lhs++);
    if (from == From::rhs) order.push_back(next_rhs++);
  }
  if (!lhs_is_vector) {
    order.push_back(rows);
    sizes.push_back(lhs.shape()[lhs.rank() - 2]);
  }
  if (!rhs_is_vector) {
    order.push_back(columns);
    sizes.push_back(rhs.shape()[rhs.rank() - 1]);
  }
  const Tensor ordered =
      std::is_sorted(order.begin(), order.end()) ? product : core::transpose(product, order);
  return core::reshape(ordered, Shape(std::move(sizes)));
}

}  // namespace calx
