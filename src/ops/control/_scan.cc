// The rules of scan. The derivative of a scan is a scan: forward mode carries tangents beside values; reverse mode runs a
// linear scan, which reads stacked residuals, backwards.
#include "control/_scan.h"

#include <algorithm>

#include "calx/base/format.h"

namespace calx::ops {
namespace {

/// One list of tensors (or types, flags) per role.
template <class T>
struct Roles {
  std::vector<T> captures;
  std::vector<T> carry;
  std::vector<T> xs;

  [[nodiscard]] std::vector<T> joined() const {
    std::vector<T> all = captures;
    all.insert(all.end(), carry.begin(), carry.end());
    all.insert(all.end(), xs.begin(), xs.end());
    return all;
  }
};

template <class Range, class T = typename Range::value_type>
[[nodiscard]] Roles<std::remove_const_t<T>> split(const Range& all, std::size_t num_captures, std::size_t num_carry) {
  const auto a = static_cast<std::ptrdiff_t>(num_captures);
  const auto b = a + static_cast<std::ptrdiff_t>(num_carry);
  return {{all.begin(), all.begin() + a}, {all.begin() + a, all.begin() + b}, {all.begin() + b, all.end()}};
}

struct Layout {
  explicit Layout(const Call& c)
      : body(c[keys::body]),
        length(c[keys::length]),
        reverse(c[keys::reverse]),
        num_captures(static_cast<std::size_t>(c[keys::num_captures])),
        num_carry(static_cast<std::size_t>(c[keys::num_carry])),
        num_xs(static_cast<std::size_t>(c.size()) - num_captures - num_carry),
        where(c.where()),
        op(&c.op()) {}
  Function body;
  Dim length;
  bool reverse;
  std::size_t num_captures;
  std::size_t num_carry;
  std::size_t num_xs;
  SourceLoc where;
  const OpDef* op;

