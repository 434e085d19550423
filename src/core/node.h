// The node behind a Tensor. Private to core. Nodes are immutable but for evaluation (values_ appears, operands go).
// Invariant: chains of any length are destroyed without recursion.
#pragma once

#include <atomic>
#include <mutex>

#include "calx/core/attributes.h"
#include "calx/core/tensor.h"

namespace calx::detail {

struct Node {
  const OpDef* op = nullptr;        // null: a constant (values set) or an argument of a trace
  std::vector<Tensor> operands = {};
  Attrs attrs = {};
  std::vector<Type> types = {};     // of the results
  SourceLoc where = {};
  std::uint64_t serial = 0;         // creation order: a topological order
  std::uint64_t scope = 0;          // the trace it belongs to; 0: none (eager)
  // Upper bounds of the eager work behind this node. Atomic, since one thread may build on a node that another evaluates.
  std::atomic<std::int64_t> pending_nodes = 0;
  std::atomic<std::int64_t> pending_bytes = 0;
  std::atomic<bool> evaluated{false};
  std::vector<Array> values = {};   // set once, before `evaluated` is

  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();
};

/// Moves the nodes of `tensors` to where they are destroyed one after the other.
void release_operands(std::vector<Tensor>& tensors);

}  // namespace calx::detail
