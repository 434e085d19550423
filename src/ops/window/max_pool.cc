// max_pool: the largest element of each window, as a gather at window_argmax: value and derivatives of every
// order are gathers and scatters at those positions.
#include "indexing/_support.h"
#include "window/_support.h"

namespace calx::ops {

namespace max_pool_parts {

using namespace windows;

/// Does every window hold an element for certain?
bool always_filled(const Call& c) {
  const std::vector<Dim> sizes = c[window];
  const std::span<const Dim> plane = windowed(c.shape(0), sizes.size());
  const Geometry geometry = geometry_of(c);
  const auto surely_below = [](const Dim& lhs, const Dim& rhs) { return proven_less_equal(lhs + 1, rhs) == Proof::yes; };
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    if (geometry.base_dilation[a] != 1 || geometry.dilation[a] != 1) return false;
    // It reaches beyond either padding. Where there is no element, no window may fit into the paddings.
    const Dim& low = geometry.low[a];
    const Dim& high = geometry.high[a];
    if (!surely_below(low, sizes[a]) || !surely_below(high, sizes[a])) return false;
    if (!surely_below(0, plane[a]) && !surely_below(low + high, sizes[a])) return false;
  }
  return true;
}

Tensor lowest(const Type& type) {
  return visit_dtype(type.dtype, [&]<class T>(std::type_identity<T>) -> Tensor {
    if constexpr (std::is_integral_v<T>) {
      return core::expand(Tensor(Array::scalar<T>(std::numeric_limits<T>::lowest())), type.shape, {});
    } else {
      return core::full(type, -std::numeric_limits<double>::infinity());
    }
  });
}

}  // namespace max_pool_parts

OpDef max_pool() {
  using namespace max_pool_parts;
  return {
      .name = "max_pool",
      .family = "window",
      .doc =
          {.summary = "The largest element of each window of the last axes.",
           .math = "y[n, o] = max of x[n, o * strides + e * window_dilation - padding_low] over e < window",
           .shapes = "`x: f32[n,c,h,w]`, window [p,q] -> `f32[n,c,floor((h-p)/strides)+1,floor((w-q)/strides)+1]`, sizes "
                     "at least 0",
           .gradient = "all of it to the selected element, the first in row-major order on ties; padding "
                       "gets none; windows that "
                       "overlap add up",
           .accuracy = "exact; NaN wins; padding and holes never win: a window without elements gives -inf, "
                       "or the lowest integer",
           .errors = "more windowed axes than axes: CALX-E201; lists of unfit lengths; sizes, strides or "
                     "dilations below 1: CALX-E301",
           .example = "max_pool(tensor({5, 3, 1, 2, 5}), {2})  // f32[4] [5, 3, 2, 5]",
           .source = "torch.nn.functional.max_pool2d without ceil_mode; ONNX MaxPool; StableHLO reduce_window with maximum, but "
                     "the gradient goes to one element; the windows are those of reduce_window"},
      .operands = {{"x", DTypes::numeric}},
      .attrs = {window, strides, padding_low, padding_high, base_dilation, window_dilation},
      .form = Composite{.infer = Derived{},
                        .decompose = [](const Call& c) -> Results {
                          check_windows(c, 1);
                          const Tensor& x = c[0];
                          const std::size_t count = c[window].size();
                          const Tensor argmax = apply_one(get_op("window_argmax"), {x}, c.attrs());
                          const Tensor planes = core::reshape(x, with_flat_planes(x.shape(), count));
                          const Tensor positions = core::reshape(argmax, with_flat_planes(argmax.shape(), count));
                          const bool surely_filled = always_filled(c);
                          Tensor pooled = make_take_along(planes, positions, planes.rank() - 1,
                                                          surely_filled ? IndexMode::in_bounds : IndexMode::fill);
                          if (!surely_filled) {
                            const Tensor empty = core::compare(positions, core::zeros(positions.type()), Comparison::lt);
                            pooled = core::select(empty, lowest(pooled.type()), pooled);
                          }
                          return Results(core::reshape(pooled, argmax.shape()));
                        },
                        .jvp = Derived{},
                        .batch = Derived{},
                        .simplify = NoIdentity{},
                        .reference = Derived{},
                        .lower = Derived{}},
      .samples =
          [] {
            const auto x = [](Shape shape) {
              return SampleOperand{.shape = std::move(shape), .draw = Draw::distinct};
            };
            return std::vector<Sample>{
                {.operands = {x({5})}, .attrs = {attr(window, {Dim(2)})}},
                {.operands = {x({2, 4, 5})},
                 .attrs = {attr(window, {Dim(3), Dim(2)}), attr(strides, {2, 1}),
                           attr(padding_low, {Dim(1), Dim(0)}), attr(padding_high, {Dim(1), Dim(1)})}},
                {.operands = {x({4, 4})},
                 .attrs = {attr(window, {Dim(2)}), attr(base_dilation, {2}), attr(window_dilation, {3})}},
                {.operands = {x({3})},
                 .attrs = {attr(window, {Dim(2)}), attr(padding_low, {Dim(3)}),
                           attr(padding_high, {Dim(-1)})}},
                {.operands = {x({1})}, .attrs = {attr(window, {Dim(2)})}},
                {.operands = {x({Dim::symbol("N"), Dim::symbol("H"), Dim::symbol("W")})},
                 .attrs = {attr(window, {Dim(3), Dim(2)}), attr(strides, {2, 1}), attr(padding_low, {Dim(1), Dim(0)})}},
                {.operands = {x({Dim::symbol("H"), Dim::symbol("W")})},
                 .attrs = {attr(window, {Dim(16), Dim(2)}), attr(strides, {2, 1})},
                 .note = "no window fits where H is below 16"},
                {.operands = {x({0, 1})},
                 .attrs = {attr(window, {Dim(2), Dim(1)}), attr(padding_low, {Dim(2), Dim(1)}),
                           attr(padding_high, {Dim(3), Dim(1)}), attr(base_dilation, {3, 2}),
                           attr(window_dilation, {2, 3})},
                 .note = "dilated axes of sizes 0 and 1"},
                {.operands = {x({2, 0})},
                 .attrs = {attr(window, {Dim(2)}), attr(padding_low, {Dim(1)}), attr(padding_high, {Dim(1)})},
                 .note = "a window over padding alone"},
                {.operands = {x({0, 3})}, .attrs = {attr(window, {Dim(2)})}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.operands = {{f32, {3}}},
                                        .attrs = {attr(window, {Dim(2), Dim(2)})},
                                        .id = ErrorId::rank,
                                        .message = "`window` has 2 entries"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(window, {Dim(0)})},
                                        .id = ErrorId::attribute,
                                        .message = "`window` is 0 along its axis 0"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(window, {Dim(2)}), attr(padding_high, {Dim(1), Dim(1)})},
                                        .id = ErrorId::attribute,
                                        .message = "`padding_high` has 2 entries"},
                                       {.operands = {{boolean, {3}}},
                                        .attrs = {attr(window, {Dim(2)})},
                                        .id = ErrorId::dtype,
                                        .message = "`x` bool[3]"}};
          },
  };
}

}  // namespace calx::ops
