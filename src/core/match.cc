// Queries of rules about their operands.
#include "calx/core/match.h"

#include <bit>

#include "calx/base/format.h"
#include "calx/core/bind.h"
#include "node.h"

namespace calx {

std::optional<Producer> producer(const Tensor& tensor) {
  const detail::Node& node = *tensor.node();
  // Eager nodes lose their operands when they are evaluated, perhaps on another thread.
  if (node.scope == 0 || node.op == nullptr) return std::nullopt;
  return Producer{node.op, node.operands, &node.attrs, tensor.result()};
}

std::optional<Array> constant_value(const Tensor& tensor) {
  const detail::Node& node = *tensor.node();
  if (!node.evaluated.load(std::memory_order_acquire)) return std::nullopt;
  return node.values[static_cast<std::size_t>(tensor.result())];
}

std::optional<double> uniform_constant(const Tensor& tensor) {
  // Only small constants are searched: the question is asked of every operand.
  constexpr std::int64_t kMaxSearched = 64;
  constexpr int kMaxSteps = 16;
  const Tensor* current = &tensor;
  for (int step = 0; step <= kMaxSteps; ++step) {
    if (const std::optional<Array> value = constant_value(*current)) {
      const std::int64_t n = value->num_elements();
      if (n == 0 || n > kMaxSearched) return std::nullopt;
      const double first = value->element_as_double(0);
      for (std::int64_t i = 1; i < n; ++i) {
        if (std::bit_cast<std::uint64_t>(value->element_as_double(i)) != std::bit_cast<std::uint64_t>(first)) {
          return std::nullopt;
        }
      }
      return first;
    }
    const std::optional<Producer> made = producer(*current);
    if (!made || made->operands.size() != 1) return std::nullopt;
    static const OpDef* const views[] = {&get_op("expand"), &get_op("reshape"), &get_op("transpose")};
    if (std::find(std::begin(views), std::end(views), made->op) == std::end(views)) return std::nullopt;
    current = &made->operands[0];
  }
  return std::nullopt;
}

void require_signature(const Call& call, const Function& f, std::string_view attribute, int first) {
  const auto count = static_cast<std::size_t>(call.size() - first);
  bool fits = f.arguments().size() == count;
  for (std::size_t i = 0; fits && i < count; ++i) {
    fits = f.arguments()[i].type == call.type(first + static_cast<int>(i));
  }
  if (fits) return;
  std::string expected;
  for (const Argument& argument : f.arguments()) expected += (expected.empty() ? "" : ", ") + argument.type.to_string();
  std::string given;
  for (int i = first; i < call.size(); ++i) given += (given.empty() ? "" : ", ") + call.type(i).to_string();
  call.fail(ErrorId::region_signature,
            format("`{}` takes ({}) but is applied to ({})", attribute, expected, given));
}

}  // namespace calx
