#include "calx/ops/control.h"
#include "control/_scan.h"

namespace calx::ops {

OpDef scan() {
  return {
      .name = "scan",
      .family = "control",
      .doc = {.summary = "Runs a body once for each slice of xs, carrying values and stacking results.",
              .math = "carry_{i+1}, y_i = body(captures, carry_i, xs[i]) for i = 0, ..., length - 1",
              .shapes = "captures, carries of any type, xs: `f32[n,...]` -> carries, ys: `f32[n,...]`",
              .gradient = "a scan of the same length in the other direction; loop-invariant values are kept once",
              .accuracy = "that of the body",
              .errors = "a body that changes the type of a carry: CALX-E605; xs whose axis 0 is not `length`: CALX-E202; operands "
                        "that do not fit the body: CALX-E606",
              .example = "scan_flat(body, {init}, {xs})",
              .source = "jax.lax.scan"},
      .operands = {{"x", DTypes::any, true}},
      .attrs = {keys::body, keys::num_captures, keys::num_carry, keys::length, keys::reverse},
      .results = {"y"},
      .form = Region{
          .infer = infer_scan,
          .jvp = scan_jvp,
          .linearize = scan_linearize,
          .transpose = scan_transpose,
          .batch = scan_batch,
          .prune = scan_prune,
          .simplify = NoIdentity{},
          .reference = scan_reference,
          .lower = NotInterpretable{"it runs a Function"}},
      .samples = [] {
        const Type state{f64, {2}};
        // captures: w; carry: h; xs: x. h' = h * w + x, y = h' * h'.
        const Function body = sample_function("body", {state, state, state}, [](std::span<const Tensor> x) -> Tensors {
          const Tensor h = core::add(core::mul(x[1], x[0]), x[2]);
          return {h, core::mul(h, h)};
        });
        const Function power = sample_function("power", {{f64, {}}}, [](std::span<const Tensor> x) -> Tensors {
          return {core::mul(x[0], core::full(x[0].type(), 1.5))};
        });
        const Function map = sample_function("map", {state, state}, [](std::span<const Tensor> x) -> Tensors {
          return {core::mul(x[0], x[1])};
        });
        const Function pass = sample_function("pass", {{f64, {}}, {f64, {}}}, [](std::span<const Tensor> x) -> Tensors {
          return {core::mul(x[0], x[1]), core::add(x[0], x[1])};
        });
        const auto recurrent = [&](std::int64_t n, bool reversed) {
          return Sample{.operands = {{.shape = {2}, .dtype = f64}, {.shape = {2}, .dtype = f64}, {.shape = {n, 2}, .dtype = f64}},
                        .attrs = {attr(keys::body, body), attr(keys::num_captures, 1), attr(keys::num_carry, 1),
                                  attr(keys::length, Dim(n)), attr(keys::reverse, reversed)}};
        };
        return std::vector<Sample>{
            recurrent(3, false), recurrent(3, true), recurrent(1, false), recurrent(0, false),
            {.operands = {{.shape = {2}, .dtype = f64}, {.shape = {3, 2}, .dtype = f64}},
             .attrs = {attr(keys::body, map), attr(keys::num_captures, 1), attr(keys::length, Dim(3))},
             .note = "no carry: a map"},
            {.operands = {{.dtype = f64}},
             .attrs = {attr(keys::body, power), attr(keys::num_carry, 1), attr(keys::length, Dim(4))}},
            {.operands = {{.dtype = f64}, {.shape = {3}, .dtype = f64}},
             .attrs = {attr(keys::body, pass), attr(keys::num_carry, 1), attr(keys::length, Dim(3))}}};
      },
      .rejects = [] {
        const Type one{f64, {}};
        const Function narrow = sample_function("narrow", {one}, [](std::span<const Tensor> x) -> Tensors {
          return {core::convert(x[0], f32)};
        });
        const Function two = sample_function("two", {one, one}, [](std::span<const Tensor> x) -> Tensors {
          return {x[0], x[1]};
        });
        return std::vector<Reject>{
            {.operands = {one}, .attrs = {attr(keys::body, narrow), attr(keys::num_carry, 1), attr(keys::length, Dim(2))},
             .id = ErrorId::carry_type, .message = "changes carry 0 from f64[] to f32[]"},
            {.operands = {one, {f64, {3}}},
             .attrs = {attr(keys::body, two), attr(keys::num_carry, 1), attr(keys::length, Dim(2))},
             .id = ErrorId::shape_mismatch, .message = "`length` (2)"},
            {.operands = {one},
             .attrs = {attr(keys::body, narrow), attr(keys::num_captures, 1), attr(keys::num_carry, 1),
                       attr(keys::length, Dim(2))},
             .id = ErrorId::arity, .message = "fewer operands than captures and carries"}};
      },
  };
}

}  // namespace calx::ops

namespace calx {

ScanFlatResult scan_flat(const FlatBody& body, const Tensors& init, const Tensors& xs, ScanOptions options) {
  std::vector<Type> types = ops::types_of(init, "scan", options.where);
  std::optional<Dim> length = options.length;
  static_cast<void>(ops::types_of(xs, "scan", options.where));
  for (const Tensor& x : xs) {
    if (x.rank() == 0) {
      raise({.id = ErrorId::rank, .op = "scan", .message = "xs need an axis to cut along, but one is " + x.type().to_string(),
             .where = options.where});
    }
    if (!length) length = x.shape()[0];
    types.push_back(x.type().with_shape(x.shape().without_axis(0)));
  }
  if (!length) {
    raise({.id = ErrorId::attribute_missing, .op = "scan", .message = "a scan without xs needs `length`", .where = options.where});
  }
  const Traced traced = trace_flat(ops::arguments_of(types), body, {.name = "body"});
  Tensors operands = traced.captures;
  ops::append(operands, init);
  ops::append(operands, xs);
  static const OpDef& op = get_op("scan");
  const Tensors results =
      apply(op, operands,
            {attr(ops::keys::body, traced.function),
             attr(ops::keys::num_captures, static_cast<std::int64_t>(traced.captures.size())),
             attr(ops::keys::num_carry, static_cast<std::int64_t>(init.size())), attr(ops::keys::length, *length),
             attr(ops::keys::reverse, options.reverse)},
            options.where);
  const auto n = static_cast<std::ptrdiff_t>(init.size());
  return {{results.begin(), results.begin() + n}, {results.begin() + n, results.end()}};
}

}  // namespace calx