  [[nodiscard]] std::size_t num_ys() const { return body.results().size() - num_carry; }
  [[nodiscard]] Tensors make(const Function& f, const Roles<Tensor>& operands, bool reversed) const {
    return apply(*op, operands.joined(),
                 {attr(keys::body, f), attr(keys::num_captures, static_cast<std::int64_t>(operands.captures.size())),
                  attr(keys::num_carry, static_cast<std::int64_t>(operands.carry.size())), attr(keys::length, length),
                  attr(keys::reverse, reversed)},
                 where);
  }
};

[[nodiscard]] Type slice_type(const Type& type) { return type.with_shape(type.shape.without_axis(0)); }
[[nodiscard]] Type stacked_type(const Type& type, const Dim& length) {
  return type.with_shape(type.shape.with_inserted(0, length));
}

/// Argument types of a body for operands of these roles.
[[nodiscard]] std::vector<Type> body_types(const Roles<Tensor>& operands) {
  std::vector<Type> types = types_of(operands.captures);
  for (const Tensor& tensor : operands.carry) types.push_back(tensor.type());
  for (const Tensor& tensor : operands.xs) types.push_back(slice_type(tensor.type()));
  return types;
}

/// The flags of captures and xs, and the least set of carries that contains `carry` and all that depend on flagged ones.
[[nodiscard]] Roles<bool> carried_fixpoint(const Function& body, Roles<bool> flags) {
  while (true) {
    const std::vector<bool> after = depends_on(body, flags.joined());
    bool grew = false;
    for (std::size_t i = 0; i < flags.carry.size(); ++i) {
      if (after[i] && !flags.carry[i]) flags.carry[i] = grew = true;
    }
    if (!grew) return flags;
  }
}

/// Appends the tangents of the flagged operands to each role.
void append_tangents(Roles<Tensor>& operands, const Roles<Tangent>& t, const Roles<bool>& flags) {
  const auto add = [](std::vector<Tensor>& to, const std::vector<Tangent>& tangents, const std::vector<bool>& which) {
    for (std::size_t i = 0; i < which.size(); ++i) {
      if (which[i]) to.push_back(tangents[i].instantiate());
    }
  };
  add(operands.captures, t.captures, flags.captures);
  add(operands.carry, t.carry, flags.carry);
  add(operands.xs, t.xs, flags.xs);
}

}  // namespace

Types infer_scan(const Call& c) {
  if (c[keys::num_captures] + c[keys::num_carry] > c.size()) {
    c.fail(ErrorId::arity, "has fewer operands than captures and carries");
  }
  const Layout layout(c);
  const Roles<Type> types = split(std::vector<Type>(c.types().begin(), c.types().end()), layout.num_captures, layout.num_carry);
  std::vector<Type> expected = types.captures;
  expected.insert(expected.end(), types.carry.begin(), types.carry.end());
  for (const Type& x : types.xs) {
    if (x.rank() == 0) c.fail(ErrorId::rank, "xs need an axis to cut along, but one is " + x.to_string());
    require_equal(c, x.shape[0], layout.length, "axis 0 of xs", "`length`");
    expected.push_back(slice_type(x));
  }
  if (layout.body.argument_types() != expected) {
    std::string wanted;
    for (const Type& type : expected) wanted += (wanted.empty() ? "" : ", ") + type.to_string();
    std::string given;
    for (const Type& type : layout.body.argument_types()) given += (given.empty() ? "" : ", ") + type.to_string();
    c.fail(ErrorId::region_signature, format("`body` takes ({}) but is given ({})", given, wanted));
  }
  const std::vector<Type> after = layout.body.result_types();
  if (after.size() < layout.num_carry) c.fail(ErrorId::region_signature, "`body` gives fewer results than there are carries");
  std::vector<Type> results;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (i >= layout.num_carry) {
      results.push_back(stacked_type(after[i], layout.length));
      continue;
    }
    if (after[i] != types.carry[i]) {
      c.fail(ErrorId::carry_type,
             format("the body changes carry {} from {} to {}", i, types.carry[i].to_string(), after[i].to_string()),
             "convert or reshape it back at the end of the body");
    }
    results.push_back(after[i]);
  }
  return results;
}

RegionDerivative scan_jvp(const Call& c, const Tangents& t) {
  const Layout layout(c);
  const Roles<Tangent> tangents = split(t, layout.num_captures, layout.num_carry);
  const Roles<bool> flags =
      carried_fixpoint(layout.body, split(non_zero(t), layout.num_captures, layout.num_carry));
  const std::vector<bool> after = depends_on(layout.body, flags.joined());
  Roles<Tensor> operands = split(c.operands(), layout.num_captures, layout.num_carry);
  append_tangents(operands, tangents, flags);

  const Function body =
      trace_flat(arguments_of(body_types(operands)),
                 [&](std::span<const Tensor> x) -> Tensors {
                   const Roles<Tensor> given = split(x, operands.captures.size(), operands.carry.size());
                   const auto halves = [](const Tensors& both, const std::vector<bool>& which, Tensors& values, Tangents& ts) {
                     std::size_t next = which.size();
                     for (std::size_t i = 0; i < which.size(); ++i) {
                       values.push_back(both[i]);
                       ts.push_back(which[i] ? Tangent(both[next++]) : Tangent::zero(both[i].type()));
                     }
                   };
                   Tensors values;
                   Tangents ts;
                   halves(given.captures, flags.captures, values, ts);
                   halves(given.carry, flags.carry, values, ts);
                   halves(given.xs, flags.xs, values, ts);
                   const Duals duals = push_forward(layout.body, values, ts);
                   // carries, their tangents, ys, their tangents.
                   Tensors results(duals.primals.begin(), duals.primals.begin() + static_cast<std::ptrdiff_t>(layout.num_carry));
                   for (std::size_t i = 0; i < layout.num_carry; ++i) {
                     if (flags.carry[i]) results.push_back(duals.tangents[i].instantiate());
                   }
                   results.insert(results.end(), duals.primals.begin() + static_cast<std::ptrdiff_t>(layout.num_carry),
                                  duals.primals.end());
                   for (std::size_t i = layout.num_carry; i < after.size(); ++i) {
                     if (after[i]) results.push_back(duals.tangents[i].instantiate());
                   }
                   return results;
                 },
                 {.name = layout.body.name(), .closed = true})
          .function;
  const Tensors all = layout.make(body, operands, layout.reverse);
  RegionDerivative derivative;
  std::size_t next = 0;
  const auto take = [&](std::size_t from, std::size_t to, const auto& has_tangent) {
    for (std::size_t i = from; i < to; ++i) derivative.results.push_back(all[next++]);
    for (std::size_t i = from; i < to; ++i) {
      derivative.tangents.push_back(has_tangent(i) ? Tangent(all[next++]) : Tangent::zero(c.result_type(static_cast<int>(i))));
    }
  };
  take(0, layout.num_carry, [&](std::size_t i) { return flags.carry[i]; });
  take(layout.num_carry, after.size(), [&](std::size_t i) { return after[i]; });
  return derivative;
}

