// Function: the only currency between stages. A typed SSA program with named arguments and results, its equations in
// topological order, regions as nested, closed Functions in attributes. Immutable, cheap to copy.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calx/base/source_location.h"
#include "calx/base/special_members.h"
#include "calx/types/type.h"

namespace calx {

struct OpDef;
class Attrs;
struct Equation;

/// Index into the values of one Function: arguments first, then the results of the equations in order.
using ValueId = std::uint32_t;

struct Argument {
  std::string name;
  Type type;
  friend bool operator==(const Argument&, const Argument&) = default;
};

struct Result {
  std::string name;
  ValueId value = 0;
  friend bool operator==(const Result&, const Result&) = default;
};

/// Argument `argument` may give its memory to result `result`.
struct Donation {
  int argument = 0;
  int result = 0;
  friend bool operator==(const Donation&, const Donation&) = default;
};

class Function {
 public:
  struct Data;

  Function() = default;
  CALX_SPECIAL_MEMBERS(Function);
  explicit Function(Data data);

  [[nodiscard]] bool defined() const { return data_ != nullptr; }
  [[nodiscard]] const std::string& name(SourceLoc where = SourceLoc::current()) const;
  [[nodiscard]] const std::vector<Argument>& arguments(SourceLoc where = SourceLoc::current()) const;
  [[nodiscard]] const std::vector<Result>& results(SourceLoc where = SourceLoc::current()) const;
  [[nodiscard]] const std::vector<Equation>& equations(SourceLoc where = SourceLoc::current()) const;
  [[nodiscard]] const Type& type(ValueId value, SourceLoc where = SourceLoc::current()) const;
  [[nodiscard]] std::size_t num_values(SourceLoc where = SourceLoc::current()) const;
  [[nodiscard]] std::vector<Type> argument_types(SourceLoc where = SourceLoc::current()) const;
  [[nodiscard]] std::vector<Type> result_types(SourceLoc where = SourceLoc::current()) const;
  /// Dims that callers must make >= 0 (`where H >= 3` is H-3).
  [[nodiscard]] const std::vector<Dim>& where(SourceLoc where = SourceLoc::current()) const;
  [[nodiscard]] const std::vector<Donation>& donations(SourceLoc where = SourceLoc::current()) const;

  [[nodiscard]] Function with_name(std::string name, SourceLoc where = SourceLoc::current()) const;
  [[nodiscard]] Function with_donations(std::vector<Donation> donations, SourceLoc where = SourceLoc::current()) const;
  [[nodiscard]] Function with_argument_names(const std::vector<std::string>& names,
                                             SourceLoc where = SourceLoc::current()) const;
  [[nodiscard]] Function with_result_names(const std::vector<std::string>& names, SourceLoc where = SourceLoc::current()) const;

  /// Equations, those of nested Functions counted.
  [[nodiscard]] std::size_t count_equations(SourceLoc where = SourceLoc::current()) const;
  /// Equal programs up to source locations.
  friend bool operator==(const Function& a, const Function& b);
  [[nodiscard]] std::uint64_t hash() const;

 private:
  [[nodiscard]] const Data& data(SourceLoc where) const;

  std::shared_ptr<const Data> data_;
};

/// Sizes of the symbols of f from the sizes of its arguments; raises arity, rank, dim_binding or dim_unbound.
[[nodiscard]] Bindings bind_symbols(const Function& f, std::span<const std::vector<std::int64_t>> argument_sizes,
                                    SourceLoc where = SourceLoc::current());

/// The free symbols of a Function: those of all its types and attributes.
[[nodiscard]] std::vector<std::string> free_symbols(const Function& f, SourceLoc where = SourceLoc::current());

namespace detail {
/// Raises `value`, in the name of `op`, if f is undefined.
void require_defined(const Function& f, std::string_view op, SourceLoc where = {});
}

}  // namespace calx
