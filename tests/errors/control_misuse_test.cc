// Misuse of control flow and of custom derivatives.
#include <gtest/gtest.h>

#include "misuse.h"

namespace calx::control_misuse_test {
namespace {

using test::expect_error;
using test::fact;
using test::misuse;

using List = std::span<const Tensor>;

Tensors same(List x) { return {x.begin(), x.end()}; }
Tensors widened(List x) { return {convert(x[0], f64)}; }
Tensors stacked(List x) { return {concat({reshape(x[0], {1}), reshape(x[0], {1})})}; }
Tensors always(List) { return {scalar(true)}; }
Tensors nothing(List) { return {}; }

TEST(ControlMisuse, ScanThatChangesItsCarry) {
  const Tensor c = scalar(0.0F), xs = tensor({1, 2});
  const Error dtype = misuse(ErrorId::carry_type, "scan", [&] { (void)scan_flat(widened, {c}, {}, {.length = 3}); });
  EXPECT_NE(dtype.message().find("carry 0 from f32[] to f64[]"), std::string::npos) << dtype.what();
  EXPECT_FALSE(dtype.hint().empty());
  const Error shape = misuse(ErrorId::carry_type, "scan", [&] { (void)scan_flat(stacked, {c}, {xs}); });
  EXPECT_NE(shape.message().find("carry 0 from f32[] to f32[2]"), std::string::npos) << shape.what();
  misuse(ErrorId::region_signature, "scan", [&] { (void)scan_flat(nothing, {c}, {xs}); });
}

TEST(ControlMisuse, ScanOverUnevenOrUncutInputs) {
  const Tensor c = scalar(0.0F), two = tensor({1, 2}), three = tensor({1, 2, 3});
  misuse(ErrorId::shape_mismatch, "scan", [&] { (void)scan_flat(same, {}, {two, three}); });
  misuse(ErrorId::shape_mismatch, "scan", [&] { (void)scan_flat(same, {}, {two}, {.length = 3}); });
  misuse(ErrorId::rank, "scan", [&] { (void)scan_flat(same, {}, {c}); });
  const Error error = misuse(ErrorId::attribute_missing, "scan", [&] { (void)scan_flat(same, {c}, {}); });
  EXPECT_FALSE(error.message().empty());
}

TEST(ControlMisuse, WhileLoop) {
  const Tensor c = scalar(0.0F);
  const Error error = misuse(ErrorId::carry_type, "while_loop", [&] { (void)while_loop_flat(always, widened, {c}); });
  EXPECT_NE(error.message().find("carry 0 from f32[] to f64[]"), std::string::npos) << error.what();
  EXPECT_FALSE(error.hint().empty());
  misuse(ErrorId::carry_type, "while_loop", [&] { (void)while_loop_flat(always, stacked, {c}); });
  misuse(ErrorId::region_signature, "while_loop", [&] { (void)while_loop_flat(same, same, {c}); });
  misuse(ErrorId::region_signature, "while_loop", [&] { (void)while_loop_flat(always, nothing, {c}); });
}

TEST(ControlMisuse, Cond) {
  const Tensor yes = scalar(true), x = scalar(1.0F);
  const Error error = misuse(ErrorId::region_signature, "cond", [&] { (void)cond_flat(yes, same, widened, {x}); });
  EXPECT_NE(error.message().find("result 0 is f32[] in `on_true` and f64[] in `on_false`"), std::string::npos) << error.what();
  EXPECT_EQ(fact(error, "predicate"), "bool[]");
  misuse(ErrorId::region_signature, "cond", [&] { (void)cond_flat(yes, same, stacked, {x}); });
  misuse(ErrorId::region_signature, "cond", [&] { (void)cond_flat(yes, same, nothing, {x}); });
  misuse(ErrorId::rank, "cond", [&] { (void)cond_flat(tensor<bool>({true}), same, same, {x}); });
  misuse(ErrorId::dtype, "cond", [&] { (void)cond_flat(x, same, same, {x}); });
}

TEST(ControlMisuse, CustomRulesWithOtherSignatures) {
  const Tensor x = scalar(1.0F);
  misuse(ErrorId::region_signature, "custom_jvp", [&] { (void)custom_jvp_flat(same, nothing, {x}); });
  misuse(ErrorId::region_signature, "custom_vjp", [&] { (void)custom_vjp_flat(same, same, nothing, {x}); });
}

TEST(ControlMisuse, ReverseModeThroughAnUnboundedLoop) {
  std::uint32_t line = 0;
  const auto f = [&](const Tensor& x) {
    const auto below = [](List c) -> Tensors { return {c[0] < 8.0}; };
    const auto twice = [](List c) -> Tensors { return {c[0] * 2.0}; };
    line = __LINE__ + 1;
    return while_loop_flat(below, twice, {x})[0];
  };
  const Error error = expect_error(ErrorId::unbounded_reverse, [&] { (void)grad(f)(scalar(1.0F)); });
  EXPECT_EQ(error.op(), "while_loop");
  EXPECT_EQ(to_string(error.where()), "control_misuse_test.cc:" + std::to_string(line)) << error.what();
  EXPECT_FALSE(error.hint().empty());
}

TEST(ControlMisuse, ARuleThatIsNotLinearCannotBeTransposed) {
  const auto squared = [](List r) -> Tensors { return {r[1] * r[1] * r[0]}; };
  const auto keep = [](List x) -> Tensors { return {x[0], x[0]}; };
  const auto f = [&](const Tensor& x) { return custom_vjp_flat(same, keep, squared, {x})[0]; };
  EXPECT_EQ(grad(f)(scalar(3.0F)).item<float>(), 3);
  const Error error = expect_error(ErrorId::not_linear, [&] { (void)jvp(f)(scalar(1.0F), scalar(3.0F)).second.value(); });
  EXPECT_TRUE(error.where().known()) << error.what();
}

}  // namespace
}  // namespace calx::control_misuse_test
