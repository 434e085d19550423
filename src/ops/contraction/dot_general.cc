// dot_general: the contraction that matmul, einsum and linear layers become. Its batch rule and its
// transposes are dot_generals and transposes again. The order of its sums is loopir's dot().
#include "calx/core/bind.h"
#include "calx/loopir/summation.h"
#include "contraction/_support.h"

namespace calx::ops {
namespace {

using contraction::other_axes;
using Axes = std::vector<std::int64_t>;

constinit const Attr<Axes> lhs_batch{"lhs_batch", Axes{}, "axes of lhs that pair with rhs_batch and stay"};
constinit const Attr<Axes> rhs_batch{"rhs_batch", Axes{}, "axes of rhs that pair with lhs_batch and stay"};
constinit const Attr<Axes> lhs_contract{"lhs_contract", Axes{},
                              "axes of lhs that pair with rhs_contract and are summed over"};
constinit const Attr<Axes> rhs_contract{"rhs_contract", Axes{},
                              "axes of rhs that pair with lhs_contract and are summed over"};

/// The axes of one operand by what becomes of them.
struct Side {
  Axes batch;
  Axes contract;
  Axes free;
};

Side lhs_side(const Attrs& attrs, int rank) {
  return {attrs[lhs_batch], attrs[lhs_contract], other_axes(rank, attrs[lhs_batch], attrs[lhs_contract])};
}
Side rhs_side(const Attrs& attrs, int rank) {
  return {attrs[rhs_batch], attrs[rhs_contract], other_axes(rank, attrs[rhs_batch], attrs[rhs_contract])};
}

Axes shifted(Axes axes, std::int64_t by) {
  for (std::int64_t& axis : axes) axis += by;
  return axes;
}

Axes counting(std::int64_t first, std::size_t count) {
  Axes axes(count);
  for (std::size_t i = 0; i < count; ++i) axes[i] = first + static_cast<std::int64_t>(i);
  return axes;
}

Attrs::Entry entry(const Attr<Axes>& key, Axes axes) { return attr(key, std::move(axes)); }

void check_axes(const Call& c, int operand, const Attr<Axes>& batch, const Attr<Axes>& contract) {
  const int rank = c.type(operand).rank();
  Axes all;
  for (const Attr<Axes>* key : {&batch, &contract}) {
    for (std::int64_t axis : c[*key]) {
      if (normalize_axis(c, axis, rank, key->name) != axis) {
        c.fail(ErrorId::axis, "`" + std::string(key->name) + "` must not be negative");
      }
      all.push_back(axis);
    }
  }
  static_cast<void>(
      normalize_axes(c, all, rank, std::string(batch.name) + "` and `" + std::string(contract.name)));
}

void check_pairs(const Call& c, const Attr<Axes>& left, const Attr<Axes>& right, std::string_view what,
                 ErrorId id) {
  if (c[left].size() != c[right].size()) {
    c.fail(ErrorId::attribute,
           "`" + std::string(left.name) + "` and `" + std::string(right.name) + "` must name as many axes");
  }
  for (std::size_t i = 0; i < c[left].size(); ++i) {
    const Dim& a = c.shape(0)[static_cast<int>(c[left][i])];
    const Dim& b = c.shape(1)[static_cast<int>(c[right][i])];
    require_equal(c, a, b, "the " + std::string(what) + " size of `lhs` " + c.type(0).to_string(),
                  "that of `rhs` " + c.type(1).to_string(), id);
  }
}

Types infer_dot(const Call& c) {
  require_same_dtype(c, 0, 1);
  check_axes(c, 0, lhs_batch, lhs_contract);
  check_axes(c, 1, rhs_batch, rhs_contract);
  check_pairs(c, lhs_batch, rhs_batch, "batch", ErrorId::shape_mismatch);
  check_pairs(c, lhs_contract, rhs_contract, "contracted", ErrorId::contracted_size);
  check_accumulation(c);
  const Side lhs = lhs_side(c.attrs(), c.type(0).rank());
  const Side rhs = rhs_side(c.attrs(), c.type(1).rank());
  std::vector<Dim> dims;
  for (std::int64_t axis : lhs.batch) dims.push_back(c.shape(0)[static_cast<int>(axis)]);
  for (std::int64_t axis : lhs.free) dims.push_back(c.shape(0)[static_cast<int>(axis)]);
  for (std::int64_t axis : rhs.free) dims.push_back(c.shape(1)[static_cast<int>(axis)]);
  return Types(Type{c.dtype(0), Shape(std::move(dims))});
}

/// The cotangent of `target`, given the other operand: contract the cotangent's axes that came from `other`
/// with other's free axes; what is left of it are batch axes, target's free axes and, in other's order, the
/// contracted axes.
Tangent transpose_dot(const Call& c, const Tangent& ct, int group) {
  if (ct.is_zero()) return Tangent::zero(c.type(group));
  const Side lhs = lhs_side(c.attrs(), c.type(0).rank());
  const Side rhs = rhs_side(c.attrs(), c.type(1).rank());
  const Side& target = group == 0 ? lhs : rhs;
  const Side& other = group == 0 ? rhs : lhs;
  const std::size_t num_batch = target.batch.size();
  const auto first_other = static_cast<std::int64_t>(num_batch + (group == 0 ? lhs.free.size() : 0));
  const Tensor product = apply_one(c.op(), {ct.tensor(), c[1 - group]},
                                   {entry(lhs_batch, counting(0, num_batch)), entry(rhs_batch, other.batch),
                                    entry(lhs_contract, counting(first_other, other.free.size())),
                                    entry(rhs_contract, other.free), attr(accumulation, c[accumulation])},
                                   c.where());
  Axes order(static_cast<std::size_t>(c.type(group).rank()));
  std::int64_t position = 0;
  for (std::int64_t axis : target.batch) order[static_cast<std::size_t>(axis)] = position++;
  for (std::int64_t axis : target.free) order[static_cast<std::size_t>(axis)] = position++;
  for (std::int64_t axis = 0; axis < c.type(1 - group).rank(); ++axis) {
    for (std::size_t i = 0; i < other.contract.size(); ++i) {
      if (other.contract[i] == axis) order[static_cast<std::size_t>(target.contract[i])] = position++;
    }
  }
  return Tangent(std::is_sorted(order.begin(), order.end()) ? product : core::transpose(product, order));
}

std::vector<Batched> batch_dot(const BatchCall& c) {
  const Attrs& attrs = c.call.attrs();
  const bool left = c.batched(0);
  const bool right = c.batched(1);
  if (!left && !right)
    return {{apply_one(c.call.op(), {c.tensor(0), c.tensor(1)}, attrs, c.call.where()), false}};
  Axes lhs_batched = shifted(attrs[lhs_batch], left ? 1 : 0);
  Axes rhs_batched = shifted(attrs[rhs_batch], right ? 1 : 0);
  if (left && right) {
    lhs_batched.insert(lhs_batched.begin(), 0);
    rhs_batched.insert(rhs_batched.begin(), 0);
  }
  const Tensor product = apply_one(c.call.op(), {c.tensor(0), c.tensor(1)},
                                   {entry(lhs_batch, lhs_batched), entry(rhs_batch, rhs_batched),
                                    entry(lhs_contract, shifted(attrs[lhs_contract], left ? 1 : 0)),
                                    entry(rhs_contract, shifted(attrs[rhs_contract], right ? 1 : 0)),
                                    attr(accumulation, attrs[accumulation])},
                                   c.call.where());
  // With one batched operand the batch axis is the first free axis of that operand.
  int from = 0;
  if (!right) from = static_cast<int>(lhs_batched.size());
  if (!left) from = c.call.type(0).rank() - static_cast<int>(attrs[lhs_contract].size());
  return {{core::move_axis(product, from, 0), true}};
}

/// One operand as matrices: element (batch index, i, p) at batch offset + i * row_stride + p * column_stride.
struct Matrices {
  Array data;
  std::vector<std::int64_t> batch_strides;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 0;
};

/// The stride of several axes counted as one, if there is one.
std::optional<std::int64_t> joint_stride(const Axes& axes, const std::vector<std::int64_t>& sizes,
                                         const std::vector<std::int64_t>& strides) {
  std::int64_t stride = 0;
  std::int64_t expected = -1;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const auto axis = static_cast<std::size_t>(axes[i]);
    if (sizes[axis] == 1) continue;
    if (expected < 0) {
      stride = strides[axis];
    } else if (strides[axis] != expected) {
      return std::nullopt;
    }
    expected = strides[axis] * sizes[axis];
  }
  return stride;
}

Matrices arrange(const Array& x, const Side& side) {
  const std::vector<std::int64_t> strides = row_major_strides(x.sizes());
  const auto rows = joint_stride(side.free, x.sizes(), strides);
  const auto columns = joint_stride(side.contract, x.sizes(), strides);
  Matrices result;
  if (rows && columns) {
    result.data = x;
    for (std::int64_t axis : side.batch)
      result.batch_strides.push_back(strides[static_cast<std::size_t>(axis)]);
    result.row_stride = *rows;
    result.column_stride = *columns;
    return result;
  }
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> order;
  std::int64_t depth = 1;
  for (const Axes* axes : {&side.batch, &side.free, &side.contract}) {
    for (std::int64_t axis : *axes) {
      sizes.push_back(x.sizes()[static_cast<std::size_t>(axis)]);
      order.push_back(strides[static_cast<std::size_t>(axis)]);
      if (axes == &side.contract) depth *= sizes.back();
    }
  }
  result.data = ref::copy_strided(x, sizes, 0, order);
  const std::vector<std::int64_t> own = row_major_strides(sizes);
  result.batch_strides.assign(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(side.batch.size()));
  result.row_stride = depth;
  result.column_stride = 1;
  return result;
}

std::int64_t count_of(const Axes& axes, const std::vector<std::int64_t>& sizes) {
  std::int64_t count = 1;
  for (std::int64_t axis : axes) count *= sizes[static_cast<std::size_t>(axis)];
  return count;
}

std::vector<Array> reference_dot(const ReferenceCall& c) {
  const Side lhs_axes = lhs_side(c.attrs(), c[0].rank());
  const Side rhs_axes = rhs_side(c.attrs(), c[1].rank());
  const DType running = running_dtype(c[accumulation], c[0].dtype());
  const Matrices lhs = arrange(contraction::converted(c[0], running), lhs_axes);
  const Matrices rhs = arrange(contraction::converted(c[1], running), rhs_axes);
  Array out = Array::uninitialized(running, c.sizes());
  const std::int64_t m = count_of(lhs_axes.free, c[0].sizes());
  const std::int64_t n = count_of(rhs_axes.free, c[1].sizes());
  const std::int64_t k = count_of(lhs_axes.contract, c[0].sizes());
  if (out.num_elements() == 0) return {contraction::converted(out, c.dtype())};
  std::vector<std::int64_t> batch_sizes;
  for (std::int64_t axis : lhs_axes.batch)
    batch_sizes.push_back(c[0].sizes()[static_cast<std::size_t>(axis)]);
  visit_running(running, [&]<class T>(std::type_identity<T>) {
    const T* left = lhs.data.data<T>();
    const T* right = rhs.data.data<T>();
    T* to = out.mutable_data<T>();
    std::vector<std::int64_t> index(batch_sizes.size(), 0);
    do {
      std::int64_t left_offset = 0;
      std::int64_t right_offset = 0;
      for (std::size_t axis = 0; axis < index.size(); ++axis) {
        left_offset += index[axis] * lhs.batch_strides[axis];
        right_offset += index[axis] * rhs.batch_strides[axis];
      }
      loopir::matmul<T>(m, n, k, {left + left_offset, lhs.row_stride, lhs.column_stride},
                        {right + right_offset, rhs.column_stride, rhs.row_stride}, {to, n, 1});
      to += m * n;
    } while (ref::next_index(index, batch_sizes));
  });
  return {contraction::converted(out, c.dtype())};
}

loopir::Axes plain(const Axes& axes) { return {axes.begin(), axes.end()}; }

std::vector<Sample> dot_samples() {
  const Attrs matrix = {entry(lhs_contract, {1}), entry(rhs_contract, {0})};
  return {{.operands = {{.shape = {2, 3}}, {.shape = {3, 4}}}, .attrs = matrix},
          {.operands = {{.shape = {3, 3}}, {.shape = {3, 3}}}, .attrs = matrix},
          {.operands = {{.shape = {3}}, {.shape = {3}}},
           .attrs = {entry(lhs_contract, {0}), entry(rhs_contract, {0})}},
          {.operands = {{.shape = {2, 3}}, {.shape = {4}}}, .attrs = {}, .note = "outer product"},
          {.operands = {{}, {}}, .attrs = {}, .note = "rank 0"},
          {.operands = {{.shape = {2, 3, 4}}, {.shape = {4, 2, 5}}},
           .attrs = {entry(lhs_batch, {0}), entry(rhs_batch, {1}), entry(lhs_contract, {2}),
                     entry(rhs_contract, {0})}},
          {.operands = {{.shape = {3, 2, 4, 2}}, {.shape = {2, 4, 3}}},
           .attrs = {entry(lhs_batch, {1}), entry(rhs_batch, {0}), entry(lhs_contract, {2, 0}),
                     entry(rhs_contract, {1, 2})},
           .note = "two contracted axes, in another order"},
          {.operands = {{.shape = {2, 0}}, {.shape = {0, 3}}}, .attrs = matrix, .note = "an empty sum"},
          {.operands = {{.shape = {0, 2}}, {.shape = {2, 3}}}, .attrs = matrix},
          {.operands = {{.shape = {1, 1}}, {.shape = {1, 1}}}, .attrs = matrix},
          {.operands = {{.shape = {2, 3}, .dtype = f16}, {.shape = {3, 2}, .dtype = f16}},
           .attrs = {entry(lhs_contract, {1}), entry(rhs_contract, {0}), attr(accumulation, f64)}}};
}

std::vector<Reject> dot_rejects() {
  const Attrs matrix = {entry(lhs_contract, {1}), entry(rhs_contract, {0})};
  return {{.operands = {{f32, {8, 3}}, {f32, {4, 5}}},
           .attrs = matrix,
           .id = ErrorId::contracted_size,
           .message = "`lhs` f32[8,3]"},
          {.operands = {{f32, {2, 8, 3}}, {f32, {3, 3, 5}}},
           .attrs = {entry(lhs_batch, {0}), entry(rhs_batch, {0}), entry(lhs_contract, {2}),
                     entry(rhs_contract, {1})},
           .id = ErrorId::shape_mismatch,
           .message = "batch size"},
          {.operands = {{f32, {8, 3}}, {f32, {3, 5}}},
           .attrs = {entry(lhs_contract, {2}), entry(rhs_contract, {0})},
           .id = ErrorId::axis,
           .message = "`lhs_contract` is 2"},
          {.operands = {{f32, {8, 3}}, {f32, {3, 5}}},
           .attrs = {entry(lhs_contract, {-1}), entry(rhs_contract, {0})},
           .id = ErrorId::axis,
           .message = "must not be negative"},
          {.operands = {{f32, {3, 3}}, {f32, {3, 3}}},
           .attrs = {entry(lhs_batch, {1}), entry(rhs_batch, {1}), entry(lhs_contract, {1}),
                     entry(rhs_contract, {0})},
           .id = ErrorId::duplicate_axis,
           .message = "lhs_contract"},
          {.operands = {{f32, {3, 3}}, {f32, {3, 3}}},
           .attrs = {entry(lhs_contract, {1})},
           .id = ErrorId::attribute,
           .message = "as many axes"},
          {.operands = {{f32, {2, 3}}, {i32, {3, 2}}},
           .attrs = matrix,
           .id = ErrorId::dtype_mismatch,
           .message = "`rhs` i32[3,2]"},
          {.operands = {{boolean, {2, 3}}, {boolean, {3, 2}}},
           .attrs = matrix,
           .id = ErrorId::dtype,
           .message = "`lhs` bool[2,3]"},
          {.operands = {{f32, {2, 3}}, {f32, {3, 2}}},
           .attrs = {entry(lhs_contract, {1}), entry(rhs_contract, {0}), attr(accumulation, f16)},
           .id = ErrorId::dtype,
           .message = "`accumulation` f16"}};
}

}  // namespace

