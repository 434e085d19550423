// Applying ops: checks, promotion, broadcasting, helpers of type rules.
#include "calx/core/bind.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "calx/base/format.h"
#include "calx/base/located.h"
#include "calx/core/core_ops.h"
#include "calx/core/trace.h"
#include "make_node.h"
#include "scope.h"

namespace calx {
namespace {

std::string join_types(std::span<const Type> types) {
  std::string text;
  for (const Type& type : types) text += (text.empty() ? "" : ", ") + type.to_string();
  return text;
}

void check_arity(const Call& call) {
  const auto& specs = call.op().operands;
  std::size_t fewest = 0;
  for (const OperandSpec& spec : specs) fewest += spec.variadic || spec.optional ? 0 : 1;
  const bool unbounded = !specs.empty() && specs.back().variadic;
  const auto count = static_cast<std::size_t>(call.size());
  if (count < fewest || (!unbounded && count > specs.size())) {
    const std::string wanted = unbounded                ? format("at least {}", fewest)
                               : fewest != specs.size() ? format("{} to {}", fewest, specs.size())
                                                        : format("{}", fewest);
    const std::string given = count == 0 ? "none" : format("{} ({})", count, join_types(call.types()));
    call.fail(ErrorId::arity, format("takes {} operand(s) but was given {}", wanted, given));
  }
}

void check_dtypes(const Call& call) {
  const auto& specs = call.op().operands;
  for (int i = 0; i < call.size(); ++i) {
    const OperandSpec& spec = specs[std::min(static_cast<std::size_t>(i), specs.size() - 1)];
    if (!accepts(spec.dtypes, call.dtype(i))) {
      call.fail(ErrorId::dtype,
                format("`{}` {} must be {}", call.operand_name(i), call.type(i).to_string(), describe(spec.dtypes)),
                spec.dtypes == DTypes::floating  ? "convert it first, for example with convert(x, f32)"
                : spec.dtypes == DTypes::boolean ? "compare it with 0"
                                                 : "");
    }
  }
}

std::string_view kind_name(AttrKind kind) {
  constexpr std::string_view names[] = {"a boolean",        "an integer",      "a real number", "a text",
                                        "a dtype",          "a size",          "a list of integers",
                                        "a list of sizes",  "an array",        "a function",    "a list of functions",
                                        "one of its names"};
  return names[static_cast<int>(kind)];
}

bool holds_kind(const AttrValue& value, AttrKind kind) {
  switch (kind) {
    case AttrKind::boolean: return std::holds_alternative<bool>(value);
    case AttrKind::integer:
    case AttrKind::enumeration: return std::holds_alternative<std::int64_t>(value);
    case AttrKind::real: return std::holds_alternative<double>(value);
    case AttrKind::text: return std::holds_alternative<std::string>(value);
    case AttrKind::dtype: return std::holds_alternative<DType>(value);
    case AttrKind::dim: return std::holds_alternative<Dim>(value);
    case AttrKind::integers: return std::holds_alternative<std::vector<std::int64_t>>(value);
    case AttrKind::dims: return std::holds_alternative<std::vector<Dim>>(value);
    case AttrKind::array: return std::holds_alternative<Array>(value);
    case AttrKind::function: return std::holds_alternative<Function>(value);
    case AttrKind::functions: return std::holds_alternative<std::vector<Function>>(value);
  }
  return false;
}

void check_attribute(const Call& call, const AttrSpec& spec, const AttrValue& value) {
  if (spec.is_optional && std::holds_alternative<std::monostate>(value)) return;
  if (!holds_kind(value, spec.kind)) {
    call.fail(ErrorId::attribute, format("attribute `{}` must be {}", spec.name, kind_name(spec.kind)));
  }
  if (spec.kind == AttrKind::enumeration) {
    const std::int64_t index = std::get<std::int64_t>(value);
    if (index < 0 || index >= static_cast<std::int64_t>(spec.names.size())) {
      call.fail(ErrorId::attribute, format("attribute `{}` must be one of {}", spec.name, join(spec.names, ", ")));
    }
    return;
  }
  const auto check_range = [&](double number) {
    if (number >= spec.lowest && number <= spec.largest) return;
    call.fail(ErrorId::attribute, format("attribute `{}` is {}, outside [{}, {}]", spec.name, number, spec.lowest, spec.largest));
  };
  if (const auto* integer = std::get_if<std::int64_t>(&value)) check_range(static_cast<double>(*integer));
  if (const auto* real = std::get_if<double>(&value)) check_range(*real);
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value)) {
    for (std::int64_t one : *integers) check_range(static_cast<double>(one));
  }
  if (const auto* dim = std::get_if<Dim>(&value); dim != nullptr && dim->is_constant()) {
    check_range(static_cast<double>(dim->value()));
  }
  if (const auto* dims = std::get_if<std::vector<Dim>>(&value)) {
    for (const Dim& one : *dims) {
      if (one.is_constant()) check_range(static_cast<double>(one.value()));
    }
  }
}