namespace {

/// May running f raise an error of values (an index out of range)?
bool may_fail(const Function& f) {
  static const OpDef& check = get_op("checked_index");
  return std::any_of(f.equations().begin(), f.equations().end(), [&](const Equation& equation) {
    if (equation.op == &check) return true;
    if (equation.op->composite() != nullptr) {
      std::vector<Type> types;
      for (ValueId operand : equation.operands) types.push_back(f.type(operand));
      return may_fail(decomposition(*equation.op, types, equation.attrs));
    }
    const auto& attrs = equation.attrs.entries();
    return std::any_of(attrs.begin(), attrs.end(), [](const Attrs::Entry& entry) {
      const auto* nested = std::get_if<Function>(&entry.value);
      return nested != nullptr && may_fail(*nested);
    });
  });
}

/// Where the linear scan finds a residual of the body.
struct ResidualSource {
  enum class Kind { capture, xs, invariant, stacked } kind = Kind::stacked;
  std::size_t index = 0;  // of the operand within its role; of the invariant; of the stacked result
};

}  // namespace

RegionDerivative scan_linearize(const Call& c, const Tangents& t) {
  const Layout layout(c);
  const std::size_t nc = layout.num_captures;
  const std::size_t n = layout.num_carry;
  const std::size_t num_results = layout.body.results().size();
  const Roles<Tangent> tangents = split(t, nc, n);
  const Roles<bool> flags = carried_fixpoint(layout.body, split(non_zero(t), nc, n));
  const std::vector<bool> after = depends_on(layout.body, flags.joined());
  const Linearized parts = linearize(layout.body, flags.joined(), c.where());
  const Roles<Tensor> operands = split(c.operands(), nc, n);

  // A residual that is an operand is read there; one that depends on captures alone is made once; the rest are stacked.
  std::vector<bool> varying_arguments(layout.body.arguments().size(), true);
  std::fill(varying_arguments.begin(), varying_arguments.begin() + static_cast<std::ptrdiff_t>(nc), false);
  std::vector<ResidualSource> sources;
  std::vector<bool> keep_invariant(num_results, false);
  std::vector<bool> keep_forward(num_results, true);
  const bool runs_once = proven_less_equal(1, layout.length) == Proof::yes;
  std::size_t invariants = 0;
  std::size_t stacked = 0;
  for (std::size_t i = num_results; i < parts.forward.results().size(); ++i) {
    const ValueId value = parts.forward.results()[i].value;
    ResidualSource source;
    if (value < nc) {
      source = {ResidualSource::Kind::capture, value};
    } else if (value >= nc + n && value < nc + n + layout.num_xs) {
      source = {ResidualSource::Kind::xs, value - nc - n};
    } else {
      std::vector<bool> only(parts.forward.results().size(), false);
      only[i] = true;
      const std::vector<bool> needs = used_arguments(parts.forward, only);
      bool varies = false;
      for (std::size_t a = 0; a < needs.size(); ++a) varies |= needs[a] && varying_arguments[a];
      // What may raise is left to the steps, unless there is one for certain: a loop of none checks nothing.
      varies = varies || (!runs_once && may_fail(keep_results(parts.forward, only)));
      source = varies ? ResidualSource{ResidualSource::Kind::stacked, stacked++}
                      : ResidualSource{ResidualSource::Kind::invariant, invariants++};
    }
    keep_invariant.push_back(source.kind == ResidualSource::Kind::invariant);
    keep_forward.push_back(source.kind == ResidualSource::Kind::stacked);
    sources.push_back(source);
  }
  const Tensors forward = layout.make(keep_results(parts.forward, keep_forward), operands, layout.reverse);
  Tensors invariant_values;
  if (invariants > 0) {
    // Its varying arguments do not matter: they are given zeros, which dead code elimination drops.
    Tensors given = operands.captures;
    for (std::size_t i = nc; i < layout.body.arguments().size(); ++i) {
      given.push_back(core::zeros(layout.body.arguments()[i].type));
    }
    invariant_values = inline_function(keep_results(parts.forward, keep_invariant), given);
  }

  // The linear scan: captures [invariant residuals, tangents], carries [tangents], xs [varying residuals, tangents].
  Roles<Tensor> linear;
  std::vector<std::pair<bool, std::size_t>> position;  // of each residual: (is a capture, index)
  for (const ResidualSource& source : sources) {
    const bool capture = source.kind == ResidualSource::Kind::capture || source.kind == ResidualSource::Kind::invariant;
    Tensors& role = capture ? linear.captures : linear.xs;
    position.emplace_back(capture, role.size());
    switch (source.kind) {
      case ResidualSource::Kind::capture: role.push_back(operands.captures[source.index]); break;
      case ResidualSource::Kind::invariant: role.push_back(invariant_values[source.index]); break;
      case ResidualSource::Kind::xs: role.push_back(operands.xs[source.index]); break;
      case ResidualSource::Kind::stacked: role.push_back(forward[num_results + source.index]); break;
    }
  }
  const std::size_t residual_captures = linear.captures.size();
  const std::size_t residual_xs = linear.xs.size();
  append_tangents(linear, tangents, flags);
  const Function body =
      trace_flat(arguments_of(body_types(linear)),
                 [&](std::span<const Tensor> x) -> Tensors {
                   const Roles<Tensor> given = split(x, linear.captures.size(), linear.carry.size());
                   Tensors arguments;
                   for (const auto& [capture, index] : position) {
                     arguments.push_back(capture ? given.captures[index] : given.xs[index]);
                   }
                   arguments.insert(arguments.end(), given.captures.begin() + static_cast<std::ptrdiff_t>(residual_captures),
                                    given.captures.end());
                   arguments.insert(arguments.end(), given.carry.begin(), given.carry.end());
                   arguments.insert(arguments.end(), given.xs.begin() + static_cast<std::ptrdiff_t>(residual_xs), given.xs.end());
                   const Tangents spread = spread_tangents(layout.body.result_types(), inline_function(parts.linear, arguments),
                                                           std::vector<bool>(num_results, true));
                   Tensors results;
                   for (std::size_t i = 0; i < num_results; ++i) {
                     if (i < n ? flags.carry[i] : after[i]) results.push_back(spread[i].tensor());
                   }
                   return results;
                 },
                 {.name = layout.body.name(), .closed = true})
          .function;
  const Tensors moved = layout.make(body, linear, layout.reverse);
  RegionDerivative derivative;
  std::size_t next = 0;
  for (std::size_t i = 0; i < num_results; ++i) {
    derivative.results.push_back(forward[i]);
    const bool has = i < n ? flags.carry[i] : after[i];
    derivative.tangents.push_back(has ? Tangent(moved[next++]) : Tangent::zero(c.result_type(static_cast<int>(i))));
  }
  return derivative;
}

