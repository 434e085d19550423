// The parser: one pass, values and labels are defined before they are used, so a program cannot contain
// itself. Types are inferred equation by equation with the ops' own rules and compared with what the text
// says.
#include <charconv>
#include <map>
#include <new>
#include <unordered_map>
#include <unordered_set>

#include "calx/base/format.h"
#include "calx/base/printable.h"
#include "calx/core/bind.h"
#include "calx/core/text.h"
#include "text_cursor.h"
#include "text_elements.h"

namespace calx {
namespace {

using namespace detail::text;

constexpr int kMaxNesting = 256;  // Functions inside Functions, written there or named
constexpr int kMaxRank = 64;
constexpr std::size_t kMaxValues = std::size_t{1} << 31;
constexpr std::size_t kMaxTotalEquations = std::size_t{1} << 28;  // with labelled funcs counted at each use

/// Strings as keys that may be looked up by views.
struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
template <class T>
using NameMap = std::unordered_map<std::string, T, StringHash, std::equal_to<>>;

/// The values of the Function being read. Numbers in order (what the printer writes) need no map.
class Values {
 public:
  [[nodiscard]] bool define(std::string_view name, bool quoted, ValueId value) {
    if (!quoted) {
      if (const auto number = as_number(name)) {
        if (*number < numbered_.size()) return false;
        if (*number == numbered_.size() && (named_.empty() || !named_.contains(name))) {
          numbered_.push_back(value);
          return true;
        }
      }
    } else if (as_number(name)) {
      return quoted_numbers_.emplace(name, value).second;
    }
    return named_.emplace(name, value).second;
  }

  [[nodiscard]] std::optional<ValueId> find(std::string_view name, bool quoted) const {
    if (const auto number = as_number(name)) {
      if (!quoted && *number < numbered_.size()) return numbered_[*number];
      if (quoted) return look_up(quoted_numbers_, name);
    }
    return look_up(named_, name);
  }

 private:
  static std::optional<ValueId> look_up(const NameMap<ValueId>& map, std::string_view name) {
    const auto found = map.find(name);
    return found == map.end() ? std::nullopt : std::optional(found->second);
  }

  /// Canonical decimals only: `01` is a name.
  static std::optional<std::size_t> as_number(std::string_view name) {
    if (name.empty() || name.size() > 10 || (name[0] == '0' && name.size() > 1)) return std::nullopt;
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
    return number;
  }

  std::vector<ValueId> numbered_;
  NameMap<ValueId> named_;
  NameMap<ValueId> quoted_numbers_;  // arguments whose name is a number
};

class Parser {
 public:
  Parser(std::string_view text, std::string_view file) : at_(text, file) {}

  Function program() {
    if (!at_.accept_word("calx")) at_.fail("a program starts with the line `calx 1`");
    at_.skip();
    const Cursor::Mark version_mark = at_.mark();
    const std::string_view version = at_.word();
    if (version != "1") at_.fail_at(version_mark, format("version `{}` is not known; this reads version 1", shown(version)));
    Function entry;
    do {
      if (!at_.accept_word("func")) at_.fail("expected `func`, found " + at_.found());
      const Cursor::Mark mark = at_.mark();
      std::string label;
      height_ = 0;
      entry = function(0, &label);
      if (!label.empty()) heights_[label] = height_;
      if (!label.empty() && !labelled_.emplace(std::move(label), entry).second) {
        at_.fail_at(mark, "two funcs of a program have this name",
                    "tell them apart: func name as @label (...)");
      }
    } while (!at_.at_end());
    return entry;
  }

 private:
  // ---- Functions ----

  /// After `func`. At the top level the label is set: the name, or what follows `as`.
  Function function(int depth, std::string* label) {
    require_nesting(depth);
    const int beside = std::exchange(height_, 0);
    const Cursor::Mark start = at_.mark();
    Function::Data data;
    data.name = at_.name("the name of the func");
    if (label != nullptr) *label = is_identifier(data.name) ? data.name : "";
    if (at_.accept_word("as")) {
      if (label == nullptr) at_.fail("only funcs at the top level have labels");
      at_.expect('@', "before a label");
      *label = at_.identifier();
      if (label->empty()) at_.fail("expected a label, found " + at_.found());
    }
    Values values;
    arguments(data, values);
    const std::vector<Header> header = results();
    if (at_.accept_word("donates")) donations(data, values, header.size());
    if (at_.accept_word("where")) where(data);
    at_.expect('{', "to open the body");
    while (!at_.accept_word("return")) {
      if (at_.peek() == '}' || at_.at_end())
        at_.fail("expected an equation or `return`, found " + at_.found());
      equation(data, values, depth);
    }
    returned(data, values, header);
    at_.expect('}', "after the results");
    height_ = std::max(beside, height_ + 1);
    return intern(Function(std::move(data)), start);
  }

