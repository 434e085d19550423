// The part of jit that does not depend on the types of the arguments.
#include "calx/jit/jit.h"

#include <atomic>
#include <cstdio>

#include "calx/base/format.h"
#include "calx/core/equation.h"
#include "calx/core/evaluator.h"
#include "calx/passes/passes.h"

namespace calx::detail {
namespace {

constexpr std::size_t kLargeConstantBytes = std::size_t{1} << 20;

std::size_t constant_bytes(const Function& f) {
  std::size_t bytes = 0;
  for (const Equation& equation : f.equations()) {
    for (const Attrs::Entry& entry : equation.attrs.entries()) {
      if (const auto* array = std::get_if<Array>(&entry.value)) bytes += array->size_bytes();
    }
  }
  return bytes;
}

/// Optimised; warns once if it holds captured constants of more than 1 MB.
Function prepare_program(const Function& f) {
  static std::atomic<bool> warned{false};
  if (const std::size_t bytes = constant_bytes(f); bytes > kLargeConstantBytes && !warned.exchange(true)) {
    std::fprintf(stderr, "calx: a jitted function captured %zu bytes of tensors as constants; pass them as arguments\n", bytes);
  }
  return optimize(f, {});
}

}  // namespace

std::shared_ptr<const JitCache::Program> JitCache::find(const void* kind, const std::string& signature, Trace trace) {
  std::shared_ptr<Entry> entry;
  {
    std::scoped_lock lock(mutex_);
    std::shared_ptr<Entry>& found = entries_[{kind, signature}];
    if (!found) found = std::make_shared<Entry>();
    entry = found;
  }
  // How many traces of jitted functions are open on this thread: who holds one entry must not wait for another.
  thread_local int tracing = 0;
  std::unique_lock lock(entry->mutex, std::defer_lock);
  if (tracing == 0) {
    lock.lock();
  } else if (!lock.try_lock()) {
    return nullptr;
  }
  if (!entry->program) {
    ++tracing;
    const struct Leave {
      ~Leave() { --tracing; }
    } leave;
    std::optional<Program> traced = trace();
    if (!traced) return nullptr;
    traced->function = prepare_program(traced->function);
    entry->program = std::make_shared<const Program>(*std::move(traced));
  }
  return entry->program;
}

Tensors run_program(const Function& f, const Tensors& operands, SourceLoc where) {
  std::vector<Array> arguments;
  arguments.reserve(operands.size());
  for (const Tensor& operand : operands) arguments.push_back(operand.value(where));
  Tensors results;
  for (Array& result : default_evaluator().run(f, std::move(arguments), {})) results.emplace_back(std::move(result));
  return results;
}

void append_operand(Tensors& operands, std::string& signature, const std::string& path, std::size_t argument, const Tensor& leaf,
                    SourceLoc where) {
  if (!leaf.defined()) {
    const std::string name = format("arg{}{}{}", argument, path.empty() ? "" : ".", path);
    raise({.id = ErrorId::undefined_tensor,
           .op = "jit",
           .message = format("`{}` is an undefined tensor", name),
           .where = where,
           .hint = "assign it before use, or make the field a std::optional<Tensor> that may be absent",
           .facts = {{"path", name}}});
  }
  // With its length, since a key of a map may hold any text.
  signature += format("{}:{}:", path.size(), path);
  signature += leaf.type().to_string();
  signature += ',';
  operands.push_back(leaf);
}

bool any_traced(const Tensors& operands) {
  for (const Tensor& operand : operands) {
    if (operand.is_traced()) return true;
  }
  return false;
}

}  // namespace calx::detail
