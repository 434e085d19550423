#include "reduction/_support.h"
#include "shape/_support.h"

namespace calx::ops {

using namespace reduction;

namespace {

constinit const Attr<bool> reverse{"reverse", false, "run from the last element to the first"};
constinit const Attr<bool> shifted_factors{"shifted", false,
                                 "element i uses the factor of the element before it instead of its own"};
constinit const Attr<bool> exclusive{"exclusive", false, "the result at element i is that before it, 0 at the first"};

/// The same recurrence with other factors and terms.
Tensor again(const Call& c, const Tensor& factors, const Tensor& terms, bool is_shifted, bool is_exclusive) {
  return apply_one(c.op(), {factors, terms},
                   c.attrs().with(shifted_factors, is_shifted).with(exclusive, is_exclusive));
}

/// Each element put where the next one of the recurrence is, or the one before; 0 comes in.
Tangent moved(const Call& c, const Tangent& t, bool to_next) {
  return make_shift(t, normalize_axis(c, c[axis], c.type(0).rank()), to_next != c[reverse] ? 1 : -1);
}

}  // namespace

// Closed under differentiation: with s the inclusive states,
//   own factor:     ds_i = a_i ds_{i-1} + (da_i s_{i-1} + db_i)
//   shifted factor: ds_i = a_{i-1} ds_{i-1} + (da_{i-1} s_{i-1} + db_i)
// where s_{i-1} is the exclusive form. The transpose in the terms runs the other way with the other kind of
// factor.
OpDef linear_recurrence() {
  return {
      .name = "linear_recurrence",
      .family = "reduction",
      .doc = {.summary = "Running states of a linear recurrence along an axis.",
              .math = "s_i = factors_i * s_{i-1} + terms_i with s_{-1} = 0 (shifted: factors_{i-1}); y_i = "
                      "s_i (exclusive: s_{i-1})",
              .shapes = "`factors: f32[a,n]`, `terms: f32[a,n]` -> `f32[a,n]`",
              .gradient =
                  "linear recurrences again, at every order; no division, so exact where factors are 0",
              .accuracy = "each product (in which a zero wins over infinity and NaN) and sum rounded once, "
                          "in f32 for f16 and "
                          "bf16; the states rounded once at the end",
              .errors = "axis outside [-rank, rank): CALX-E203; shapes that differ: CALX-E202; another kind "
                        "of dtype: CALX-E101",
              .example = "linear_recurrence(tensor({1, 2, 3}), tensor({1, 1, 1}))  // f32[3] [1, 3, 10]",
              .source = "Blelloch (1990), section 1.4; cumulative products, discounted sums and state-space "
                        "layers are of this form"},
      .operands = {{"factors", DTypes::floating}, {"terms", DTypes::floating}},
      .attrs = {axis, reverse, shifted_factors, exclusive},
      .form =
          Primitive{
              .infer =
                  [](const Call& c) {
                    require_same_dtype(c, 0, 1);
                    require_same_shape(c, 0, 1);
                    static_cast<void>(normalize_axis(c, c[axis], c.type(0).rank()));
                    return Types(c.type(0));
                  },
              .jvp =
                  [](const Call& c, const Tangents& t) {
                    const Tensor& a = c[0];
                    Tangent terms = t[1];
                    Tangent result = Tangent::zero(c.type(0));
                    if (!t[0].is_zero()) {
                      if (c[shifted_factors]) {
                        // The product at the place before, moved one on.
                        terms += moved(c, again(c, a, c[1], true, false) * t[0], true);
                      } else {
                        terms += again(c, a, c[1], false, true) * t[0];
                      }
                    }
                    if (!terms.is_zero())
                      result = Tangent(again(c, a, terms.tensor(), c[shifted_factors], c[exclusive]));
                    return Tangents(result);
                  },
              .linear =
                  LinearIn{{{1}},
                           [](const Call& c, int, const Tangents& ct) {
                             if (ct[0].is_zero()) return Tangents(Tangent::zero(c.type(1)));
                             const Tensor& a = c[0];
                             const Attrs back = c.attrs().with(reverse, !c[reverse]);
                             // The exclusive form is a move after the inclusive one: its transpose moves back
                             // first.
                             const Tangent cotangent = c[exclusive] ? moved(c, ct[0], false) : ct[0];
                             return Tangents(Tangent(apply_one(
                                 c.op(), {a, cotangent.tensor()},
                                 back.with(shifted_factors, !c[shifted_factors]).with(exclusive, false))));
                           }},
              .batch = [](const BatchCall& c) -> std::vector<Batched> {
                const int own = normalize_axis(c.call, c.call[axis], c.call.type(0).rank());
                return {{apply_one(c.call.op(), {c.with_batch(0), c.with_batch(1)},
                                   c.call.attrs().with(axis, own + 1), c.call.where()),
                         true}};
              },
              .simplify = NoIdentity{},
              .reference = [](const ReferenceCall& c) -> std::vector<Array> {
                Array out = c.result();
                const std::vector<std::int64_t> sizes = c.sizes();
                const auto along = static_cast<std::size_t>(
                    c[axis] < 0 ? c[axis] + static_cast<std::int64_t>(sizes.size()) : c[axis]);
                std::int64_t outer = 1;
                std::int64_t inner = 1;
                for (std::size_t i = 0; i < sizes.size(); ++i)
                  (i < along ? outer : inner) *= i == along ? 1 : sizes[i];
                const std::int64_t n = sizes[along];
                ref::visit<DTypes::floating>(c.dtype(), [&]<class T>(std::type_identity<T>) {
                  using S = ComputeType<T>;
                  const T* factors = c[0].data<T>();
                  const T* terms = c[1].data<T>();
                  T* to = out.mutable_data<T>();
                  for (std::int64_t row = 0; row < outer * inner; ++row) {
                    const std::int64_t base = row / inner * n * inner + row % inner;
                    S state = 0;
                    for (std::int64_t step = 0; step < n; ++step) {
                      const auto at = [&](std::int64_t k) {
                        return base + (c[reverse] ? n - 1 - k : k) * inner;
                      };
                      S next = static_cast<S>(terms[at(step)]);
                      if (step > 0) {
                        const S factor = static_cast<S>(factors[at(c[shifted_factors] ? step - 1 : step)]);
                        next = math::add(math::strong_mul(factor, state), next);
                      }
                      to[at(step)] = static_cast<T>(c[exclusive] ? state : next);
                      state = next;
                    }
                  }
                });
                return {std::move(out)};
              },
              .lower = NotInterpretable{"each state depends on the one before; loopir has no such loop yet"}},
      .samples =
          [] {
            std::vector<Sample> samples;
            for (int i = 0; i < 8; ++i) {
              samples.push_back({.operands = {{.shape = {2, 4}}, {.shape = {2, 4}}},
                                 .attrs = {attr(reverse, (i & 1) != 0), attr(shifted_factors, (i & 2) != 0),
                                           attr(exclusive, (i & 4) != 0)}});
            }
            samples.push_back({.operands = {{.shape = {3, 2}}, {.shape = {3, 2}}}, .attrs = {attr(axis, 0)}});
            samples.push_back({.operands = {{.shape = {1}}, {.shape = {1}}}});
            samples.push_back({.operands = {{.shape = {2, 0}}, {.shape = {2, 0}}},
                               .attrs = {attr(shifted_factors, true), attr(exclusive, true)}});
            return samples;
          },
      .rejects =
          [] {
            return std::vector<Reject>{
                {.operands = {{f32, {3}}, {f32, {3}}},
                 .attrs = {attr(axis, 1)},
                 .id = ErrorId::axis,
                 .message = "`axis` is 1"},
                {.operands = {{f32, {3}}, {f32, {4}}},
                 .id = ErrorId::shape_mismatch,
                 .message = "`terms` f32[4]"},
                {.operands = {{i32, {3}}, {i32, {3}}}, .id = ErrorId::dtype, .message = "`factors`"}};
          },
  };
}

}  // namespace calx::ops
