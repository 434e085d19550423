#include "rules_testing.h"

#include <algorithm>
#include <random>

namespace calx::testing {
namespace {

Array draw(const SampleOperand& operand, DType dtype, std::mt19937_64& random) {
  Array array = Array::uninitialized(dtype, operand.shape.sizes());
  visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
    T* to = array.mutable_data<T>();
    for (std::int64_t i = 0; i < array.num_elements(); ++i) {
      double value = std::normal_distribution<double>()(random);
      if (operand.draw == Draw::indices) {
        value = static_cast<double>(std::uniform_int_distribution<std::int64_t>(
            static_cast<std::int64_t>(operand.low), static_cast<std::int64_t>(operand.high) - 1)(random));
      } else if (operand.draw == Draw::given) {
        value = operand.values[static_cast<std::size_t>(i)];
      } else if (dtype.is_integer()) {
        value =
            static_cast<double>(std::uniform_int_distribution<int>(dtype.is_signed() ? -5 : 0, 5)(random));
      }
      to[i] = convert_element<T>(value);
    }
  });
  return array;
}

}  // namespace

void check_samples(std::string_view name) {
  const OpDef& op = get_op(name);
  std::mt19937_64 random(7);
  const Primitive* primitive = op.primitive();
  for (const Sample& sample : op.samples()) {
    if (std::any_of(sample.operands.begin(), sample.operands.end(),
                    [](const SampleOperand& operand) { return !operand.shape.is_static(); })) {
      continue;
    }
    for (DType dtype : kAllDTypes) {
      bool fits = true;
      Tensors operands;
      for (std::size_t i = 0; i < sample.operands.size(); ++i) {
        const OperandSpec& spec = op.operands[std::min(i, op.operands.size() - 1)];
        const DType own = sample.operands[i].dtype.value_or(dtype);
        fits = fits && accepts(spec.dtypes, own);
        if (fits) operands.emplace_back(draw(sample.operands[i], own, random));
      }
      if (!fits) continue;
      if (primitive == nullptr) {
        for (const Tensor& result : apply(op, operands, sample.attrs))
          EXPECT_TRUE(result.value().defined() || true);
        continue;
      }
      const Applied applied(name, operands, sample.attrs);
      if (!std::holds_alternative<LowerRule>(primitive->lower)) {
        static_cast<void>(applied.result().value());
        continue;
      }
      const std::vector<Array> lowered = applied.lowered();
      for (std::size_t r = 0; r < lowered.size(); ++r) {
        EXPECT_EQ(lowered[r], applied.result(static_cast<int>(r)).value()) << name << " " << dtype.name();
      }
    }
  }
  for (const Reject& reject : op.rejects()) {
    Attrs attrs = reject.attrs;
    try {
      static_cast<void>(infer_types(op, reject.operands, attrs, {}));
      ADD_FAILURE() << name << " accepts what must give: " << reject.message;
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), reject.id) << error.what();
      EXPECT_NE(std::string(error.what()).find(reject.message), std::string::npos) << error.what();
    }
  }
}

}  // namespace calx::testing
