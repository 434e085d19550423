// jit(f): traces a function of trees once per signature (structure, dtypes and sizes of its arguments), optimises the
// program and runs it at once; later calls with the same signature only run it. Concrete tensors that f captures are
// constants of the first trace. Safe to call from several threads.
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
    const auto add = [&](const auto& argument) {
      tree::for_each(argument, [&](const std::string& path, const Tensor& leaf) {
        detail::append_signature(signature, path, leaf);
        operands.push_back(leaf);
      });
      signature += ';';
    };
    (add(args), ...);
    // Inside another trace the function is simply a part of it.
    if (detail::any_traced(operands)) return R(state_->f(args...));

    struct Entry {
      Function program;
      R like;
    };
    using Cache = std::map<std::string, std::shared_ptr<const Entry>>;
    std::shared_ptr<const Entry> entry;
    {
      std::scoped_lock lock(state_->mutex);
      // One cache per list of argument types.
      static const char kind = 0;
      std::shared_ptr<void>& slot = state_->caches[&kind];
      if (!slot) slot = std::make_shared<Cache>();
      auto& cache = *static_cast<Cache*>(slot.get());
      auto found = cache.find(signature);
      if (found == cache.end()) {
        auto traced = trace_tree(state_->f, {.name = "jit"}, state_->where, args...);
        if (!traced.captures.empty()) return R(state_->f(args...));
        auto made = std::make_shared<const Entry>(Entry{detail::prepare_program(traced.function), std::move(traced.like)});
        found = cache.emplace(signature, std::move(made)).first;
      }
      entry = found->second;
    }
    const Tensors results = detail::run_program(entry->program, operands);
    return tree::unflatten(entry->like, results, state_->where);
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