  void require_nesting(int depth) {
    if (depth > kMaxNesting) at_.fail(format("functions are nested more than {} deep", kMaxNesting));
  }

  void arguments(Function::Data& data, Values& values) {
    at_.expect('(', "before the arguments");
    if (at_.accept(')')) return;
    do {
      const Cursor::Mark mark = at_.mark();
      bool quoted = false;
      std::string name = value_name(quoted);
      if (!quoted && !is_bare_value_name(name)) {
        at_.fail_at(mark, "an argument's name is not a number",
                    "numbers name results; a quoted number is a name: %\"0\"");
      }
      at_.expect(':', "after an argument's name");
      Type one = type();
      if (!values.define(name, quoted, static_cast<ValueId>(data.types.size()))) {
        at_.fail_at(mark, format("two arguments are named `{}`", shown(name)));
      }
      data.types.push_back(one);
      data.arguments.push_back({std::move(name), std::move(one)});
    } while (at_.accept(','));
    at_.expect(')', "after the arguments");
  }

  struct Header {
    std::string name;
    Type type;
    Cursor::Mark mark;
  };

  std::vector<Header> results() {
    at_.expect("->", "before the results' types");
    at_.expect('(', "before the results' types");
    std::vector<Header> header;
    std::vector<bool> named;
    if (!at_.accept(')')) {
      do {
        Header one{{}, {}, at_.mark()};
        // A name is told from a type by the colon.
        Cursor ahead = at_;
        const bool has_name =
            (ahead.peek() == '"' ? !ahead.quoted().empty() || true : !ahead.identifier().empty()) &&
            ahead.accept(':');
        if (has_name) {
          one.name = at_.name("a result's name");
          at_.expect(':', "after a result's name");
          one.mark = at_.mark();
        }
        one.type = type();
        named.push_back(has_name);
        header.push_back(std::move(one));
      } while (at_.accept(','));
      at_.expect(')', "after the results' types");
    }
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (!named[i]) header[i].name = default_result_name(i, header.size());
    }
    return header;
  }

  void donations(Function::Data& data, const Values& values, std::size_t num_results) {
    at_.expect('(', "before the donations");
    do {
      const Cursor::Mark mark = at_.mark();
      const ValueId argument = value(values);
      at_.expect("->", "between an argument and the result that it is donated to");
      const std::int64_t result = integer("the index of a result");
      if (result < 0 || result >= static_cast<std::int64_t>(num_results)) {
        at_.fail_at(mark, format("there is no result {}", result));
      }
      data.donations.push_back({static_cast<int>(argument), static_cast<int>(result)});
    } while (at_.accept(','));
    at_.expect(')', "after the donations");
  }

  void where(Function::Data& data) {
    do {
      const Cursor::Mark mark = at_.mark();
      const Dim left = dim();
      at_.expect(">=", "in a where clause");
      const Dim right = dim();
      guarded(mark, [&] { data.where.push_back(left - right); });
    } while (at_.accept(','));
  }

  void returned(Function::Data& data, const Values& values, const std::vector<Header>& header) {
    const Cursor::Mark mark = at_.mark();
    std::size_t count = 0;
    if (at_.peek() == '%') {
      do {
        const Cursor::Mark one = at_.mark();
        const ValueId id = value(values);
        if (count < header.size()) {
          const Header& expected = header[count];
          if (expected.type != data.types[id]) {
            at_.fail_at(one, format("result {} is {}, but the func's first line says {}", count,
                                    data.types[id].to_string(), expected.type.to_string()));
          }
          data.results.push_back({expected.name, id});
        }
        ++count;
      } while (at_.accept(','));
    }
    if (count != header.size()) {
      at_.fail_at(mark, format("{} value(s) are returned, but the func's first line has {} result(s)", count,
                               header.size()));
    }
  }

