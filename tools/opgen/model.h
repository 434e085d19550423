// The table as the generator sees it: for every op that gets a function, its C++ names, parameters and overloads.
// Knows the shape of the generated C++; the writers only lay it out.
#pragma once

#include <string>
#include <vector>

#include "calx/core/op_def.h"

namespace opgen {

struct Attribute {
  const calx::AttrSpec* spec = nullptr;
  std::string type = {};         // std::int64_t, Shape, ...
  std::string initialiser = {};  // of the options' field; empty: a required parameter
  bool is_shape = false;    // list of sizes named `shape`: a Shape in C++
};

/// One overload: which operands it takes, and the linear group whose operands are Tangents (-1: none).
struct Overload {
  int num_operands = 0;
  std::vector<bool> is_tangent = {};
  bool tangents = false;
};

struct Op {
  const calx::OpDef* def = nullptr;
  std::string pascal = {};             // SoftmaxOptions, SortResult
  std::vector<Attribute> required = {};
  std::vector<Attribute> optional = {};
  std::vector<Overload> overloads = {};
  bool variadic = false;               // the last operand is a list
  bool list_result = false;            // as many results as the call decides: Tensors
  [[nodiscard]] bool has_struct_result() const { return !list_result && def->results.size() > 1; }
  [[nodiscard]] std::string options_type() const { return optional.empty() ? "" : pascal + "Options"; }
  [[nodiscard]] std::string result_type(const Overload& overload) const;
  /// `const Operand& x`, ..., with default arguments iff `declaration`.
  [[nodiscard]] std::vector<std::string> parameters(const Overload& overload, bool declaration) const;
  /// True iff the function takes the user's line as its last parameter (no operand carries it).
  [[nodiscard]] bool takes_location(const Overload& overload) const;
};

/// Ops that get a function, in the order of the table.
[[nodiscard]] std::vector<Op> read_table();

/// Why the op has no generated function; empty if it has one.
[[nodiscard]] std::string hand_written(const calx::OpDef& op);

/// The value of an attribute as C++ initialiser text.
[[nodiscard]] std::string initialiser(const calx::AttrSpec& spec, const calx::AttrValue& value);
/// The value of an attribute as the IR prints it.
[[nodiscard]] std::string readable(const calx::AttrSpec& spec, const calx::AttrValue& value);

}  // namespace opgen
