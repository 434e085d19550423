// What the region ops share.
#include "control/_support.h"

#include "calx/base/format.h"

namespace calx::ops {

std::vector<Argument> arguments_of(const std::vector<Type>& types) {
  std::vector<Argument> arguments;
  for (std::size_t i = 0; i < types.size(); ++i) arguments.push_back({format("x{}", i), types[i]});
  return arguments;
}

std::vector<Type> types_of(std::span<const Tensor> tensors, std::string_view op, SourceLoc where) {
  std::vector<Type> types;
  for (const Tensor& tensor : tensors) {
    if (!tensor.defined()) {
      raise({.id = ErrorId::undefined_tensor,
             .op = std::string(op),
             .message = format("operand {} is an undefined tensor", types.size()),
             .where = where,
             .hint = "a default-constructed Tensor holds nothing: assign one before use"});
    }
    types.push_back(tensor.type());
  }
  return types;
}

std::vector<bool> non_zero(const Tangents& tangents) {
  std::vector<bool> flags;
  for (const Tangent& t : tangents) flags.push_back(!t.is_zero());
  return flags;
}

Tensors present(const Tangents& tangents) {
  Tensors tensors;
  for (const Tangent& t : tangents) {
    if (!t.is_zero()) tensors.push_back(t.tensor());
  }
  return tensors;
}

Tangents zeros_like(std::span<const Type> types) {
  Tangents zeros;
  for (const Type& type : types) zeros.push_back(Tangent::zero(type));
  return zeros;
}

Tangents spread_tangents(std::span<const Type> result_types, std::span<const Tensor> of_floating,
                         const std::vector<bool>& depends) {
  Tangents tangents;
  std::size_t next = 0;
  for (std::size_t i = 0; i < result_types.size(); ++i) {
    const bool floating = result_types[i].dtype.is_floating();
    tangents.push_back(floating && depends[i] ? Tangent(of_floating[next]) : Tangent::zero(result_types[i]));
    if (floating) ++next;
  }
  return tangents;
}

Tensor mask_and(const Tensor& a, const Tensor& b) {
  if (!a.defined()) return b;
  if (!b.defined()) return a;
  return core::mul(a, b);
}

Tensor mask_not(const Tensor& a) { return core::compare(a, core::zeros(a.type()), Comparison::eq); }

Tensor any_lane(const Tensor& mask) {
  const Tensor count = core::reduce_sum(core::convert(mask, i32), {0});
  return core::compare(count, core::zeros(count.type()), Comparison::gt);
}

Tensor spread_mask(const Tensor& mask, const Tensor& like) {
  return mask.rank() == like.rank() ? mask : core::expand(mask, like.shape(), {0});
}

Tensor with_batch(const Batched& value, const Dim& size) {
  return value.batched ? value.tensor : core::add_leading_axis(value.tensor, size);
}

Function vmap_with_lanes(const Function& f, const Dim& size, bool masked, std::size_t position) {
  std::vector<Type> types;
  for (const Type& type : f.argument_types()) types.push_back(type.with_shape(type.shape.with_inserted(0, size)));
  if (masked) types.insert(types.begin() + static_cast<std::ptrdiff_t>(position), Type{boolean, Shape({size})});
  return trace_flat(arguments_of(types),
                    [&](std::span<const Tensor> values) -> Tensors {
                      std::vector<Batched> operands;
                      Tensor mask;
                      for (std::size_t i = 0; i < values.size(); ++i) {
                        if (masked && i == position) {
                          mask = values[i];
                        } else {
                          operands.push_back({values[i], true});
                        }
                      }
                      Tensors results;
                      for (const Batched& result : map_batch(f, operands, size, mask)) {
                        results.push_back(with_batch(result, size));
                      }
                      return results;
                    },
                    {.name = f.name(), .closed = true})
      .function;
}

Tensors lane_operands(const BatchCall& c) {
  Tensors operands;
  for (const Batched& operand : c.operands) operands.push_back(with_batch(operand, c.size));
  if (c.mask.defined()) operands.push_back(c.mask);
  return operands;
}

std::vector<Batched> all_batched(const Tensors& results) {
  std::vector<Batched> batched;
  for (const Tensor& result : results) batched.push_back({result, true});
  return batched;
}

ReferenceRule run_function(const Attr<Function>& key) {
  return [&key](const ReferenceCall& c) -> std::vector<Array> {
    return c.context().run_nested(c[key], {c.operands().begin(), c.operands().end()}, 0);
  };
}

Function sample_function(std::string name, std::vector<Type> arguments, const TraceBody& body) {
  return trace_flat(arguments_of(arguments), body, {.name = std::move(name), .closed = true}).function;
}

}  // namespace calx::ops
