#include <algorithm>

#include "support.h"

namespace calx::ops {

namespace {

/// What holds for every element, for certain.
struct Proven {
  bool finite = false;
  bool non_zero = false;
};

bool holds_integers(DType floating, DType from) {
  return floating != f16 || from == boolean || from == i8 || from == u8 || from == i16;
}

Proven prove(const Tensor& x, int depth = 0) {
  constexpr int kMaxDepth = 8;
  constexpr std::int64_t kMaxSearched = 1024;
  if (const std::optional<Array> known = constant_value(x)) {
    const std::int64_t n = known->num_elements();
    if (n > kMaxSearched) return {};
    Proven all{true, true};
    for (std::int64_t i = 0; i < n; ++i) {
      const double element = known->element_as_double(i);
      all.finite &= element - element == 0;
      all.non_zero &= element != 0;
    }
    return all;
  }
  const std::optional<Producer> made = producer(x);
  if (!made || depth == kMaxDepth) return {};
  static const OpDef* const same[] = {&get_op("expand"), &get_op("reshape"), &get_op("transpose"), &get_op("neg")};
  static const OpDef* const counts[] = {&get_op("iota"), &get_op("size")};
  static const OpDef& select_op = get_op("select");
  static const OpDef& convert_op = get_op("convert");
  if (std::find(std::begin(same), std::end(same), made->op) != std::end(same)) return prove(made->operands[0], depth + 1);
  if (std::find(std::begin(counts), std::end(counts), made->op) != std::end(counts)) return {x.dtype() != f16, false};
  if (made->op == &select_op) {
    const Proven a = prove(made->operands[1], depth + 1);
    const Proven b = prove(made->operands[2], depth + 1);
    return {a.finite && b.finite, a.non_zero && b.non_zero};
  }
  if (made->op == &convert_op) {
    const DType from = made->operands[0].dtype();
    if (!from.is_floating()) return {holds_integers(x.dtype(), from), false};
    if (promote(from, x.dtype()) == x.dtype()) return prove(made->operands[0], depth + 1);
  }
  return {};
}

}  // namespace

OpDef strong_mul() {
  return {
      .name = "strong_mul",
      .family = "core",
      .doc = {.summary = "Product in which a zero wins over infinity and NaN.",
              .math = "y = 0 (with the sign of the product) where lhs or rhs is 0, else lhs * rhs",
              .shapes = "`lhs: f32[a]`, `rhs: f32[a]` -> `f32[a]`",
              .gradient = "strong_mul(rhs, cotangent) to lhs, strong_mul(lhs, cotangent) to rhs",
              .accuracy = "IEEE, rounded once; integers wrap",
              .errors = "shapes that do not broadcast: CALX-E202; no common dtype: CALX-E103",
              .example = "strong_mul(tensor({0, 2}), tensor({INFINITY, 3}))  // f32[2] [0, 6]",
              .source = "the derivative rules of this project: an untaken branch contributes exactly 0"},
      .operands = {{"lhs", DTypes::numeric}, {"rhs", DTypes::numeric}},
      .binding = Binding::broadcast,
      .form = Primitive{
          .infer = infer::pointwise(),
          .jvp = FromLinear{},
          .linear = LinearIn{{{0}, {1}},
                           [](const Call& c, int group, const Tangents& ct) { return Tangents(c[1 - group] * ct[0]); }},
          .batch = batch::pointwise,
          .simplify = [](const Call& c) -> std::optional<Results> {
            if (uniform_constant(c[1]) == 1.0) return Results(c[0]);
            if (uniform_constant(c[0]) == 1.0) return Results(c[1]);
            // A product that cannot meet 0 * inf or 0 * NaN is a plain one.
            const Proven lhs = prove(c[0]);
            const Proven rhs = prove(c[1]);
            const bool plain = !c.dtype(0).is_floating() || (lhs.finite && rhs.finite) ||
                               (lhs.finite && lhs.non_zero) || (rhs.finite && rhs.non_zero);
            if (plain) return Results(core::mul(c[0], c[1]));
            return std::nullopt;
          },
          .reference = ref::pointwise<DTypes::numeric>([](auto a, auto b) { return math::strong_mul(a, b); }),
          .lower = lower::pointwise([](loopir::Scalar a, loopir::Scalar b) { return loopir::scalar::strong_mul(a, b); })},
      .samples = pointwise_samples(2),
      .rejects = [] {
        return std::vector<Reject>{
            {.operands = {{boolean, {2}}, {boolean, {2}}}, .id = ErrorId::dtype, .message = "`lhs`"},
            {.operands = {{f32, {2}}, {f32, {3}}}, .id = ErrorId::shape_mismatch, .message = "`rhs` f32[3]"},
            {.operands = {{f32, {2}}}, .id = ErrorId::arity, .message = "takes 2"}};
      },
  };
}

}  // namespace calx::ops
