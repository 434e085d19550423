// The documentation of an op has all of its parts.
#include "calx/base/format.h"
#include "law_functions.h"

namespace calx::laws {

void check_docs(const LawInput& input, Cell& cell) {
  const OpDef& op = input.op;
  const auto require = [&](bool holds, const std::string& what) { cell.check(holds, [&] { return what; }); };
  const std::pair<std::string_view, std::string_view> parts[] = {
      {"summary", op.doc.summary},   {"math", op.doc.math},         {"shapes", op.doc.shapes},
      {"gradient", op.doc.gradient}, {"accuracy", op.doc.accuracy}, {"errors", op.doc.errors},
      {"example", op.doc.example},   {"source", op.doc.source}};
  for (const auto& [part, text] : parts) require(!text.empty(), format("doc.{} is empty", part));
  require(!op.family.empty(), "the family is empty");
  require(op.doc.summary.ends_with('.'), "doc.summary is no sentence");
  for (const OperandSpec& spec : op.operands) {
    // An operand is described by its own text, or by its place in the formula and the shapes.
    const bool described = !spec.doc.empty() || op.doc.shapes.find(spec.name) != std::string_view::npos ||
                           op.doc.math.find(spec.name) != std::string_view::npos;
    require(described, format("operand `{}` is nowhere described", spec.name));
  }
  for (const AttrSpec& spec : op.attrs)
    require(!spec.doc.empty(), format("attribute `{}` has no doc", spec.name));
  require(!op.results.empty(), "no result is named");
}

}  // namespace calx::laws
