// The sizes of derivatives: for each composite, how many equations its decomposition and its first, second and third
// derivatives take, as a table in Markdown. Nothing is run. The counts do not depend on sizes; the last column says so.
#include <cstdio>

#include "_equation_counts.h"
#include "calx/base/format.h"

int main() {
  using namespace calx;
  std::puts("| op | operands | forward | 1st | 2nd | 3rd | sizes doubled |");
  std::puts("|---|---|---|---|---|---|---|");
  for (const OpDef* op : op_table()) {
    if (op->composite() == nullptr) continue;
    for (const Sample& sample : op->samples()) {
      const std::optional<bench::Application> one = bench::application_of(*op, sample);
      const std::optional<bench::Application> larger = one ? bench::doubled(*op, *one) : std::nullopt;
      if (!larger) continue;
      const bench::EquationCounts counts = bench::count_equations(*op, *one);
      const bool same = counts == bench::count_equations(*op, *larger);
      std::string types;
      for (const Type& type : one->types) types += (types.empty() ? "`" : ", `") + type.to_string() + "`";
      std::puts(format("| {} | {} | {} | {} | {} | {} | {} |", op->name, types, counts[0], counts[1], counts[2], counts[3],
                       same ? "same" : "differs")
                    .c_str());
      break;
    }
  }
}
