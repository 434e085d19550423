// Trace scopes, inlining of Functions, decompositions of composites.
#include "calx/core/trace.h"

#include <atomic>
#include <list>
#include <mutex>
#include <unordered_map>

#include "calx/base/format.h"
#include "calx/base/hash.h"
#include "calx/core/bind.h"
#include "calx/core/op_def.h"
#include "collect.h"
#include "make_node.h"
#include "node.h"
#include "scope.h"

namespace calx {
namespace detail {
namespace {

std::vector<std::uint64_t>& open_scopes() {
  thread_local std::vector<std::uint64_t> scopes;
  return scopes;
}

thread_local SourceLoc inherited;

}  // namespace

TraceScope::TraceScope() {
  static std::atomic<std::uint64_t> next{1};
  id_ = next.fetch_add(1, std::memory_order_relaxed);
  open_scopes().push_back(id_);
}

TraceScope::~TraceScope() { open_scopes().pop_back(); }

std::uint64_t current_scope() { return open_scopes().empty() ? 0 : open_scopes().back(); }

bool is_open(std::uint64_t scope) {
  const auto& scopes = open_scopes();
  return std::find(scopes.begin(), scopes.end(), scope) != scopes.end();
}

SourceLoc inherited_location() { return inherited; }

}  // namespace detail

LocationScope::LocationScope(SourceLoc where) : previous_(detail::inherited) {
  if (where.known()) detail::inherited = where;
}
LocationScope::~LocationScope() { detail::inherited = previous_; }

namespace {

/// While alive, equations carry their own places again: what is cached must not tell of its first user.
class NoLocationScope {
 public:
  NoLocationScope() : previous_(std::exchange(detail::inherited, {})) {}
  ~NoLocationScope() { detail::inherited = previous_; }
  NoLocationScope(const NoLocationScope&) = delete;
  NoLocationScope& operator=(const NoLocationScope&) = delete;

 private:
  SourceLoc previous_;
};

}  // namespace

Traced trace_flat(const std::vector<Argument>& arguments, const TraceBody& body, TraceOptions options) {
  if (!body) {
    raise({.id = ErrorId::value, .op = options.name, .message = "the function to trace is empty"});
  }
  detail::TraceScope scope;
  Tensors tensors;
  tensors.reserve(arguments.size());
  for (const Argument& argument : arguments) {
    auto node = std::make_shared<detail::Node>();
    node->types.push_back(argument.type);
    node->scope = scope.id();
    node->serial = detail::next_serial();
    tensors.emplace_back(std::move(node), 0);
  }
  const Tensors results = body(tensors);
  return detail::collect(scope.id(), arguments, tensors, results, options);
}

Tensors inline_function(const Function& f, std::span<const Tensor> arguments, SourceLoc where) {
  detail::require_defined(f, "inline_function", where);
  if (arguments.size() != f.arguments().size()) {
    raise({.id = ErrorId::arity,
           .op = f.name(),
           .message = format("takes {} arguments but was given {}", f.arguments().size(), arguments.size()),
           .where = where});
  }
  bool same_types = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) same_types &= arguments[i].type() == f.arguments()[i].type;
  Tensors values(f.num_values());
  std::copy(arguments.begin(), arguments.end(), values.begin());
  std::vector<Type> result_types;
  for (const Equation& equation : f.equations()) {
    Tensors operands;
    operands.reserve(equation.operands.size());
    for (ValueId operand : equation.operands) operands.push_back(values[operand]);
    Tensors results;
    if (same_types) {
      result_types.clear();
      for (std::uint32_t i = 0; i < equation.num_results; ++i) {
        result_types.push_back(f.type(equation.result(static_cast<int>(i))));
      }
      results = replay(equation, std::move(operands), result_types);
    } else {
      results = apply(*equation.op, std::move(operands), equation.attrs, equation.where);
    }
    for (std::uint32_t i = 0; i < equation.num_results; ++i) {
      values[equation.first_result + i] = std::move(results[i]);
    }
  }
  Tensors results;
  results.reserve(f.results().size());
  for (const Result& result : f.results()) results.push_back(values[result.value]);
  return results;
}

Tensors replay(const Equation& equation, Tensors operands, std::span<const Type> result_types) {
  return detail::make_node(*equation.op, std::move(operands), equation.attrs,
                           {result_types.begin(), result_types.end()}, equation.where);
}

namespace {

struct DecompositionKey {
  const OpDef* op;
  std::vector<Type> operands;
  Attrs attrs;
  std::uint64_t hash;
  friend bool operator==(const DecompositionKey& a, const DecompositionKey& b) {
    return a.hash == b.hash && a.op == b.op && a.operands == b.operands && a.attrs == b.attrs;
  }
};
struct DecompositionHash {
  std::size_t operator()(const DecompositionKey& key) const { return key.hash; }
};

/// Bounded, least recently used out first.
struct DecompositionCache {
  static constexpr std::size_t kCapacity = 4096;
  std::mutex mutex;
  std::list<std::pair<DecompositionKey, Function>> recent;
  std::unordered_map<DecompositionKey, std::list<std::pair<DecompositionKey, Function>>::iterator, DecompositionHash>
      entries;
};

DecompositionCache& decomposition_cache() {
  static auto* cache = new DecompositionCache;
  return *cache;
}

}  // namespace

Function decomposition(const OpDef& op, std::span<const Type> operands, const Attrs& attrs) {
  DecompositionKey key{&op, {operands.begin(), operands.end()}, attrs, hash_string(op.name, attrs.hash())};
  for (const Type& type : operands) key.hash = hash_mix(key.hash, type.hash());
  DecompositionCache& cache = decomposition_cache();
  {
    std::scoped_lock lock(cache.mutex);
    const auto found = cache.entries.find(key);
    if (found != cache.entries.end()) {
      cache.recent.splice(cache.recent.begin(), cache.recent, found->second);
      return found->second->second;
    }
  }
  std::vector<Argument> arguments;
  const Call naming(op, operands, attrs, {});
  for (std::size_t i = 0; i < operands.size(); ++i) {
    arguments.push_back({naming.operand_name(static_cast<int>(i)), operands[i]});
  }
  const Composite* composite = op.composite();
  CALX_ASSERT(composite != nullptr, std::string(op.name));
  const NoLocationScope own_places;
  Function f = trace_flat(
                   arguments,
                   [&](std::span<const Tensor> values) -> Tensors {
                     return std::get<DecomposeRule>(composite->decompose)(Call(op, values, operands, attrs, {}));
                   },
                   {.name = std::string(op.name), .closed = true})
                   .function;
  std::scoped_lock lock(cache.mutex);
  if (!cache.entries.contains(key)) {
    cache.recent.emplace_front(key, f);
    cache.entries.emplace(std::move(key), cache.recent.begin());
    if (cache.entries.size() > DecompositionCache::kCapacity) {
      cache.entries.erase(cache.recent.back().first);
      cache.recent.pop_back();
    }
  }
  return f;
}

}  // namespace calx
