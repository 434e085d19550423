// Calls the rules of one op on values, without transforms: for tests with exact expected numbers.
#pragma once

#include <gtest/gtest.h>

#include <limits>

#include "calx/core/core_ops.h"
#include "calx/loopir/interpreter.h"

namespace calx::testing {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// One application with its operands and results, as rules see it.
class Applied {
 public:
  Applied(std::string_view op, Tensors operands, Attrs attrs)
      : op_(get_op(op)), operands_(std::move(operands)), attrs_(std::move(attrs)) {
    for (const Tensor& operand : operands_) types_.push_back(operand.type());
    result_types_ = infer_types(op_, types_, attrs_, {});
    results_ = apply(op_, operands_, attrs_);
  }

  [[nodiscard]] const Tensor& result(int i = 0) const { return results_[static_cast<std::size_t>(i)]; }

  /// One tangent per result; an undefined tensor is a symbolic zero.
  [[nodiscard]] Tangents jvp(const Tensors& tangents) const {
    Tangents given;
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      given.push_back(i < tangents.size() && tangents[i].defined() ? Tangent(tangents[i])
                                                                   : Tangent::zero(types_[i]));
    }
    const Call call(op_, operands_, types_, attrs_, {}, results_, result_types_);
    if (const JvpRule* rule = std::get_if<JvpRule>(&op_.primitive()->jvp)) return (*rule)(call, given);
    CALX_ASSERT(std::holds_alternative<FromLinear>(op_.primitive()->jvp));
    Tensors operands = operands_;
    for (int i : std::get<LinearIn>(op_.primitive()->linear).groups.front()) {
      if (i == kAllOperands) {
        for (std::size_t k = 0; k < operands.size(); ++k) operands[k] = given[k].instantiate();
      } else {
        operands[static_cast<std::size_t>(i)] = given[static_cast<std::size_t>(i)].instantiate();
      }
    }
    Tangents results;
    for (const Tensor& result : apply(op_, operands, attrs_)) results.emplace_back(result);
    return results;
  }

  /// Cotangents of the operands of linear group `group`.
  [[nodiscard]] Tangents transpose(const Tensor& cotangent, int group = 0) const {
    const auto& linear = std::get<LinearIn>(op_.primitive()->linear);
    Tensors visible = operands_;
    for (int i : linear.groups[static_cast<std::size_t>(group)]) {
      if (i == kAllOperands) {
        visible.assign(visible.size(), Tensor());
      } else {
        visible[static_cast<std::size_t>(i)] = Tensor();
      }
    }
    return linear.transpose(Call(op_, visible, types_, attrs_, {}, {}, result_types_), group,
                            Tangents(Tangent(cotangent)));
  }

  /// The results of the batch rule: operands with `batched` set carry a batch axis at 0.
  [[nodiscard]] static Tensors batch(std::string_view name, const Tensors& operands,
                                     const std::vector<bool>& batched, Attrs attrs, std::int64_t size) {
    const OpDef& op = get_op(name);
    std::vector<Type> types;
    std::vector<Batched> given;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      types.push_back(batched[i] ? operands[i].type().with_shape(operands[i].shape().without_axis(0))
                                 : operands[i].type());
      given.push_back({operands[i], batched[i]});
    }
    const std::vector<Type> result_types = infer_types(op, types, attrs, {});
    const Call call(op, {}, types, attrs, {}, {}, result_types);
    Tensors results;
    for (const Batched& result :
         std::get<BatchRule>(op.primitive()->batch)(BatchCall(call, given, Dim(size), Tensor()))) {
      results.push_back(result.batched ? result.tensor : core::add_leading_axis(result.tensor, Dim(size)));
    }
    return results;
  }

  /// `lower` run by loopir's interpreter.
  [[nodiscard]] std::vector<Array> lowered() const {
    std::vector<loopir::StridedArray> arrays;
    for (const Tensor& operand : operands_) arrays.push_back(loopir::StridedArray::of(operand.value()));
    return loopir::run(std::get<LowerRule>(op_.primitive()->lower)(Call(op_, types_, attrs_, {})), arrays,
                       result_types_);
  }

 private:
  const OpDef& op_;
  Tensors operands_;
  Attrs attrs_;
  std::vector<Type> types_;
  std::vector<Type> result_types_;
  Tensors results_;
};

template <class T = float>
std::vector<T> values(const Tensor& t) {
  return t.to_vector<T>();
}
inline std::vector<float> values(const Tangent& t) { return t.instantiate().to_vector<float>(); }

/// Row i of x.
inline Tensor lane(const Tensor& x, std::int64_t i) {
  const Array all = x.value();
  std::vector<std::int64_t> sizes(all.sizes().begin() + 1, all.sizes().end());
  Array one = Array::uninitialized(all.dtype(), sizes);
  std::copy_n(all.bytes().begin() + static_cast<std::ptrdiff_t>(one.size_bytes()) * i, one.size_bytes(),
              const_cast<std::byte*>(one.buffer().data()));
  return Tensor(one);
}

/// The batch rule equals applying the op to each lane.
inline void expect_batch_is_stacking(std::string_view op, const Tensors& operands,
                                     const std::vector<bool>& batched, const Attrs& attrs,
                                     std::int64_t size) {
  const Tensors results = Applied::batch(op, operands, batched, attrs, size);
  for (std::int64_t i = 0; i < size; ++i) {
    Tensors lanes;
    for (std::size_t k = 0; k < operands.size(); ++k)
      lanes.push_back(batched[k] ? lane(operands[k], i) : operands[k]);
    const Tensors expected = apply(get_op(op), lanes, attrs);
    for (std::size_t r = 0; r < expected.size(); ++r) {
      EXPECT_EQ(lane(results[r], i).value(), expected[r].value()) << op << " lane " << i << " result " << r;
    }
  }
}

/// Every sample of an op with static operands: `lower` equals `reference`, and every rejected sample raises
/// its error.
void check_samples(std::string_view op);

}  // namespace calx::testing
