#include <cmath>

#include "calx/base/format.h"
#include "text.h"
#include "writers.h"

namespace opgen {
namespace {

using calx::format;

constexpr std::string_view kHead = R"(// Every op as a function. Written by tools/opgen from the op table (`make generate`); do not edit.
// Operands are tensors or C++ scalars: they are promoted and broadcast as the op says. What an op is, is told by its
// file below src/; here only its C++ face is declared.
// clang-format off
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "calx/core/operand.h"
#include "calx/core/core_ops.h"
#include "calx/core/tangent.h"
)";

std::string item(std::string_view title, std::string_view text) {
  if (text.empty()) return "";
  return wrap(format("{}: {}", title, text), "/// ", "///   ");
}

std::string comment(const Op& op) {
  const calx::OpDoc& doc = op.def->doc;
  std::string text = wrap(doc.summary, "/// ", "/// ");
  if (!doc.math.empty()) text += "///\n" + wrap(doc.math, "///     ", "///     ") + "///\n";
  text += item("Shapes", doc.shapes);
  text += item("Dtypes", describe_dtypes(*op.def));
  for (const Attribute& attribute : op.required) text += wrap(describe_attribute(attribute), "/// - ", "///   ");
  for (const Attribute& attribute : op.optional) text += wrap(describe_attribute(attribute), "/// - ", "///   ");
  text += item("Gradient", doc.gradient);
  text += item("Accuracy", doc.accuracy);
  text += item("Errors", doc.errors);
  text += item("Example", doc.example);
  text += item("Source", doc.source);
  return text;
}

std::string options(const Op& op) {
  if (op.optional.empty()) return "";
  std::string text = format("struct {} {{\n", op.options_type());
  for (const Attribute& attribute : op.optional) {
    text += wrap(attribute.spec->doc, "  /// ", "  /// ");
    text += format("  {} {} = {};\n", attribute.type, attribute.spec->name, attribute.initialiser);
  }
  return text + "};\n";
}

std::string result_struct(const Op& op) {
  if (!op.has_struct_result()) return "";
  std::string text = format("struct {}Result {{\n", op.pascal);
  for (std::string_view name : op.def->results) text += format("  Tensor {} = {{}};\n", name);
  return text + "};\n";
}

}  // namespace

std::string describe_dtypes(const calx::OpDef& op) {
  std::string text;
  for (const calx::OperandSpec& operand : op.operands) {
    text += format("{}`{}` {}", text.empty() ? "" : ", ", operand.name, calx::describe(operand.dtypes));
    if (!operand.doc.empty()) text += format(" ({})", operand.doc);
  }
  return text;
}

std::string describe_attribute(const Attribute& attribute) {
  const calx::AttrSpec& spec = *attribute.spec;
  std::string text = format("`{}`", spec.name);
  text += spec.default_value ? format(" (default {})", readable(spec, *spec.default_value)) : " (required)";
  text += format(": {}", spec.doc);
  if (!spec.names.empty()) text += format("; one of {}", calx::join(spec.names, ", "));
  if (std::isfinite(spec.lowest) && std::isfinite(spec.largest)) {
    text += format("; in [{}, {}]", spec.lowest, spec.largest);
  } else if (std::isfinite(spec.lowest)) {
    text += format("; at least {}", spec.lowest);
  } else if (std::isfinite(spec.largest)) {
    text += format("; at most {}", spec.largest);
  }
  return text;
}

void write_header(const std::vector<Op>& table, const std::vector<std::string>& hand_written_headers, Files& files) {
  std::string text(kHead);
  for (const std::string& header : hand_written_headers) text += format("#include \"{}\"\n", header);
  text += "\nnamespace calx {\n";
  std::string_view family;
  for (const Op& op : table) {
    if (op.def->family != family) {
      family = op.def->family;
      const std::string title = format("\n// ---- {} ", family);
      text += title + std::string(kWidth - title.size(), '-') + "\n";
    }
    text += "\n" + options(op) + result_struct(op) + comment(op);
    for (const Overload& overload : op.overloads) {
      text += parenthesised(format("[[nodiscard]] {} {}", op.result_type(overload), op.def->name),
                            op.parameters(overload, true), ";") +
              "\n";
    }
  }
  files["include/calx/ops.h"] = text + "\n}  // namespace calx\n";
}

}  // namespace opgen
