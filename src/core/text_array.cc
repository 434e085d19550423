// Reading constants. Nothing is allocated that the text does not pay for.
#include <span>

#include "calx/base/checked.h"
#include "calx/base/format.h"
#include "calx/base/printable.h"
#include "text_cursor.h"
#include "text_elements.h"

namespace calx::detail::text {

Array read_array(Cursor& at, const Type& type, Cursor::Mark mark) {
  std::optional<std::int64_t> count;
  try {
    count = type.shape.num_elements().constant();
  } catch (const Error&) {
    at.fail_at(mark, "a constant has more elements than 63 bits count");
  }
  if (!count || !type.shape.is_static()) at.fail_at(mark, "the sizes of a constant are numbers");
  for (const Dim& size : type.shape) {
    if (size.value() < 0) at.fail_at(mark, "a size is negative");
  }
  const std::optional<std::int64_t> bytes = checked_mul(*count, type.dtype.size_bytes());
  // Two characters at least per element, or four per three bytes: nothing is allocated that the text does
  // not pay for.
  const auto require_text = [&](std::size_t characters) {
    if (!bytes || at.remaining() < characters)
      at.fail_at(mark, format("the text ends before the data of {}", type.to_string()));
  };
  const std::vector<std::int64_t> sizes = type.shape.sizes();
  const auto make = [&] {
    Array result;
    try {
      result = Array::uninitialized(type.dtype, sizes);
    } catch (const Error& error) {
      at.fail_at(mark, error.message());
    }
    return result;
  };
  if (*count == 0) {
    at.expect('[', "for an empty constant");
    at.expect(']', "for an empty constant");
    return make();
  }
  const auto storage = [](Array& result) {
    return std::span(const_cast<std::byte*>(result.buffer().data()), result.size_bytes());
  };
  if (at.accept_word("base64")) {
    const Cursor::Mark payload_mark = at.mark();
    const std::string_view payload = at.raw_quoted();
    const std::size_t expected = (static_cast<std::size_t>(bytes.value_or(0)) + 2) / 3 * 4;
    if (!bytes || payload.size() != expected) {
      at.fail_at(payload_mark, format("the payload of {} has {} characters instead of {}", type.to_string(),
                                      payload.size(), expected));
    }
    Array result = make();
    if (!read_base64(payload, storage(result))) at.fail_at(payload_mark, "the payload is not base64");
    if (type.dtype.is_boolean()) {
      for (const std::byte byte : storage(result)) {
        if (byte > std::byte{1}) at.fail_at(payload_mark, "a boolean is 0 or 1");
      }
    }
    return result;
  }
  require_text(static_cast<std::size_t>(*count) * 2 - 1);
  Array result = make();
  const Brackets brackets(sizes);
  std::byte* to = storage(result).data();
  for (std::int64_t i = 0; i < *count; ++i, to += type.dtype.size_bytes()) {
    if (i > 0) at.expect(',', "between elements");
    for (int k = brackets.opening(i); k > 0; --k)
      at.expect('[', format("in a constant of type {}", type.to_string()));
    const Cursor::Mark element_mark = at.mark();
    const std::string_view element = at.scalar();
    if (!read_element(element, type.dtype, to)) {
      at.fail_at(element_mark, format("`{}` is no {}", shown(element), type.dtype.name()));
    }
    for (int k = brackets.closing(i); k > 0; --k)
      at.expect(']', format("in a constant of type {}", type.to_string()));
  }
  return result;
}

}  // namespace calx::detail::text
