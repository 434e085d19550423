// The verifier. Each distinct nested Function is checked once, so programs that share Functions are checked
// in linear time.
#include "calx/core/verify.h"

#include <set>
#include <unordered_set>

#include "calx/base/format.h"
#include "calx/base/located.h"
#include "calx/core/bind.h"
#include "calx/core/text.h"

namespace calx {
namespace {

using Symbols = std::set<std::string, std::less<>>;

class Verifier {
 public:
  explicit Verifier(const Function& f) : symbols_(determined_symbols(f)) {}

  void function(const Function& f) {
    if (!f.defined()) fail(f, nullptr, "a Function is undefined");
    if (!done_.insert(&f.name()).second) return;  // the address of its data
    kept_.push_back(f);
    arguments(f);
    ValueId next = static_cast<ValueId>(f.arguments().size());
    for (const Equation& e : f.equations()) {
      equation(f, e, next);
      next += e.num_results;
    }
    if (next != f.num_values())
      fail(f, nullptr, format("it has {} values but {} types", next, f.num_values()));
    for (const Result& result : f.results()) {
      if (result.value >= next) fail(f, nullptr, format("result `{}` is no value of it", result.name));
    }
    donations(f);
    for (const Dim& dim : f.where()) sizes(f, nullptr, dim, "a where clause");
  }

 private:
  [[noreturn]] static void fail(const Function& f, const Equation* e, std::string message, Facts facts = {},
                                std::vector<std::string> notes = {}) {
    const std::string name = f.defined() ? f.name() : "";
    if (e != nullptr) {
      std::string text;
      const bool printable = e->first_result + e->num_results <= f.num_values() && operands_exist(f, *e);
      text = printable ? print_equation(f, *e) : std::string(e->op == nullptr ? "?" : e->op->name);
      facts.insert(facts.begin(), {"equation", text});
      message += ": " + text;
    }
    facts.insert(facts.begin(), {"function", name});
    raise({.id = ErrorId::verify,
           .op = name,
           .message = std::move(message),
           .where = e != nullptr ? e->where : SourceLoc(),
           .facts = std::move(facts),
           .notes = std::move(notes)});
  }

  static bool operands_exist(const Function& f, const Equation& e) {
    for (ValueId operand : e.operands) {
      if (operand >= f.num_values()) return false;
    }
    return e.op != nullptr;
  }

  static Symbols determined_symbols(const Function& f) {
    Symbols symbols;
    if (!f.defined()) return symbols;
    for (const Argument& argument : f.arguments()) {
      for (const Dim& dim : argument.type.shape) {
        if (auto affine = dim.affine()) symbols.insert(std::move(affine->symbol));
      }
    }
    return symbols;
  }

  /// Region bodies share the enclosing symbols: only the outermost arguments determine them.
  void sizes(const Function& f, const Equation* e, const Dim& dim, std::string_view place) {
    if (dim.is_constant()) return;
    for (const std::string& symbol : dim.symbols()) {
      if (!symbols_.contains(symbol)) {
        fail(f, e, format("the size `{}` in {} is determined by no argument", symbol, place),
             {{"symbol", symbol}});
      }
    }
  }

  void type(const Function& f, const Equation* e, const Type& type, std::string_view place) {
    for (const Dim& dim : type.shape) {
      sizes(f, e, dim, place);
      if (dim.is_constant() && dim.value() < 0)
        fail(f, e, format("{} has a negative size: {}", place, type.to_string()));
    }
  }

  void arguments(const Function& f) {
    std::unordered_set<std::string_view> names;
    if (f.num_values() < f.arguments().size()) fail(f, nullptr, "arguments have no types");
    for (std::size_t i = 0; i < f.arguments().size(); ++i) {
      const Argument& argument = f.arguments()[i];
      if (!names.insert(argument.name).second) {
        fail(f, nullptr, format("two arguments are named `{}`", argument.name),
             {{"argument", argument.name}});
      }
      if (argument.type != f.type(static_cast<ValueId>(i))) {
        fail(f, nullptr, format("argument `{}` has two types", argument.name), {{"argument", argument.name}});
      }
      type(f, nullptr, argument.type, "an argument");
    }
  }

