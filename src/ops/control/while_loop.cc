#include "calx/ops/control.h"
#include "control/_support.h"

namespace calx::ops {
namespace {

constinit const Attr<Function> condition{"condition", required, "captures..., carry... -> bool[]: runs another step where true"};
constinit const Attr<Function> body{"body", required, "captures..., carry... -> carry..."};
constinit const Attr<std::optional<Dim>> max_steps{
    "max_steps", [] { return std::optional<Dim>{}; }, "the loop stops after so many steps in any case; needed for reverse mode", 0, 9e15};

struct Parts {
  std::vector<Type> captures;
  std::vector<Type> carry;
};

Parts split(const Call& c) {
  const auto n = static_cast<std::ptrdiff_t>(c[keys::num_captures]);
  return {{c.types().begin(), c.types().begin() + n}, {c.types().begin() + n, c.types().end()}};
}

/// Which carries have tangents, when the captures and initial carries flagged do: the least fixpoint over the body.
std::vector<bool> carries_with_tangents(const Function& f, const std::vector<bool>& captures, std::vector<bool> carry) {
  while (true) {
    std::vector<bool> flags = captures;
    flags.insert(flags.end(), carry.begin(), carry.end());
    const std::vector<bool> after = depends_on(f, flags);
    bool grew = false;
    for (std::size_t i = 0; i < carry.size(); ++i) {
      if (after[i] && !carry[i]) carry[i] = grew = true;
    }
    if (!grew) return carry;
  }
}

RegionDerivative loop_jvp(const Call& c, const Tangents& t) {
  const Parts parts = split(c);
  const std::size_t nc = parts.captures.size();
  const std::size_t n = parts.carry.size();
  const std::vector<bool> flags = non_zero(t);
  const std::vector<bool> captured(flags.begin(), flags.begin() + static_cast<std::ptrdiff_t>(nc));
  const std::vector<bool> carried =
      carries_with_tangents(c[body], captured, {flags.begin() + static_cast<std::ptrdiff_t>(nc), flags.end()});
  std::vector<bool> body_flags = captured;
  body_flags.insert(body_flags.end(), carried.begin(), carried.end());

  // Operands: captures, their tangents, carries, their tangents.
  std::vector<Type> types = parts.captures;
  Tensors operands(c.operands().begin(), c.operands().begin() + static_cast<std::ptrdiff_t>(nc));
  for (std::size_t i = 0; i < nc; ++i) {
    if (!captured[i]) continue;
    types.push_back(parts.captures[i]);
    operands.push_back(t[i].instantiate());
  }
  const std::size_t new_captures = operands.size();
  append(types, std::span<const Type>(parts.carry));
  operands.insert(operands.end(), c.operands().begin() + static_cast<std::ptrdiff_t>(nc), c.operands().end());
  for (std::size_t i = 0; i < n; ++i) {
    if (!carried[i]) continue;
    types.push_back(parts.carry[i]);
    operands.push_back(t[nc + i].instantiate());
  }
  const auto primals = [&](std::span<const Tensor> x) {
    Tensors result(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(nc));
    result.insert(result.end(), x.begin() + static_cast<std::ptrdiff_t>(new_captures),
                  x.begin() + static_cast<std::ptrdiff_t>(new_captures + n));
    return result;
  };
  const Function new_condition = trace_flat(arguments_of(types), [&](std::span<const Tensor> x) -> Tensors {
                                   return inline_function(c[condition], primals(x));
                                 }, {.name = "condition", .closed = true}).function;
  const Function new_body =
      trace_flat(arguments_of(types),
                 [&](std::span<const Tensor> x) -> Tensors {
                   Tangents tangents = zeros_like(c.types());
                   std::size_t next = nc;
                   for (std::size_t i = 0; i < nc; ++i) {
                     if (captured[i]) tangents[i] = Tangent(x[next++]);
                   }
                   next = new_captures + n;
                   for (std::size_t i = 0; i < n; ++i) {
                     if (carried[i]) tangents[nc + i] = Tangent(x[next++]);
                   }
                   Duals duals = push_forward(c[body], primals(x), tangents);
                   Tensors results = std::move(duals.primals);
                   for (std::size_t i = 0; i < n; ++i) {
                     if (carried[i]) results.push_back(duals.tangents[i].instantiate());
                   }
                   return results;
                 },
                 {.name = "body", .closed = true})
          .function;
  const Tensors both =
      apply(c.op(), operands,
            c.attrs().with(condition, new_condition).with(body, new_body).with(keys::num_captures,
                                                                              static_cast<std::int64_t>(new_captures)),
            c.where());
  RegionDerivative derivative{Tensors(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(n)), {}};
  std::size_t next = n;
  for (std::size_t i = 0; i < n; ++i) {
    derivative.tangents.push_back(carried[i] ? Tangent(both[next++]) : Tangent::zero(parts.carry[i]));
  }
  return derivative;
}

/// The loop as a scan of max_steps steps, each of which runs the body while the condition holds.
Function as_scan(const Call& c) {
  const std::optional<Dim> steps = c[max_steps];
  if (!steps) {
    c.fail(ErrorId::unbounded_reverse, "reverse mode through a loop needs a bound for its steps",
           "give `max_steps`, or use scan for a known number of steps");
  }
  const Parts parts = split(c);
  const std::size_t nc = parts.captures.size();
  return trace_flat(arguments_of({c.types().begin(), c.types().end()}),
                    [&](std::span<const Tensor> x) -> Tensors {
                      const Tensors captures(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(nc));
                      const Tensors init(x.begin() + static_cast<std::ptrdiff_t>(nc), x.end());
                      const auto with_captures = [&](std::span<const Tensor> carry) {
                        Tensors all = captures;
                        append(all, carry);
                        return all;
                      };
                      const FlatBody step = [&](std::span<const Tensor> carry) -> Tensors {
                        const Tensor go_on = inline_function(c[condition], with_captures(carry))[0];
                        return cond_flat(
                            go_on, [&](std::span<const Tensor> y) { return inline_function(c[body], with_captures(y)); },
                            [](std::span<const Tensor> y) { return Tensors(y.begin(), y.end()); },
                            Tensors(carry.begin(), carry.end()), c.where());
                      };
                      return scan_flat(step, init, {}, {.length = *steps, .where = c.where()}).carry;
                    },
                    {.name = "while_loop", .closed = true})
      .function;
}

/// Lanes that are done keep their carry; the loop ends when no lane goes on.
std::vector<Batched> per_lane(const BatchCall& c, std::size_t nc) {
  const std::size_t n = c.operands.size() - nc;
  const std::vector<Batched> captures(c.operands.begin(), c.operands.begin() + static_cast<std::ptrdiff_t>(nc));
  Tensors operands;
  for (const Batched& capture : captures) operands.push_back(capture.tensor);
  const auto lanes = [&](std::span<const Tensor> carry, const Tensor& mask) {
    std::vector<Batched> all = captures;
    for (const Tensor& one : carry) all.push_back({one, true});
    const Batched go_on = map_batch(c.call[condition], all, c.size, mask)[0];
    return mask_and(mask, with_batch(go_on, c.size));
  };
  Tensors init;
  for (std::size_t i = nc; i < c.operands.size(); ++i) init.push_back(c.with_batch(static_cast<int>(i)));
  init.push_back(lanes(init, c.mask));
  // `lanes` and the body read the captures of this trace: tracing turns them into operands.
  const Tensors results = while_loop_flat(
      [](std::span<const Tensor> carry) -> Tensors { return {any_lane(carry.back())}; },
      [&](std::span<const Tensor> carry) -> Tensors {
        const Tensor& active = carry.back();
        std::vector<Batched> all = captures;
        for (std::size_t i = 0; i < n; ++i) all.push_back({carry[i], true});
        const std::vector<Batched> stepped = map_batch(c.call[body], all, c.size, active);
        Tensors next;
        for (std::size_t i = 0; i < n; ++i) {
          const Tensor fresh = with_batch(stepped[i], c.size);
          next.push_back(core::select(spread_mask(active, fresh), fresh, carry[i]));
        }
        next.push_back(lanes(next, active));
        return next;
      },
      init, {.max_steps = c.call[max_steps], .where = c.call.where()});
  std::vector<Batched> batched;
  for (std::size_t i = 0; i < n; ++i) batched.push_back({results[i], true});
  return batched;
}

std::vector<Batched> batch_loop(const BatchCall& c) {
  const auto nc = static_cast<std::size_t>(c.call[keys::num_captures]);
  const std::size_t n = c.operands.size() - nc;
  std::vector<bool> flags;
  for (const Batched& operand : c.operands) flags.push_back(operand.batched);
  while (true) {
    const std::vector<bool> after = batched_results(c.call[body], flags, c.size, false);
    bool grew = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (after[i] && !flags[nc + i]) flags[nc + i] = grew = true;
    }
    if (!grew) break;
  }
  const bool condition_batched = batched_results(c.call[condition], flags, c.size, false)[0];
  if (c.mask.defined() || condition_batched) return per_lane(c, nc);

