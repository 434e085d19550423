// From nodes to Functions: the nodes that results depend on, in creation order. No recursion over operands.
#include "collect.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "calx/base/format.h"
#include "calx/core/evaluator.h"
#include "calx/core/op_def.h"
#include "node.h"
#include "scope.h"

namespace calx::detail {
namespace {

struct Reached {
  std::vector<Node*> constants;  // in order of discovery
  std::vector<Node*> nodes;      // ops, in creation order
};

bool is_constant(const Node& node) { return node.evaluated.load(std::memory_order_acquire); }

const OpDef& constant_op() {
  static const OpDef& op = get_op("constant");
  return op;
}

std::string result_name(const TraceOptions& options, std::size_t i, std::size_t count) {
  if (i < options.result_names.size()) return options.result_names[i];
  return count == 1 ? "out" : format("out{}", i);
}

}  // namespace

Traced collect(std::uint64_t scope, const std::vector<Argument>& arguments, std::span<const Tensor> argument_tensors,
               std::span<const Tensor> results, const TraceOptions& options) {
  // First pass: what is reached, what is captured.
  std::unordered_map<const Node*, ValueId> first_value;  // filled in the second pass; until then, what was seen
  for (const Tensor& argument : argument_tensors) first_value.emplace(argument.node().get(), 0);
  Reached reached;
  Tensors captures;
  std::vector<const Tensor*> stack;
  const auto visit = [&](const Tensor& tensor, const Node* user) {
    if (!tensor.defined()) {
      raise({.id = ErrorId::undefined_tensor,
             .op = user != nullptr ? std::string(user->op->name) : options.name,
             .message = "a result of the traced function is an undefined tensor"});
    }
    Node* node = tensor.node().get();
    if (first_value.contains(node)) return;
    if (!is_constant(*node) && node->scope == 0 && scope != 0) {
      // Eager work from before the trace: its value is a constant here.
      evaluate(std::span(&tensor, 1), node->where);
    }
    if (is_constant(*node)) {
      first_value.emplace(node, 0);
      reached.constants.push_back(node);
      return;
    }
    if (node->scope != scope) {
      if (!is_open(node->scope)) {
        raise({.id = ErrorId::leaked_tensor,
               .op = node->op != nullptr ? std::string(node->op->name) : "",
               .message = format("a tensor ({}) of a finished trace was used in another", tensor.type().to_string()),
               .where = node->where,
               .hint = "return it from the function that made it, or pass it as an argument",
               .facts = {{"made at", to_string(node->where)}, {"type", tensor.type().to_string()}}});
      }
      const bool known = std::any_of(captures.begin(), captures.end(),
                                     [&](const Tensor& capture) { return is_same(capture, tensor); });
      if (!known) captures.push_back(tensor);
      return;
    }
    first_value.emplace(node, 0);
    reached.nodes.push_back(node);
    for (const Tensor& operand : node->operands) stack.push_back(&operand);
  };
  for (const Tensor& result : results) {
    visit(result, nullptr);
    while (!stack.empty()) {
      const Tensor* next = stack.back();
      stack.pop_back();
      visit(*next, nullptr);
    }
  }
  if (options.closed && !captures.empty()) {
    raise({.id = ErrorId::leaked_tensor,
           .op = options.name,
           .message = "the function uses a tensor of an enclosing trace",
           .where = captures.front().node()->where,
           .hint = "pass it as an argument",
           .facts = {{"type", captures.front().type().to_string()}}});
  }
  // Discovered from the results back: nearly sorted once turned around.
  std::reverse(reached.nodes.begin(), reached.nodes.end());
  const auto earlier = [](const Node* a, const Node* b) { return a->serial < b->serial; };
  if (!std::is_sorted(reached.nodes.begin(), reached.nodes.end(), earlier)) {
    std::sort(reached.nodes.begin(), reached.nodes.end(), earlier);
  }

  // Second pass: the Function.
  FunctionBuilder builder(options.name);
  std::unordered_set<std::string> names;
  for (const Argument& argument : arguments) names.insert(argument.name);
  std::unordered_map<const Node*, std::vector<std::pair<int, ValueId>>> captured;
  for (std::size_t i = 0; i < captures.size(); ++i) {
    std::string name = format("captured{}", i);
    while (!names.insert(name).second) name += "_";
    captured[captures[i].node().get()].emplace_back(captures[i].result(),
                                                    builder.add_argument(name, captures[i].type()));
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    first_value[argument_tensors[i].node().get()] = builder.add_argument(arguments[i].name, arguments[i].type);
  }
  for (const Node* node : reached.constants) {
    for (std::size_t i = 0; i < node->values.size(); ++i) {
      // An evaluated node with several results keeps their order: one constant each, consecutive values.
      const ValueId value = builder.add_equation(constant_op(), {}, Attrs{{"value", node->values[i]}},
                                                 {node->types[i]}, node->where);
      if (i == 0) first_value[node] = value;
    }
  }
  const auto value_of = [&](const Tensor& tensor) -> ValueId {
    const auto found = first_value.find(tensor.node().get());
    if (found != first_value.end()) return found->second + static_cast<ValueId>(tensor.result());
    for (const auto& [result, value] : captured.at(tensor.node().get())) {
      if (result == tensor.result()) return value;
    }
    raise_internal("a capture was lost");
  };
  for (const Node* node : reached.nodes) {
    std::vector<ValueId> operands;
    operands.reserve(node->operands.size());
    for (const Tensor& operand : node->operands) operands.push_back(value_of(operand));
    first_value[node] = builder.add_equation(*node->op, std::move(operands), node->attrs, node->types, node->where);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    builder.add_result(result_name(options, i, results.size()), value_of(results[i]));
  }
  for (const Dim& dim : options.where) builder.add_where(dim);
  return {builder.finish(), std::move(captures)};
}

void evaluate_pending(std::span<const Tensor> tensors) {
  // Every pending node below, and how often the pending graph itself refers to it.
  std::unordered_map<Node*, long> internal_references;
  std::vector<Node*> order;
  std::vector<Node*> stack;
  for (const Tensor& tensor : tensors) stack.push_back(tensor.node().get());
  std::vector<Tensor> keep_alive(tensors.begin(), tensors.end());
  while (!stack.empty()) {
    Node* node = stack.back();
    stack.pop_back();
    if (is_constant(*node) || !internal_references.emplace(node, 0).second) continue;
    order.push_back(node);
    for (const Tensor& operand : node->operands) stack.push_back(operand.node().get());
  }
  std::unordered_map<Node*, const Tensor*> handle;
  for (const Tensor& tensor : keep_alive) {
    handle.emplace(tensor.node().get(), &tensor);
    ++internal_references[tensor.node().get()];  // the copy in keep_alive
  }
  for (Node* node : order) {
    for (const Tensor& operand : node->operands) {
      const auto found = internal_references.find(operand.node().get());
      if (found == internal_references.end()) continue;
      ++found->second;
      handle.emplace(operand.node().get(), &operand);
    }
  }
  std::sort(order.begin(), order.end(), [](const Node* a, const Node* b) { return a->serial < b->serial; });
  // Those that somebody outside can still read are results.
  Tensors results;
  std::vector<Node*> stored;
  for (Node* node : order) {
    const std::shared_ptr<Node>& shared = handle.at(node)->node();
    const bool asked_for = std::any_of(tensors.begin(), tensors.end(),
                                       [&](const Tensor& tensor) { return tensor.node().get() == node; });
    if (!asked_for && shared.use_count() <= internal_references.at(node)) continue;
    stored.push_back(node);
    for (std::size_t i = 0; i < node->types.size(); ++i) results.emplace_back(shared, static_cast<int>(i));
  }
  const Traced traced = collect(0, {}, {}, results, {.name = "eager"});
  const std::vector<Array> values = default_evaluator().run(traced.function, {}, {});
  std::size_t next = 0;
  std::vector<Tensors> released;
  for (Node* node : stored) {
    const std::size_t count = node->types.size();
    node->values.assign(values.begin() + static_cast<std::ptrdiff_t>(next),
                        values.begin() + static_cast<std::ptrdiff_t>(next + count));
    next += count;
    node->evaluated.store(true, std::memory_order_release);
    released.push_back(std::move(node->operands));
    node->operands.clear();
    node->pending_nodes.store(0, std::memory_order_relaxed);
    node->pending_bytes.store(0, std::memory_order_relaxed);
  }
  results.clear();
  for (Tensors& operands : released) release_operands(operands);
}

}  // namespace calx::detail