/// Puts attributes in the op's order with defaults filled in.
Attrs complete_attributes(const Call& call, const Attrs& given) {
  Attrs complete;
  std::size_t used = 0;
  for (const AttrSpec& spec : call.op().attrs) {
    if (const AttrValue* value = given.find(spec.name)) {
      ++used;
      check_attribute(call, spec, *value);
      complete.set_value(spec.name, *value);
    } else if (spec.default_value) {
      complete.set_value(spec.name, *spec.default_value);
    } else {
      call.fail(ErrorId::attribute_missing, format("attribute `{}` is missing", spec.name));
    }
  }
  if (used != given.entries().size()) {
    for (const Attrs::Entry& entry : given.entries()) {
      if (complete.find(entry.name) == nullptr) {
        std::vector<std::string_view> names;
        for (const AttrSpec& spec : call.op().attrs) names.push_back(spec.name);
        call.fail(ErrorId::attribute_unknown, format("has no attribute `{}`", entry.name),
                  names.empty() ? "it has none" : format("its attributes are {}", join(names, ", ")));
      }
    }
  }
  return complete;
}

bool takes_part_in_promotion(const OperandSpec& spec) {
  return spec.dtypes != DTypes::boolean && spec.dtypes != DTypes::index && spec.dtypes != DTypes::u64_key;
}

}  // namespace

std::vector<Type> infer_types(const OpDef& op, std::span<const Type> operands, Attrs& attrs, SourceLoc where) {
  const Call bare(op, operands, attrs, where);
  check_arity(bare);
  check_dtypes(bare);
  attrs = complete_attributes(bare, attrs);
  const Call call(op, operands, attrs, where);
  const InferRule* rule = nullptr;
  if (const Primitive* primitive = op.primitive()) rule = std::get_if<InferRule>(&primitive->infer);
  if (const Region* region = op.region()) rule = std::get_if<InferRule>(&region->infer);
  if (const Composite* composite = op.composite()) rule = std::get_if<InferRule>(&composite->infer);
  if (rule != nullptr) {
    std::vector<Type> results = detail::located(where, op.name, [&] { return (*rule)(call); });
    for (const Type& type : results) {
      for (const Dim& size : type.shape) {
        if (size.is_constant() && size.value() < 0) {
          call.fail(ErrorId::attribute, format("the size {} of the result is negative", size.value()));
        }
      }
    }
    return results;
  }
  try {
    return decomposition(op, operands, attrs).result_types();
  } catch (const Error& error) {
    // The user called the composite: the error is told in its terms, the inner one becomes a note.
    Error::Parts parts = error.parts();
    if (parts.id == ErrorId::internal) throw;
    if (!parts.op.empty() && parts.op != op.name) parts.notes.push_back(format("raised by `{}` inside `{}`", parts.op, op.name));
    parts.op = std::string(op.name);
    parts.where = where;
    parts.facts.clear();
    for (int i = 0; i < call.size(); ++i) parts.facts.emplace_back(call.operand_name(i), call.type(i).to_string());
    raise(std::move(parts));
  }
}