  std::vector<Type> types;
  Tensors operands;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    operands.push_back(flags[i] ? c.with_batch(static_cast<int>(i)) : c.tensor(static_cast<int>(i)));
    types.push_back(operands.back().type());
  }
  const auto mapped = [&](const Function& f, bool carries) {
    return trace_flat(arguments_of(types),
                      [&](std::span<const Tensor> x) -> Tensors {
                        std::vector<Batched> all;
                        for (std::size_t i = 0; i < x.size(); ++i) all.push_back({x[i], flags[i]});
                        const std::vector<Batched> results = map_batch(f, all, c.size, {});
                        Tensors tensors;
                        for (std::size_t i = 0; i < results.size(); ++i) {
                          tensors.push_back(carries && flags[nc + i] ? with_batch(results[i], c.size) : results[i].tensor);
                        }
                        return tensors;
                      },
                      {.name = f.name(), .closed = true})
        .function;
  };
  const Tensors results =
      apply(c.call.op(), operands,
            c.call.attrs().with(condition, mapped(c.call[condition], false)).with(body, mapped(c.call[body], true)),
            c.call.where());
  std::vector<Batched> batched;
  for (std::size_t i = 0; i < n; ++i) batched.push_back({results[i], flags[nc + i]});
  return batched;
}

}  // namespace

