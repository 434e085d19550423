// window_argmax: where the largest element of each window is. Max pooling, its derivatives of every order
// included, is a gather at these positions.
#include "_index_dtype.h"
#include "indexing/_support.h"
#include "window/_support.h"

namespace calx::ops {

namespace window_argmax_parts {

using namespace windows;

/// Number `output` of one plane's windows: its first largest element in row-major order, or its first NaN; -1 without
/// elements.
template <class T>
std::int64_t find_largest(const T* plane, const Reads& reads, std::int64_t output) {
  std::int64_t best = -1;
  for (std::int64_t element = 0; element < reads.num_elements; ++element) {
    const std::int64_t position = reads.offsets[static_cast<std::size_t>(element * reads.num_outputs + output)];
    if (position < 0) continue;
    const T value = plane[position];
    if (value != value) return position;
    if (best < 0 || value > plane[best]) best = position;
  }
  return best;
}

std::vector<Array> reference_positions(const ReferenceCall& c) {
  Array positions = Array::uninitialized(i64, c.sizes());
  if (positions.num_elements() == 0) return {c.result()};
  const Reads reads = trace_reads(c);
  const Array x = widest(c[0]);
  visit_widest(x.dtype(), [&]<class T>(std::type_identity<T>) {
    const T* plane = x.data<T>();
    std::int64_t* to = positions.mutable_data<std::int64_t>();
    std::int64_t* const end = to + positions.num_elements();
    for (; to != end; plane += reads.num_inputs, to += reads.num_outputs) {
      for (std::int64_t output = 0; output < reads.num_outputs; ++output) to[output] = find_largest(plane, reads, output);
    }
  });
  return {ref::convert_array(positions, c.dtype())};
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
           .shapes = "`x: f32[b,h,w]`, window [p,q] -> `i32[b,floor((h-p)/strides)+1,floor((w-q)/strides)+1]`, sizes at "
                     "least 0",
           .gradient = "none: the result is piecewise constant",
           .accuracy = "exact; the first NaN of a window is its largest element",
           .errors = "more windowed axes than axes: CALX-E201; lists of unfit lengths; sizes, strides or "
                     "dilations below 1; an `index_dtype` that is neither i32 nor i64: CALX-E301",
           .example = "window_argmax(tensor({5, 3, 1, 2, 5}), {2})  // i32[4] [0, 1, 3, 4]",
           .source = "the indices of torch.nn.functional.max_pool2d(return_indices=True), with the windows "
                     "of reduce_window"},
      .operands = {{"x", DTypes::numeric}},
      .attrs = {window, strides, padding_low, padding_high, base_dilation, window_dilation, index_dtype},
      .form =
          Primitive{.infer =
                        [](const Call& c) {
                          check_windows(c, 1);
                          Dim plane(1);
                          for (const Dim& size : windowed(c.shape(0), c[window].size())) plane *= size;
                          return Types(Type{positions_dtype(c, c[index_dtype], plane), result_shape(c)});
                        },
                    .jvp = PiecewiseConstant{},
                    .linear = NotLinear{},
                    .batch = [](const BatchCall& c) -> std::vector<Batched> {
                      return {{apply_one(c.call.op(), {c.tensor(0)}, c.call.attrs(), c.call.where()), true}};
                    },
                    .simplify = NoIdentity{},
                    .reference = reference_positions,
                    .lower = [](const Call& c) -> loopir::Lowered {
                      return loopir::Kernel(loopir::WindowArgReduce{.window = lowered(c), .smallest = false});
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
                {.operands = {x({Dim::symbol("N"), Dim::symbol("H"), Dim::symbol("W")})},
                 .attrs = {attr(window, {Dim(3), Dim(2)}), attr(strides, {2, 1}), attr(padding_low, {Dim(1), Dim(0)})}},
                {.operands = {x({Dim::symbol("H"), Dim::symbol("W")})},
                 .attrs = {attr(window, {Dim(5), Dim(2)}), attr(strides, {2, 1})},
                 .note = "no window fits where H is below 5"},
                {.operands = {x({0, 1})},
                 .attrs = {attr(window, {Dim(2), Dim(1)}), attr(padding_low, {Dim(2), Dim(1)}),
                           attr(padding_high, {Dim(3), Dim(1)}), attr(base_dilation, {3, 2}),
                           attr(window_dilation, {2, 3})},
                 .note = "dilated axes of sizes 0 and 1"},
                {.operands = {x({2, 0})},
                 .attrs = {attr(window, {Dim(2)}), attr(padding_low, {Dim(1)}), attr(padding_high, {Dim(1)})},
                 .note = "a window over padding alone"},
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
                                        .message = "`window` is 0 along its axis 0"},
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
