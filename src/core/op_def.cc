// The op table, and what every op application can say about itself in an error.
#include "calx/core/op_def.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <shared_mutex>

#include "calx/base/format.h"
#include "calx/core/core_ops.h"

namespace calx {
namespace {

struct Table {
  std::shared_mutex mutex;
  std::deque<OpDef> ops;  // stable addresses
  std::vector<const OpDef*> in_order;
  std::map<std::string_view, const OpDef*> by_name;

  Table() {
    for (OpDef& op : detail::make_op_table()) add(std::move(op));
  }
  const OpDef& add(OpDef op) {
    const OpDef& stored = ops.emplace_back(std::move(op));
    in_order.push_back(&stored);
    CALX_ASSERT(by_name.emplace(stored.name, &stored).second, std::string(stored.name));
    return stored;
  }
};

Table& table() {
  static Table* instance = new Table;  // never destroyed: ops outlive every tensor
  return *instance;
}

}  // namespace

CALX_DEFINE_SPECIAL_MEMBERS(Types, Types);
Types::Types(std::initializer_list<Type> types) : std::vector<Type>(types) {}
Types::Types(Type type) { push_back(std::move(type)); }
Types::Types(std::vector<Type> types) : std::vector<Type>(std::move(types)) {}

CALX_DEFINE_SPECIAL_MEMBERS(Results, Results);
Results::Results(std::initializer_list<Tensor> tensors) : std::vector<Tensor>(tensors) {}
Results::Results(Tensor tensor) { push_back(std::move(tensor)); }
Results::Results(std::vector<Tensor> tensors) : std::vector<Tensor>(std::move(tensors)) {}

CALX_DEFINE_SPECIAL_MEMBERS(SampleOperands, SampleOperands);
SampleOperands::SampleOperands(std::initializer_list<SampleOperand> operands) : std::vector<SampleOperand>(operands) {}

namespace slot {
LinearGroups::LinearGroups(std::vector<std::vector<int>> linear_groups, TransposeRule rule)
    : groups(std::move(linear_groups)), transpose(std::move(rule)) {}
CALX_DEFINE_SPECIAL_MEMBERS(LinearGroups, LinearGroups);
CALX_DEFINE_SPECIAL_MEMBERS(infer, infer);
CALX_DEFINE_SPECIAL_MEMBERS(jvp, jvp);
CALX_DEFINE_SPECIAL_MEMBERS(linear, linear);
CALX_DEFINE_SPECIAL_MEMBERS(batch, batch);
CALX_DEFINE_SPECIAL_MEMBERS(simplify, simplify);
CALX_DEFINE_SPECIAL_MEMBERS(reference, reference);
CALX_DEFINE_SPECIAL_MEMBERS(lower, lower);
CALX_DEFINE_SPECIAL_MEMBERS(decompose, decompose);
CALX_DEFINE_SPECIAL_MEMBERS(composite_infer, composite_infer);
CALX_DEFINE_SPECIAL_MEMBERS(composite_jvp, composite_jvp);
CALX_DEFINE_SPECIAL_MEMBERS(composite_batch, composite_batch);
CALX_DEFINE_SPECIAL_MEMBERS(composite_simplify, composite_simplify);
CALX_DEFINE_SPECIAL_MEMBERS(composite_reference, composite_reference);
CALX_DEFINE_SPECIAL_MEMBERS(composite_lower, composite_lower);
CALX_DEFINE_SPECIAL_MEMBERS(region_jvp, region_jvp);
CALX_DEFINE_SPECIAL_MEMBERS(region_linearize, region_linearize);
CALX_DEFINE_SPECIAL_MEMBERS(region_transpose, region_transpose);
CALX_DEFINE_SPECIAL_MEMBERS(region_prune, region_prune);
}  // namespace slot

CALX_DEFINE_SPECIAL_MEMBERS(OpForm, OpForm);
OpForm::OpForm(Primitive primitive) : variant(std::move(primitive)) {}
OpForm::OpForm(Composite composite) : variant(std::move(composite)) {}
OpForm::OpForm(Region region) : variant(std::move(region)) {}

const Primitive* OpDef::primitive() const { return std::get_if<Primitive>(&form); }
const Composite* OpDef::composite() const { return std::get_if<Composite>(&form); }
const Region* OpDef::region() const { return std::get_if<Region>(&form); }

std::vector<const OpDef*> op_table() {
  std::shared_lock lock(table().mutex);
  return table().in_order;
}

const OpDef* find_op(std::string_view name) {
  std::shared_lock lock(table().mutex);
  const auto found = table().by_name.find(name);
  return found == table().by_name.end() ? nullptr : found->second;
}

const OpDef& get_op(std::string_view name, SourceLoc where) {
  const OpDef* op = find_op(name);
  if (op == nullptr) {
    raise({.id = ErrorId::value,
           .op = std::string(name),
           .message = "there is no op of this name",
           .where = where,
           .hint = "find_op gives nullptr instead of raising"});
  }
  return *op;
}

const OpDef& register_op(OpDef op, SourceLoc where) {
  std::unique_lock lock(table().mutex);
  if (table().by_name.contains(op.name)) {
    raise({.id = ErrorId::value,
           .op = std::string(op.name),
           .message = "an op of this name exists already",
           .where = where,
           .hint = "op names are unique in a program"});
  }
  return table().add(std::move(op));
}

bool accepts(DTypes set, DType dtype) {
  switch (set) {
    case DTypes::any: return true;
    case DTypes::floating: return dtype.is_floating();
    case DTypes::integer: return dtype.is_integer();
    case DTypes::numeric: return !dtype.is_boolean();
    case DTypes::boolean: return dtype.is_boolean();
    case DTypes::index: return dtype == i32 || dtype == i64;
    case DTypes::u64_key: return dtype == u64;
    case DTypes::bits: return !dtype.is_floating();
  }
  return false;
}

std::string_view describe(DTypes set) {
  switch (set) {
    case DTypes::any: return "of any dtype";
    case DTypes::floating: return "floating";
    case DTypes::integer: return "an integer";
    case DTypes::numeric: return "numeric";
    case DTypes::boolean: return "boolean";
    case DTypes::index: return "i32 or i64";
    case DTypes::u64_key: return "a u64 key";
    case DTypes::bits: return "boolean or an integer";
  }
  return "";
}

std::string Call::operand_name(int i) const {
  const auto& specs = op_->operands;
  if (specs.empty()) return format("operand {}", i);
  const int last = static_cast<int>(specs.size()) - 1;
  if (i < last || !specs.back().variadic) return std::string(specs[static_cast<std::size_t>(std::min(i, last))].name);
  return format("{}[{}]", specs.back().name, i - last);
}

void Call::fail(ErrorId id, std::string message, std::string hint) const {
  Facts facts;
  for (int i = 0; i < size(); ++i) facts.emplace_back(operand_name(i), type(i).to_string());
  raise({.id = id,
         .op = std::string(op_->name),
         .message = std::move(message),
         .where = where_,
         .hint = std::move(hint),
         .facts = std::move(facts)});
}

Tensor BatchCall::with_batch(int i) const {
  return batched(i) ? tensor(i) : core::add_leading_axis(tensor(i), size);
}

std::vector<std::int64_t> ReferenceCall::evaluate(const std::vector<Dim>& dims) const {
  std::vector<std::int64_t> sizes;
  sizes.reserve(dims.size());
  for (const Dim& dim : dims) sizes.push_back(evaluate(dim));
  return sizes;
}

bool ExecutionPath::precedes(const ExecutionPath& other) const {
  const std::size_t common = std::min(steps.size(), other.steps.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (steps[i].equation != other.steps[i].equation) return steps[i].equation < other.steps[i].equation;
  }
  if (steps.size() != other.steps.size()) return steps.size() < other.steps.size();
  for (std::size_t i = 0; i < common; ++i) {
    if (steps[i].iteration != other.steps[i].iteration) return steps[i].iteration < other.steps[i].iteration;
  }
  return false;
}

}  // namespace calx