OpDef while_loop() {
  return {
      .name = "while_loop",
      .family = "control",
      .doc = {.summary = "Repeats a body on carried values while a condition holds.",
              .math = "carry = body(carry) while condition(carry), at most max_steps times",
              .shapes = "captures and carries of any type -> the carries' types",
              .gradient = "forward mode always; reverse mode with `max_steps`, as a scan of so many steps",
              .accuracy = "that of the body",
              .errors = "a body that changes the type of a carry: CALX-E605; a condition that is no boolean scalar: CALX-E606; "
                        "reverse mode without `max_steps`: CALX-E607",
              .example = "while_loop_flat(condition, body, {x})",
              .source = "jax.lax.while_loop. Under vmap lanes that are done keep their carry, and lanes masked by an enclosing "
                        "branch do not run"},
      .operands = {{"x", DTypes::any, true}},
      .attrs = {condition, body, keys::num_captures, max_steps},
      .results = {"carry"},
      .form = Region{
          .infer = [](const Call& c) {
            if (c[keys::num_captures] > c.size()) c.fail(ErrorId::arity, "has fewer operands than captures");
            const Parts parts = split(c);
            require_signature(c, c[condition], "condition");
            require_signature(c, c[body], "body");
            const std::vector<Type> decided = c[condition].result_types();
            if (decided.size() != 1 || decided[0] != Type{boolean, {}}) {
              c.fail(ErrorId::region_signature, "`condition` must give one bool[]");
            }
            const std::vector<Type> after = c[body].result_types();
            if (after.size() != parts.carry.size()) {
              c.fail(ErrorId::region_signature, "`body` gives " + std::to_string(after.size()) + " results for " +
                                                    std::to_string(parts.carry.size()) + " carries");
            }
            for (std::size_t i = 0; i < after.size(); ++i) {
              if (after[i] == parts.carry[i]) continue;
              c.fail(ErrorId::carry_type,
                     "the body changes carry " + std::to_string(i) + " from " + parts.carry[i].to_string() + " to " +
                         after[i].to_string(),
                     "convert or reshape it back at the end of the body");
            }
            return Types(parts.carry);
          },
          .jvp = loop_jvp,
          .linearize = [](const Call& c, const Tangents& t) -> RegionDerivative {
            Duals duals = push_forward(as_scan(c), c.operands(), t, true);
            return {std::move(duals.primals), std::move(duals.tangents)};
          },
          .transpose = NotLinear{},
          .batch = batch_loop,
          .prune = NoIdentity{},
          .simplify = NoIdentity{},
          .reference = [](const ReferenceCall& c) -> std::vector<Array> {
            const auto nc = static_cast<std::ptrdiff_t>(c[keys::num_captures]);
            std::vector<Array> state(c.operands().begin(), c.operands().end());
            const std::optional<Dim> bound = c[max_steps];
            const std::int64_t last = bound ? c.evaluate(*bound) : std::numeric_limits<std::int64_t>::max();
            for (std::int64_t step = 0; step < last; ++step) {
              if (!c.context().run_nested(c[condition], state, step)[0].data<bool>()[0]) break;
              std::vector<Array> carry = c.context().run_nested(c[body], state, step);
              std::move(carry.begin(), carry.end(), state.begin() + nc);
            }
            return {state.begin() + nc, state.end()};
          },
          .lower = NotInterpretable{"it runs Functions"}},
      .samples = [] {
        const Type counter{i32, {}};
        const Type type{f64, {2}};
        const Function go_on = sample_function("condition", {type, counter, type}, [](std::span<const Tensor> x) -> Tensors {
          return {core::compare(x[1], core::full(x[1].type(), 3), Comparison::lt)};
        });
        const Function step = sample_function("body", {type, counter, type}, [](std::span<const Tensor> x) -> Tensors {
          return {core::add(x[1], core::ones(x[1].type())), core::mul(x[2], x[0])};
        });
        const Function until_large = sample_function("condition", {{f64, {}}}, [](std::span<const Tensor> x) -> Tensors {
          return {core::compare(core::mul(x[0], x[0]), core::full(x[0].type(), 10), Comparison::lt)};
        });
        const Function grow = sample_function("body", {{f64, {}}}, [](std::span<const Tensor> x) -> Tensors {
          return {core::add(core::mul(x[0], x[0]), core::ones(x[0].type()))};
        });
        const auto counted = [&](SampleOperand start, Dim steps) {
          return Sample{
              .operands = {{.shape = {2}, .dtype = f64}, std::move(start), {.shape = {2}, .dtype = f64}},
              .attrs = {attr(condition, go_on), attr(body, step), attr(keys::num_captures, 1),
                        attr(max_steps, steps)}};
        };
        return std::vector<Sample>{
            counted({.dtype = i32, .draw = Draw::given, .values = {0}}, 5),
            // Stopped by max_steps; as many steps as the operand says, or none.
            counted({.dtype = i32, .draw = Draw::given, .values = {0}}, 2),
            counted({.dtype = i32, .draw = Draw::indices, .low = 0, .high = 6}, 5),
            // Not one step.
            counted({.dtype = i32, .draw = Draw::given, .values = {4}}, 5),
            {.operands = {{.dtype = f64, .draw = Draw::unit}},
             .attrs = {attr(condition, until_large), attr(body, grow), attr(max_steps, Dim(40))}}};
      },
      .rejects = [] {
        const Type type{f64, {}};
        const Function go_on = sample_function("condition", {type}, [](std::span<const Tensor> x) -> Tensors {
          return {core::compare(x[0], core::ones(x[0].type()), Comparison::lt)};
        });
        const Function narrow = sample_function("body", {type}, [](std::span<const Tensor> x) -> Tensors {
          return {core::convert(x[0], f32)};
        });
        const Function same = sample_function("body", {type}, [](std::span<const Tensor> x) -> Tensors { return {x[0]}; });
        return std::vector<Reject>{
            {.operands = {type}, .attrs = {attr(condition, go_on), attr(body, narrow)}, .id = ErrorId::carry_type,
             .message = "changes carry 0 from f64[] to f32[]"},
            {.operands = {type}, .attrs = {attr(condition, same), attr(body, same)}, .id = ErrorId::region_signature,
             .message = "one bool[]"},
            {.operands = {type}, .attrs = {attr(condition, go_on), attr(body, same), attr(keys::num_captures, 2)},
             .id = ErrorId::arity, .message = "fewer operands than captures"}};
      },
  };
}

}  // namespace calx::ops

