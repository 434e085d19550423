// avg_pool: window sums divided by the number of elements. The numbers depend on sizes alone, so value and
// derivatives of every order are window sums.
#include "_accumulation.h"
#include "window/_support.h"

namespace calx::ops {

namespace avg_pool_parts {

using namespace window_attrs;

constinit const Attr<bool> count_include_pad{
    "count_include_pad", true,
    "divide by the size of the window, padding and holes counted as zeros; false: by how many elements of x "
    "are in it"};

/// Sums over the windows of c.
Tensor window_sums(const Call& c, const Tensor& x) {
  return apply_one(get_op("reduce_window"), {x},
                   {attr(window, c[window]), attr(strides, c[strides]), attr(padding_low, c[padding_low]),
                    attr(padding_high, c[padding_high]), attr(base_dilation, c[base_dilation]),
                    attr(window_dilation, c[window_dilation])});
}

/// By what the sums of `shape` are divided.
Tensor divisors(const Call& c, DType dtype, const Shape& shape) {
  const std::vector<Dim> sizes = c[window];
  if (c[count_include_pad]) {
    Dim elements(1);
    for (const Dim& size : sizes) elements *= size;
    return core::expand(core::size(elements, dtype), shape, {});
  }
  // The same for every plane.
  const int lead = shape.rank() - static_cast<int>(sizes.size());
  std::vector<Dim> plane;
  Ints axes;
  for (int axis = lead; axis < shape.rank(); ++axis) {
    plane.push_back(c.shape(0)[axis]);
    axes.push_back(axis);
  }
  return core::expand(window_sums(c, core::ones({dtype, Shape(std::move(plane))})), shape, axes);
}

}  // namespace avg_pool_parts

OpDef avg_pool() {
  using namespace avg_pool_parts;
  return {
      .name = "avg_pool",
      .family = "window",
      .doc =
          {.summary = "The mean of each window of the last axes.",
           .math = "y[n, o] = sum over e < window of x[n, o * strides + e * window_dilation - padding_low] / "
                   "count",
           .shapes =
               "`x: f32[n,c,h,w]`, window [p,q] -> `f32[n,c,floor((h-p)/strides)+1,floor((w-q)/strides)+1]`",
           .gradient =
               "the cotangent / count to every element of the window; padding gets none; windows that "
               "overlap add up",
           .accuracy = "summed in the fixed order and divided in `accumulation` (f32 for f16 and bf16), "
                       "converted once; without count_include_pad a window that holds no element gives NaN, "
                       "with derivative 0",
           .errors = "more windowed axes than axes: CALX-E201; lists of unfit lengths, sizes, strides or "
                     "dilations below 1: CALX-E301; another kind of dtype, or an `accumulation` that nothing "
                     "is accumulated in: CALX-E101",
           .example = "avg_pool(tensor({5, 3, 1, 2, 6}), {2})  // f32[4] [4, 2, 1.5, 4]",
           .source =
               "torch.nn.functional.avg_pool2d and flax.linen.avg_pool, whose count_include_pad this is, "
               "without ceil_mode; ONNX AveragePool has it off by default"},
      .operands = {{"x", DTypes::floating}},
      .attrs = {window, strides, padding_low, padding_high, base_dilation, window_dilation, count_include_pad,
                accumulation},
      .form = Composite{.infer = Derived{},
                        .decompose = [](const Call& c) -> Results {
                          static_cast<void>(geometry_of(c));
                          require_elements(c);
                          check_accumulation(c);
                          const DType running = running_dtype(c[accumulation], c.dtype(0));
                          const Tensor sums = window_sums(c, core::convert(c[0], running));
                          const Tensor means = core::div(sums, divisors(c, running, sums.shape()));
                          return Results(core::convert(means, c.dtype(0)));
                        },
                        .jvp = Derived{},
                        .batch = Derived{},
                        .simplify = NoIdentity{},
                        .reference = Derived{},
                        .lower = Derived{}},
      .samples =
          [] {
            const auto all = [](bool counts_padding) {
              return std::vector<Sample>{
                  {.operands = {{.shape = {2, 4, 5}}},
                   .attrs = {attr(window, {Dim(3), Dim(2)}), attr(strides, {2, 1}),
                             attr(padding_low, {Dim(1), Dim(0)}), attr(padding_high, {Dim(1), Dim(1)}),
                             attr(count_include_pad, counts_padding)}},
                  {.operands = {{.shape = {4, 4}}},
                   .attrs = {attr(window, {Dim(2)}), attr(base_dilation, {2}), attr(window_dilation, {2}),
                             attr(count_include_pad, counts_padding)}},
                  {.operands = {{.shape = {3}}},
                   .attrs = {attr(window, {Dim(2)}), attr(padding_low, {Dim(3)}),
                             attr(padding_high, {Dim(-1)}), attr(count_include_pad, counts_padding)},
                   .note = "windows wholly in the padding, and a crop"},
                  {.operands = {{.shape = {0, 3}}},
                   .attrs = {attr(window, {Dim(2)}), attr(count_include_pad, counts_padding)}}};
            };
            std::vector<Sample> samples = all(true);
            for (Sample& sample : all(false)) samples.push_back(std::move(sample));
            const Dim batch = Dim::symbol("B");
            for (const bool counts_padding : {true, false}) {
              samples.push_back(
                  {.operands = {{.shape = {batch, Dim::symbol("H"), Dim::symbol("W")}}},
                   .attrs = {attr(window, {Dim(2), Dim(2)}), attr(strides, {2, 1}),
                             attr(padding_low, {Dim(1), Dim(0)}), attr(count_include_pad, counts_padding)}});
            }
            samples.push_back({.operands = {{.shape = {5}}}, .attrs = {attr(window, {Dim(2)})}});
            samples.push_back(
                {.operands = {{.shape = {1}}}, .attrs = {attr(window, {Dim(2)})}, .note = "no window fits"});
            samples.push_back({.operands = {{.shape = {6}, .dtype = f16}},
                               .attrs = {attr(window, {Dim(3)}), attr(accumulation, f64)}});
            return samples;
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.operands = {{f32, {3}}},
                                        .attrs = {attr(window, {Dim(2), Dim(2)})},
                                        .id = ErrorId::rank,
                                        .message = "`window` has 2 entries"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(window, {Dim(2)}), attr(strides, {1, 1})},
                                        .id = ErrorId::attribute,
                                        .message = "`strides` has 2 entries"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(window, {Dim(0)})},
                                        .id = ErrorId::attribute,
                                        .message = "is 0, below 1"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(window, {Dim(2)}), attr(strides, {0})},
                                        .id = ErrorId::attribute,
                                        .message = "`strides` is 0"},
                                       {.operands = {{i32, {3}}},
                                        .attrs = {attr(window, {Dim(2)})},
                                        .id = ErrorId::dtype,
                                        .message = "`x` i32[3]"},
                                       {.operands = {{f16, {3}}},
                                        .attrs = {attr(window, {Dim(2)}), attr(accumulation, f16)},
                                        .id = ErrorId::dtype,
                                        .message = "`accumulation` f16"}};
          },
  };
}

}  // namespace calx::ops
