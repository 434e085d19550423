// Equation: one op applied inside a Function; and the data of a Function, for those who make one.
#pragma once

#include "calx/core/attributes.h"

namespace calx {

struct Equation {
  const OpDef* op = nullptr;
  std::vector<ValueId> operands = {};
  Attrs attrs = {};
  ValueId first_result = 0;
  std::uint32_t num_results = 1;
  SourceLoc where = {};

  [[nodiscard]] ValueId result(int i) const { return first_result + static_cast<ValueId>(i); }
  /// Up to source locations.
  friend bool operator==(const Equation& a, const Equation& b);
};

struct Function::Data {
  std::string name = {};
  std::vector<Argument> arguments = {};
  std::vector<Equation> equations = {};
  std::vector<Type> types = {};  // of every value
  std::vector<Result> results = {};
  std::vector<Dim> where = {};
  std::vector<Donation> donations = {};
  std::uint64_t hash = 0;        // filled by Function's constructor
  std::size_t total_equations = 0;
};

/// Appends equations to a Function under construction.
class FunctionBuilder {
 public:
  explicit FunctionBuilder(std::string name) { data_.name = std::move(name); }

  /// All arguments come before the first equation.
  ValueId add_argument(std::string name, Type type);
  /// Returns the first result. Types are given, not inferred: the verifier checks them.
  ValueId add_equation(const OpDef& op, std::vector<ValueId> operands, Attrs attrs, std::vector<Type> result_types,
                       SourceLoc where);
  void add_result(std::string name, ValueId value) { data_.results.push_back({std::move(name), value}); }
  void add_where(Dim non_negative);
  void set_donations(std::vector<Donation> donations) { data_.donations = std::move(donations); }
  [[nodiscard]] const Type& type(ValueId value) const { return data_.types[value]; }
  [[nodiscard]] Function finish() { return Function(std::move(data_)); }

 private:
  Function::Data data_;
};

/// Every Function held by the attributes of an equation.
[[nodiscard]] std::vector<Function> nested_functions(const Equation& equation);

}  // namespace calx