Tensors apply(const OpDef& op, Tensors operands, Attrs attrs, SourceLoc where) {
  if (!where.known()) where = detail::inherited_location();
  detail::require_defined(op, operands, where);
  std::vector<Type> types;
  types.reserve(operands.size());
  for (const Tensor& operand : operands) types.push_back(operand.type());
  std::vector<Type> result_types = infer_types(op, types, attrs, where);
  return detail::make_node(op, std::move(operands), std::move(attrs), std::move(result_types), where);
}

Tensor apply_one(const OpDef& op, Tensors operands, Attrs attrs, SourceLoc where) {
  Tensors results = apply(op, std::move(operands), std::move(attrs), where);
  CALX_ASSERT(results.size() == 1, std::string(op.name));
  return std::move(results.front());
}

Tensor Operand::as_scalar(DType dtype) const {
  return visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
    if (*kind_ == WeakKind::floating) return Tensor(Array::scalar<T>(convert_element<T>(real_)));
    const auto converted = [&](auto integer) {
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        if (!std::in_range<T>(integer)) {
          raise({.id = ErrorId::value,
                 .message = format("the scalar {} does not fit {}", integer, dtype.name()),
                 .where = where_,
                 .hint = "convert the tensor to a wider dtype first"});
        }
      }
      return Tensor(Array::scalar<T>(convert_element<T>(integer)));
    };
    return is_unsigned_ ? converted(static_cast<std::uint64_t>(integer_)) : converted(integer_);
  });
}

Tensor Operand::as_tensor() const {
  if (is_tensor()) return tensor_;
  switch (*kind_) {
    case WeakKind::boolean: return as_scalar(boolean);
    case WeakKind::integer:
      if (is_unsigned_ && integer_ < 0) return as_scalar(u64);
      return as_scalar(std::in_range<std::int32_t>(integer_) ? i32 : i64);
    case WeakKind::floating: return as_scalar(f32);
  }
  raise_internal("unknown weak kind");
}

Tensors bind(const OpDef& op, std::span<const Operand> operands, Attrs attrs, SourceLoc where) {
  if (!where.known() && !operands.empty()) where = operands.front().where();
  for (const Operand& operand : operands) {
    if (operand.is_tensor() && !operand.tensor().defined()) {
      raise({.id = ErrorId::undefined_tensor,
             .op = std::string(op.name),
             .message = "an operand is an undefined tensor",
             .where = where,
             .hint = "a default-constructed Tensor holds nothing: assign one before use"});
    }
  }
  Tensors tensors;
  tensors.reserve(operands.size());
  if (op.binding == Binding::exact || operands.empty()) {
    for (const Operand& operand : operands) tensors.push_back(operand.as_tensor());
    return apply(op, std::move(tensors), std::move(attrs), where);
  }
  const auto spec = [&](std::size_t i) -> const OperandSpec& { return op.operands[std::min(i, op.operands.size() - 1)]; };
  const auto raise_with_types = [&](ErrorId id, std::string message, std::string hint) {
    std::vector<Type> types;
    for (const Operand& operand : operands) types.push_back(operand.as_tensor().type());
    Call(op, types, attrs, where).fail(id, std::move(message), std::move(hint));
  };

  std::optional<DType> common;
  std::optional<WeakKind> weakest;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!takes_part_in_promotion(spec(i))) continue;
    if (!operands[i].is_tensor()) {
      const WeakKind kind = operands[i].weak_kind();
      weakest = weakest ? std::max(*weakest, kind) : kind;
      continue;
    }
    const DType dtype = operands[i].tensor().dtype();
    const std::optional<DType> joined = common ? promote(*common, dtype) : dtype;
    if (!joined) {
      raise_with_types(ErrorId::promotion, format("no dtype holds both {} and {}", common->name(), dtype.name()),
                       "convert one of them first");
    }
    common = joined;
  }
  if (weakest) {
    common = common ? promote_weak(*common, *weakest)
                    : (*weakest == WeakKind::floating ? f32 : *weakest == WeakKind::integer ? i32 : boolean);
  }
  Shape shape;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Operand& operand = operands[i];
    const bool promoted = takes_part_in_promotion(spec(i)) && common;
    if (!operand.is_tensor()) {
      tensors.push_back(promoted ? operand.as_scalar(*common) : operand.as_tensor());
    } else if (promoted && operand.tensor().dtype() != *common && accepts(spec(i).dtypes, *common)) {
      tensors.push_back(core::convert(operand.tensor(), *common));
    } else {
      tensors.push_back(operand.tensor());
    }
  }
  if (op.binding == Binding::broadcast) {
    std::vector<Type> types;
    for (const Tensor& tensor : tensors) types.push_back(tensor.type());
    const Call call(op, types, attrs, where);
    LocationScope location(where);
    for (const Type& type : types) shape = broadcast_shapes(shape, type.shape, &call);
    for (Tensor& tensor : tensors) tensor = broadcast_to(tensor, shape);
  }
  return apply(op, std::move(tensors), std::move(attrs), where);
}

