// The order of the passes, and what CALX_DEBUG=passes prints of it.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "calx/base/format.h"
#include "calx/core/text.h"
#include "calx/core/verify.h"
#include "calx/passes/passes.h"

namespace calx {
namespace {

bool is_debugged() {
  const char* wanted = std::getenv("CALX_DEBUG");
  return wanted != nullptr && std::string_view(wanted).find("passes") != std::string_view::npos;
}

}  // namespace

std::span<const Pass> default_pipeline() {
  static const Pass passes[] = {
      {"eliminate_dead_code", eliminate_dead_code},
      {"simplify", simplify},
      {"fold_constants", fold_constants},
      {"merge_common_subexpressions", merge_common_subexpressions},
      {"simplify", simplify},  // what merging made equal: select(p, x, x)
      {"eliminate_dead_code", eliminate_dead_code},
  };
  return passes;
}

Function run_passes(const Function& f, std::span<const Pass> passes) {
  const bool debugged = is_debugged();
  if (debugged) std::fputs(format("# before the passes\n{}\n", print_short(f)).c_str(), stderr);
  Function current = f;
  for (const Pass& pass : passes) {
    const std::size_t before = current.count_equations();
    const auto start = std::chrono::steady_clock::now();
    current = pass.run(current);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
#ifndef NDEBUG
    verify(current);
#endif
    if (debugged) {
      const std::string report = format("# {}: {} -> {} equations in {:.3f} ms\n{}\n", pass.name, before,
                                        current.count_equations(), took.count(), print_short(current));
      std::fputs(report.c_str(), stderr);
    }
  }
  return current;
}

Function optimize(const Function& f) { return run_passes(f, default_pipeline()); }

}  // namespace calx
