// jit(f): traces a function of trees once per signature (structure, dtypes and sizes of its arguments), optimises the
// program and runs it at once; later calls with the same signature only run it. What f reads besides its arguments' tensors
// (captured tensors and values, fields that CALX_TREE does not list) is a constant of the first trace.
//
// Safe to call from several threads: of those that meet a new signature one traces, the others with that signature wait for
// it, and all others run. A trace that raises leaves nothing behind: the next call tries again.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "calx/base/function_ref.h"
#include "calx/core/trace_tree.h"
#include "calx/core/tree.h"

namespace calx {

namespace detail {

/// The programs of one jitted function, by signature.
class JitCache {
 public:
  explicit JitCache(SourceLoc where) : where_(where) {}

  struct Program {
    Function function;  // optimised
    /// A result's structure: its owner knows the type.
    std::shared_ptr<const void> like;
  };
  /// What a trace gave: nothing if the function captured tensors, so that no program can stand for it.
  using Trace = FunctionRef<std::optional<Program>()>;

  [[nodiscard]] SourceLoc where() const { return where_; }
  /// The program for a list of argument types, which the address `kind` stands for, and a signature; traced if it is new.
  /// Nothing if another thread traces it while this one traces something too: two functions that call each other would wait
  /// for each other for ever.
  [[nodiscard]] std::shared_ptr<const Program> find(const void* kind, const std::string& signature, Trace trace);

 private:
  // Locked while its signature is traced. Recursive: f may call itself, through a jitted copy, on concrete tensors.
  struct Entry {
    std::recursive_mutex mutex;
    std::shared_ptr<const Program> program;
  };

  SourceLoc where_;
  std::mutex mutex_;
  std::map<std::pair<const void*, std::string>, std::shared_ptr<Entry>> entries_;
};

[[nodiscard]] Tensors run_program(const Function& f, const Tensors& operands, SourceLoc where);
/// Appends a leaf of argument number `argument` and its part of the signature; raises undefined_tensor, naming the path.
void append_operand(Tensors& operands, std::string& signature, const std::string& path, std::size_t argument, const Tensor& leaf,
                    SourceLoc where);
/// Is any of them traced?
[[nodiscard]] bool any_traced(const Tensors& operands);

}  // namespace detail

template <class F>
class Jitted {
 public:
  explicit Jitted(F f, SourceLoc where) : state_(std::make_shared<State>(std::move(f), where)) {}

  template <class... Args>
  auto operator()(const Args&... args) const {
    static_assert((Tree<Args> && ...), "arguments of a jitted function are tensors or trees of tensors");
    using R = detail::TraceResult<const F, Args...>;
    const SourceLoc where = state_->cache.where();
    Tensors operands;
    std::string signature;
    std::size_t number = 0;
    [[maybe_unused]] const auto add = [&](const auto& argument) {
      tree::for_each(argument, [&](const std::string& path, const Tensor& leaf) {
        detail::append_operand(operands, signature, path, number, leaf, where);
      });
      signature += ';';
      ++number;
    };
    (add(args), ...);
    // Inside another trace the function is simply a part of it.
    if (detail::any_traced(operands)) return R(state_->f(args...));

    static const char kind = 0;  // one per list of argument types
    const auto program = state_->cache.find(&kind, signature, [&]() -> std::optional<detail::JitCache::Program> {
      auto traced = trace_tree(state_->f, {.name = "jit"}, where, args...);
      if (!traced.captures.empty()) return std::nullopt;
      // Only the structure of the results is kept: their tensors would keep every node of the trace alive.
      tree::for_each(traced.like, [](const std::string&, Tensor& leaf) { leaf = Tensor(); });
      return detail::JitCache::Program{std::move(traced.function), std::make_shared<const R>(std::move(traced.like))};
    });
    if (!program) return R(state_->f(args...));
    const Tensors results = detail::run_program(program->function, operands, where);
    return tree::unflatten(*static_cast<const R*>(program->like.get()), results, where);
  }

 private:
  struct State {
    State(F function, SourceLoc where) : f(std::move(function)), cache(where) {}
    F f;
    detail::JitCache cache;
  };
  std::shared_ptr<State> state_;
};

/// Compiles f on first use. Gradient: that of f. Errors: those of f, at its first call with a signature.
template <class F>
[[nodiscard]] Jitted<F> jit(F f, SourceLoc where = SourceLoc::current()) {
  return Jitted<F>(std::move(f), where);
}

}  // namespace calx