Tensor bind_one(const OpDef& op, std::initializer_list<Operand> operands, Attrs attrs) {
  Tensors results = bind(op, std::span(operands.begin(), operands.size()), std::move(attrs));
  CALX_ASSERT(results.size() == 1, std::string(op.name));
  return std::move(results.front());
}

Shape broadcast_shapes(const Shape& a, const Shape& b, const Call* call) {
  if (a == b) return a;
  const int rank = std::max(a.rank(), b.rank());
  std::vector<Dim> dims(static_cast<std::size_t>(rank));
  for (int i = 1; i <= rank; ++i) {
    const Dim one = i <= a.rank() ? a[a.rank() - i] : Dim(1);
    const Dim other = i <= b.rank() ? b[b.rank() - i] : Dim(1);
    Dim& out = dims[static_cast<std::size_t>(rank - i)];
    if (one == Dim(1)) {
      out = other;
    } else if (other == Dim(1)) {
      out = one;
    } else {
      const Proof equal = proven_equal(one, other);
      if (equal != Proof::yes) {
        const std::string message = format("shapes {} and {} do not broadcast: sizes {} and {} differ on axis {} from the right",
                                           a.to_string(), b.to_string(), one.to_string(), other.to_string(), i);
        const ErrorId id = equal == Proof::no ? ErrorId::shape_mismatch : ErrorId::dim_unknown;
        if (call != nullptr) call->fail(id, message, "sizes broadcast when they are equal or 1");
        raise({.id = id, .op = "broadcast", .message = message});
      }
      out = one;
    }
  }
  return Shape(std::move(dims));
}

Tensor broadcast_to(Operand x, const Shape& shape) {
  const Tensor tensor = x.as_tensor();
  if (tensor.shape() == shape) return tensor;
  LocationScope location(x.where());
  const int offset = shape.rank() - tensor.rank();
  std::vector<Dim> kept;
  std::vector<std::int64_t> dims;
  bool legal = offset >= 0;
  for (int axis = 0; legal && axis < tensor.rank(); ++axis) {
    const Dim& from = tensor.shape()[axis];
    const Dim& to = shape[axis + offset];
    if (from == Dim(1) && to != Dim(1)) continue;
    legal = proven_equal(from, to) == Proof::yes;
    kept.push_back(from);
    dims.push_back(axis + offset);
  }
  if (!legal) {
    raise({.id = ErrorId::shape_mismatch,
           .op = "broadcast_to",
           .message = format("{} does not broadcast to {}", tensor.type().to_string(), shape.to_string()),
           .where = x.where(),
           .facts = {{"x", tensor.type().to_string()}, {"shape", shape.to_string()}}});
  }
  Shape squeezed(std::move(kept));
  return core::expand(squeezed == tensor.shape() ? tensor : core::reshape(tensor, squeezed), shape, dims);
}