namespace calx {

Tensors while_loop_flat(const FlatBody& condition, const FlatBody& body, const Tensors& init, WhileOptions options) {
  const std::vector<Type> types = ops::types_of(init, "while_loop", options.where);
  const Traced a = trace_flat(ops::arguments_of(types), condition, {.name = "condition"});
  const Traced b = trace_flat(ops::arguments_of(types), body, {.name = "body"});
  Tensors operands = a.captures;
  ops::append(operands, b.captures);
  const std::size_t nc = operands.size();
  ops::append(operands, init);
  const std::vector<Type> all = ops::types_of(operands);
  const auto widen = [&](const Traced& traced, std::size_t first) {
    return trace_flat(ops::arguments_of(all),
                      [&](std::span<const Tensor> x) -> Tensors {
                        Tensors used(x.begin() + static_cast<std::ptrdiff_t>(first),
                                     x.begin() + static_cast<std::ptrdiff_t>(first + traced.captures.size()));
                        used.insert(used.end(), x.begin() + static_cast<std::ptrdiff_t>(nc), x.end());
                        return inline_function(traced.function, used);
                      },
                      {.name = traced.function.name(), .closed = true})
        .function;
  };
  static const OpDef& op = get_op("while_loop");
  return apply(op, operands,
               {attr(ops::condition, widen(a, 0)), attr(ops::body, widen(b, a.captures.size())),
                attr(ops::keys::num_captures, static_cast<std::int64_t>(nc)), attr(ops::max_steps, options.max_steps)},
               options.where);
}

}  // namespace calx
