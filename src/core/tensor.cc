// Tensors: reading values, evaluation of pending work, destruction of long chains, printing.
#include "calx/core/tensor.h"

#include <algorithm>
#include <mutex>

#include "calx/base/checked.h"
#include "calx/base/format.h"
#include "calx/base/located.h"
#include "calx/core/evaluator.h"
#include "calx/core/op_def.h"
#include "collect.h"
#include "node.h"
#include "scope.h"

namespace calx {
namespace detail {

void release_operands(std::vector<Tensor>& tensors) {
  // Nodes whose last reference goes here are queued, so that destruction is a loop and not a recursion. One tensor is
  // dropped after the other: mul(x, x) holds x twice, and only the second drop is the last.
  thread_local std::vector<std::shared_ptr<Node>>* active = nullptr;
  std::vector<std::shared_ptr<Node>> own_queue;
  const bool outermost = active == nullptr;
  if (outermost) active = &own_queue;
  for (Tensor& tensor : tensors) {
    std::shared_ptr<Node> node = std::move(tensor.mutable_node());
    if (node && node.use_count() == 1) active->push_back(std::move(node));
  }
  tensors.clear();
  if (!outermost) return;
  while (!own_queue.empty()) {
    std::shared_ptr<Node> node = std::move(own_queue.back());
    own_queue.pop_back();
    node.reset();
  }
  active = nullptr;
}

Node::~Node() {
  if (!operands.empty()) release_operands(operands);
}

namespace {

[[noreturn]] void raise_ragged(SourceLoc where) {
  raise({.id = ErrorId::value, .op = "tensor", .message = "rows differ in length", .where = where});
}

template <class T, class U>
T element_of(U number, SourceLoc where) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<U>) {
    bool fits = true;
    if constexpr (std::is_same_v<T, bool>) {
      fits = number == 0 || number == 1;
    } else {
      fits = std::in_range<T>(number);
    }
    if (!fits) {
      const std::string_view name = dtype_of<T>.name();
      raise({.id = ErrorId::value,
             .op = "tensor",
             .message = format("{} does not fit {}", number, name),
             .where = where,
             .facts = {{"value", format("{}", number)}, {"dtype", std::string(name)}}});
    }
  }
  return convert_element<T>(number);
}

/// Appends the elements; raises `value` unless each list has the length, and each entry the depth, that `sizes` says.
template <class T, class List>
void append_elements(std::vector<T>& elements, const List& list, std::span<const std::int64_t> sizes, SourceLoc where) {
  if ((list.kind() == List::Kind::list) == sizes.empty()) raise_ragged(where);
  if (sizes.empty()) {
    elements.push_back(list.visit_number([&](auto number) { return element_of<T>(number, where); }));
    return;
  }
  if (list.parts().size() != static_cast<std::size_t>(sizes[0])) raise_ragged(where);
  for (const List& part : list.parts()) append_elements(elements, part, sizes.subspan(1), where);
}

template <class List>
Tensor tensor_of_list(const List& values, DType dtype, SourceLoc where) {
  std::vector<std::int64_t> sizes;
  for (const List* list = &values; list->kind() == List::Kind::list; list = list->parts().data()) {
    sizes.push_back(static_cast<std::int64_t>(list->parts().size()));
    if (list->parts().empty()) break;
  }
  return visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
    std::vector<T> elements;
    append_elements(elements, values, sizes, where);
    return Tensor(Array::from<T>(sizes, elements, where));
  });
}

}  // namespace

Tensor tensor_of(const NestedList<true>& list, DType dtype, SourceLoc where) { return tensor_of_list(list, dtype, where); }
Tensor tensor_of(const NestedList<false>& list, DType dtype, SourceLoc where) { return tensor_of_list(list, dtype, where); }

void check_count(std::size_t count, const std::vector<std::int64_t>& sizes, SourceLoc where) {
  const bool negative = std::any_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size < 0; });
  const std::optional<std::int64_t> product = negative ? std::nullopt : checked_product(sizes);
  if (product != static_cast<std::int64_t>(count)) {
    raise({.id = ErrorId::reshape_count,
           .op = "tensor",
           .message = format("{} values do not fill sizes [{}]", count, join(sizes, ",")),
           .where = where});
  }
}

}  // namespace detail

namespace {

const detail::Node& checked_node(const Tensor& tensor, SourceLoc where = {}) {
  if (!tensor.defined()) {
    raise({.id = ErrorId::undefined_tensor,
           .message = "an undefined tensor was used",
           .where = where,
           .hint = "a default-constructed Tensor holds nothing: assign one before use"});
  }
  return *tensor.node();
}

/// Evaluation of shared pending nodes is serial: each is evaluated once, whoever asks first.
std::recursive_mutex& evaluation_mutex() {
  static auto* mutex = new std::recursive_mutex;
  return *mutex;
}

}  // namespace

CALX_DEFINE_SPECIAL_MEMBERS(Tensor, Tensor);

