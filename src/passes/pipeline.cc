// The order of the passes, and what CALX_DEBUG prints of it. Debug builds verify the program after each pass.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "calx/base/format.h"
#include "calx/base/located.h"
#include "calx/core/bug_report.h"
#include "calx/core/text.h"
#include "calx/core/verify.h"
#include "calx/passes/passes.h"

namespace calx {
namespace {

/// Is `topic` one of the words, separated by commas, in CALX_DEBUG?
bool is_debugged(std::string_view topic) {
  const char* wanted = std::getenv("CALX_DEBUG");
  return wanted != nullptr && format(",{},", wanted).find(format(",{},", topic)) != std::string::npos;
}

#ifndef NDEBUG
/// Passes must not break a sound program; what was broken before is reported when it runs.
bool is_sound(const Function& f) {
  try {
    verify(f);
    return true;
  } catch (const Error&) {
    return false;
  }
}
#endif

}  // namespace

std::span<const Pass> default_pipeline() {
  static const Pass passes[] = {
      {"eliminate_dead_code", eliminate_dead_code},
      {"simplify", simplify},
      {"fold_constants", fold_constants},
      {"merge_common_subexpressions", merge_common_subexpressions},
      {"simplify", simplify},  // what folding and merging made plain: select(p, x, x)
      {"eliminate_dead_code", eliminate_dead_code},
  };
  return passes;
}

Function run_passes(const Function& f, std::span<const Pass> passes, SourceLoc where) try {
  detail::require_defined(f, "run_passes");
  const bool prints_programs = is_debugged("passes");
  const bool prints_times = prints_programs || is_debugged("times");
  if (prints_programs) std::fputs(format("# before the passes\n{}", print_short(f)).c_str(), stderr);
#ifndef NDEBUG
  const bool sound = is_sound(f);
#endif
  Function current = f;
  for (const Pass& pass : passes) {
    const std::size_t before = current.count_equations();
    const auto start = std::chrono::steady_clock::now();
    current = reporting_bugs(pass.name, current, [&] { return pass(current, where); });
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
#ifndef NDEBUG
    if (sound) verify(current, where);
#endif
    if (prints_times) {
      std::fputs(format("# {}: {} -> {} equations, {:.3f} ms\n", pass.name, before, current.count_equations(), took.count())
                     .c_str(),
                 stderr);
    }
    if (prints_programs) std::fputs(print_short(current).c_str(), stderr);
  }
  return current;
} catch (const Error& error) {
  detail::raise_at(error, where);
}

Function optimize(const Function& f, SourceLoc where) { return run_passes(f, default_pipeline(), where); }

}  // namespace calx
