// The printer. Names of values are numbers counted per function, so text never depends on global state.
// Functions that occur several times inside one program are printed once, as labelled funcs: printing is
// linear in what is shared.
#include <unordered_map>
#include <unordered_set>

#include "calx/base/format.h"
#include "calx/core/op_def.h"
#include "calx/core/text.h"
#include "text_elements.h"

namespace calx {
namespace {

using namespace detail::text;

enum class Detail { full, elided, one_line };

class Printer {
 public:
  explicit Printer(Detail detail) : detail_(detail) {}

  std::string program(const Function& f) {
    find_shared(f);
    out_ = "calx 1\n";
    name_shared(f.name());
    for (const std::size_t i : shared_order_) {
      out_ += "func ";
      function(seen_[i].function, 0, seen_[i].label);
      out_ += "\n";
    }
    out_ += "func ";
    function(f, 0, {});
    out_ += "\n";
    return std::move(out_);
  }

  std::string one_equation(const Function& f, const Equation& e) {
    equation(f, e, 0);
    return std::move(out_);
  }

 private:
  struct Seen {
    Function function;
    int uses = 0;
    std::string label = {};
  };

  // ---- Sharing ----

  Seen* find(const Function& f) {
    const auto [begin, end] = by_hash_.equal_range(f.hash());
    for (auto entry = begin; entry != end; ++entry) {
      if (seen_[entry->second].function == f) return &seen_[entry->second];
    }
    return nullptr;
  }

  /// Visits every distinct nested Function once; those that come to be used twice are noted after what they
  /// use.
  void find_shared(const Function& f) {
    for (const Equation& e : f.equations()) {
      if (e.attrs.empty()) continue;
      for (const Function& nested : nested_functions(e)) {
        if (Seen* known = find(nested)) {
          ++known->uses;
          continue;
        }
        by_hash_.emplace(nested.hash(), seen_.size());
        seen_.push_back({nested, 1});
        const std::size_t index = seen_.size() - 1;
        find_shared(nested);
        finished_.push_back(index);
      }
    }
  }

  void name_shared(const std::string& entry) {
    std::unordered_set<std::string> taken{entry};
    for (const std::size_t i : finished_) {
      Seen& seen = seen_[i];
      if (seen.uses < 2 || seen.function.equations().empty()) continue;
      const std::string base = is_identifier(seen.function.name()) ? seen.function.name() : "f";
      seen.label = base;
      for (int number = 2; !taken.insert(seen.label).second; ++number)
        seen.label = format("{}.{}", base, number);
      shared_order_.push_back(i);
    }
  }

  // ---- Functions ----

  void indent(int level) { out_.append(static_cast<std::size_t>(level) * 2, ' '); }

  void name(std::string_view text) {
    if (is_identifier(text)) {
      out_ += text;
    } else {
      append_quoted(out_, text);
    }
  }

  void value_name(const Function& f, ValueId value) {
    const std::size_t arguments = f.arguments().size();
    out_ += '%';
    if (value >= arguments) {
      out_ += format("{}", value - arguments);
      return;
    }
    const std::string& text = f.arguments()[value].name;
    if (is_bare_value_name(text)) {
      out_ += text;
    } else {
      append_quoted(out_, text);
    }
  }

  template <class Range, class Print>
  void separated(const Range& range, Print print) {
    bool first = true;
    for (const auto& item : range) {
      if (!first) out_ += ", ";
      first = false;
      print(item);
    }
  }

  void where(const Dim& dim) {
    const auto affine = dim.affine();
    if (affine && affine->scale > 0 && affine->offset < 0 &&
        affine->offset > std::numeric_limits<std::int64_t>::min()) {
      out_ += format("{} >= {}", (dim - affine->offset).to_string(),
                     -affine->offset);
    } else {
      out_ += dim.to_string() + " >= 0";
    }
  }

  void function(const Function& f, int level, std::string_view label) {
    name(f.name());
    if (!label.empty() && label != f.name()) {
      out_ += " as @";
      out_ += label;
      out_ += ' ';
    }
    out_ += '(';
    ValueId next = 0;
    separated(f.arguments(), [&](const Argument& argument) {
      value_name(f, next++);
      out_ += ": " + argument.type.to_string();
    });
    out_ += ") -> (";
    std::size_t index = 0;
    separated(f.results(), [&](const Result& result) {
      if (result.name != default_result_name(index++, f.results().size())) {
        name(result.name);
        out_ += ": ";
      }
      out_ += f.type(result.value).to_string();
    });
    out_ += ')';
    if (!f.donations().empty()) {
      out_ += " donates (";
      separated(f.donations(), [&](const Donation& donation) {
        value_name(f, static_cast<ValueId>(donation.argument));
        out_ += format(" -> {}", donation.result);
      });
      out_ += ')';
    }
    if (!f.where().empty()) {
      out_ += " where ";
      separated(f.where(), [&](const Dim& dim) { where(dim); });
    }
    out_ += " {\n";
    for (const Equation& e : f.equations()) {
      indent(level + 1);
      equation(f, e, level + 1);
      out_ += '\n';
    }
    indent(level + 1);
    out_ += f.results().empty() ? "return" : "return ";
    separated(f.results(), [&](const Result& result) { value_name(f, result.value); });
    out_ += '\n';
    indent(level);
    out_ += '}';
  }