  /// Equal Functions of one program share memory, so that comparing and running through them stays linear.
  Function intern(Function f, Cursor::Mark mark) {
    if (f.count_equations() > kMaxTotalEquations)
      at_.fail_at(mark, "the program is too large when its calls are expanded");
    const auto [begin, end] = by_hash_.equal_range(f.hash());
    for (auto entry = begin; entry != end; ++entry) {
      if (entry->second == f) return entry->second;
    }
    by_hash_.emplace(f.hash(), f);
    return f;
  }

  // ---- Equations ----

  void equation(Function::Data& data, Values& values, int depth) {
    struct Defined {
      std::string name;
      bool quoted = false;
      Cursor::Mark mark;
    };
    std::vector<Defined> defined;
    if (at_.peek() == '%') {
      do {
        Defined one{{}, false, at_.mark()};
        one.name = value_name(one.quoted);
        defined.push_back(std::move(one));
      } while (at_.accept(','));
      at_.expect('=', "after the names of an equation's results");
    }
    const Cursor::Mark op_mark = at_.mark();
    Equation equation;
    equation.where = at_.location();
    const std::string_view op_name = at_.identifier();
    if (op_name.empty()) at_.fail("expected the name of an op, found " + at_.found());
    equation.op = op(op_name, op_mark);
    at_.expect('(', "after the op's name");
    if (!at_.accept(')')) {
      do {
        equation.operands.push_back(value(values));
      } while (at_.accept(','));
      at_.expect(')', "after the operands");
    }
    if (at_.accept('{')) attributes(equation, depth);
    operand_types_.clear();  // here, since attributes may hold Functions with equations of their own
    for (ValueId operand : equation.operands) operand_types_.push_back(data.types[operand]);
    std::vector<Type> inferred;
    guarded(op_mark,
            [&] { inferred = infer_types(*equation.op, operand_types_, equation.attrs, equation.where); });
    if (inferred.size() != defined.size()) {
      at_.fail_at(op_mark, format("`{}` has {} result(s) here, but {} are named", op_name, inferred.size(),
                                  defined.size()));
    }
    if (at_.accept(':')) written_types(inferred, op_name);
    if (data.types.size() + inferred.size() > kMaxValues) at_.fail("a func has too many values");
    equation.first_result = static_cast<ValueId>(data.types.size());
    equation.num_results = static_cast<std::uint32_t>(inferred.size());
    for (const Defined& one : defined) {
      if (!values.define(one.name, one.quoted, static_cast<ValueId>(data.types.size()))) {
        at_.fail_at(one.mark, format("`%{}` is defined twice", shown(one.name)));
      }
      data.types.push_back(std::move(inferred[data.types.size() - equation.first_result]));
    }
    data.equations.push_back(std::move(equation));
  }

  /// A written type that is provably the inferred one in another form is kept as written.
  void written_types(std::vector<Type>& inferred, std::string_view op_name) {
    for (std::size_t i = 0; i < inferred.size(); ++i) {
      if (i > 0) at_.expect(',', "between the types of results");
      const Cursor::Mark mark = at_.mark();
      const Type written = type();
      if (written == inferred[i]) continue;
      Proof same = Proof::no;
      guarded(mark, [&] { same = proven_equal(written.shape, inferred[i].shape); });
      if (written.dtype != inferred[i].dtype || same != Proof::yes) {
        at_.fail_at(mark,
                    format("the text says {}, but `{}` gives {}", written.to_string(), op_name,
                           inferred[i].to_string()),
                    {}, {{"written", written.to_string()}, {"inferred", inferred[i].to_string()}});
      }
      inferred[i] = written;
    }
  }

  const OpDef* op(std::string_view name, Cursor::Mark mark) {
    const auto known = ops_.find(name);
    if (known != ops_.end()) return known->second;
    const OpDef* found = find_op(name);
    if (found == nullptr) at_.fail_at(mark, format("there is no op `{}`", shown(name)), closest_op(name));
    ops_.emplace(name, found);
    return found;
  }