Tangents scan_transpose(const Call& c, const std::vector<bool>& linear, const Tangents& ct) {
  const Layout layout(c);
  const std::size_t nc = layout.num_captures;
  const std::size_t n = layout.num_carry;
  // Carries start linear where their operand is, and become so where the body makes them.
  const Roles<bool> flags = carried_fixpoint(layout.body, split(linear, nc, n));
  for (std::size_t i = 0; i < n; ++i) {
    if (!flags.carry[i]) c.fail(ErrorId::not_linear, format("carry {} does not depend on the linear operands", i));
  }
  const Roles<Type> types = split(layout.body.argument_types(), nc, n);
  const std::vector<Type> result_types = layout.body.result_types();

  // captures [known], carries [cotangents of the carries, sums for the linear captures], xs [known, cotangents of ys].
  // The sums run in a dtype to accumulate in, and are rounded once.
  const auto summed = [](const Type& type) { return Type{type.dtype.accumulation(), type.shape}; };
  Roles<Tensor> operands;
  for (std::size_t i = 0; i < nc; ++i) {
    if (!flags.captures[i]) operands.captures.push_back(c[static_cast<int>(i)]);
  }
  for (std::size_t i = 0; i < n; ++i) operands.carry.push_back(ct[i].instantiate());
  for (std::size_t i = 0; i < nc; ++i) {
    if (flags.captures[i]) operands.carry.push_back(core::zeros(summed(types.captures[i])));
  }
  for (std::size_t i = 0; i < layout.num_xs; ++i) {
    if (!flags.xs[i]) operands.xs.push_back(c[static_cast<int>(nc + n + i)]);
  }
  const std::size_t known_xs = operands.xs.size();
  std::vector<bool> has_ct;
  for (std::size_t i = n; i < result_types.size(); ++i) {
    has_ct.push_back(!ct[i].is_zero());
    if (has_ct.back()) operands.xs.push_back(ct[i].tensor());
  }
  const Function body =
      trace_flat(arguments_of(body_types(operands)),
                 [&](std::span<const Tensor> x) -> Tensors {
                   const Roles<Tensor> given = split(x, operands.captures.size(), operands.carry.size());
                   Tensors arguments;
                   std::size_t next = 0;
                   for (std::size_t i = 0; i < nc; ++i) {
                     arguments.push_back(flags.captures[i] ? Tensor() : given.captures[next++]);
                   }
                   arguments.resize(nc + n);
                   next = 0;
                   for (std::size_t i = 0; i < layout.num_xs; ++i) {
                     arguments.push_back(flags.xs[i] ? Tensor() : given.xs[next++]);
                   }
                   Tangents cotangents;
                   for (std::size_t i = 0; i < n; ++i) cotangents.push_back(Tangent(given.carry[i]));
                   next = known_xs;
                   for (std::size_t i = n; i < result_types.size(); ++i) {
                     cotangents.push_back(has_ct[i - n] ? Tangent(given.xs[next++]) : Tangent::zero(result_types[i]));
                   }
                   const Tangents pulled = pull_back(layout.body, arguments, flags.joined(), cotangents);
                   Tensors results;
                   for (std::size_t i = 0; i < n; ++i) results.push_back(pulled[nc + i].instantiate());
                   next = n;
                   for (std::size_t i = 0; i < nc; ++i) {
                     if (!flags.captures[i]) continue;
                     const Tensor& sum = given.carry[next++];
                     results.push_back(pulled[i].is_zero() ? sum
                                                           : core::add(sum, core::convert(pulled[i].tensor(), sum.dtype())));
                   }
                   for (std::size_t i = 0; i < layout.num_xs; ++i) {
                     if (flags.xs[i]) results.push_back(pulled[nc + n + i].instantiate());
                   }
                   return results;
                 },
                 {.name = layout.body.name(), .closed = true})
          .function;
  const Tensors results = layout.make(body, operands, !layout.reverse);
  Tangents all = zeros_like(c.types());
  std::size_t next = 0;
  for (std::size_t i = 0; i < n; ++i, ++next) {
    if (linear[nc + i]) all[nc + i] = Tangent(results[next]);
  }
  for (std::size_t i = 0; i < nc; ++i) {
    if (flags.captures[i]) all[i] = Tangent(core::convert(results[next++], types.captures[i].dtype));
  }
  for (std::size_t i = 0; i < layout.num_xs; ++i) {
    if (flags.xs[i]) all[nc + n + i] = Tangent(results[next++]);
  }
  return all;
}