  void equation(const Function& f, const Equation& e, int level) {
    for (std::uint32_t i = 0; i < e.num_results; ++i) {
      if (i > 0) out_ += ", ";
      value_name(f, e.first_result + i);
    }
    if (e.num_results > 0) out_ += " = ";
    out_ += e.op->name;
    out_ += '(';
    separated(e.operands, [&](ValueId operand) { value_name(f, operand); });
    out_ += ')';
    attributes(e, level);
    for (std::uint32_t i = 0; i < e.num_results; ++i) {
      out_ += i == 0 ? " : " : ", ";
      out_ += f.type(e.first_result + i).to_string();
    }
  }

  // ---- Attributes ----

  void attributes(const Equation& e, int level) {
    struct Shown {
      const AttrSpec* spec;
      const AttrValue* value;
    };
    std::vector<Shown> shown;
    bool blocks = false;
    for (const AttrSpec& spec : e.op->attrs) {
      const AttrValue* value = e.attrs.find(spec.name);
      if (value == nullptr || (spec.default_value && same_attribute(*value, *spec.default_value))) continue;
      shown.push_back({&spec, value});
      blocks |= is_block(*value);
    }
    if (shown.empty()) return;
    out_ += blocks ? " {\n" : " {";
    bool first = true;
    for (const auto& [spec, value] : shown) {
      if (!first) out_ += blocks ? ",\n" : ", ";
      first = false;
      if (blocks) indent(level + 1);
      out_ += spec->name;
      out_ += " = ";
      attribute(*spec, *value, level + 1);
    }
    if (blocks) {
      out_ += '\n';
      indent(level);
    }
    out_ += '}';
  }

  /// Is a Function printed in place?
  bool is_block(const AttrValue& value) {
    if (detail_ == Detail::one_line) return false;
    if (const auto* one = std::get_if<Function>(&value)) return one->defined() && label_of(*one).empty();
    if (const auto* several = std::get_if<std::vector<Function>>(&value)) {
      for (const Function& f : *several) {
        if (label_of(f).empty()) return true;
      }
    }
    return false;
  }

  std::string_view label_of(const Function& f) {
    const Seen* seen = find(f);
    return seen == nullptr ? std::string_view() : std::string_view(seen->label);
  }

  void nested(const Function& f, int level) {
    if (!f.defined()) {
      out_ += "none";
    } else if (const std::string_view label = label_of(f); !label.empty()) {
      out_ += '@';
      out_ += label;
    } else if (detail_ == Detail::one_line) {
      out_ += "func ";
      name(f.name());
      out_ += "(...)";
    } else {
      out_ += "func ";
      function(f, level, {});
    }
  }

  void attribute(const AttrSpec& spec, const AttrValue& value, int level) {
    std::visit(
        [&]<class T>(const T& v) {
          if constexpr (std::is_same_v<T, std::monostate>) {
            out_ += "none";
          } else if constexpr (std::is_same_v<T, bool>) {
            out_ += v ? "true" : "false";
          } else if constexpr (std::is_same_v<T, std::int64_t>) {
            if (spec.kind == AttrKind::enumeration) {
              out_ += spec.names[static_cast<std::size_t>(v)];
            } else {
              out_ += format("{}", v);
            }
          } else if constexpr (std::is_same_v<T, double>) {
            append_real(out_, v);
          } else if constexpr (std::is_same_v<T, std::string>) {
            append_quoted(out_, v);
          } else if constexpr (std::is_same_v<T, DType>) {
            out_ += v.name();
          } else if constexpr (std::is_same_v<T, Dim>) {
            out_ += v.to_string();
          } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
            out_ += format("[{}]", join(v, ", "));
          } else if constexpr (std::is_same_v<T, std::vector<Dim>>) {
            out_ += '[';
            separated(v, [&](const Dim& dim) { out_ += dim.to_string(); });
            out_ += ']';
          } else if constexpr (std::is_same_v<T, Array>) {
            array(v);
          } else if constexpr (std::is_same_v<T, Function>) {
            nested(v, level);
          } else {
            out_ += '[';
            separated(v, [&](const Function& f) { nested(f, level); });
            out_ += ']';
          }
        },
        value);
  }

  void array(const Array& a) {
    out_ += a.type().to_string() + " ";
    if (a.num_elements() == 0) {
      out_ += "[]";
    } else if (a.num_elements() <= (detail_ == Detail::full ? kMaxSpelledElements : kMaxShownElements)) {
      const Brackets brackets(a.sizes());
      for (std::int64_t i = 0; i < a.num_elements(); ++i) {
        if (i > 0) out_ += ", ";
        out_.append(static_cast<std::size_t>(brackets.opening(i)), '[');
        append_element(out_, a, i);
        out_.append(static_cast<std::size_t>(brackets.closing(i)), ']');
      }
    } else if (detail_ == Detail::full) {
      out_ += "base64 \"";
      append_base64(out_, a.bytes());
      out_ += '"';
    } else {
      out_ += "...";
    }
  }

  static constexpr std::int64_t kMaxShownElements = 8;

  Detail detail_;
  std::string out_;
  std::vector<Seen> seen_;
  std::unordered_multimap<std::uint64_t, std::size_t> by_hash_;
  std::vector<std::size_t> finished_;      // of seen_, each after everything inside it
  std::vector<std::size_t> shared_order_;  // those with labels
};

}  // namespace

std::string print(const Function& f, SourceLoc where) {
  detail::require_defined(f, "print", where);
  return Printer(Detail::full).program(f);
}
std::string print_short(const Function& f, SourceLoc where) {
  detail::require_defined(f, "print_short", where);
  return Printer(Detail::elided).program(f);
}
std::string print_equation(const Function& f, const Equation& equation) {
  return Printer(Detail::one_line).one_equation(f, equation);
}

}  // namespace calx