  void equation(const Function& f, const Equation& e, ValueId next) {
    if (e.op == nullptr) fail(f, &e, "an equation has no op");
    for (ValueId operand : e.operands) {
      if (operand >= next) fail(f, &e, "an operand is used before it is defined");
    }
    if (e.first_result != next || e.num_results > f.num_values() - next)
      fail(f, &e, "results are not numbered in order");
    for (const Attrs::Entry& entry : e.attrs.entries()) {
      if (const auto* dim = std::get_if<Dim>(&entry.value)) sizes(f, &e, *dim, "an attribute");
      if (const auto* dims = std::get_if<std::vector<Dim>>(&entry.value)) {
        for (const Dim& dim : *dims) sizes(f, &e, dim, "an attribute");
      }
    }
    // Bodies first: an error inside is told where it is.
    if (!e.attrs.empty()) {
      for (const Function& nested : nested_functions(e)) {
        function(nested);
        if (!nested.donations().empty()) fail(f, &e, "the body of a region has donation pairs");
      }
    }
    operand_types_.clear();
    for (ValueId operand : e.operands) operand_types_.push_back(f.type(operand));
    Attrs attrs = e.attrs;
    std::vector<Type> inferred;
    try {
      inferred = infer_types(*e.op, operand_types_, attrs, e.where);
    } catch (const Error& error) {
      if (error.id() == ErrorId::internal) throw;
      Facts facts = error.facts();
      facts.insert(facts.begin(), {"cause", to_string(error.id())});
      fail(f, &e, error.message(), std::move(facts), error.notes());
    }
    if (attrs != e.attrs) fail(f, &e, "attributes are not complete and in the op's order");
    if (inferred.size() != e.num_results) {
      fail(f, &e, format("the op has {} result(s) here, the equation {}", inferred.size(), e.num_results));
    }
    for (std::uint32_t i = 0; i < e.num_results; ++i) {
      const Type& stated = f.type(e.first_result + i);
      type(f, &e, stated, "a result");
      if (stated == inferred[i]) continue;
      if (stated.dtype != inferred[i].dtype || proven_equal(stated.shape, inferred[i].shape) != Proof::yes) {
        fail(f, &e,
             format("result {} has type {}, but the op gives {}", i, stated.to_string(),
                    inferred[i].to_string()),
             {{"stated", stated.to_string()}, {"inferred", inferred[i].to_string()}});
      }
    }
  }

  static void donations(const Function& f) {
    std::set<int> given;
    std::set<int> taken;
    for (const Donation& donation : f.donations()) {
      if (donation.argument < 0 || donation.argument >= static_cast<int>(f.arguments().size()) ||
          donation.result < 0 || donation.result >= static_cast<int>(f.results().size())) {
        fail(f, nullptr,
             format("donation {} -> {} names no argument or no result", donation.argument, donation.result));
      }
      if (!given.insert(donation.argument).second || !taken.insert(donation.result).second) {
        fail(f, nullptr,
             format("donation {} -> {}: an argument is given, and a result takes, once", donation.argument,
                    donation.result));
      }
      const Type& from = f.arguments()[static_cast<std::size_t>(donation.argument)].type;
      const Type& to = f.type(f.results()[static_cast<std::size_t>(donation.result)].value);
      if (from != to) {
        fail(f, nullptr,
             format("donation {} -> {}: {} does not fit {}", donation.argument, donation.result,
                    from.to_string(), to.to_string()));
      }
    }
  }

  Symbols symbols_;
  std::unordered_set<const void*> done_;
  std::vector<Function> kept_;  // keeps the addresses in done_ valid
  std::vector<Type> operand_types_;
};

}  // namespace

void verify(const Function& f, SourceLoc where) {
  detail::located(where, "verify", [&] { Verifier(f).function(f); });
}

}  // namespace calx