std::vector<Batched> scan_batch(const BatchCall& c) {
  const Layout layout(c.call);
  const std::size_t nc = layout.num_captures;
  const std::size_t n = layout.num_carry;
  const bool masked = c.mask.defined();
  std::vector<bool> all_flags;
  for (const Batched& operand : c.operands) all_flags.push_back(operand.batched);
  Roles<bool> flags = split(all_flags, nc, n);
  std::vector<bool> after;
  while (true) {
    after = batched_results(layout.body, flags.joined(), c.size, masked);
    bool grew = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (after[i] && !flags.carry[i]) flags.carry[i] = grew = true;
    }
    if (!grew) break;
  }
  Roles<Tensor> operands;
  for (std::size_t i = 0; i < nc; ++i) operands.captures.push_back(c.tensor(static_cast<int>(i)));
  if (masked) operands.captures.push_back(c.mask);
  for (std::size_t i = 0; i < n; ++i) {
    operands.carry.push_back(flags.carry[i] ? c.with_batch(static_cast<int>(nc + i)) : c.tensor(static_cast<int>(nc + i)));
  }
  for (std::size_t i = 0; i < layout.num_xs; ++i) {
    const Tensor& x = c.tensor(static_cast<int>(nc + n + i));
    operands.xs.push_back(flags.xs[i] ? core::move_axis(x, 0, 1) : x);
  }
  const Function body =
      trace_flat(arguments_of(body_types(operands)),
                 [&](std::span<const Tensor> x) -> Tensors {
                   const Roles<Tensor> given = split(x, operands.captures.size(), n);
                   std::vector<Batched> arguments;
                   for (std::size_t i = 0; i < nc; ++i) arguments.push_back({given.captures[i], flags.captures[i]});
                   for (std::size_t i = 0; i < n; ++i) arguments.push_back({given.carry[i], flags.carry[i]});
                   for (std::size_t i = 0; i < layout.num_xs; ++i) arguments.push_back({given.xs[i], flags.xs[i]});
                   const std::vector<Batched> mapped =
                       map_batch(layout.body, arguments, c.size, masked ? given.captures.back() : Tensor());
                   Tensors results;
                   for (std::size_t i = 0; i < mapped.size(); ++i) {
                     const bool wanted = i < n ? flags.carry[i] : after[i];
                     results.push_back(wanted ? with_batch(mapped[i], c.size) : mapped[i].tensor);
                   }
                   return results;
                 },
                 {.name = layout.body.name(), .closed = true})
          .function;
  const Tensors results = layout.make(body, operands, layout.reverse);
  std::vector<Batched> batched;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i < n) {
      batched.push_back({results[i], flags.carry[i]});
    } else {
      batched.push_back({after[i] ? core::move_axis(results[i], 1, 0) : results[i], after[i]});
    }
  }
  return batched;
}

