// window_argmax: where the largest element of each window is. Max pooling, its derivatives of every order
// included, is a gather at these positions.
#include "calx/base/format.h"
#include "window/_support.h"

namespace calx::ops {

namespace window_argmax_parts {

using namespace window_attrs;

/// One plane: the first largest element of each window in row-major order, or the first NaN; -1 without
/// elements.
template <class T>
std::int64_t find_largest(const T* plane, const loopir::Window& w, const Ints& sizes, const Ints& output) {
  std::int64_t best = -1;
  Ints element(sizes.size(), 0);
  do {
    std::int64_t position = 0;
    bool inside = true;
    for (std::size_t a = 0; a < sizes.size() && inside; ++a) {
      const auto index = w.operand_index(a, output[a], element[a], sizes[a]);
      inside = index.has_value();
      position = position * sizes[a] + index.value_or(0);
    }
    if (!inside) continue;
    const T value = plane[position];
    if (value != value) return position;
    if (best < 0 || value > plane[best]) best = position;
  } while (ref::next_index(element, w.sizes));
  return best;
}

}  // namespace window_argmax_parts

OpDef window_argmax() {
  using namespace window_argmax_parts;
  return {
      .name = "window_argmax",
      .family = "window",
      .doc =
          {.summary = "The position of the largest element of each window, counted row-major in the plane of "
                      "the last axes.",
           .math =
               "y[n, o] = the first p in row-major order with x[n, p] = max of x[n, o * strides + e * "
               "window_dilation - "
               "padding_low] over e < window; padding and holes never win; -1 for a window without elements",
           .shapes =
               "`x: f32[b,h,w]`, window [p,q] -> `i32[b,floor((h-p)/strides)+1,floor((w-q)/strides)+1]`",
           .gradient = "none: the result is piecewise constant",
           .accuracy = "exact; the first NaN of a window is its largest element",
           .errors = "more windowed axes than axes: CALX-E201; lists of unfit lengths, sizes, strides or "
                     "dilations below 1: "
                     "CALX-E301; an index dtype that is neither i32 nor i64: CALX-E301",
           .example = "window_argmax(tensor({5, 3, 1, 2, 5}), {2})  // i32[4] [0, 1, 3, 4]",
           .source = "the indices of torch.nn.functional.max_pool2d(return_indices=True), with StableHLO's "
                     "reduce_window windows"},
      .operands = {{"x", DTypes::numeric}},
      .attrs = {window, strides, padding_low, padding_high, base_dilation, window_dilation, index_dtype},
      .form =
          Primitive{.infer =
                        [](const Call& c) {
                          Shape result = windows_shape(c);
                          require_elements(c);
                          if (c[index_dtype] != i32 && c[index_dtype] != i64)
                            c.fail(ErrorId::attribute, "`index_dtype` must be i32 or i64");
                          return Types(Type{c[index_dtype], std::move(result)});
                        },
                    .jvp = PiecewiseConstant{},
                    .linear = NotLinear{},
                    .batch = [](const BatchCall& c) -> std::vector<Batched> {
                      return {{apply_one(c.call.op(), {c.tensor(0)}, c.call.attrs(), c.call.where()), true}};
                    },
                    .simplify = NoIdentity{},
                    .reference = [](const ReferenceCall& c) -> std::vector<Array> {
                      const std::vector<Type> types = {c[0].type()};
                      const Call bound(c.op(), types, c.attrs(), c.where());
                      windows::Geometry geometry = geometry_of(bound);
                      for (std::vector<Dim>* padding : {&geometry.low, &geometry.high}) {
                        for (Dim& dim : *padding) dim = Dim(c.evaluate(dim));
                      }
                      const loopir::Window w = windows::lowered(geometry, c.evaluate(c[window]));
                      const std::size_t lead = c[0].sizes().size() - w.sizes.size();
                      const Ints plane_sizes(c[0].sizes().begin() + static_cast<std::ptrdiff_t>(lead),
                                             c[0].sizes().end());
                      const Ints all_sizes = c.sizes();
                      const Ints out_sizes(all_sizes.begin() + static_cast<std::ptrdiff_t>(lead),
                                           all_sizes.end());
                      std::int64_t planes = 1;
                      std::int64_t plane = 1;
                      for (std::size_t a = 0; a < lead; ++a) planes *= c[0].sizes()[a];
                      for (std::int64_t size : plane_sizes) plane *= size;
                      Array positions = Array::uninitialized(i64, c.sizes());
                      if (positions.num_elements() == 0) return {c.result()};
                      std::int64_t* to = positions.mutable_data<std::int64_t>();
                      const Array x = widest(c[0]);
                      visit_widest(x.dtype(), [&]<class T>(std::type_identity<T>) {
                        for (std::int64_t p = 0; p < planes; ++p) {
                          Ints output(out_sizes.size(), 0);
                          do {
                            *to++ = find_largest(x.data<T>() + p * plane, w, plane_sizes, output);
                          } while (ref::next_index(output, out_sizes));
                        }
                      });
                      return {ref::convert_array(positions, c.dtype())};
                    },
                    .lower = [](const Call& c) -> loopir::Lowered {
                      return loopir::Kernel(loopir::WindowArgReduce{lowered_window(c), false});
                    }},
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
                 .attrs = {attr(window, {Dim(2)}), attr(base_dilation, {2}), attr(window_dilation, {3}),
                           attr(index_dtype, i64)}},
                {.operands = {x({6})},
                 .attrs = {attr(window, {Dim(2)}), attr(padding_low, {Dim(3)}),
                           attr(padding_high, {Dim(-2)})}},
                {.operands = {{.shape = {6}, .dtype = i32, .draw = Draw::indices, .low = 0, .high = 3}},
                 .attrs = {attr(window, {Dim(3)})}},
                {.operands = {x({1})}, .attrs = {attr(window, {Dim(2)})}},
                {.operands = {x({0, 3})}, .attrs = {attr(window, {Dim(2)})}},
                {.operands = {x({})}, .attrs = {attr(window, std::vector<Dim>{})}}};
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
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(window, {Dim(2)}), attr(strides, {1, 1})},
                                        .id = ErrorId::attribute,
                                        .message = "`strides` has 2 entries"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(window, {Dim(2)}), attr(strides, {0})},
                                        .id = ErrorId::attribute,
                                        .message = "`strides` is 0"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(window, {Dim(2)}), attr(index_dtype, u32)},
                                        .id = ErrorId::attribute,
                                        .message = "`index_dtype`"},
                                       {.operands = {{boolean, {3}}},
                                        .attrs = {attr(window, {Dim(2)})},
                                        .id = ErrorId::dtype,
                                        .message = "`x` bool[3]"}};
          },
  };
}

}  // namespace calx::ops
