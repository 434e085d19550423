// The one error type of the project. A user's mistake is an `Error` with an id, the op, facts (operand names, types,
// values), the user's file and line, and a hint; a bug of ours is an `InternalError`. Nothing aborts.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calx/base/source_location.h"

namespace calx {

/// Identifies a kind of mistake. The number is what the message ends with (CALX-E203); grouped by hundreds.
enum class ErrorId {
  // 1xx: dtypes
  dtype = 101,                 // an operand has a dtype that the op does not take
  dtype_mismatch = 102,        // two operands that must share a dtype do not
  promotion = 103,             // no dtype holds both operands
  item_dtype = 104,            // elements of a tensor or array read as another T than its dtype
  // 2xx: shapes
  rank = 201,
  shape_mismatch = 202,        // shapes that must be equal or broadcast do not
  axis = 203,                  // axis outside [-rank, rank)
  duplicate_axis = 204,
  reshape_count = 205,         // element counts differ
  contracted_size = 207,
  dim_unknown = 208,           // a relation between symbolic sizes can be neither proven nor refuted
  dim_unbound = 209,           // a symbol that no argument determines
  size_overflow = 210,         // an element or byte count exceeds 63 bits
  empty_axis = 211,            // max, min or argmax over an empty axis
  dim_binding = 212,           // run-time sizes contradict the declared ones
  // 3xx: attributes and values
  attribute = 301,             // attribute out of its range or of the wrong kind
  attribute_missing = 302,
  attribute_unknown = 303,
  arity = 304,                 // wrong number of operands or results
  value = 305,
  // 4xx: indices
  index_out_of_range = 401,    // raised at run time
  // 5xx: tracing
  traced_read = 501,           // reading the value of a traced tensor
  leaked_tensor = 502,         // a tensor used after its trace ended
  undefined_tensor = 503,      // a default-constructed tensor was used
  tree = 504,                  // tree structures differ
  // 6xx: transforms
  grad_not_scalar = 601,
  grad_integer = 602,          // gradient with respect to an integer or boolean
  not_linear = 603,            // transposing a function that is not linear in the operand
  no_rule = 604,               // the op states no rule for this transform
  carry_type = 605,            // a loop body changes the type of a carry
  region_signature = 606,      // branches or bodies with unsuitable arguments or results
  unbounded_reverse = 607,     // while_loop in reverse without max_steps
  vmap_axis = 608,
  gradient_check = 609,        // check_grads found a difference
  // 7xx: text format and verifier
  parse = 701,
  verify = 702,
  // 8xx: files
  file_open = 801,
  file_format = 802,
  // 9xx: ours
  unsupported = 901,
  internal = 999,
};

using Facts = std::vector<std::pair<std::string, std::string>>;

/// A user's mistake, told in the user's terms.
/// what() is ``op: message · file:line · hint: … · CALX-E207``.
class Error : public std::runtime_error {
 public:
  struct Parts {
    ErrorId id = ErrorId::internal;
    std::string op = {};   // empty when no op is concerned
    std::string message = {};  // without op, place, hint and id
    SourceLoc where = {};
    std::string hint = {};
    Facts facts = {};
    std::vector<std::string> notes = {};
  };

  explicit Error(Parts parts);

  [[nodiscard]] ErrorId id() const { return parts_.id; }
  [[nodiscard]] const std::string& op() const { return parts_.op; }
  [[nodiscard]] const std::string& message() const { return parts_.message; }
  [[nodiscard]] const SourceLoc& where() const { return parts_.where; }
  [[nodiscard]] const std::string& hint() const { return parts_.hint; }
  [[nodiscard]] const Facts& facts() const { return parts_.facts; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return parts_.notes; }
  [[nodiscard]] const Parts& parts() const { return parts_; }

 private:
  Parts parts_;
};

// Subclasses exist only where callers act differently.
class DTypeError : public Error { using Error::Error; };
class ShapeError : public Error { using Error::Error; };
class ValueError : public Error { using Error::Error; };
class IndexError : public Error { using Error::Error; };
class UnsupportedError : public Error { using Error::Error; };
class FileError : public Error { using Error::Error; };
class InternalError : public Error { using Error::Error; };

/// Throws the subclass that belongs to parts.id.
[[noreturn]] void raise(Error::Parts parts);

/// "CALX-E207".
[[nodiscard]] std::string to_string(ErrorId id);

/// Throws InternalError: a broken invariant of ours, never a user's mistake.
[[noreturn]] void raise_internal(std::string message, SourceLoc where = SourceLoc::current());
[[noreturn]] void raise_broken_invariant(const char* condition, const std::string& detail = {},
                                         SourceLoc where = SourceLoc::current());

}  // namespace calx

/// Checks an invariant of ours in every build.
#define CALX_ASSERT(condition, ...)          \
  (static_cast<bool>(condition) ? static_cast<void>(0) \
                                : ::calx::raise_broken_invariant(#condition __VA_OPT__(, ) __VA_ARGS__))
