// max_pool: the largest element of each window, as a gather at window_argmax: value and derivatives of every
// order are gathers and scatters at those positions.
#include "window/_support.h"

namespace calx::ops {

namespace max_pool_parts {

using namespace window_attrs;

/// Does every window hold an element for certain?
bool always_filled(const Attrs& attrs) {
  for (const Ints& distances : {attrs[base_dilation], attrs[window_dilation]}) {
    for (std::int64_t distance : distances) {
      if (distance != 1) return false;
    }
  }
  const std::vector<Dim> sizes = attrs[window];
  for (const std::vector<Dim>& padding : {attrs[padding_low], attrs[padding_high]}) {
    for (std::size_t a = 0; a < padding.size(); ++a) {
      if (proven_less_equal(padding[a] + Dim(1), sizes[a]) != Proof::yes) return false;
    }
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
           .shapes =
               "`x: f32[n,c,h,w]`, window [p,q] -> `f32[n,c,floor((h-p)/strides)+1,floor((w-q)/strides)+1]`",
           .gradient = "all of it to the selected element, the first in row-major order on ties; padding "
                       "gets none; windows that "
                       "overlap add up",
           .accuracy = "exact; NaN wins; padding and holes never win: a window without elements gives -inf, "
                       "or the lowest integer",
           .errors = "as window_argmax: CALX-E201, CALX-E301",
           .example = "max_pool(tensor({5, 3, 1, 2, 5}), {2})  // f32[4] [5, 3, 2, 5]",
           .source = "torch.nn.functional.max_pool2d without ceil_mode; ONNX MaxPool; StableHLO "
                     "reduce_window with maximum, but "
                     "the gradient goes to one element"},
      .operands = {{"x", DTypes::numeric}},
      .attrs = {window, strides, padding_low, padding_high, base_dilation, window_dilation},
      .form = Composite{.infer = Derived{},
                        .decompose = [](const Call& c) -> Results {
                          const Tensor& x = c[0];
                          const int lead = x.rank() - static_cast<int>(c[window].size());
                          Dim plane(1);
                          for (int axis = std::max(lead, 0); axis < x.rank(); ++axis)
                            plane *= x.shape()[axis];
                          const std::optional<std::int64_t> known = plane.constant();
                          const bool wide = known && *known > std::numeric_limits<std::int32_t>::max();
                          const Tensor argmax = apply_one(get_op("window_argmax"), {x},
                                                          c.attrs().with(index_dtype, wide ? i64 : i32));
                          std::vector<Dim> flat(x.shape().begin(), x.shape().begin() + lead);
                          std::vector<Dim> flat_result = flat;
                          flat.push_back(plane);
                          Dim windows(1);
                          for (int axis = lead; axis < argmax.rank(); ++axis) windows *= argmax.shape()[axis];
                          flat_result.push_back(windows);
                          const Tensor positions = core::reshape(argmax, Shape(flat_result));
                          const bool surely_filled = always_filled(c.attrs());
                          Tensor pooled =
                              make_take_along(core::reshape(x, Shape(flat)), positions, lead,
                                              surely_filled ? IndexMode::in_bounds : IndexMode::fill);
                          if (!surely_filled) {
                            const Tensor empty =
                                core::compare(positions, core::zeros(positions.type()), Comparison::lt);
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
                                        .message = "is 0, below 1"},
                                       {.operands = {{boolean, {3}}},
                                        .attrs = {attr(window, {Dim(2)})},
                                        .id = ErrorId::dtype,
                                        .message = "`x` bool[3]"}};
          },
  };
}

}  // namespace calx::ops
