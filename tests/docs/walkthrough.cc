// The op of the walk-through in CONTRIBUTING.md passes every law.
#include <iostream>

#include "laws/laws.h"

namespace calx::ops {
OpDef cbrt();
}

int main() {
  const calx::laws::LawReport report = calx::laws::run_laws(calx::register_op(calx::ops::cbrt()));
  for (const std::string& problem : report.problems()) std::cout << problem << "\n";
  return report.passed() ? 0 : 1;
}
