// Making nodes; flushing eager work that nobody reads.
#include "make_node.h"

#include <algorithm>
#include <atomic>

#include "calx/base/format.h"
#include "calx/base/located.h"
#include "calx/core/op_def.h"
#include "node.h"
#include "scope.h"

namespace calx::detail {
namespace {

// A loop that never reads must not grow: beyond these the pending work is evaluated where it stands.
constexpr std::int64_t kMaxPendingNodes = 4096;
constexpr std::int64_t kMaxPendingBytes = std::int64_t{1} << 28;
constexpr std::int64_t kEnoughBytes = std::int64_t{1} << 40;  // sums stop here, far from overflow

void check_operand(const OpDef& op, const Tensor& operand, std::uint64_t scope, SourceLoc where) {
  const std::uint64_t its = operand.node()->scope;
  if (its == 0 || its == scope || is_open(its)) return;
  raise({.id = ErrorId::leaked_tensor,
         .op = std::string(op.name),
         .message = format("an operand ({}) belongs to a finished trace: it was made at {}", operand.type().to_string(),
                           operand.node()->where.known() ? to_string(operand.node()->where) : "an unknown place"),
         .where = where,
         .hint = "return it from the traced function, or pass it as an argument",
         .facts = {{"made at", to_string(operand.node()->where)}, {"type", operand.type().to_string()}}});
}

}  // namespace

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

void require_defined(const OpDef& op, std::span<const Tensor> operands, SourceLoc where) {
  const auto found = std::find_if(operands.begin(), operands.end(), [](const Tensor& operand) { return !operand.defined(); });
  if (found == operands.end()) return;
  raise({.id = ErrorId::undefined_tensor,
         .op = std::string(op.name),
         .message = format("operand {} is an undefined tensor", found - operands.begin()),
         .where = where,
         .hint = "a default-constructed Tensor holds nothing: assign one before use"});
}

Tensors make_node(const OpDef& op, Tensors operands, Attrs attrs, std::vector<Type> result_types, SourceLoc where) {
  if (const SourceLoc inherited = inherited_location(); inherited.known()) where = inherited;
  const std::uint64_t scope = current_scope();
  require_defined(op, operands, where);
  for (const Tensor& operand : operands) check_operand(op, operand, scope, where);
  auto node = std::make_shared<Node>();
  node->op = &op;
  node->operands = std::move(operands);
  node->attrs = std::move(attrs);
  node->types = std::move(result_types);
  node->where = where;
  node->serial = next_serial();
  node->scope = scope;
  Tensors results;
  results.reserve(node->types.size());
  for (std::size_t i = 0; i < node->types.size(); ++i) results.emplace_back(node, static_cast<int>(i));
  if (scope == 0) {
    std::int64_t nodes = 1;
    std::int64_t bytes = 0;
    for (const Type& type : node->types) {
      if (!type.shape.is_static()) continue;
      const std::optional<std::int64_t> count = located(where, op.name, [&] { return type.shape.num_elements().constant(); });
      bytes += std::min(count.value_or(0), kMaxPendingBytes + 1) * type.dtype.size_bytes();
    }
    for (const Tensor& operand : node->operands) {
      nodes += operand.node()->pending_nodes.load(std::memory_order_relaxed);
      bytes = std::min(bytes + operand.node()->pending_bytes.load(std::memory_order_relaxed), kEnoughBytes);
    }
    node->pending_nodes.store(nodes, std::memory_order_relaxed);
    node->pending_bytes.store(bytes, std::memory_order_relaxed);
    if (nodes > kMaxPendingNodes || bytes > kMaxPendingBytes) evaluate(std::span(results.data(), 1), where);
  }
  return results;
}

}  // namespace calx::detail
