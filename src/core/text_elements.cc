// Spelling of names and elements. Decimal forms are the shortest that read back as the same bits; NaNs carry
// their payload.
#include "text_elements.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "calx/base/format.h"
#include "calx/base/printable.h"

namespace calx::detail::text {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <class T>
struct Bits;
template <>
struct Bits<float16_t> {
  using type = std::uint16_t;
  static constexpr std::uint16_t nan = 0x7E00;
};
template <>
struct Bits<bfloat16_t> {
  using type = std::uint16_t;
  static constexpr std::uint16_t nan = 0x7FC0;
};
template <>
struct Bits<float> {
  using type = std::uint32_t;
  static constexpr std::uint32_t nan = 0x7FC00000;
};
template <>
struct Bits<double> {
  using type = std::uint64_t;
  static constexpr std::uint64_t nan = 0x7FF8000000000000;
};

/// Decimal text to a floating element; nullopt if it is none or a finite number becomes infinite.
template <class T>
std::optional<T> read_decimal(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.empty() || !(is_digit(digits[0]) || digits[0] == '.')) return std::nullopt;
  using Wide = std::conditional_t<std::is_same_v<T, float>, float, double>;
  Wide wide = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), wide);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_same_v<T, Wide>) {
    return wide;
  } else {
    const T narrow = convert_element<T>(wide);
    if (std::isinf(static_cast<float>(narrow))) return std::nullopt;
    return narrow;
  }
}

template <class T>
std::optional<T> read_floating(std::string_view text) {
  using B = typename Bits<T>::type;
  if (text == "inf" || text == "-inf") {
    const float infinity = text[0] == '-' ? -HUGE_VALF : HUGE_VALF;
    return convert_element<T>(infinity);
  }
  if (text == "nan") return std::bit_cast<T>(Bits<T>::nan);
  if (text.starts_with("nan(0x") && text.ends_with(')')) {
    const std::string_view hex = text.substr(6, text.size() - 7);
    B bits = 0;
    const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), bits, 16);
    if (error != std::errc() || end != hex.data() + hex.size()) return std::nullopt;
    const T value = std::bit_cast<T>(bits);
    const auto computed = static_cast<ComputeType<T>>(value);
    if (!std::isnan(computed)) return std::nullopt;
    return value;
  }
  return read_decimal<T>(text);
}

template <class T>
void append_floating(std::string& out, T value) {
  using B = typename Bits<T>::type;
  const auto computed = static_cast<ComputeType<T>>(value);
  const B bits = std::bit_cast<B>(value);
  if (std::isnan(computed)) {
    if (bits == Bits<T>::nan) {
      out += "nan";
    } else {
      out += format("nan(0x{:x})", bits);
    }
  } else if (std::isinf(computed)) {
    out += computed < 0 ? "-inf" : "inf";
  } else if constexpr (sizeof(T) == 2) {
    // The shortest digits that give these 16 bits again.
    for (int precision = 1; precision <= 9; ++precision) {
      const std::string digits = format("{:.{}g}", computed, precision);
      const std::optional<T> again = read_decimal<T>(digits);
      if (again && again->bits == bits) {
        out += digits;
        return;
      }
    }
    raise_internal("no decimal spelling of a 16-bit float");
  } else {
    out += format("{}", value);
  }
}

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> base64_values() {
  std::array<std::int8_t, 256> values{};
  for (auto& value : values) value = -1;
  for (std::size_t i = 0; i < kBase64.size(); ++i) {
    values[static_cast<unsigned char>(kBase64[i])] = static_cast<std::int8_t>(i);
  }
  return values;
}

}  // namespace

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_identifier(std::string_view name) {
  if (name.empty() || !is_letter(name[0])) return false;
  for (char c : name) {
    if (!is_letter(c) && !is_digit(c) && c != '.') return false;
  }
  return true;
}

bool is_bare_value_name(std::string_view name) {
  bool only_digits = true;
  for (char c : name) {
    if (!is_letter(c) && !is_digit(c) && c != '.') return false;
    only_digits &= is_digit(c);
  }
  return !only_digits;
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text[0];
    if (length > 1) {
      out += text.substr(0, length);
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n' || c == '\t' || c == '\r') {
      out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
    } else if (length == 0 || static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

std::string default_result_name(std::size_t index, std::size_t count) {
  return count == 1 ? "out" : format("out{}", index);
}

void append_real(std::string& out, double value) { append_floating(out, value); }
std::optional<double> read_real(std::string_view text) { return read_floating<double>(text); }

void append_element(std::string& out, const Array& array, std::int64_t i) {
  visit_dtype(array.dtype(), [&]<class T>(std::type_identity<T>) {
    const T value = array.data<T>()[i];
    if constexpr (std::is_same_v<T, bool>) {
      out += value ? "true" : "false";
    } else if constexpr (std::is_integral_v<T>) {
      out += format("{}",
          static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(value));
    } else {
      append_floating(out, value);
    }
  });
}

bool read_element(std::string_view text, DType dtype, std::byte* to) {
  return visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
    const auto store = [&](T value) {
      std::memcpy(to, &value, sizeof(T));
      return true;
    };
    if constexpr (std::is_same_v<T, bool>) {
      return (text == "true" || text == "false") && store(text == "true");
    } else if constexpr (std::is_integral_v<T>) {
      T value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      return error == std::errc() && end == text.data() + text.size() && store(value);
    } else {
      const std::optional<T> value = read_floating<T>(text);
      return value && store(*value);
    }
  });
}

void append_base64(std::string& out, std::span<const std::byte> bytes) {
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<std::uint32_t>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k > bytes.size() ? '=' : kBase64[group >> (18 - 6 * k) & 63];
    }
  }
}

bool read_base64(std::string_view text, std::span<std::byte> out) {
  static constexpr std::array<std::int8_t, 256> kValues = base64_values();
  if (text.size() != (out.size() + 2) / 3 * 4) return false;
  std::size_t next = 0;
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::uint32_t group = 0;
    const std::size_t wanted = std::min<std::size_t>(3, out.size() - next);
    for (std::size_t k = 0; k < 4; ++k) {
      if (k > wanted) {
        if (text[i + k] != '=') return false;
        group <<= 6;
        continue;
      }
      const std::int8_t value = kValues[static_cast<unsigned char>(text[i + k])];
      if (value < 0) return false;
      group = group << 6 | static_cast<std::uint32_t>(value);
    }
    for (std::size_t k = 0; k < wanted; ++k)
      out[next++] = static_cast<std::byte>(group >> (16 - 8 * k) & 0xFF);
    // Bits beyond the last byte must be zero, so that a payload has one spelling.
    if (wanted < 3 && (group & ((1u << (24 - 8 * wanted)) - 1)) != 0) return false;
  }
  return true;
}

Brackets::Brackets(std::span<const std::int64_t> sizes) {
  std::int64_t block = 1;
  for (std::size_t axis = sizes.size(); axis-- > 0;) blocks_.push_back(block *= sizes[axis]);
}

int Brackets::opening(std::int64_t i) const {
  int count = 0;
  for (std::int64_t block : blocks_) {
    if (i % block != 0) break;
    ++count;
  }
  return count;
}

}  // namespace calx::detail::text