  static std::string closest_op(std::string_view name) {
    for (const OpDef* op : op_table()) {
      const bool contains = name.size() >= 3 && op->name.find(name) != std::string_view::npos;
      if (contains || (op->name.size() >= 3 && name.find(op->name) != std::string_view::npos)) {
        return format("perhaps `{}`?", op->name);
      }
    }
    return {};
  }

  /// Runs a step that may raise for reasons of its own (type rules, sizes): told as a parse error at `mark`.
  template <class Step>
  void guarded(Cursor::Mark mark, Step step) {
    try {
      step();
    } catch (const Error& error) {
      if (error.id() == ErrorId::internal || error.id() == ErrorId::parse) throw;
      Facts facts = error.facts();
      facts.insert(facts.begin(), {"cause", to_string(error.id())});
      at_.fail_at(mark, (error.op().empty() ? "" : error.op() + ": ") + error.message(), error.hint(),
                  std::move(facts), error.notes());
    } catch (const std::bad_alloc&) {
      at_.fail_at(mark, "this needs more memory than there is");
    } catch (const std::length_error&) {
      at_.fail_at(mark, "this needs more memory than there is");
    }
  }

  // ---- Attributes ----

  void attributes(Equation& equation, int depth) {
    do {
      const Cursor::Mark mark = at_.mark();
      const std::string_view name = at_.identifier();
      if (name.empty()) at_.fail("expected the name of an attribute, found " + at_.found());
      const AttrSpec* spec = nullptr;
      for (const AttrSpec& one : equation.op->attrs) {
        if (one.name == name) spec = &one;
      }
      if (spec == nullptr)
        at_.fail_at(mark, format("`{}` has no attribute `{}`", equation.op->name, shown(name)), known_attributes(*equation.op));
      if (equation.attrs.find(name) != nullptr) at_.fail_at(mark, format("attribute `{}` is given twice", shown(name)));
      at_.expect('=', "after an attribute's name");
      equation.attrs.set_value(spec->name, attribute(*spec, depth));
    } while (at_.accept(','));
    at_.expect('}', "after the attributes");
  }

  static std::string known_attributes(const OpDef& op) {
    std::vector<std::string_view> names;
    for (const AttrSpec& spec : op.attrs) names.push_back(spec.name);
    return names.empty() ? "it has none" : format("its attributes are {}", join(names, ", "));
  }

  AttrValue attribute(const AttrSpec& spec, int depth) {
    const bool may_be_none = spec.is_optional || spec.kind == AttrKind::function;
    if (may_be_none && at_.accept_word("none")) {
      return spec.is_optional ? AttrValue(std::monostate{}) : AttrValue(Function());
    }
    switch (spec.kind) {
      case AttrKind::boolean:
        if (at_.accept_word("true")) return true;
        if (at_.accept_word("false")) return false;
        at_.fail(format("`{}` is `true` or `false`, found {}", spec.name, at_.found()));
      case AttrKind::integer:
        return integer("an integer");
      case AttrKind::real:
        return real();
      case AttrKind::text:
        return at_.quoted();
      case AttrKind::dtype:
        return dtype();
      case AttrKind::dim:
        return dim();
      case AttrKind::integers:
        return list<std::int64_t>([&] { return integer("an integer"); });
      case AttrKind::dims:
        return list<Dim>([&] { return dim(); });
      case AttrKind::array:
        return array();
      case AttrKind::function:
        return nested(depth);
      case AttrKind::functions:
        return list<Function>([&] { return nested(depth); });
      case AttrKind::enumeration:
        return enumeration(spec);
    }
    raise_internal("unknown kind of attribute");
  }

  template <class T, class Read>
  std::vector<T> list(Read read) {
    at_.expect('[', "to open a list");
    std::vector<T> items;
    if (at_.accept(']')) return items;
    do {
      items.push_back(read());
    } while (at_.accept(','));
    at_.expect(']', "to close a list");
    return items;
  }

  Function nested(int depth) {
    if (at_.accept('@')) {
      const Cursor::Mark mark = at_.mark();
      const std::string_view label = at_.identifier();
      const auto found = labelled_.find(label);
      if (found == labelled_.end()) {
        at_.fail_at(mark, format("there is no func `{}` above", shown(label)), "a func is written before its first use");
      }
      const int height = heights_.find(label)->second;
      require_nesting(depth + height);
      height_ = std::max(height_, height);
      return found->second;
    }
    if (!at_.accept_word("func")) at_.fail("expected `func` or `@label`, found " + at_.found());
    return function(depth + 1, nullptr);
  }

