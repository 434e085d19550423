// What rules and simplifications may ask about the tensors they are given.
#pragma once

#include <optional>

#include "calx/core/call.h"

namespace calx {

struct Producer {
  const OpDef* op = nullptr;
  std::span<const Tensor> operands;
  const Attrs* attrs = nullptr;
  int result = 0;
};

/// The application that made a tensor of an open trace; nullopt for constants, arguments and eager tensors.
[[nodiscard]] std::optional<Producer> producer(const Tensor& tensor);

/// The value of every element, if the tensor is a constant scalar, a constant whose elements are one value, or a view of
/// such a constant. -0 and +0 are told apart by the sign of the result.
[[nodiscard]] std::optional<double> uniform_constant(const Tensor& tensor);

/// The data of a constant.
[[nodiscard]] std::optional<Array> constant_value(const Tensor& tensor);

/// Raises region_signature unless the operands (from `first` on) fit f's arguments.
void require_signature(const Call& call, const Function& f, std::string_view attribute, int first = 0);

}  // namespace calx