std::optional<Results> scan_prune(const Call& c, const std::vector<bool>& used) {
  const Layout layout(c);
  const std::size_t nc = layout.num_captures;
  const std::size_t n = layout.num_carry;
  // A result is needed if it is used, or if a needed result depends on its carry.
  std::vector<bool> needed = used;
  std::vector<bool> arguments;
  while (true) {
    arguments = used_arguments(layout.body, needed);
    bool grew = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (arguments[nc + i] && !needed[i]) needed[i] = grew = true;
    }
    if (!grew) break;
  }
  std::vector<bool> kept = arguments;
  for (std::size_t i = 0; i < n; ++i) kept[nc + i] = needed[i];
  if (std::find(needed.begin(), needed.end(), false) == needed.end() &&
      std::find(kept.begin(), kept.end(), false) == kept.end()) {
    return std::nullopt;
  }
  const Roles<bool> keep = split(kept, nc, n);
  const auto filter = [](const Tensors& tensors, const std::vector<bool>& which) {
    Tensors some;
    for (std::size_t i = 0; i < which.size(); ++i) {
      if (which[i]) some.push_back(tensors[i]);
    }
    return some;
  };
  const Roles<Tensor> all = split(c.operands(), nc, n);
  const Roles<Tensor> operands{filter(all.captures, keep.captures), filter(all.carry, keep.carry), filter(all.xs, keep.xs)};
  const Function body = trace_flat(arguments_of(body_types(operands)),
                                   [&](std::span<const Tensor> x) -> Tensors {
                                     Tensors given;
                                     std::size_t next = 0;
                                     for (std::size_t i = 0; i < kept.size(); ++i) {
                                       given.push_back(kept[i] ? x[next++] : core::zeros(layout.body.arguments()[i].type));
                                     }
                                     return filter(inline_function(layout.body, given), needed);
                                   },
                                   {.name = layout.body.name(), .closed = true})
                            .function;
  const Tensors some = layout.make(body, operands, layout.reverse);
  Results results(used.size());
  for (std::size_t i = 0, next = 0; i < used.size(); ++i) {
    if (needed[i]) results[i] = some[next++];
  }
  return results;
}