  std::int64_t enumeration(const AttrSpec& spec) {
    const Cursor::Mark mark = at_.mark();
    const std::string_view name = at_.identifier();
    for (std::size_t i = 0; i < spec.names.size(); ++i) {
      if (spec.names[i] == name) return static_cast<std::int64_t>(i);
    }
    at_.fail_at(mark, format("`{}` is one of {}", spec.name, join(spec.names, ", ")));
  }

  Array array() {
    const Cursor::Mark mark = at_.mark();
    return read_array(at_, type(), mark);
  }

  // ---- Small things ----

  std::string value_name(bool& quoted) {
    at_.expect('%', "before a value's name");
    quoted = at_.peek() == '"';
    if (quoted) return at_.quoted();
    const std::string_view name = at_.word();
    if (name.empty()) at_.fail("expected the name of a value, found " + at_.found());
    return std::string(name);
  }

  ValueId value(const Values& values) {
    const Cursor::Mark mark = at_.mark();
    bool quoted = false;
    const std::string name = value_name(quoted);
    const std::optional<ValueId> id = values.find(name, quoted);
    if (!id) at_.fail_at(mark, format("`%{}` is not defined here", shown(name)), "values are defined before they are used");
    return *id;
  }

  std::int64_t integer(std::string_view what) {
    const Cursor::Mark mark = at_.mark();
    const std::string_view text = at_.scalar();
    std::int64_t result = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (error == std::errc::result_out_of_range) at_.fail_at(mark, format("`{}` does not fit 64 bits", shown(text)));
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
      at_.fail_at(mark, format("expected {}, found `{}`", what, shown(text)));
    }
    return result;
  }

  double real() {
    const Cursor::Mark mark = at_.mark();
    const std::string_view text = at_.scalar();
    const std::optional<double> result = read_real(text);
    if (!result) at_.fail_at(mark, format("expected a number, found `{}`", shown(text)));
    return *result;
  }

  DType dtype() {
    const Cursor::Mark mark = at_.mark();
    const std::optional<DType> result = DType::from_name(at_.identifier());
    if (!result)
      at_.fail_at(mark, "expected a dtype",
                  "bool, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32 or f64");
    return *result;
  }

  Dim dim() {
    const Cursor::Mark mark = at_.mark();
    const std::string_view text = at_.dim();
    std::optional<Dim> result = text.size() > kMaxDimText ? std::nullopt : parse_dim(text);
    if (!result) at_.fail_at(mark, format("`{}` is no size", shown(text)));
    return *std::move(result);
  }

  Type type() {
    const Cursor::Mark mark = at_.mark();
    const std::string_view text = at_.type();
    if (text.empty()) at_.fail("expected a type such as f32[2,B], found " + at_.found());
    const auto known = types_.find(text);
    if (known != types_.end()) return known->second;
    std::optional<Type> result = text.size() > kMaxDimText ? std::nullopt : parse_type(text);
    if (!result) at_.fail_at(mark, format("`{}` is no type", shown(text)));
    if (result->rank() > kMaxRank) at_.fail_at(mark, format("a rank above {}", kMaxRank));
    for (const Dim& size : result->shape) {
      if (size.is_constant() && size.value() < 0) at_.fail_at(mark, format("`{}` has a negative size", shown(text)));
    }
    if (types_.size() < kMaxCachedTypes) types_.emplace(text, *result);
    return *std::move(result);
  }

  static constexpr std::size_t kMaxDimText = 1 << 16;
  static constexpr std::size_t kMaxCachedTypes = 1 << 16;

  Cursor at_;
  NameMap<Function> labelled_;
  NameMap<int> heights_;  // of the labelled: how many Functions stand inside each other there
  int height_ = 0;        // of the Functions read so far inside the current one
  std::unordered_multimap<std::uint64_t, Function> by_hash_;
  NameMap<const OpDef*> ops_;
  NameMap<Type> types_;
  std::vector<Type> operand_types_;
};

}  // namespace

Function parse(std::string_view text, std::string_view file) { return Parser(text, file).program(); }

}  // namespace calx
