#include "reduction/_softmax.h"

namespace calx::ops::reduction {

OpDef normalized(
    std::string_view name, OpDoc doc,
    std::function<Tensor(const Exponentials&, const std::function<Tensor(const Tensor&)>& spread)> value) {
  doc.shapes = "`x: f32[a,b]` -> `f32[a,b]`";
  doc.errors = "axis outside [-rank, rank), rank 0 included: CALX-E203; another kind of dtype: CALX-E101";
  return {
      .name = name,
      .family = "reduction",
      .doc = doc,
      .operands = {{"x", DTypes::floating}},
      .attrs = {axis, accumulation},
      .form = Composite{.infer = Derived{},
                        .decompose = [value = std::move(value)](const Call& c) -> Results {
                          const Axes reduced = {normalize_axis(c, c[axis], c.type(0).rank())};
                          const auto spread = [&](const Tensor& y) {
                            return spread_back(y, c.shape(0), reduced);
                          };
                          const Tensor x = core::convert(c[0], computation(c));
                          const Tensor shifted = x - spread(shift_of(x, reduced));
                          const Tensor powers = exp(shifted);
                          const Tensor sum = core::reduce_sum(powers, reduced);
                          const Tensor no_mass = compare(sum, 0, Comparison::eq);
                          return core::convert(
                              value({shifted, powers, select(no_mass, 1, sum), no_mass}, spread), c.dtype(0));
                        },
                        .jvp = Derived{},
                        .batch = Derived{},
                        .simplify = NoIdentity{},
                        .reference = Derived{},
                        .lower = Derived{}},
      .numerics = {.max_ulp_f32 = 8},
      .samples =
          [] {
            return std::vector<Sample>{
                {.operands = {{.shape = {5}}}},
                {.operands = {{.shape = {2, 3}}}, .attrs = {attr(axis, 0)}},
                {.operands = {{.shape = {3, 3}}}, .attrs = {attr(axis, 1)}},
                {.operands = {{.shape = {2, 1}}}},
                {.operands = {{.shape = {0, 3}}}},
                {.operands = {{.shape = {2, 0}}}},
                {.operands = {{.shape = {4}, .dtype = f32}}, .attrs = {attr(accumulation, f64)}}};
          },
      .rejects =
          [] {
            std::vector<Reject> rejects = {
                {.operands = {{f32, {3}}},
                 .attrs = {attr(axis, 1)},
                 .id = ErrorId::axis,
                 .message = "`axis` is 1"},
                {.operands = {{f32, {}}}, .id = ErrorId::axis, .message = "`axis` is -1"},
                {.operands = {{i32, {3}}}, .id = ErrorId::dtype, .message = "`x`"}};
            append_accumulation_rejects(rejects, {});
            return rejects;
          },
  };
}

}  // namespace calx::ops::reduction
