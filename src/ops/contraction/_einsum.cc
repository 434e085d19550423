// einsum as diagonals, sums, dot_generals and one transpose.
#include <algorithm>
#include <map>
#include <string>

#include "calx/base/format.h"
#include "calx/base/printable.h"
#include "calx/ops/contraction.h"
#include "contraction/_sugar.h"

namespace calx {
namespace {

/// A tensor and the letter of each axis.
struct Term {
  Tensor tensor;
  std::string letters;
};

[[noreturn]] void fail_einsum(ErrorId id, std::string message, SourceLoc where, std::string hint = {}) {
  raise({.id = id, .op = "einsum", .message = std::move(message), .where = where, .hint = std::move(hint)});
}

struct Subscripts {
  std::vector<std::string> operands;
  std::string result;
};

/// The whole character that `byte`, an element of `text`, begins or belongs to.
std::string_view character(std::string_view text, const char& byte) {
  const std::string_view rest = text.substr(static_cast<std::size_t>(&byte - text.data()));
  return rest.substr(0, std::max<std::size_t>(1, utf8_length(rest)));
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

Subscripts parse(std::string_view text, SourceLoc where) {
  const std::string quoted = '"' + shown(text) + '"';
  std::string compact;
  for (const char c : text) {
    if (c != ' ') compact += c;
  }
  Subscripts parsed;
  const std::size_t arrow = compact.find("->");
  std::string given = compact.substr(0, arrow);
  parsed.operands.emplace_back();
  for (const char& c : given) {
    if (c == ',') {
      parsed.operands.emplace_back();
    } else if (is_letter(c)) {
      parsed.operands.back() += c;
    } else {
      fail_einsum(ErrorId::value, format("`{}` in {} is no letter", character(given, c), quoted), where,
           "axes are named by letters, as in \"ij,jk->ik\"");
    }
  }
  given.erase(std::remove(given.begin(), given.end(), ','), given.end());
  if (arrow == std::string::npos) {
    std::map<char, int> occurrences;
    for (const char c : given) ++occurrences[c];
    for (const auto& [letter, count] : occurrences) {
      if (count == 1) parsed.result += letter;
    }
    return parsed;
  }
  parsed.result = compact.substr(arrow + 2);
  for (const char& c : parsed.result) {
    if (!is_letter(c)) {
      fail_einsum(ErrorId::value, format("`{}` in the result of {} is no letter", character(parsed.result, c), quoted), where);
    }
    if (given.find(c) == std::string::npos) {
      fail_einsum(ErrorId::value, format("letter `{}` of the result of {} is in no operand", c, quoted), where);
    }
    if (std::count(parsed.result.begin(), parsed.result.end(), c) > 1) {
      fail_einsum(ErrorId::value, format("letter `{}` is twice in the result of {}", c, quoted), where);
    }
  }
  return parsed;
}

/// Axis `second` removed, keeping the elements whose coordinates on both axes agree. The fill is -0, the
/// identity of the sum, so every element keeps its bits.
Term take_diagonal(const Term& term, std::size_t first, std::size_t second) {
  const Shape& shape = term.tensor.shape();
  const Tensor agree = core::compare(core::iota(shape, static_cast<int>(first)),
                                     core::iota(shape, static_cast<int>(second)), Comparison::eq);
  const Tensor kept = core::select(agree, term.tensor, core::full(term.tensor.type(), -0.0));
  std::string letters = term.letters;
  letters.erase(second, 1);
  return {core::reduce_sum(kept, {static_cast<std::int64_t>(second)}), std::move(letters)};
}

Term take_diagonals(Term term) {
  for (std::size_t i = 0; i < term.letters.size(); ++i) {
    for (std::size_t other; (other = term.letters.find(term.letters[i], i + 1)) != std::string::npos;) {
      term = take_diagonal(term, i, other);
    }
  }
  return term;
}

Term sum_over_others(Term term, const std::string& wanted, std::optional<DType> accumulation) {
  std::vector<std::int64_t> axes;
  std::string kept;
  for (std::size_t i = 0; i < term.letters.size(); ++i) {
    if (wanted.find(term.letters[i]) == std::string::npos) {
      axes.push_back(static_cast<std::int64_t>(i));
    } else {
      kept += term.letters[i];
    }
  }
  return {core::reduce_sum(term.tensor, axes, accumulation), std::move(kept)};
}

Term multiply(const Term& lhs, const Term& rhs, const std::string& wanted, std::optional<DType> accumulation,
              SourceLoc where) {
  std::vector<std::int64_t> lhs_batch;
  std::vector<std::int64_t> rhs_batch;
  std::vector<std::int64_t> lhs_contract;
  std::vector<std::int64_t> rhs_contract;
  std::string batch;
  std::string free;
  for (std::size_t i = 0; i < lhs.letters.size(); ++i) {
    const char letter = lhs.letters[i];
    const std::size_t other = rhs.letters.find(letter);
    if (other == std::string::npos) {
      free += letter;
      continue;
    }
    const bool stays = wanted.find(letter) != std::string::npos;
    (stays ? lhs_batch : lhs_contract).push_back(static_cast<std::int64_t>(i));
    (stays ? rhs_batch : rhs_contract).push_back(static_cast<std::int64_t>(other));
    if (stays) batch += letter;
  }
  for (const char letter : rhs.letters) {
    if (lhs.letters.find(letter) == std::string::npos) free += letter;
  }
  return {detail::dot(lhs.tensor, rhs.tensor, lhs_batch, rhs_batch, lhs_contract, rhs_contract, accumulation,
                      where),
          batch + free};
}

void check_sizes(const std::vector<Term>& terms, std::string_view text, SourceLoc where) {
  std::map<char, std::pair<Dim, std::size_t>> sizes;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const Term& term = terms[k];
    if (term.letters.size() != static_cast<std::size_t>(term.tensor.rank())) {
      fail_einsum(ErrorId::rank,
           format("operand {} of \"{}\" is {} but has {} letter(s)", k, shown(text), term.tensor.type().to_string(),
                  term.letters.size()),
           where);
    }
    for (std::size_t i = 0; i < term.letters.size(); ++i) {
      const Dim& size = term.tensor.shape()[static_cast<int>(i)];
      const auto [known, is_new] = sizes.try_emplace(term.letters[i], size, k);
      const Proof equal = is_new ? Proof::yes : proven_equal(known->second.first, size);
      if (equal == Proof::yes) continue;
      fail_einsum(equal == Proof::no ? ErrorId::shape_mismatch : ErrorId::dim_unknown,
           format("letter `{}` of \"{}\" is {} in operand {} and {} in operand {}", term.letters[i], shown(text),
                  known->second.first.to_string(), known->second.second, size.to_string(), k),
           where);
    }
  }
}

}  // namespace

Tensor einsum(std::string_view subscripts, const std::vector<Operand>& operands, const MatmulOptions& options, SourceLoc line) {
  const SourceLoc where = operands.empty() ? line : operands.front().where();
  const Subscripts parsed = parse(subscripts, where);
  if (parsed.operands.size() != operands.size()) {
    fail_einsum(ErrorId::arity,
         format("\"{}\" names {} operand(s) but was given {}", shown(subscripts), parsed.operands.size(), operands.size()),
         where);
  }
  const std::vector<Tensor> tensors = detail::promote_operands("einsum", operands, where);
  const LocationScope location(where);
  std::vector<Term> terms;
  for (std::size_t k = 0; k < tensors.size(); ++k) terms.push_back({tensors[k], parsed.operands[k]});
  check_sizes(terms, subscripts, where);

  Term product;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    std::string later = parsed.result;
    for (std::size_t other = k + 1; other < terms.size(); ++other) later += parsed.operands[other];
    Term term = take_diagonals(std::move(terms[k]));
    term = sum_over_others(std::move(term), later + (k > 0 ? product.letters : ""), options.accumulation);
    product = k == 0 ? std::move(term) : multiply(product, term, later, options.accumulation, where);
    product = sum_over_others(std::move(product), later, options.accumulation);
  }
  std::vector<std::int64_t> order;
  for (const char letter : parsed.result)
    order.push_back(static_cast<std::int64_t>(product.letters.find(letter)));
  return std::is_sorted(order.begin(), order.end()) ? product.tensor : core::transpose(product.tensor, order);
}

}  // namespace calx
