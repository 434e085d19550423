#include "calx/base/format.h"
#include "text.h"
#include "writers.h"

namespace opgen {
namespace {

using calx::format;

constexpr std::string_view kHead = R"(// The functions of calx/ops.h. Written by tools/opgen from the op table (`make generate`); do not edit.
// clang-format off
#include "calx/ops.h"

)";
constexpr std::string_view kIncludes = "#include \"support/generated_support.h\"\n";
constexpr std::string_view kOpening = R"(
namespace calx {

using detail::apply_linear;
using detail::bind_list;
using detail::entry;
)";

std::string value_of(const Attribute& attribute, bool from_options) {
  return format("entry(\"{0}\", {1}{0}{2})", attribute.spec->name, from_options ? "options." : "",
                attribute.is_shape ? ".dims()" : "");
}

std::vector<std::string> attributes(const Op& op) {
  std::vector<std::string> values;
  // The op's own order, so that completing the attributes has nothing to move.
  std::size_t next_required = 0;
  std::size_t next_optional = 0;
  for (const calx::AttrSpec& spec : op.def->attrs) {
    values.push_back(spec.default_value ? value_of(op.optional[next_optional++], true)
                                        : value_of(op.required[next_required++], false));
  }
  return values;
}

/// Items in braces, one a line where they do not fit after `column`.
std::string braced(const std::vector<std::string>& items, std::size_t column) {
  const std::string one_line = format("{{{}}}", calx::join(items, ", "));
  if (column + one_line.size() + 12 <= kWidth) return one_line;
  return format("{{\n      {}}}", calx::join(items, ",\n      "));
}

std::string body(const Op& op, const Overload& overload) {
  std::string names;
  std::string list;
  for (int i = 0; i < overload.num_operands; ++i) {
    const calx::OperandSpec& operand = op.def->operands[static_cast<std::size_t>(i)];
    if (operand.variadic) {
      list = operand.name;
      continue;
    }
    names += (names.empty() ? "" : ", ") + std::string(operand.name);
  }
  const std::string where = op.takes_location(overload) ? "where" : "{}";
  std::string arguments = format("op, {{{}}}{}, ", names, list.empty() ? "" : ", " + list);
  arguments += braced(attributes(op), std::string_view("  return apply_linear(").size() + arguments.size());
  const bool many = op.list_result || op.def->results.size() > 1;
  if (overload.tangents) {
    return format("  return apply_linear({}){};\n", arguments, many ? "" : ".front()");
  }
  const std::string call = list.empty() && overload.num_operands > 0
                               ? format("bind_list({})", arguments)
                               : format("bind_list({}, {})", arguments, where);
  if (!many) return format("  return {}.front();\n", call);
  if (op.list_result) return format("  return {};\n", call);
  std::string fields;
  for (std::size_t i = 0; i < op.def->results.size(); ++i) fields += format("{}results[{}]", i == 0 ? "" : ", ", i);
  return format("  const Tensors results = {};\n  return {{{}}};\n", call, fields);
}

}  // namespace

void write_source(const std::vector<Op>& table, Files& files) {
  std::string text = format("{}{}{}", kHead, kIncludes, kOpening);
  for (const Op& op : table) {
    for (const Overload& overload : op.overloads) {
      text += "\n" + parenthesised(format("{} {}", op.result_type(overload), op.def->name),
                                   op.parameters(overload, false), " {") +
              "\n" + format("  static const OpDef& op = get_op(\"{}\");\n", op.def->name) + body(op, overload) + "}\n";
    }
  }
  files["src/ops/generated/ops.cc"] = text + "\n}  // namespace calx\n";
}

}  // namespace opgen
