// Law 9: every misuse that the op lists, and the general ones, raise the stated error with the op, the
// operand and a message that says what is wrong.
#include <cmath>

#include "calx/base/format.h"
#include "calx/core/bind.h"
#include "law_functions.h"

namespace calx::laws {
namespace {

struct Misuse {
  std::string what;
  std::vector<Type> operands;
  Attrs attrs;
  ErrorId id;
  std::string message;
};

void check_misuse(const OpDef& op, const Misuse& misuse, Cell& cell) {
  try {
    Attrs attrs = misuse.attrs;
    const std::vector<Type> types = infer_types(op, misuse.operands, attrs, {});
    cell.fail(
        format("{}: accepted, with result {}", misuse.what, types.empty() ? "" : types.front().to_string()));
  } catch (const Error& error) {
    const std::string text = error.what();
    cell.check(error.id() == misuse.id, [&] {
      return format("{}: expected {} but raised: {}", misuse.what, to_string(misuse.id), text);
    });
    cell.check(text.find(misuse.message) != std::string::npos,
               [&] { return format("{}: the message lacks \"{}\": {}", misuse.what, misuse.message, text); });
    cell.check(error.op() == op.name,
               [&] { return format("{}: the error names `{}`", misuse.what, error.op()); });
    for (const Type& type : misuse.operands) {
      bool named = false;
      for (const auto& [key, fact] : error.facts()) named |= fact == type.to_string();
      cell.check(named,
                 [&] { return format("{}: the facts lack the operand {}", misuse.what, type.to_string()); });
    }
  }
}

std::optional<DType> refused(DTypes set) {
  for (DType dtype : {f32, boolean, i32, u8}) {
    if (!accepts(set, dtype)) return dtype;
  }
  return std::nullopt;
}

AttrValue wrong_kind(AttrKind kind) {
  if (kind == AttrKind::text) return AttrValue(true);
  return AttrValue(std::string("wrong"));
}

std::optional<AttrValue> number_like(const AttrValue& like, double value) {
  if (std::holds_alternative<double>(like)) return AttrValue(value);
  const auto integer = static_cast<std::int64_t>(value);
  if (std::holds_alternative<std::int64_t>(like)) return AttrValue(integer);
  if (std::holds_alternative<Dim>(like)) return AttrValue(Dim(integer));
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&like); list != nullptr && !list->empty()) {
    return AttrValue(std::vector<std::int64_t>(list->size(), integer));
  }
  if (const auto* list = std::get_if<std::vector<Dim>>(&like); list != nullptr && !list->empty()) {
    return AttrValue(std::vector<Dim>(list->size(), Dim(integer)));
  }
  return std::nullopt;
}

std::vector<Misuse> general_misuses(const OpDef& op, const std::vector<Case>& cases) {
  std::vector<Misuse> all;
  if (cases.empty()) return all;
  const Case& good = cases.front();
  std::size_t fewest = 0;
  for (const OperandSpec& spec : op.operands) fewest += spec.variadic || spec.optional ? 0 : 1;
  if (fewest > 0) {
    std::vector<Type> fewer(good.types.begin(), good.types.begin() + static_cast<std::ptrdiff_t>(fewest - 1));
    all.push_back({"one operand too few", fewer, good.attrs, ErrorId::arity, "takes"});
  }
  if (op.operands.empty() || !op.operands.back().variadic) {
    std::vector<Type> more = good.types;
    while (more.size() <= op.operands.size()) more.push_back({f32, {}});
    all.push_back({"one operand too many", more, good.attrs, ErrorId::arity, "takes"});
  }
  for (std::size_t i = 0; i < good.types.size(); ++i) {
    const OperandSpec& spec = operand_spec(op, static_cast<int>(i));
    if (const std::optional<DType> dtype = refused(spec.dtypes)) {
      std::vector<Type> types = good.types;
      types[i].dtype = *dtype;
      all.push_back({format("`{}` of dtype {}", spec.name, dtype->name()), types, good.attrs, ErrorId::dtype,
                     format("`{}", spec.name)});
    }
  }
  Attrs unknown = good.attrs;
  unknown.set_value("no_such_attribute", std::int64_t{1});
  all.push_back(
      {"an unknown attribute", good.types, unknown, ErrorId::attribute_unknown, "`no_such_attribute`"});
  for (const AttrSpec& spec : op.attrs) {
    const std::string quoted = format("`{}`", spec.name);
    Attrs wrong = good.attrs;
    wrong.set_value(spec.name, wrong_kind(spec.kind));
    all.push_back({format("{} of another kind", quoted), good.types, wrong, ErrorId::attribute, quoted});
    if (!spec.default_value) {
      Attrs without;
      for (const Attrs::Entry& entry : good.attrs.entries()) {
        if (entry.name != spec.name) without.set_value(entry.name, entry.value);
      }
      all.push_back({format("without {}", quoted), good.types, without, ErrorId::attribute_missing, quoted});
    }
    if (spec.kind == AttrKind::enumeration) {
      for (std::int64_t outside : {std::int64_t{-1}, static_cast<std::int64_t>(spec.names.size())}) {
        wrong.set_value(spec.name, outside);
        all.push_back({format("{} = {}", quoted, outside), good.types, wrong, ErrorId::attribute, quoted});
      }
    }
    // Out of range, at a sample that gives the attribute a value.
    for (const Case& one : cases) {
      const AttrValue* value = one.attrs.find(spec.name);
      if (value == nullptr && spec.default_value) value = &*spec.default_value;
      if (value == nullptr || !number_like(*value, 0)) continue;
      for (double outside : {spec.lowest - 1, spec.largest + 1}) {
        // Bounds beyond the integers that a double holds are as good as none.
        if (!std::isfinite(outside) || std::abs(outside) > 0x1p53) continue;
        Attrs attrs = one.attrs;
        attrs.set_value(spec.name, *number_like(*value, outside));
        all.push_back({format("{} = {}", quoted, outside), one.types, attrs, ErrorId::attribute, quoted});
      }
      break;
    }
  }
  return all;
}

}  // namespace

void check_rejects(const LawInput& input, Cell& cell) {
  int number = 0;
  for (const Reject& reject : input.op.rejects()) {
    const Misuse misuse{format("reject {}", number++), reject.operands, reject.attrs, reject.id,
                        std::string(reject.message)};
    guarded(cell, misuse.what, [&] { check_misuse(input.op, misuse, cell); });
  }
  for (const Misuse& misuse : general_misuses(input.op, input.cases)) {
    guarded(cell, misuse.what, [&] { check_misuse(input.op, misuse, cell); });
  }
}

}  // namespace calx::laws