std::vector<Array> scan_reference(const ReferenceCall& c) {
  const Function body = c[keys::body];
  const auto nc = static_cast<std::size_t>(c[keys::num_captures]);
  const auto n = static_cast<std::size_t>(c[keys::num_carry]);
  const std::int64_t length = c.evaluate(c[keys::length]);
  const bool reversed = c[keys::reverse];
  std::vector<Array> state(c.operands().begin(), c.operands().begin() + static_cast<std::ptrdiff_t>(nc + n));
  std::vector<Array> ys;
  for (std::size_t i = n; i < c.result_types().size(); ++i) ys.push_back(c.result(static_cast<int>(i)));
  for (std::int64_t step = 0; step < length; ++step) {
    const std::int64_t at = reversed ? length - 1 - step : step;
    std::vector<Array> arguments = state;
    for (std::size_t i = nc + n; i < static_cast<std::size_t>(c.size()); ++i) {
      // A slice along axis 0 is a contiguous part of the operand: it shares its bytes.
      const Array& x = c[static_cast<int>(i)];
      std::vector<std::int64_t> sizes(x.sizes().begin() + 1, x.sizes().end());
      const std::size_t bytes = x.size_bytes() / static_cast<std::size_t>(length);
      const auto owner = std::make_shared<Array>(x);
      arguments.emplace_back(x.dtype(), std::move(sizes),
                             Buffer::adopt(owner, x.buffer().data() + static_cast<std::size_t>(at) * bytes, bytes));
    }
    std::vector<Array> results = c.context().run_nested(body, std::move(arguments), step);
    for (std::size_t i = 0; i < ys.size(); ++i) {
      const std::size_t bytes = results[n + i].size_bytes();
      std::memcpy(const_cast<std::byte*>(ys[i].buffer().data()) + static_cast<std::size_t>(at) * bytes,
                  results[n + i].buffer().data(), bytes);
    }
    std::move(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(n), state.begin() + static_cast<std::ptrdiff_t>(nc));
  }
  std::vector<Array> all(state.begin() + static_cast<std::ptrdiff_t>(nc), state.end());
  std::move(ys.begin(), ys.end(), std::back_inserter(all));
  return all;
}

}  // namespace calx::ops
