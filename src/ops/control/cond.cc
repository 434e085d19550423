#include "calx/ops/control.h"
#include "control/_support.h"

namespace calx::ops {
namespace {

constinit const Attr<Function> on_true{"on_true", required, "run where the predicate is true"};
constinit const Attr<Function> on_false{"on_false", required, "run where it is false"};

/// The operands after the predicate.
Tensors branch_operands(const Call& c) { return {c.operands().begin() + 1, c.operands().end()}; }
Tangents branch_tangents(const Tangents& t) { return Tangents(t.begin() + 1, t.end()); }

Tensors make(const OpDef& op, const Tensor& predicate, const Tensors& operands, const Function& a, const Function& b,
             SourceLoc where) {
  Tensors all = {predicate};
  append(all, operands);
  return apply(op, all, {attr(on_true, a), attr(on_false, b)}, where);
}

std::vector<bool> either(const std::vector<bool>& a, const std::vector<bool>& b) {
  std::vector<bool> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] || b[i];
  return result;
}

/// f with zeros appended: `before` zeros of these types go before the results from `position` on.
Function with_zeros(const Function& f, std::size_t position, const std::vector<Type>& before, const std::vector<Type>& after) {
  return trace_flat(f.arguments(),
                    [&](std::span<const Tensor> values) -> Tensors {
                      Tensors results = inline_function(f, values);
                      Tensors filled;
                      for (const Type& type : before) filled.push_back(core::zeros(type));
                      results.insert(results.begin() + static_cast<std::ptrdiff_t>(position), filled.begin(), filled.end());
                      for (const Type& type : after) results.push_back(core::zeros(type));
                      return results;
                    },
                    {.name = f.name(), .closed = true})
      .function;
}

/// f with `count` arguments of these types ignored at `position`.
Function ignoring(const Function& f, std::size_t position, const std::vector<Type>& types) {
  std::vector<Type> all = f.argument_types();
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(position), types.begin(), types.end());
  return trace_flat(arguments_of(all),
                    [&](std::span<const Tensor> values) -> Tensors {
                      Tensors used(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(position));
                      used.insert(used.end(), values.begin() + static_cast<std::ptrdiff_t>(position + types.size()),
                                  values.end());
                      return inline_function(f, used);
                    },
                    {.name = f.name(), .closed = true})
      .function;
}

std::vector<Type> residual_types(const Linearized& parts, std::size_t num_results) {
  std::vector<Type> types = parts.forward.result_types();
  return {types.begin() + static_cast<std::ptrdiff_t>(num_results), types.end()};
}

/// Both branches run, each with its own lanes; the results are chosen lane by lane.
std::vector<Batched> both_branches(const BatchCall& c, std::span<const Batched> operands) {
  const Tensor& taken = c.tensor(0);
  const std::vector<Batched> yes = map_batch(c.call[on_true], operands, c.size, mask_and(c.mask, taken));
  const std::vector<Batched> no = map_batch(c.call[on_false], operands, c.size, mask_and(c.mask, mask_not(taken)));
  std::vector<Batched> results;
  for (std::size_t i = 0; i < yes.size(); ++i) {
    const Tensor a = with_batch(yes[i], c.size);
    const Tensor b = with_batch(no[i], c.size);
    results.push_back({core::select(spread_mask(taken, a), a, b), true});
  }
  return results;
}

}  // namespace

