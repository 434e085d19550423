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
#include <string>
#include <utility>

#include "calx/core/trace_tree.h"
#include "calx/core/tree.h"

namespace calx {

namespace detail {

/// The optimised program; warns once if it holds captured constants of more than 1 MB.
[[nodiscard]] Function prepare_program(const Function& f);
[[nodiscard]] Tensors run_program(const Function& f, const Tensors& operands);
/// Raises undefined_tensor, naming the path.
void require_defined(const std::string& path, std::size_t argument, const Tensor& leaf, SourceLoc where);
void append_signature(std::string& signature, const std::string& path, const Tensor& leaf);
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
    Tensors operands;
    std::string signature;
    std::size_t number = 0;
    [[maybe_unused]] const auto add = [&](const auto& argument) {
      tree::for_each(argument, [&](const std::string& path, const Tensor& leaf) {
        detail::require_defined(path, number, leaf, state_->where);
        detail::append_signature(signature, path, leaf);
        operands.push_back(leaf);
      });
      signature += ';';
      ++number;
    };
    (add(args), ...);
    // Inside another trace the function is simply a part of it.
    if (detail::any_traced(operands)) return R(state_->f(args...));

    struct Program {
      Function function;
      R like;
    };
    // Locked while its signature is traced. Recursive: f may call itself, through a jitted copy, on concrete tensors.
    struct Entry {
      std::recursive_mutex mutex;
      std::shared_ptr<const Program> program;
    };
    using Cache = std::map<std::string, std::shared_ptr<Entry>>;
    std::shared_ptr<Entry> entry;
    {
      std::scoped_lock lock(state_->mutex);
      // One cache per list of argument types.
      static const char kind = 0;
      std::shared_ptr<void>& slot = state_->caches[&kind];
      if (!slot) slot = std::make_shared<Cache>();
      std::shared_ptr<Entry>& found = (*static_cast<Cache*>(slot.get()))[signature];
      if (!found) found = std::make_shared<Entry>();
      entry = found;
    }
    std::shared_ptr<const Program> program;
    {
      std::scoped_lock lock(entry->mutex);
      if (!entry->program) {
        auto traced = trace_tree(state_->f, {.name = "jit"}, state_->where, args...);
        if (!traced.captures.empty()) return R(state_->f(args...));
        entry->program =
            std::make_shared<const Program>(Program{detail::prepare_program(traced.function), std::move(traced.like)});
      }
      program = entry->program;
    }
    const Tensors results = detail::run_program(program->function, operands);
    return tree::unflatten(program->like, results, state_->where);
  }

 private:
  struct State {
    State(F function, SourceLoc location) : f(std::move(function)), where(location) {}
    F f;
    SourceLoc where;
    std::mutex mutex;
    std::map<const void*, std::shared_ptr<void>> caches;
  };
  std::shared_ptr<State> state_;
};

/// Compiles f on first use. Gradient: that of f. Errors: those of f, at its first call with a signature.
template <class F>
[[nodiscard]] Jitted<F> jit(F f, SourceLoc where = SourceLoc::current()) {
  return Jitted<F>(std::move(f), where);
}

}  // namespace calx
