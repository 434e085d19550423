// sort: operands sorted together along an axis, and the permutation that did it. Derivatives are gathers
// along the permutation.
#include <algorithm>
#include <functional>
#include <numeric>

#include "indexing/_cumulative.h"

namespace calx::ops {

namespace sort_parts {

constinit const Attr<std::int64_t> axis{"axis", std::int64_t{-1},
                              "the axis along which elements are sorted, in [-rank, rank)"};
constinit const Attr<std::int64_t> num_keys{"num_keys", std::int64_t{1},
                                  "operands that are compared, the first ones, one after the other", 1,
                                  std::numeric_limits<double>::infinity()};
constinit const Attr<bool> descending{"descending", false, "largest first; NaN is last in either order"};
constinit const Attr<DType> index_dtype{"index_dtype", i32, "dtype of the permutation, i32 or i64"};

/// Is a before b? NaN is after all numbers, and -0 equals +0.
template <class T>
bool before(T a, T b, bool largest_first) {
  if (a != a) return false;
  if (b != b) return true;
  return largest_first ? b < a : a < b;
}

void sort_lines(const ReferenceCall& c, std::vector<Array>& out, std::int64_t* permutation) {
  const Lines lines(c[0].sizes(), c[axis]);
  const bool largest_first = c[descending];
  const auto keys = static_cast<int>(c[num_keys]);
  std::int64_t base = 0;
  std::vector<Array> wide;
  for (int key = 0; key < keys; ++key) wide.push_back(widest(c[key]));
  std::vector<std::function<bool(std::int64_t, std::int64_t)>> compare;
  for (int key = 0; key < keys; ++key) {
    const Array& values = wide[static_cast<std::size_t>(key)];
    visit_widest(values.dtype(), [&]<class T>(std::type_identity<T>) {
      compare.emplace_back(
          [data = values.data<T>(), &base, &lines, largest_first](std::int64_t i, std::int64_t j) {
            return before(data[base + i * lines.inner], data[base + j * lines.inner], largest_first);
          });
    });
  }
  std::vector<std::int64_t> order(static_cast<std::size_t>(lines.size));
  for (std::int64_t o = 0; o < lines.outer; ++o) {
    for (std::int64_t n = 0; n < lines.inner; ++n) {
      base = o * lines.size * lines.inner + n;
      std::iota(order.begin(), order.end(), std::int64_t{0});
      std::stable_sort(order.begin(), order.end(), [&](std::int64_t i, std::int64_t j) {
        for (const auto& less : compare) {
          if (less(i, j)) return true;
          if (less(j, i)) return false;
        }
        return false;
      });
      for (std::int64_t i = 0; i < lines.size; ++i) {
        permutation[base + i * lines.inner] = order[static_cast<std::size_t>(i)];
      }
      for (int k = 0; k < c.size(); ++k) {
        visit_words(c[k].dtype(), [&]<class Word>(std::type_identity<Word>) {
          const Word* from = words<Word>(c[k]);
          Word* to = mutable_words<Word>(out[static_cast<std::size_t>(k)]);
          for (std::int64_t i = 0; i < lines.size; ++i) {
            to[base + i * lines.inner] = from[base + order[static_cast<std::size_t>(i)] * lines.inner];
          }
        });
      }
    }
  }
}

}  // namespace sort_parts

OpDef sort() {
  using namespace sort_parts;
  return {
      .name = "sort",
      .family = "indexing",
      .doc = {.summary = "Sorts tensors together along an axis, stably, by the first num_keys of them; also "
                         "gives the permutation.",
              .math = "y_k[..., i, ...] = x_k[..., p[..., i, ...], ...], p the stable order of (x_0, ..., "
                      "x_{num_keys-1})",
              .shapes = "`x: f32[a,b]`, `i32[a,b]`, ... -> the same types, then `i32[a,b]`",
              .gradient = "to each floating operand its cotangent, scattered along the permutation: ties "
                          "keep the order of their "
                          "indices; none through the permutation",
              .accuracy = "exact; NaN is last in either order; -0 and +0 are equal",
              .errors = "no operand or fewer than num_keys: CALX-E304; shapes that differ: CALX-E202; axis "
                        "outside [-rank, rank): "
                        "CALX-E203; an index dtype that is neither i32 nor i64: CALX-E301",
              .example = "sort({tensor({3, 1, 2})})  // f32[3] [1, 2, 3], i32[3] [1, 2, 0]",
              .source =
                  "jax.lax.sort with num_keys and is_stable; StableHLO sort; numpy.argsort(kind='stable')"},
      .operands = {{"x", DTypes::any, true}},
      .attrs = {axis, num_keys, descending, index_dtype},
      .results = {"sorted"},
      .form = Primitive{.infer =
                            [](const Call& c) {
                              if (c.size() < std::max<std::int64_t>(1, c[num_keys])) {
                                c.fail(ErrorId::arity, "takes at least `num_keys` operand(s)");
                              }
                              for (int k = 1; k < c.size(); ++k) require_same_shape(c, 0, k);
                              static_cast<void>(normalize_axis(c, c[axis], c.type(0).rank()));
                              if (c[index_dtype] != i32 && c[index_dtype] != i64)
                                c.fail(ErrorId::attribute, "`index_dtype` must be i32 or i64");
                              Types types(c.types().begin(), c.types().end());
                              types.push_back({c[index_dtype], c.shape(0)});
                              return types;
                            },
                        .jvp =
                            [](const Call& c, const Tangents& t) {
                              const int along = normalize_axis(c, c[axis], c.type(0).rank());
                              Tangents results;
                              for (const Tangent& one : t)
                                results.push_back(make_take_along(one, c.out(c.size()), along));
                              results.push_back(Tangent::zero(c.out(c.size()).type()));
                              return results;
                            },
                        .linear = NotLinear{},
                        .batch = [](const BatchCall& c) -> std::vector<Batched> {
                          Tensors operands;
                          for (int k = 0; k < c.call.size(); ++k) operands.push_back(c.with_batch(k));
                          const std::int64_t moved =
                              normalize_axis(c.call, c.call[axis], c.call.type(0).rank()) + 1;
                          std::vector<Batched> results;
                          for (Tensor& result : apply(c.call.op(), std::move(operands),
                                                      c.call.attrs().with(axis, moved), c.call.where())) {
                            results.push_back({std::move(result), true});
                          }
                          return results;
                        },
                        .simplify = NoIdentity{},
                        .reference = [](const ReferenceCall& c) -> std::vector<Array> {
                          std::vector<Array> out;
                          for (int k = 0; k < c.size(); ++k) out.push_back(c.result(k));
                          Array permutation = Array::uninitialized(i64, c[0].sizes());
                          sort_lines(c, out, permutation.mutable_data<std::int64_t>());
                          out.push_back(ref::convert_array(permutation, c[index_dtype]));
                          return out;
                        },
                        .lower = [](const Call& c) -> loopir::Lowered {
                          return loopir::Kernel(loopir::Sort{normalize_axis(c, c[axis], c.type(0).rank()),
                                                             static_cast<int>(c[num_keys]), c[descending]});
                        }},
      .samples =
          [] {
            const auto x = [](Shape shape) {
              return SampleOperand{.shape = std::move(shape), .draw = Draw::distinct};
            };
            const SampleOperand ties{.shape = {6}, .dtype = i32, .draw = Draw::indices, .low = 0, .high = 3};
            return std::vector<Sample>{
                {.operands = {x({5})}},
                {.operands = {x({2, 3})}, .attrs = {attr(axis, 0), attr(descending, true)}},
                {.operands = {x({3, 3}), {.shape = {3, 3}}},
                 .attrs = {attr(axis, 1), attr(index_dtype, i64)}},
                {.operands = {ties, x({6}), {.shape = {6}}}, .attrs = {attr(num_keys, 2)}},
                {.operands = {x({1})}},
                {.operands = {x({2, 0})}}};
          },
      .rejects =
          [] {
            return std::vector<Reject>{{.id = ErrorId::arity, .message = "at least"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(num_keys, 2)},
                                        .id = ErrorId::arity,
                                        .message = "`num_keys`"},
                                       {.operands = {{f32, {3}}, {f32, {4}}},
                                        .id = ErrorId::shape_mismatch,
                                        .message = "must have one shape"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(axis, 1)},
                                        .id = ErrorId::axis,
                                        .message = "`axis` is 1"},
                                       {.operands = {{f32, {}}}, .id = ErrorId::axis, .message = "of rank 0"},
                                       {.operands = {{f32, {3}}},
                                        .attrs = {attr(index_dtype, u32)},
                                        .id = ErrorId::attribute,
                                        .message = "`index_dtype`"}};
          },
  };
}

}  // namespace calx::ops
