// Functions: access, equality, hashing, and the binding of symbols to the sizes of arguments.
#include "calx/core/function.h"

#include <algorithm>
#include <limits>
#include <set>

#include "calx/base/format.h"
#include "calx/base/hash.h"
#include "calx/core/equation.h"
#include "calx/core/op_def.h"

namespace calx {
namespace {

std::uint64_t hash_data(const Function::Data& data) {
  std::uint64_t state = hash_string(data.name);
  for (const Argument& argument : data.arguments) state = hash_string(argument.name, state);
  for (const Type& type : data.types) state = hash_mix(state, type.hash());
  for (const Equation& equation : data.equations) {
    state = hash_string(equation.op->name, state);
    for (ValueId operand : equation.operands) state = hash_mix(state, operand);
    if (!equation.attrs.empty()) state = hash_mix(state, equation.attrs.hash());
  }
  for (const Result& result : data.results) state = hash_mix(hash_string(result.name, state), result.value);
  for (const Dim& dim : data.where) state = hash_mix(state, dim.hash());
  for (const Donation& donation : data.donations) {
    state = hash_mix(hash_mix(state, static_cast<std::uint64_t>(donation.argument)),
                     static_cast<std::uint64_t>(donation.result));
  }
  return state;
}

void collect_symbols(const Dim& dim, std::set<std::string>& symbols) {
  if (dim.is_constant()) return;
  for (std::string& name : dim.symbols()) symbols.insert(std::move(name));
}

void collect_symbols(const Function& f, std::set<std::string>& symbols) {
  for (ValueId value = 0; value < f.num_values(); ++value) {
    for (const Dim& dim : f.type(value).shape) collect_symbols(dim, symbols);
  }
  for (const Dim& dim : f.where()) collect_symbols(dim, symbols);
  for (const Equation& equation : f.equations()) {
    for (const Attrs::Entry& entry : equation.attrs.entries()) {
      if (const auto* dim = std::get_if<Dim>(&entry.value)) collect_symbols(*dim, symbols);
      if (const auto* dims = std::get_if<std::vector<Dim>>(&entry.value)) {
        for (const Dim& dim : *dims) collect_symbols(dim, symbols);
      }
    }
    for (const Function& nested : nested_functions(equation)) collect_symbols(nested, symbols);
  }
}

}  // namespace

CALX_DEFINE_SPECIAL_MEMBERS(Function, Function);

namespace detail {

void require_defined(const Function& f, std::string_view op, SourceLoc where) {
  if (f.defined()) return;
  raise({.id = ErrorId::value,
         .op = std::string(op),
         .message = "the Function is undefined",
         .where = where,
         .hint = "a default-constructed Function holds nothing: trace or parse one"});
}

}  // namespace detail

namespace {

void check_name_count(std::size_t given, std::size_t needed, const std::string& function, std::string_view what,
                      SourceLoc where) {
  if (given == needed) return;
  raise({.id = ErrorId::arity,
         .op = function,
         .message = format("has {} {} but {} names were given", needed, what, given),
         .where = where});
}

}  // namespace

Function::Function(Data data) {
  data.hash = hash_data(data);
  data.total_equations = data.equations.size();
  for (const Equation& equation : data.equations) {
    for (const Function& nested : nested_functions(equation)) data.total_equations += nested.count_equations();
  }
  data_ = std::make_shared<const Data>(std::move(data));
}

const Function::Data& Function::data(SourceLoc where) const {
  detail::require_defined(*this, {}, where);
  return *data_;
}

const std::string& Function::name(SourceLoc where) const { return data(where).name; }
const std::vector<Argument>& Function::arguments(SourceLoc where) const { return data(where).arguments; }
const std::vector<Result>& Function::results(SourceLoc where) const { return data(where).results; }
const std::vector<Equation>& Function::equations(SourceLoc where) const { return data(where).equations; }
const Type& Function::type(ValueId value, SourceLoc where) const {
  const std::vector<Type>& types = data(where).types;
  if (value >= types.size()) {
    raise({.id = ErrorId::value,
           .op = name(),
           .message = format("has {} values: there is no value {}", types.size(), value),
           .where = where});
  }
  return types[value];
}
std::size_t Function::num_values(SourceLoc where) const { return data(where).types.size(); }
const std::vector<Dim>& Function::where(SourceLoc where) const { return data(where).where; }
const std::vector<Donation>& Function::donations(SourceLoc where) const { return data(where).donations; }
std::size_t Function::count_equations(SourceLoc where) const { return data(where).total_equations; }
std::uint64_t Function::hash() const { return data_ ? data_->hash : 0; }

std::vector<Type> Function::argument_types(SourceLoc where) const {
  std::vector<Type> types;
  for (const Argument& argument : arguments(where)) types.push_back(argument.type);
  return types;
}

std::vector<Type> Function::result_types(SourceLoc where) const {
  std::vector<Type> types;
  for (const Result& result : results(where)) types.push_back(type(result.value));
  return types;
}

Function Function::with_name(std::string name, SourceLoc where) const {
  Data copy = data(where);
  copy.name = std::move(name);
  return Function(std::move(copy));
}

Function Function::with_donations(std::vector<Donation> donations, SourceLoc where) const {
  Data copy = data(where);
  copy.donations = std::move(donations);
  return Function(std::move(copy));
}

Function Function::with_argument_names(const std::vector<std::string>& names, SourceLoc where) const {
  Data copy = data(where);
  check_name_count(names.size(), copy.arguments.size(), copy.name, "arguments", where);
  for (std::size_t i = 0; i < names.size(); ++i) copy.arguments[i].name = names[i];
  return Function(std::move(copy));
}

Function Function::with_result_names(const std::vector<std::string>& names, SourceLoc where) const {
  Data copy = data(where);
  check_name_count(names.size(), copy.results.size(), copy.name, "results", where);
  for (std::size_t i = 0; i < names.size(); ++i) copy.results[i].name = names[i];
  return Function(std::move(copy));
}

bool operator==(const Equation& a, const Equation& b) {
  return a.op == b.op && a.operands == b.operands && a.first_result == b.first_result &&
         a.num_results == b.num_results && a.attrs == b.attrs;
}

bool operator==(const Function& a, const Function& b) {
  if (a.data_ == b.data_) return true;
  if (!a.data_ || !b.data_ || a.data_->hash != b.data_->hash) return false;
  return a.data_->name == b.data_->name && a.data_->arguments == b.data_->arguments &&
         a.data_->types == b.data_->types && a.data_->results == b.data_->results &&
         a.data_->where == b.data_->where && a.data_->donations == b.data_->donations &&
         a.data_->equations == b.data_->equations;
}

ValueId FunctionBuilder::add_argument(std::string name, Type type) {
  CALX_ASSERT(data_.equations.empty());
  data_.arguments.push_back({std::move(name), type});
  data_.types.push_back(std::move(type));
  return static_cast<ValueId>(data_.types.size() - 1);
}

ValueId FunctionBuilder::add_equation(const OpDef& op, std::vector<ValueId> operands, Attrs attrs,
                                      std::vector<Type> result_types, SourceLoc where) {
  const auto first = static_cast<ValueId>(data_.types.size());
  data_.equations.push_back({&op, std::move(operands), std::move(attrs), first,
                             static_cast<std::uint32_t>(result_types.size()), where});
  for (Type& type : result_types) data_.types.push_back(std::move(type));
  return first;
}

void FunctionBuilder::add_where(Dim non_negative) {
  if (proven_less_equal(0, non_negative) == Proof::yes) return;
  if (std::find(data_.where.begin(), data_.where.end(), non_negative) == data_.where.end()) {
    data_.where.push_back(std::move(non_negative));
  }
}

std::vector<Function> nested_functions(const Equation& equation) {
  std::vector<Function> functions;
  for (const Attrs::Entry& entry : equation.attrs.entries()) {
    if (const auto* one = std::get_if<Function>(&entry.value)) {
      if (one->defined()) functions.push_back(*one);
    }
    if (const auto* several = std::get_if<std::vector<Function>>(&entry.value)) {
      functions.insert(functions.end(), several->begin(), several->end());
    }
  }
  return functions;
}

Bindings bind_symbols(const Function& f, std::span<const std::vector<std::int64_t>> argument_sizes, SourceLoc where) {
  detail::require_defined(f, "bind_symbols", where);
  if (argument_sizes.size() != f.arguments().size()) {
    raise({.id = ErrorId::arity,
           .op = f.name(),
           .message = format("takes {} arguments but was given {}", f.arguments().size(), argument_sizes.size()),
           .where = where});
  }
  Bindings bindings;
  const auto contradiction = [&](const Argument& argument, const std::vector<std::int64_t>& sizes, const Dim& dim,
                                 std::int64_t size) {
    raise({.id = ErrorId::dim_binding,
           .op = f.name(),
           .message = format("argument `{}` of type {} was given sizes [{}]: {} is not {}", argument.name,
                             argument.type.to_string(), join(sizes, ","), dim.to_string(), size),
           .where = where,
           .facts = {{"argument", argument.name}, {"type", argument.type.to_string()}}});
  };
  for (std::size_t i = 0; i < argument_sizes.size(); ++i) {
    const Argument& argument = f.arguments()[i];
    if (argument_sizes[i].size() != static_cast<std::size_t>(argument.type.rank())) {
      raise({.id = ErrorId::rank,
             .op = f.name(),
             .message = format("argument `{}` of type {} was given rank {}", argument.name,
                               argument.type.to_string(), argument_sizes[i].size()),
             .where = where,
             .facts = {{"argument", argument.name}, {"type", argument.type.to_string()}}});
    }
    for (int axis = 0; axis < argument.type.rank(); ++axis) {
      const Dim& dim = argument.type.shape[axis];
      const std::int64_t size = argument_sizes[i][static_cast<std::size_t>(axis)];
      const auto affine = dim.affine();
      if (!affine) continue;
      std::int64_t scaled = 0;
      if (__builtin_sub_overflow(size, affine->offset, &scaled) || scaled == std::numeric_limits<std::int64_t>::min() ||
          scaled % affine->scale != 0 || scaled / affine->scale < 0) {
        contradiction(argument, argument_sizes[i], dim, size);
      }
      bindings.emplace(affine->symbol, scaled / affine->scale);
    }
  }
  for (std::size_t i = 0; i < argument_sizes.size(); ++i) {
    const Argument& argument = f.arguments()[i];
    for (int axis = 0; axis < argument.type.rank(); ++axis) {
      const Dim& dim = argument.type.shape[axis];
      const std::int64_t size = argument_sizes[i][static_cast<std::size_t>(axis)];
      if (dim.evaluate(bindings, where) != size) contradiction(argument, argument_sizes[i], dim, size);
    }
  }
  for (const std::string& name : free_symbols(f)) {
    const auto found = bindings.find(name);
    if (found == bindings.end()) {
      raise({.id = ErrorId::dim_unbound,
             .op = f.name(),
             .message = format("no argument determines the size `{}`", name),
             .where = where,
             .hint = "every symbol must appear alone or as a*S+c in the type of an argument",
             .facts = {{"symbol", name}}});
    }
    if (found->second > (std::int64_t{1} << 31) - 1) {
      raise({.id = ErrorId::dim_binding,
             .op = f.name(),
             .message = format("`{}` = {} does not fit the 32-bit indices of symbolic extents", name, found->second),
             .where = where,
             .facts = {{"symbol", name}}});
    }
  }
  for (const Dim& dim : f.where()) {
    if (dim.evaluate(bindings, where) < 0) {
      raise({.id = ErrorId::dim_binding,
             .op = f.name(),
             .message = format("the sizes violate {} >= 0", dim.to_string()),
             .where = where,
             .facts = {{"where", dim.to_string()}}});
    }
  }
  return bindings;
}

std::vector<std::string> free_symbols(const Function& f, SourceLoc where) {
  detail::require_defined(f, "free_symbols", where);
  std::set<std::string> symbols;
  collect_symbols(f, symbols);
  return {symbols.begin(), symbols.end()};
}

}  // namespace calx