OpDef dot_general() {
  return {
      .name = "dot_general",
      .family = "contraction",
      .doc =
          {.summary = "Sums products over paired axes of two tensors; other paired axes are batch axes.",
           .math = "y[b, i, j] = sum over k of lhs[b, i, k] * rhs[b, j, k], for any order of the axes",
           .shapes = "`lhs: f32[b,m,k]`, `rhs: f32[b,k,n]` -> `f32[b,m,n]`: batch axes, the other axes of "
                     "lhs, those of rhs",
           .gradient = "dot_general of the cotangent and the other operand; products are IEEE's, so 0 times "
                       "inf is NaN",
           .accuracy = "fused multiply-adds in the fixed order, in `accumulation` (f32 for f16 and bf16, i32 "
                       "or u32 for "
                       "narrow integers), converted to the operands' dtype once; integers wrap",
           .errors =
               "contracted sizes that differ: CALX-E207; batch sizes that differ: CALX-E202; an axis outside "
               "an "
               "operand: CALX-E203; an axis named twice: CALX-E204; lists of unequal length: CALX-E301; an "
               "`accumulation` that cannot hold the sums: CALX-E101",
           .example = "dot_general(tensor({{1, 2}, {3, 4}}), tensor({10, 1}), {.lhs_contract = {1}, "
                      ".rhs_contract = {0}})"
                      "  // f32[2] [12, 34]",
           .source = "StableHLO dot_general; jax.lax.dot_general with preferred_element_type as "
                     "`accumulation`, the result "
                     "in the operands' dtype"},
      .operands = {{"lhs", DTypes::numeric}, {"rhs", DTypes::numeric}},
      .attrs = {lhs_batch, rhs_batch, lhs_contract, rhs_contract, accumulation},
      .binding = Binding::promote,
      .form = Primitive{.infer = infer_dot,
                        .jvp = FromLinear{},
                        .linear = LinearIn{{{0}, {1}},
                                           [](const Call& c, int group, const Tangents& ct) {
                                             return Tangents(transpose_dot(c, ct[0], group));
                                           }},
                        .batch = batch_dot,
                        .simplify = NoIdentity{},
                        .reference = reference_dot,
                        .lower = [](const Call& c) -> loopir::Lowered {
                          return loopir::Kernel{loopir::Contraction{
                              .lhs_batch = plain(c[lhs_batch]),
                              .rhs_batch = plain(c[rhs_batch]),
                              .lhs_contract = plain(c[lhs_contract]),
                              .rhs_contract = plain(c[rhs_contract]),
                              .accumulation = running_dtype(c[accumulation], c.dtype(0))}};
                        }},
      .samples = dot_samples,
      .rejects = dot_rejects,
  };
}

}  // namespace calx::ops
