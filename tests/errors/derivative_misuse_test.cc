// Misuse of derivatives and of vmap: of C++ functions, and of Functions.
#include <gtest/gtest.h>

#include "misuse.h"

namespace calx::derivative_misuse_test {
namespace {

using test::expect_error;
using test::fact;
using test::misuse;

struct Model {
  Tensor weight;
  Tensor steps;  // i32
};
CALX_TREE(Model, weight, steps);

Tensor row() { return tensor({1, 2, 3}); }
Tensor count() { return scalar<std::int32_t>(3); }
Tensor loss(const Tensor& x) { return sum(x * x); }
Tensor first(const std::vector<Tensor>& x) { return sum(x[0]); }

// ---- C++ functions -------------------------------------------------------------------------------------------------------

TEST(DerivativeMisuse, GradientOfWhatIsNoScalar) {
  const auto f = [](const Tensor& x) { return x * x; };
  const Error error = misuse(ErrorId::grad_not_scalar, "grad", [&] { (void)grad(f)(row()); });
  EXPECT_EQ(error.facts(), (Facts{{"function", "f"}, {"type", "f32[3]"}}));
  EXPECT_FALSE(error.hint().empty());
  misuse(ErrorId::grad_not_scalar, "grad", [&] { (void)value_and_grad(f)(row()); });
  misuse(ErrorId::grad_not_scalar, "grad", [&] { (void)hvp(f)(row(), row()); });
  misuse(ErrorId::grad_not_scalar, "grad", [&] { (void)hessian(f)(row()); });
  misuse(ErrorId::grad_not_scalar, "grad", [&] { (void)grad([](const Tensor& x) { return argmax(x); })(row()); });
  misuse(ErrorId::grad_not_scalar, "grad", [&] { (void)grad([](const Tensor&) { return Tensors{}; })(row()); });
}

TEST(DerivativeMisuse, GradientThroughIntegers) {
  const auto f = [](const Model& m) { return sum(m.weight) * convert(m.steps, f32); };
  const Model m{row(), count()};
  const Error error = misuse(ErrorId::grad_integer, "vjp", [&] { (void)grad(f)(m); });
  EXPECT_EQ(error.facts(), (Facts{{"argument", "arg0.steps"}, {"type", "i32[]"}}));
  EXPECT_FALSE(error.hint().empty());
  const auto g = [](const Tensor& n) { return convert(n, f32); };
  misuse(ErrorId::grad_integer, "jvp", [&] { (void)jvp(g)(count(), count()); });
  misuse(ErrorId::grad_integer, "vjp", [&] { (void)vjp(g)(scalar(1.0F), count()); });
  misuse(ErrorId::grad_integer, "vjp", [&] { (void)hvp(g)(count(), count()); });
  misuse(ErrorId::grad_integer, "jvp", [&] { (void)jacobian(g)(count()); });
  misuse(ErrorId::grad_integer, "vjp", [&] { (void)jacobian(g, JacobianMode::reverse)(count()); });
  misuse(ErrorId::grad_integer, "directional_derivative", [&] { (void)nth_derivative<2>(g)(count()); });
  const auto h = [](const Tensor& x) { return convert(x, i32); };
  EXPECT_EQ(fact(misuse(ErrorId::grad_integer, "jacobian", [&] { (void)jacobian(h)(row()); }), "result"), "out");
  misuse(ErrorId::grad_integer, "jacobian", [&] { (void)jacobian(h, JacobianMode::reverse)(row()); });
  misuse(ErrorId::grad_integer, "directional_derivative", [&] { (void)nth_derivative<1>(h)(row()); });
}

TEST(DerivativeMisuse, TangentsThatDoNotFit) {
  const Error shape = misuse(ErrorId::shape_mismatch, "jvp", [] { (void)jvp(loss)(tensor({1, 2}), row()); });
  EXPECT_EQ(shape.facts(), (Facts{{"path", ""}, {"the argument", "f32[3]"}, {"the tangent", "f32[2]"}}));
  const Error dtype = misuse(ErrorId::dtype_mismatch, "jvp", [] { (void)jvp(loss)(tensor<double>({1, 2, 3}), row()); });
  EXPECT_EQ(fact(dtype, "the tangent"), "f64[3]");
  EXPECT_FALSE(dtype.hint().empty());
  // A scalar would broadcast in the rules; it is no tangent all the same.
  misuse(ErrorId::shape_mismatch, "jvp", [] { (void)jvp(loss)(scalar(1.0F), row()); });
  misuse(ErrorId::undefined_tensor, "jvp", [] { (void)jvp(loss)(Tensor(), row()); });
  const std::vector<Tensor> one = {row()}, two = {row(), row()}, other = {row(), tensor({1})};
  EXPECT_EQ(fact(misuse(ErrorId::tree, "", [&] { (void)jvp(first)(one, two); }), "path"), "1");
  EXPECT_EQ(fact(misuse(ErrorId::shape_mismatch, "jvp", [&] { (void)jvp(first)(other, two); }), "path"), "1");
  misuse(ErrorId::shape_mismatch, "hvp", [] { (void)hvp(loss)(tensor({1, 2}), row()); });
  misuse(ErrorId::dtype_mismatch, "hvp", [] { (void)hvp(loss)(tensor<double>({1, 2, 3}), row()); });
}

TEST(DerivativeMisuse, CotangentsThatDoNotFit) {
  const auto f = [](const Tensor& x) { return x * x; };
  const Error shape = misuse(ErrorId::shape_mismatch, "vjp", [&] { (void)vjp(f)(scalar(1.0F), row()); });
  EXPECT_EQ(shape.facts(), (Facts{{"path", ""}, {"the result", "f32[3]"}, {"the cotangent", "f32[]"}}));
  const Error dtype = misuse(ErrorId::dtype_mismatch, "vjp", [&] { (void)vjp(f)(tensor<double>({1, 2, 3}), row()); });
  EXPECT_EQ(fact(dtype, "the cotangent"), "f64[3]");
  const auto pair = [](const Tensor& x) { return std::vector<Tensor>{x, x}; };
  misuse(ErrorId::tree, "", [&] { (void)vjp(pair)(std::vector<Tensor>{row()}, row()); });
  misuse(ErrorId::undefined_tensor, "vjp", [&] { (void)vjp(f)(Tensor(), row()); });
}

TEST(DerivativeMisuse, ArgumentsThatAreUndefined) {
  EXPECT_EQ(fact(misuse(ErrorId::undefined_tensor, "", [] { (void)grad(loss)(Tensor()); }), "path"), "arg0");
  misuse(ErrorId::undefined_tensor, "", [] { (void)jvp(loss)(row(), Tensor()); });
  misuse(ErrorId::undefined_tensor, "", [] { (void)vjp(loss)(scalar(1.0F), Tensor()); });
  misuse(ErrorId::undefined_tensor, "", [] { (void)hvp(loss)(row(), Tensor()); });
  misuse(ErrorId::undefined_tensor, "", [] { (void)jacobian(loss)(Tensor()); });
  misuse(ErrorId::undefined_tensor, "", [] { (void)hessian(loss)(Tensor()); });
  misuse(ErrorId::undefined_tensor, "", [] { (void)nth_derivative<1>(loss)(Tensor()); });
  misuse(ErrorId::undefined_tensor, "", [] { (void)check_grads(loss, 1, 1e-5, Tensor()); });
  misuse(ErrorId::undefined_tensor, "vmap", [] { (void)vmap(loss)(Tensor()); });
}

TEST(DerivativeMisuse, AnErrorInTheFunctionIsToldAtItsOwnLine) {
  std::uint32_t line = 0;
  const auto f = [&](const Tensor& x) {
    line = __LINE__ + 1;
    return sum(matmul(x, tensor({1, 2})));
  };
  for (const auto& run : std::vector<std::function<void()>>{
           [&] { (void)grad(f)(row()); }, [&] { (void)jacobian(f)(row()); }, [&] { (void)jit(f)(row()); },
           [&] { (void)vmap(f)(tensor({{1, 2, 3}})); }, [&] { (void)grad(jit(grad(f)))(row()); }}) {
    const Error error = expect_error(ErrorId::contracted_size, run);
    EXPECT_EQ(to_string(error.where()), "derivative_misuse_test.cc:" + std::to_string(line)) << error.what();
  }
  EXPECT_FALSE((row() + 1.0).is_traced());
}

TEST(DerivativeMisuse, CheckGrads) {
  const Tensor x = tensor<double>({1, 2, 3});
  misuse(ErrorId::value, "check_grads", [&] { (void)check_grads(loss, 0, 1e-6, x); });
  misuse(ErrorId::grad_integer, "check_grads", [&] { (void)check_grads([](const Tensor& n) { return n; }, 1, 1e-6, count()); });
  const auto to_integer = [](const Tensor& y) { return argmax(y); };
  misuse(ErrorId::grad_integer, "check_grads", [&] { (void)check_grads(to_integer, 1, 1e-6, x); });
  const auto inside = [](const Tensor& y) {
    misuse(ErrorId::traced_read, "", [&] { (void)check_grads(loss, 1, 1e-6, y); });
    const auto scaled = [&](const Tensor& z) { return sum(y * z); };
    misuse(ErrorId::traced_read, "", [&] { (void)check_grads(scaled, 1, 1e-6, tensor<double>({1, 2, 3})); });
    return y;
  };
  (void)trace(inside, x);
  const Function f = trace(loss, x);
  EXPECT_EQ(fact(expect_error(ErrorId::arity, [&] { (void)check_gradients(f, {}); }), "function"), "f");
  expect_error(ErrorId::arity, [&] { (void)check_gradients(f, {x.value(), x.value()}); });
  expect_error(ErrorId::undefined_tensor, [&] { (void)check_gradients(f, {Array()}); });
  expect_error(ErrorId::value, [&] { (void)check_gradients(Function(), {}); });
}

// ---- vmap ----------------------------------------------------------------------------------------------------------------

TEST(DerivativeMisuse, VmapSizesThatDiffer) {
  const auto f = [](const Tensor& x, const Tensor& y) { return x + y; };
  const Error error = misuse(ErrorId::vmap_axis, "vmap", [&] { (void)vmap(f)(row(), tensor({1, 2})); });
  EXPECT_EQ(fact(error, "type"), "f32[2]");
  EXPECT_NE(error.message().find("3 and 2"), std::string::npos) << error.what();
  const auto inside = [&](const Tensor& x, const Tensor& y) {
    misuse(ErrorId::vmap_axis, "vmap", [&] { (void)vmap(f)(x, y); });
    return x;
  };
  (void)trace(inside, spec(f32, {"B"}), spec(f32, {"C"}));
}

TEST(DerivativeMisuse, VmapAxisOutside) {
  const Error error = misuse(ErrorId::vmap_axis, "vmap", [] { (void)vmap(loss, {.in_axes = {1}})(row()); });
  EXPECT_EQ(error.facts(), (Facts{{"type", "f32[3]"}}));
  EXPECT_FALSE(error.hint().empty());
  misuse(ErrorId::vmap_axis, "vmap", [] { (void)vmap(loss, {.in_axes = {-2}})(row()); });
  misuse(ErrorId::vmap_axis, "vmap", [] { (void)vmap(loss)(scalar(1.0F)); });
  misuse(ErrorId::vmap_axis, "vmap", [] { (void)vmap(loss, {.out_axis = 1})(row()); });
  misuse(ErrorId::vmap_axis, "vmap", [] { (void)vmap(loss, {.out_axis = -2})(row()); });
}

TEST(DerivativeMisuse, VmapOfNothing) {
  const Error error = misuse(ErrorId::vmap_axis, "vmap", [] { (void)vmap(loss, {.in_axes = {std::nullopt}})(row()); });
  EXPECT_FALSE(error.hint().empty());
  misuse(ErrorId::arity, "vmap", [] { (void)vmap(loss, {.in_axes = {0, 0}})(row()); });
}

// ---- Functions -----------------------------------------------------------------------------------------------------------

/// (x, n) -> x * n, with a size N >= 2.
Function scaled() {
  return trace([](const Tensor& x, const Tensor& n) { return x * convert(n, f32); },
               {.names = {"x", "n"}, .name = "scaled", .where = {Dim::symbol("N") - Dim(2)}}, spec(f32, {"N"}), spec(i32, {}));
}

/// As g, with a scalar result: what a gradient needs. An undefined one stays so.
Function summed(const Function& g) {
  if (!g.defined()) return g;
  return trace_flat(g.arguments(), [&](std::span<const Tensor> x) -> Tensors { return {sum(inline_function(g, x)[0])}; },
                    {.name = g.name(), .closed = true})
      .function;
}

TEST(DerivativeMisuse, FlagsThatDoNotFit) {
  const Function f = scaled();
  using Flags = std::vector<bool>;
  const std::vector<std::function<void(const Function&, const Flags&)>> transforms = {
      [](const Function& g, const Flags& flags) { (void)jvp(g, flags); },
      [](const Function& g, const Flags& flags) { (void)vjp(g, flags); },
      [](const Function& g, const Flags& flags) { (void)linearize(g, flags); },
      [](const Function& g, const Flags& flags) { (void)transpose(g, flags); },
      [](const Function& g, const Flags& flags) { (void)directional_derivative(g, flags, 1); },
      [](const Function& g, const Flags& flags) { (void)value_and_grad(summed(g), flags); },
      [](const Function& g, const Flags& flags) { (void)grad(summed(g), flags); },
      [](const Function& g, const Flags& flags) { (void)hvp(summed(g), flags); }};
  for (const auto& transform : transforms) {
    EXPECT_EQ(fact(expect_error(ErrorId::arity, [&] { transform(f, {true}); }), "function"), "scaled");
    expect_error(ErrorId::arity, [&] { transform(f, {true, false, false}); });
    const Error error = expect_error(ErrorId::grad_integer, [&] { transform(f, {true, true}); });
    EXPECT_EQ(error.facts(), (Facts{{"argument", "n"}, {"type", "i32[]"}}));
    expect_error(ErrorId::value, [&] { transform(Function(), {}); });
  }
}

TEST(DerivativeMisuse, OtherRequestsOfFunctions) {
  const Function f = scaled();
  expect_error(ErrorId::grad_not_scalar, [&] { (void)grad(f, {true, false}); });
  expect_error(ErrorId::value, [&] { (void)directional_derivative(f, {true, false}, -1); });
  for (int argument : {-1, 2}) {
    expect_error(ErrorId::arity, [&] { (void)jacobian_forward(f, argument); });
    expect_error(ErrorId::arity, [&] { (void)jacobian_reverse(f, argument); });
  }
  expect_error(ErrorId::grad_integer, [&] { (void)jacobian_forward(f, 1); });
  expect_error(ErrorId::grad_integer, [&] { (void)jacobian_reverse(f, 1); });
  expect_error(ErrorId::value, [&] { (void)jacobian_forward(Function(), 0); });
  const Function none = trace([](const Tensor&) { return Tensors{}; }, row());
  expect_error(ErrorId::arity, [&] { (void)jacobian_forward(none, 0); });
  expect_error(ErrorId::arity, [&] { (void)directional_derivative(none, {true}, 1); });
  const Error error = expect_error(ErrorId::not_linear, [] { (void)transpose(trace(loss, row()), {true}); });
  EXPECT_TRUE(error.where().known());
  EXPECT_FALSE(error.facts().empty());
}

/// neg, with one rule missing.
template <class Forget>
OpDef forgetful(Forget forget) {
  OpDef op = get_op("neg");
  op.name = "forgetful";
  forget(std::get<Primitive>(op.form));
  return op;
}

TEST(DerivativeMisuse, RulesThatAreMissing) {
  static const OpDef without_jvp = forgetful([](Primitive& p) { p.jvp = Todo{"its derivative"}; });
  static const OpDef without_transpose = forgetful([](Primitive& p) { p.linear = Todo{"its transpose"}; });
  static const OpDef without_batch = forgetful([](Primitive& p) { p.batch = Todo{"its batching"}; });
  const SourceLoc here = SourceLoc::current();
  const auto applied = [&](const OpDef& op) {
    return [&op, here](const Tensor& x) { return sum(apply_one(op, {x}, {}, here)); };
  };
  const auto told = [&](const Error& error, std::string_view what) {
    EXPECT_EQ(error.op(), "forgetful");
    EXPECT_NE(error.message().find(what), std::string::npos) << error.what();
    EXPECT_EQ(to_string(error.where()), to_string(here)) << error.what();
  };
  told(expect_error(ErrorId::no_rule, [&] { (void)jvp(applied(without_jvp))(row(), row()); }), "jvp: its derivative");
  told(expect_error(ErrorId::no_rule, [&] { (void)grad(applied(without_jvp))(row()); }), "jvp: its derivative");
  told(expect_error(ErrorId::no_rule, [&] { (void)vmap(applied(without_batch))(tensor({{1, 2}})); }), "vmap: its batching");
  const Function f = trace([&](const Tensor& x) { return apply_one(without_transpose, {x}, {}, here); }, row());
  told(expect_error(ErrorId::no_rule, [&] { (void)transpose(f, {true}); }), "transpose: its transpose");
  EXPECT_THROW((void)vmap(applied(without_batch))(tensor({{1, 2}})), UnsupportedError);
}

TEST(DerivativeMisuse, VmapOfFunctions) {
  const Function f = scaled();
  expect_error(ErrorId::arity, [&] { (void)vmap(f, {0}, 2); });
  expect_error(ErrorId::arity, [&] { (void)vmap(f, {0, 0}, 2, {0, 0}); });
  EXPECT_EQ(fact(expect_error(ErrorId::vmap_axis, [&] { (void)vmap(f, {2, std::nullopt}, 2); }), "argument"), "x");
  expect_error(ErrorId::vmap_axis, [&] { (void)vmap(f, {-1, std::nullopt}, 2); });
  expect_error(ErrorId::vmap_axis, [&] { (void)vmap(f, {0, 0}, 2, {2}); });
  expect_error(ErrorId::value, [&] { (void)vmap(f, {0, 0}, -1); });
  expect_error(ErrorId::value, [&] { (void)vmap(Function(), {}, 2); });
}

TEST(DerivativeMisuse, SizesOfSymbols) {
  const Function f = scaled();
  const Error unknown = expect_error(ErrorId::dim_unbound, [&] { (void)bind(f, {{"M", 3}}); });
  EXPECT_EQ(unknown.op(), "bind");
  EXPECT_EQ(unknown.facts(), (Facts{{"symbol", "M"}, {"function", "scaled"}}));
  EXPECT_EQ(unknown.hint(), "its sizes are N");
  EXPECT_EQ(expect_error(ErrorId::dim_unbound, [&] { (void)substitute(f, {{"M", Dim(3)}}); }).op(), "substitute");
  EXPECT_EQ(expect_error(ErrorId::dim_unbound, [&] { (void)bind(bind(f, {{"N", 3}}), {{"N", 3}}); }).hint(),
            "all its sizes are numbers");
  EXPECT_EQ(fact(expect_error(ErrorId::dim_binding, [&] { (void)bind(f, {{"N", -1}}); }), "symbol"), "N");
  EXPECT_EQ(fact(expect_error(ErrorId::dim_binding, [&] { (void)bind(f, {{"N", 1}}); }), "where"), "N-2");
  expect_error(ErrorId::value, [] { (void)bind(Function(), {}); });
  expect_error(ErrorId::value, [] { (void)substitute(Function(), {}); });
}

}  // namespace
}  // namespace calx::derivative_misuse_test
