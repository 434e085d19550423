#include "model.h"

#include <algorithm>
#include <cmath>

#include "calx/base/format.h"
#include "calx/core/bind.h"

namespace opgen {
namespace {

using calx::AttrKind;
using calx::AttrSpec;
using calx::AttrValue;
using calx::format;
using calx::OpDef;

std::string to_pascal(std::string_view name) {
  std::string pascal;
  bool upper = true;
  for (char letter : name) {
    if (letter == '_') {
      upper = true;
      continue;
    }
    pascal += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
    upper = false;
  }
  return pascal;
}

bool is_shape(const AttrSpec& spec) {
  return spec.kind == AttrKind::dims && spec.name == "shape" && !spec.is_optional;
}

std::string cpp_type(const AttrSpec& spec) {
  std::string type;
  switch (spec.kind) {
    case AttrKind::boolean: type = "bool"; break;
    case AttrKind::integer: type = "std::int64_t"; break;
    case AttrKind::real: type = "double"; break;
    case AttrKind::text: type = "std::string"; break;
    case AttrKind::dtype: type = "DType"; break;
    case AttrKind::dim: type = "Dim"; break;
    case AttrKind::integers: type = "std::vector<std::int64_t>"; break;
    case AttrKind::dims: type = is_shape(spec) ? "Shape" : "std::vector<Dim>"; break;
    case AttrKind::array: type = "Array"; break;
    case AttrKind::function: type = "Function"; break;
    case AttrKind::functions: type = "std::vector<Function>"; break;
    case AttrKind::enumeration: type = std::string(spec.enum_type); break;
  }
  return spec.is_optional ? format("std::optional<{}>", type) : type;
}

bool passed_by_value(const AttrSpec& spec) {
  if (spec.is_optional) return false;
  return spec.kind == AttrKind::boolean || spec.kind == AttrKind::integer || spec.kind == AttrKind::real ||
         spec.kind == AttrKind::dtype || spec.kind == AttrKind::enumeration;
}

std::string real_text(double value, bool cpp) {
  if (std::isnan(value)) return cpp ? "std::numeric_limits<double>::quiet_NaN()" : "nan";
  if (std::isinf(value)) {
    return std::string(value < 0 ? "-" : "") + (cpp ? "std::numeric_limits<double>::infinity()" : "inf");
  }
  std::string text = format("{}", value);
  return text;
}

/// Text shared by the two notations.
std::string plain_text(const AttrSpec& spec, const AttrValue& value, bool cpp) {
  const auto list = [&](const auto& values, auto one) {
    std::string text;
    for (const auto& each : values) text += (text.empty() ? "" : ", ") + one(each);
    return (cpp ? "{" : "[") + text + (cpp ? "}" : "]");
  };
  if (std::holds_alternative<std::monostate>(value)) return cpp ? "{}" : "none";
  switch (spec.kind) {
    case AttrKind::boolean: return std::get<bool>(value) ? "true" : "false";
    case AttrKind::integer: return format("{}", std::get<std::int64_t>(value));
    case AttrKind::real: return real_text(std::get<double>(value), cpp);
    case AttrKind::text: return format("\"{}\"", std::get<std::string>(value));
    case AttrKind::dtype: {
      const std::string name(std::get<calx::DType>(value).name());
      return cpp && name == "bool" ? "boolean" : name;
    }
    case AttrKind::dim: return std::get<calx::Dim>(value).to_string();
    case AttrKind::integers:
      return list(std::get<std::vector<std::int64_t>>(value), [](std::int64_t one) { return format("{}", one); });
    case AttrKind::dims:
      return list(std::get<std::vector<calx::Dim>>(value), [](const calx::Dim& one) { return one.to_string(); });
    case AttrKind::enumeration: {
      const std::string_view name = spec.names[static_cast<std::size_t>(std::get<std::int64_t>(value))];
      return cpp ? format("{}::{}", spec.enum_type, name) : std::string(name);
    }
    case AttrKind::array:
    case AttrKind::function:
    case AttrKind::functions: break;
  }
  throw std::runtime_error(format("attribute `{}`: a default of this kind cannot be written", spec.name));
}

/// The operands of each linear group, kAllOperands resolved.
std::vector<std::vector<int>> linear_groups(const OpDef& op) {
  const calx::Primitive* primitive = op.primitive();
  if (primitive == nullptr) return {};
  const auto* linear = std::get_if<calx::LinearIn>(&primitive->linear);
  if (linear == nullptr) return {};
  std::vector<std::vector<int>> groups = linear->groups;
  for (std::vector<int>& group : groups) {
    if (group != std::vector<int>{calx::kAllOperands}) continue;
    group.clear();
    for (int i = 0; i < static_cast<int>(op.operands.size()); ++i) group.push_back(i);
  }
  return groups;
}

/// True iff a sample gives another number of results than the op declares names for.
bool has_list_result(const OpDef& op) {
  if (op.operands.empty() || !op.operands.back().variadic || op.results.size() > 1) return false;
  for (const calx::Sample& sample : op.samples()) {
    std::vector<calx::Type> types;
    for (const calx::SampleOperand& operand : sample.operands) {
      calx::DType dtype = operand.dtype.value_or(calx::f32);
      const std::size_t last = op.operands.size() - 1;
      const calx::OperandSpec& spec = op.operands[std::min(types.size(), last)];
      for (calx::DType each : calx::kAllDTypes) {
        if (!calx::accepts(spec.dtypes, dtype)) dtype = each;
      }
      types.push_back({dtype, operand.shape});
    }
    calx::Attrs attrs = sample.attrs;
    if (calx::infer_types(op, types, attrs, {}).size() != op.results.size()) return true;
  }
  return false;
}

std::vector<Overload> overloads(const OpDef& op) {
  std::vector<Overload> result;
  const int count = static_cast<int>(op.operands.size());
  int fewest = count;
  while (fewest > 0 && op.operands[static_cast<std::size_t>(fewest - 1)].optional) --fewest;
  for (int present = fewest; present <= count; ++present) {
    result.push_back({present, std::vector<bool>(static_cast<std::size_t>(present), false), false});
  }
  // The linear core ops on tangents are part of core/tangent.h.
  if (op.family == "core") return result;
  for (const std::vector<int>& group : linear_groups(op)) {
    for (int present = fewest; present <= count; ++present) {
      Overload overload{present, std::vector<bool>(static_cast<std::size_t>(present), false), true};
      bool any = false;
      for (int operand : group) {
        if (operand >= present) continue;
        overload.is_tangent[static_cast<std::size_t>(operand)] = true;
        any = true;
      }
      if (any) result.push_back(std::move(overload));
    }
  }
  return result;
}

}  // namespace

std::string Op::result_type(const Overload& overload) const {
  if (overload.tangents) return list_result || def->results.size() > 1 ? "Tangents" : "Tangent";
  if (list_result) return "Tensors";
  return has_struct_result() ? pascal + "Result" : "Tensor";
}

bool Op::takes_location(const Overload& overload) const {
  return !overload.tangents && (overload.num_operands == 0 || (variadic && overload.num_operands == 1));
}

std::vector<std::string> Op::parameters(const Overload& overload, bool declaration) const {
  std::vector<std::string> result;
  for (int i = 0; i < overload.num_operands; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool list = def->operands[at].variadic;
    const bool tangent = overload.is_tangent[at];
    const std::string_view type = tangent             ? (list ? "std::vector<Tangent>" : "Tangent")
                                  : list              ? "std::vector<Tensor>"
                                  : overload.tangents ? "Tensor"
                                                      : "Operand";
    result.push_back(format("const {}& {}", type, def->operands[at].name));
  }
  for (const Attribute& attribute : required) {
    result.push_back(passed_by_value(*attribute.spec) ? format("{} {}", attribute.type, attribute.spec->name)
                                                      : format("const {}& {}", attribute.type, attribute.spec->name));
  }
  if (!optional.empty()) result.push_back(format("const {}& options{}", options_type(), declaration ? " = {}" : ""));
  if (takes_location(overload)) {
    result.push_back(format("SourceLoc where{}", declaration ? " = SourceLoc::current()" : ""));
  }
  return result;
}

std::string initialiser(const AttrSpec& spec, const AttrValue& value) { return plain_text(spec, value, true); }
std::string readable(const AttrSpec& spec, const AttrValue& value) { return plain_text(spec, value, false); }

std::string hand_written(const OpDef& op) {
  if (op.name == "reshape") return "`reshape` of calx/ops/sugar.h resolves a size of -1 first";
  if (op.name == "constant" || op.name == "barrier") return "`tensor`, `scalar` and `core::` build it";
  for (const AttrSpec& spec : op.attrs) {
    if (spec.kind == AttrKind::function || spec.kind == AttrKind::functions) return "it takes functions";
  }
  return "";
}

std::vector<Op> read_table() {
  std::vector<Op> table;
  for (const OpDef* def : calx::op_table()) {
    if (!hand_written(*def).empty()) continue;
    Op op{.def = def, .pascal = to_pascal(def->name), .required = {}, .optional = {}, .overloads = overloads(*def)};
    op.variadic = !def->operands.empty() && def->operands.back().variadic;
    op.list_result = has_list_result(*def);
    for (const AttrSpec& spec : def->attrs) {
      Attribute attribute{&spec, cpp_type(spec), "", is_shape(spec)};
      if (!spec.default_value) {
        op.required.push_back(std::move(attribute));
        continue;
      }
      attribute.initialiser = initialiser(spec, *spec.default_value);
      op.optional.push_back(std::move(attribute));
    }
    table.push_back(std::move(op));
  }
  return table;
}

}  // namespace opgen