OpDef cond() {
  return {
      .name = "cond",
      .family = "control",
      .doc = {.summary = "Runs one of two Functions, as a scalar boolean says.",
              .math = "y = on_true(x) if predicate else on_false(x)",
              .shapes = "`predicate: bool[]`, then the argument types of both branches -> their result types",
              .gradient = "that of the branch taken; the other contributes exactly 0",
              .accuracy = "that of the branch taken",
              .errors = "branches with different signatures: CALX-E606; a predicate that is no scalar: CALX-E201",
              .example = "cond_flat(x > 0.0, a, b, {x})",
              .source = "jax.lax.cond. Under vmap with a batched predicate both branches run and lanes are selected; loops and "
                        "checks inside obey the lanes"},
      .operands = {{"predicate", DTypes::boolean}, {"x", DTypes::any, true}},
      .attrs = {on_true, on_false},
      .results = {"y"},
      .form = Region{
          .infer = [](const Call& c) {
            require_rank(c, 0, 0);
            require_signature(c, c[on_true], "on_true", 1);
            require_signature(c, c[on_false], "on_false", 1);
            const std::vector<Type> a = c[on_true].result_types();
            const std::vector<Type> b = c[on_false].result_types();
            if (a.size() != b.size()) {
              c.fail(ErrorId::region_signature, "`on_true` gives " + std::to_string(a.size()) + " results, `on_false` " +
                                                    std::to_string(b.size()));
            }
            for (std::size_t i = 0; i < a.size(); ++i) {
              if (a[i] != b[i]) {
                c.fail(ErrorId::region_signature, "result " + std::to_string(i) + " is " + a[i].to_string() +
                                                      " in `on_true` and " + b[i].to_string() + " in `on_false`");
              }
            }
            return Types(a);
          },
          .jvp = [](const Call& c, const Tangents& t) -> RegionDerivative {
            const Tangents tangents = branch_tangents(t);
            const std::vector<bool> flags = non_zero(tangents);
            Tensors operands = branch_operands(c);
            append(operands, present(tangents));
            const Tensors both =
                make(c.op(), c[0], operands, jvp(c[on_true], flags, c.where()), jvp(c[on_false], flags, c.where()), c.where());
            const std::size_t n = c.result_types().size();
            return {Tensors(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(n)),
                    spread_tangents(c.result_types(), std::span(both).subspan(n),
                                    either(depends_on(c[on_true], flags), depends_on(c[on_false], flags)))};
          },
          .linearize = [](const Call& c, const Tangents& t) -> RegionDerivative {
            const Tangents tangents = branch_tangents(t);
            const std::vector<bool> flags = non_zero(tangents);
            const std::size_t n = c.result_types().size();
            const Linearized a = linearize(c[on_true], flags, c.where());
            const Linearized b = linearize(c[on_false], flags, c.where());
            const std::vector<Type> of_a = residual_types(a, n);
            const std::vector<Type> of_b = residual_types(b, n);
            const Tensors forward = make(c.op(), c[0], branch_operands(c), with_zeros(a.forward, n, {}, of_b),
                                         with_zeros(b.forward, n, of_a, {}), c.where());
            Tensors operands(forward.begin() + static_cast<std::ptrdiff_t>(n), forward.end());
            append(operands, present(tangents));
            const Tensors linear = make(c.op(), c[0], operands, ignoring(a.linear, of_a.size(), of_b),
                                        ignoring(b.linear, 0, of_a), c.where());
            return {Tensors(forward.begin(), forward.begin() + static_cast<std::ptrdiff_t>(n)),
                    spread_tangents(c.result_types(), linear,
                                    either(depends_on(c[on_true], flags), depends_on(c[on_false], flags)))};
          },
          .transpose = [](const Call& c, const std::vector<bool>& linear, const Tangents& ct) -> Tangents {
            const std::vector<bool> flags(linear.begin() + 1, linear.end());
            Tensors operands;
            for (std::size_t i = 0; i < flags.size(); ++i) {
              if (!flags[i]) operands.push_back(c[static_cast<int>(i) + 1]);
            }
            for (const Tangent& one : ct) {
              if (one.type().dtype.is_floating()) operands.push_back(one.instantiate());
            }
            const Tensors results = make(c.op(), c[0], operands, calx::transpose(c[on_true], flags, c.where()),
                                         calx::transpose(c[on_false], flags, c.where()), c.where());
            Tangents all = zeros_like(c.types());
            for (std::size_t i = 0, next = 0; i < flags.size(); ++i) {
              if (flags[i]) all[i + 1] = Tangent(results[next++]);
            }
            return all;
          },
          .batch = [](const BatchCall& c) -> std::vector<Batched> {
            const std::span<const Batched> operands(c.operands.data() + 1, c.operands.size() - 1);
            if (c.batched(0)) return both_branches(c, operands);
            std::vector<std::optional<int>> in_axes;
            Tensors tensors;
            for (const Batched& operand : operands) {
              in_axes.push_back(operand.batched ? std::optional<int>(0) : std::nullopt);
              tensors.push_back(operand.tensor);
            }
            const bool masked = c.mask.defined();
            if (masked) tensors.push_back(c.mask);
            std::vector<Batched> results;
            for (const Tensor& result :
                 make(c.call.op(), c.tensor(0), tensors, vmap(c.call[on_true], in_axes, c.size, {}, masked, c.call.where()),
                      vmap(c.call[on_false], in_axes, c.size, {}, masked, c.call.where()), c.call.where())) {
              results.push_back({result, true});
            }
            return results;
          },
          .prune = [](const Call& c, const std::vector<bool>& used) -> std::optional<Results> {
            if (std::find(used.begin(), used.end(), false) == used.end()) return std::nullopt;
            const Tensors some = make(c.op(), c[0], branch_operands(c), keep_results(c[on_true], used),
                                      keep_results(c[on_false], used), c.where());
            Results results(used.size());
            for (std::size_t i = 0, next = 0; i < used.size(); ++i) {
              if (used[i]) results[i] = some[next++];
            }
            return results;
          },
          .simplify = [](const Call& c) -> std::optional<Results> {
            const std::optional<double> known = uniform_constant(c[0]);
            if (!known) return std::nullopt;
            return Results(inline_function(*known != 0 ? c[on_true] : c[on_false], branch_operands(c)));
          },
          .reference = [](const ReferenceCall& c) -> std::vector<Array> {
            const bool taken = c[0].data<bool>()[0];
            return c.context().run_nested(taken ? c[on_true] : c[on_false], {c.operands().begin() + 1, c.operands().end()}, 0);
          },
          .lower = NotInterpretable{"it runs a Function"}},
      .samples = [] {
        const Type type{f64, {3}};
        const Function square = sample_function("square", {type, type}, [](std::span<const Tensor> x) -> Tensors {
          return {core::mul(x[0], x[0]), x[1]};
        });
        const Function product = sample_function("product", {type, type}, [](std::span<const Tensor> x) -> Tensors {
          return {core::mul(x[0], x[1]), core::neg(x[0])};
        });
        std::vector<Sample> samples;
        for (double taken : {1.0, 0.0}) {
          samples.push_back({.operands = {{.draw = Draw::given, .values = {taken}},
                                          {.shape = {3}, .dtype = f64},
                                          {.shape = {3}, .dtype = f64}},
                             .attrs = {attr(on_true, taken != 0 ? square : product),
                                       attr(on_false, taken != 0 ? product : square)}});
        }
        return samples;
      },
      .rejects = [] {
        const Type type{f64, {3}};
        const Function same = sample_function("same", {type}, [](std::span<const Tensor> x) -> Tensors { return {x[0]}; });
        const Function wide = sample_function("wide", {type}, [](std::span<const Tensor> x) -> Tensors {
          return {core::convert(x[0], f32)};
        });
        return std::vector<Reject>{
            {.operands = {{boolean, {}}, type}, .attrs = {attr(on_true, same), attr(on_false, wide)},
             .id = ErrorId::region_signature, .message = "result 0 is f64[3] in `on_true` and f32[3]"},
            {.operands = {{boolean, {2}}, type}, .attrs = {attr(on_true, same), attr(on_false, same)},
             .id = ErrorId::rank, .message = "`predicate` bool[2]"}};
      },
  };
}

}  // namespace calx::ops

namespace calx {

Tensors cond_flat(const Tensor& predicate, const FlatBody& on_true, const FlatBody& on_false, const Tensors& operands,
                  SourceLoc where) {
  const std::vector<Argument> arguments = ops::arguments_of(ops::types_of(operands, "cond", where));
  const Traced a = trace_flat(arguments, on_true, {.name = "on_true"});
  const Traced b = trace_flat(arguments, on_false, {.name = "on_false"});
  Tensors all = a.captures;
  ops::append(all, b.captures);
  ops::append(all, operands);
  // Each branch ignores the other's captures.
  const Function yes = ops::ignoring(a.function, a.captures.size(), ops::types_of(b.captures));
  const Function no = ops::ignoring(b.function, 0, ops::types_of(a.captures));
  static const OpDef& op = get_op("cond");
  return ops::make(op, predicate, all, yes, no, where);
}

}  // namespace calx
