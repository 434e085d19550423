// Errors are told at the user's line: by every public function that takes one, whatever layer finds the mistake.
#include <gtest/gtest.h>

#include "calx/core/bind.h"
#include "calx/core/verify.h"
#include "misuse.h"

namespace calx::places_test {
namespace {

using test::expect_error;
using test::misuse;

constexpr std::int64_t kHuge = std::int64_t{1} << 62;

Tensor row() { return tensor({1, 2, 3}); }
Function scaled() {
  return trace([](const Tensor& x, const Tensor& n) { return x * convert(n, f32); }, {.names = {"x", "n"}, .name = "scaled"},
               spec(f32, {"N"}), spec(i32, {"N"}));
}
Function loss() {
  return trace([](const Tensor& x) { return sum(x * x); }, {.name = "loss"}, row());
}

TEST(Places, TransformsOfFunctions) {
  const Function f = scaled(), none;
  misuse(ErrorId::value, "jvp", [&] { (void)jvp(none, {}); });
  misuse(ErrorId::value, "vjp", [&] { (void)vjp(none, {}); });
  misuse(ErrorId::value, "linearize", [&] { (void)linearize(none, {}); });
  misuse(ErrorId::value, "transpose", [&] { (void)transpose(none, {}); });
  misuse(ErrorId::value, "vmap", [&] { (void)vmap(none, {}, 2); });
  misuse(ErrorId::value, "bind", [&] { (void)bind(none, {}); });
  misuse(ErrorId::value, "substitute", [&] { (void)substitute(none, {}); });
  misuse(ErrorId::arity, "jvp", [&] { (void)jvp(f, {true}); });
  misuse(ErrorId::grad_integer, "vjp", [&] { (void)vjp(f, {true, true}); });
  misuse(ErrorId::grad_integer, "linearize", [&] { (void)linearize(f, {false, true}); });
  misuse(ErrorId::grad_integer, "transpose", [&] { (void)transpose(f, {false, true}); });
  misuse(ErrorId::arity, "vmap", [&] { (void)vmap(f, {0}, 2); });
  misuse(ErrorId::vmap_axis, "vmap", [&] { (void)vmap(f, {2, 0}, 2); });
  misuse(ErrorId::value, "vmap", [&] { (void)vmap(f, {0, 0}, -1); });
  misuse(ErrorId::dim_unbound, "bind", [&] { (void)bind(f, {{"M", 3}}); });
  misuse(ErrorId::dim_binding, "bind", [&] { (void)bind(f, {{"N", -3}}); });
  misuse(ErrorId::dim_unbound, "substitute", [&] { (void)substitute(f, {{"M", Dim(3)}}); });
}

TEST(Places, DerivativesOfFunctions) {
  const Function f = scaled(), none;
  misuse(ErrorId::value, "grad", [&] { (void)grad(none, {}); });
  misuse(ErrorId::value, "grad", [&] { (void)hvp(none, {}); });
  misuse(ErrorId::grad_not_scalar, "grad", [&] { (void)value_and_grad(f, {true, false}); });
  misuse(ErrorId::grad_not_scalar, "grad", [&] { (void)grad(f, {true, false}); });
  misuse(ErrorId::grad_not_scalar, "grad", [&] { (void)hvp(f, {true, false}); });
  misuse(ErrorId::arity, "vjp", [&] { (void)grad(loss(), {}); });
  misuse(ErrorId::value, "directional_derivative", [&] { (void)directional_derivative(f, {true, false}, -1); });
  misuse(ErrorId::arity, "jacobian", [&] { (void)jacobian_forward(f, 2); });
  misuse(ErrorId::grad_integer, "jvp", [&] { (void)jacobian_forward(f, 1); });
  misuse(ErrorId::grad_integer, "vjp", [&] { (void)jacobian_reverse(f, 1); });
  misuse(ErrorId::arity, "check_grads", [&] { (void)check_gradients(f, {}); });
  misuse(ErrorId::dtype, "loss", [&] { (void)check_gradients(loss(), {Array::zeros(f64, {3})}); });
}

TEST(Places, EquationsKeepTheirOwn) {
  const std::uint32_t line = __LINE__ + 1;
  const Function f = trace([](const Tensor& x) { return x * x; }, row());
  const Error error = expect_error(ErrorId::not_linear, [&] { (void)transpose(f, {true}); });
  EXPECT_EQ(to_string(error.where()), "places_test.cc:" + std::to_string(line)) << error.what();
}

TEST(Places, PassesAndRuns) {
  const Function none;
  misuse(ErrorId::value, "run_passes", [&] { (void)optimize(none); });
  misuse(ErrorId::value, "run_passes", [&] { (void)run_passes(none, default_pipeline()); });
  misuse(ErrorId::value, "expand_composites", [&] { (void)expand_composites(none); });
  misuse(ErrorId::value, "eliminate_dead_code", [&] { (void)eliminate_dead_code(none); });
  misuse(ErrorId::value, "simplify", [&] { (void)simplify(none); });
  misuse(ErrorId::value, "fold_constants", [&] { (void)fold_constants(none); });
  misuse(ErrorId::value, "merge_common_subexpressions", [&] { (void)merge_common_subexpressions(none); });
  misuse(ErrorId::value, "inline_function", [&] { (void)inline_function(none, {}); });
  misuse(ErrorId::arity, "loss", [&] { (void)inline_function(loss(), {}); });
  misuse(ErrorId::value, "run", [&] { (void)default_evaluator().run(none, {}); });
  misuse(ErrorId::arity, "loss", [&] { (void)default_evaluator().run(loss(), {}); });
  misuse(ErrorId::dim_binding, "loss", [&] { (void)Interpreter().run(loss(), {Array::zeros(f32, {4})}); });
  misuse(ErrorId::arity, "loss", [&] { (void)loss().with_argument_names({"a", "b"}); });
  misuse(ErrorId::arity, "loss", [&] { (void)loss().with_result_names({}); });
}

TEST(Places, AccessorsOfFunctions) {
  const Function none;
  misuse(ErrorId::value, "", [&] { (void)none.name(); });
  misuse(ErrorId::value, "", [&] { (void)none.arguments(); });
  misuse(ErrorId::value, "", [&] { (void)none.results(); });
  misuse(ErrorId::value, "", [&] { (void)none.equations(); });
  misuse(ErrorId::value, "", [&] { (void)none.type(0); });
  misuse(ErrorId::value, "", [&] { (void)none.num_values(); });
  misuse(ErrorId::value, "", [&] { (void)none.argument_types(); });
  misuse(ErrorId::value, "", [&] { (void)none.result_types(); });
  misuse(ErrorId::value, "", [&] { (void)none.where(); });
  misuse(ErrorId::value, "", [&] { (void)none.donations(); });
  misuse(ErrorId::value, "", [&] { (void)none.count_equations(); });
  misuse(ErrorId::value, "", [&] { (void)none.with_name("f"); });
  misuse(ErrorId::value, "", [&] { (void)none.with_donations({}); });
  misuse(ErrorId::value, "loss", [&] { (void)loss().type(99); });
}

TEST(Places, TextSymbolsAndTheTableOfOps) {
  const Function none;
  misuse(ErrorId::value, "print", [&] { (void)print(none); });
  misuse(ErrorId::value, "print_short", [&] { (void)print_short(none); });
  misuse(ErrorId::verify, "verify", [&] { verify(none); });
  misuse(ErrorId::value, "free_symbols", [&] { (void)free_symbols(none); });
  misuse(ErrorId::value, "bind_symbols", [&] { (void)bind_symbols(none, {}); });
  const std::vector<std::vector<std::int64_t>> too_few = {{3}}, differing = {{3}, {4}}, flat = {{3}, {}};
  misuse(ErrorId::arity, "scaled", [&] { (void)bind_symbols(scaled(), too_few); });
  misuse(ErrorId::dim_binding, "scaled", [&] { (void)bind_symbols(scaled(), differing); });
  misuse(ErrorId::rank, "scaled", [&] { (void)bind_symbols(scaled(), flat); });
  misuse(ErrorId::value, "no_such_op", [] { (void)get_op("no_such_op"); });
  misuse(ErrorId::value, "add", [] { (void)register_op(get_op("add")); });
}

TEST(Places, TensorsAndArrays) {
  const Tensor none;
  misuse(ErrorId::undefined_tensor, "", [&] { (void)none.type(); });
  misuse(ErrorId::undefined_tensor, "", [&] { (void)none.dtype(); });
  misuse(ErrorId::undefined_tensor, "", [&] { (void)none.shape(); });
  misuse(ErrorId::undefined_tensor, "", [&] { (void)none.rank(); });
  misuse(ErrorId::dim_unbound, "", [] { (void)Dim::symbol("B").value(); });
  misuse(ErrorId::dim_unbound, "", [] { (void)scaled().arguments()[0].type.shape[0].value(); });
  misuse(ErrorId::undefined_tensor, "", [] { (void)Tensor(Array()); });
  misuse(ErrorId::undefined_tensor, "", [&] { (void)none.value(); });
  misuse(ErrorId::undefined_tensor, "", [&] { (void)none.item<float>(); });
  misuse(ErrorId::undefined_tensor, "", [&] { (void)none.dim(0); });
  misuse(ErrorId::axis, "dim", [] { (void)row().dim(1); });
  misuse(ErrorId::item_dtype, "", [] { (void)row().value().data<double>(); });
  misuse(ErrorId::value, "", [] { (void)Dim::symbol("2x"); });
}

TEST(Places, Ranges) {
  misuse(ErrorId::value, "arange", [] { (void)arange(3, {.start = 300, .dtype = i8}); });
  misuse(ErrorId::value, "arange", [] { (void)arange(3, {.step = 0}); });
  misuse(ErrorId::value, "arange", [] { (void)arange(900, {.step = 300, .dtype = u8}); });
  misuse(ErrorId::size_overflow, "arange", [] { (void)arange(kHuge, {.start = -kHuge}); });
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  misuse(ErrorId::size_overflow, "arange", [] { (void)arange(3, {.step = lowest}); });
  misuse(ErrorId::dtype, "iota", [] { (void)arange(3, {.dtype = boolean}); });
}

TEST(Places, SizesThatAreTooLargeOrNegative) {
  const Tensor x = row();
  misuse(ErrorId::size_overflow, "expand", [] { (void)zeros({kHuge, 4}).value(); });
  misuse(ErrorId::size_overflow, "expand", [] { (void)full({kHuge, kHuge}, 1.0).value(); });
  misuse(ErrorId::size_overflow, "expand", [] { (void)zeros({kHuge}).value(); });
  misuse(ErrorId::size_overflow, "reshape", [&] { (void)reshape(x, {kHuge, kHuge}); });
  misuse(ErrorId::size_overflow, "reshape", [&] { (void)reshape(x, {-1, kHuge, kHuge}); });
  misuse(ErrorId::attribute, "reshape", [&] { (void)reshape(x, {-3, 1}); });
  misuse(ErrorId::attribute, "reshape", [&] { (void)reshape(x, {3, -2}); });
  misuse(ErrorId::size_overflow, "expand", [&] { (void)broadcast_to(x, {kHuge, 4, 3}).value(); });
}

}  // namespace
}  // namespace calx::places_test