Tensor::Tensor(Array value, SourceLoc where) : node_(std::make_shared<detail::Node>()) {
  if (!value.defined()) {
    raise({.id = ErrorId::undefined_tensor,
           .message = "a tensor was made of an undefined array",
           .where = where,
           .hint = "a default-constructed Array holds nothing"});
  }
  node_->types.push_back(value.type());
  node_->values.push_back(std::move(value));
  node_->evaluated.store(true, std::memory_order_release);
}

const Type& Tensor::type(SourceLoc where) const { return checked_node(*this, where).types[static_cast<std::size_t>(result_)]; }

const Dim& Tensor::dim(int axis, SourceLoc where) const {
  const int rank = checked_node(*this, where).types[static_cast<std::size_t>(result_)].rank();
  if (axis < -rank || axis >= rank) {
    raise({.id = ErrorId::axis,
           .op = "dim",
           .message = format("axis {} of {}", axis, type().to_string()),
           .where = where,
           .facts = {{"tensor", type().to_string()}}});
  }
  return type().shape[axis < 0 ? axis + rank : axis];
}

bool Tensor::is_traced() const { return checked_node(*this).scope != 0; }

void Tensor::check_read(DType dtype, bool one_element, SourceLoc where) const {
  checked_node(*this, where);
  if (type().dtype != dtype) {
    raise({.id = ErrorId::item_dtype,
           .op = one_element ? "item" : "to_vector",
           .message = format("a tensor of type {} was read as {}", type().to_string(), dtype.name()),
           .where = where,
           .hint = "read it as its own dtype, or convert it first",
           .facts = {{"tensor", type().to_string()}, {"read as", std::string(dtype.name())}}});
  }
  if (one_element && shape().is_static() && shape().num_elements() != Dim(1)) {
    raise({.id = ErrorId::value,
           .op = "item",
           .message = format("a tensor of type {} has not exactly one element", type().to_string()),
           .where = where,
           .hint = "use to_vector, or reduce it first",
           .facts = {{"tensor", type().to_string()}}});
  }
}

Array Tensor::value(SourceLoc where) const {
  const detail::Node& node = checked_node(*this, where);
  if (!node.evaluated.load(std::memory_order_acquire)) evaluate(std::span(this, 1), where);
  return node.values[static_cast<std::size_t>(result_)];
}

void evaluate(std::span<const Tensor> tensors, SourceLoc where) {
  std::scoped_lock lock(evaluation_mutex());
  Tensors pending;
  for (const Tensor& tensor : tensors) {
    const detail::Node& node = checked_node(tensor, where);
    if (node.evaluated.load(std::memory_order_acquire)) continue;
    if (node.scope != 0) {
      const bool open = detail::is_open(node.scope);
      raise({.id = open ? ErrorId::traced_read : ErrorId::leaked_tensor,
             .op = node.op != nullptr ? std::string(node.op->name) : "",
             .message = open ? format("the value of a traced tensor ({}) was read: while a function is traced its "
                                      "tensors stand for values that do not exist yet",
                                      tensor.type().to_string())
                             : format("a tensor ({}) of a finished trace was read", tensor.type().to_string()),
             .where = where,
             .hint = open ? "use select, cond or while_loop for decisions that depend on values"
                          : "return it from the traced function",
             .facts = {{"type", tensor.type().to_string()}, {"made at", to_string(node.where)}}});
    }
    pending.push_back(tensor);
  }
  if (pending.empty()) return;
  detail::located(where, [&] { detail::evaluate_pending(pending); });
}

std::string to_string(const Tensor& tensor, SourceLoc where) {
  if (!tensor.defined()) return "undefined";
  const std::string type = tensor.type().to_string();
  if (tensor.is_traced()) return type + " (traced)";
  const Array array = tensor.value(where);
  constexpr std::int64_t kMaxShown = 6;
  std::string text = type + " ";
  // Iterative over a stack of axes: each frame prints its entries in turn.
  const auto print = [&](const auto& self, int axis, std::int64_t offset, std::int64_t count) -> void {
    if (axis == array.rank()) {
      if (array.dtype().is_boolean()) {
        text += array.element_as_double(offset) != 0 ? "true" : "false";
      } else if (array.dtype() == i64) {
        text += format("{}", array.data<std::int64_t>()[offset]);
      } else if (array.dtype() == u64) {
        text += format("{}", array.data<std::uint64_t>()[offset]);
      } else if (array.dtype() == f64 || array.dtype().is_integer()) {
        text += format("{}", array.element_as_double(offset));
      } else {
        text += format("{}", static_cast<float>(array.element_as_double(offset)));
      }
      return;
    }
    text += "[";
    const std::int64_t size = array.sizes()[static_cast<std::size_t>(axis)];
    const std::int64_t stride = size == 0 ? 0 : count / size;
    for (std::int64_t i = 0; i < size; ++i) {
      if (i > 0) text += ", ";
      if (size > 2 * kMaxShown && i == kMaxShown) {
        text += "..., ";
        i = size - kMaxShown;
      }
      self(self, axis + 1, offset + i * stride, stride);
    }
    text += "]";
  };
  print(print, 0, 0, array.num_elements());
  return text;
}

}  // namespace calx