int normalize_axis(const Call& call, std::int64_t axis, int rank, std::string_view attribute) {
  if (axis < -rank || axis >= rank) {
    call.fail(ErrorId::axis, format("`{}` is {}, outside [{}, {}) of rank {}", attribute, axis, -rank, rank, rank));
  }
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

std::vector<int> normalize_axes(const Call& call, const std::vector<std::int64_t>& axes, int rank,
                                std::string_view attribute) {
  std::set<int> distinct;
  for (std::int64_t axis : axes) {
    if (!distinct.insert(normalize_axis(call, axis, rank, attribute)).second) {
      call.fail(ErrorId::duplicate_axis, format("`{}` names axis {} twice", attribute, axis));
    }
  }
  return {distinct.begin(), distinct.end()};
}

void require_equal(const Call& call, const Dim& a, const Dim& b, std::string_view what_a, std::string_view what_b,
                   ErrorId id) {
  const Proof proof = proven_equal(a, b);
  if (proof == Proof::yes) return;
  if (proof == Proof::no) {
    call.fail(id, format("{} ({}) and {} ({}) differ", what_a, a.to_string(), what_b, b.to_string()));
  }
  call.fail(ErrorId::dim_unknown, format("whether {} ({}) equals {} ({}) cannot be decided", what_a, a.to_string(),
                                         what_b, b.to_string()),
            "use one symbol for sizes that are equal, or bind them");
}

void require_same_shape(const Call& call, int a, int b) {
  if (call.shape(a) == call.shape(b)) return;
  const Proof proof = proven_equal(call.shape(a), call.shape(b));
  if (proof == Proof::yes) return;
  call.fail(proof == Proof::no ? ErrorId::shape_mismatch : ErrorId::dim_unknown,
            format("`{}` {} and `{}` {} must have one shape", call.operand_name(a), call.type(a).to_string(),
                   call.operand_name(b), call.type(b).to_string()));
}

void require_same_dtype(const Call& call, int a, int b) {
  if (call.dtype(a) == call.dtype(b)) return;
  call.fail(ErrorId::dtype_mismatch,
            format("`{}` {} and `{}` {} must have one dtype", call.operand_name(a), call.type(a).to_string(),
                   call.operand_name(b), call.type(b).to_string()),
            "convert one of them");
}

void require_rank(const Call& call, int operand, int rank) {
  if (call.type(operand).rank() == rank) return;
  call.fail(ErrorId::rank, format("`{}` {} must have rank {}", call.operand_name(operand),
                                  call.type(operand).to_string(), rank));
}

namespace infer {

InferRule same_as(int i) {
  return [i](const Call& c) { return Types(c.type(i)); };
}

InferRule pointwise() {
  return [](const Call& c) {
    for (int i = 1; i < c.size(); ++i) {
      require_same_shape(c, 0, i);
      require_same_dtype(c, 0, i);
    }
    return Types(c.type(0));
  };
}

InferRule pointwise_to(DType dtype) {
  return [dtype](const Call& c) {
    for (int i = 1; i < c.size(); ++i) {
      require_same_shape(c, 0, i);
      require_same_dtype(c, 0, i);
    }
    return Types(c.type(0).with_dtype(dtype));
  };
}

}  // namespace infer

namespace batch {

std::vector<Batched> pointwise(const BatchCall& call) {
  Tensors operands;
  for (int i = 0; i < static_cast<int>(call.operands.size()); ++i) operands.push_back(call.with_batch(i));
  std::vector<Batched> results;
  for (Tensor& result : apply(call.call.op(), std::move(operands), call.call.attrs(), call.call.where())) {
    results.push_back({std::move(result), true});
  }
  return results;
}

}  // namespace batch

}  // namespace calx
