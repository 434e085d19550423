#include "calx/base/format.h"
#include "text.h"
#include "writers.h"

namespace opgen {
namespace {

using calx::format;

constexpr std::string_view kNote = "<!-- Written by tools/opgen from the op table (make generate); do not edit. -->\n";

void row(std::string& text, std::string_view title, std::string_view content) {
  if (!content.empty()) text += wrap(format("**{}**: {}", title, content), "- ", "  ");
}

std::string section(const calx::OpDef& def, const Op* op) {
  const calx::OpDoc& doc = def.doc;
  std::string text = format("\n## {}\n\n", def.name);
  text += wrap(doc.summary, "", "");
  if (!doc.math.empty()) text += format("\n```text\n{}\n```\n", doc.math);
  if (op != nullptr) {
    text += "\n```cpp\n";
    for (const Overload& overload : op->overloads) {
      text += parenthesised(format("{} {}", op->result_type(overload), def.name), op->parameters(overload, true), ";") + "\n";
    }
    text += "```\n";
  } else {
    text += format("\nNo function is generated for it: {}.\n", hand_written(def));
  }
  text += "\n";
  row(text, "Shapes", doc.shapes);
  row(text, "Dtypes", describe_dtypes(def));
  if (!def.attrs.empty()) {
    text += "- **Attributes**:\n";
    for (const calx::AttrSpec& spec : def.attrs) text += wrap(describe_attribute({.spec = &spec}), "  - ", "    ");
  }
  if (def.results.size() > 1) row(text, "Results", format("`{}`", calx::join(def.results, "`, `")));
  row(text, "Gradient", doc.gradient);
  row(text, "Accuracy", doc.accuracy);
  row(text, "Errors", doc.errors);
  if (!doc.example.empty()) text += format("- **Example**:\n\n  ```cpp\n{}  ```\n\n", wrap(doc.example, "  ", "  "));
  row(text, "Source", doc.source);
  return text;
}

}  // namespace

void write_pages(const std::vector<Op>& table, Files& files) {
  std::map<std::string_view, const Op*> functions;
  for (const Op& op : table) functions[op.def->name] = &op;
  std::map<std::string_view, std::vector<const calx::OpDef*>> families;
  for (const calx::OpDef* def : calx::op_table()) families[def->family].push_back(def);

  std::string index = format("{}# Ops\n\nEvery op, by family.\n", kNote);
  for (const auto& [family, ops] : families) {
    index += format("\n## [{0}]({0}.md)\n\n| op | |\n|---|---|\n", family);
    std::string page = format("{}# {}\n", kNote, family);
    for (const calx::OpDef* def : ops) {
      index += format("| [{0}]({1}.md#{0}) | {2} |\n", def->name, family, def->doc.summary);
      const auto found = functions.find(def->name);
      page += section(*def, found == functions.end() ? nullptr : found->second);
    }
    files[format("docs/ops/{}.md", family)] = page;
  }
  files["docs/ops/README.md"] = index;
}

}  // namespace opgen
