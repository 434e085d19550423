// Dimension numbers of gathers and scatters: conversions and checks.
#include <algorithm>

#include "calx/base/format.h"
#include "indexing/_support.h"

namespace calx::ops {
namespace {

bool contains(const Ints& values, std::int64_t value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

loopir::Axes to_axes(const Ints& values) { return {values.begin(), values.end()}; }

/// Distinct axes inside [0, rank), increasing where `sorted`.
void check_axes(const Call& c, const Ints& axes, std::int64_t rank, std::string_view name, bool sorted) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0 || axes[i] >= rank) {
      c.fail(ErrorId::axis, format("`{}` names axis {}, outside [0, {})", name, axes[i], rank));
    }
    if (std::count(axes.begin(), axes.end(), axes[i]) > 1) {
      c.fail(ErrorId::duplicate_axis, format("`{}` names axis {} twice", name, axes[i]));
    }
    if (sorted && i > 0 && axes[i] < axes[i - 1])
      c.fail(ErrorId::axis, format("`{}` must be increasing", name));
  }
}

void check_disjoint(const Call& c, const Ints& a, std::string_view name_a, const Ints& b,
                    std::string_view name_b) {
  for (std::int64_t axis : a) {
    if (contains(b, axis)) {
      c.fail(ErrorId::duplicate_axis, format("axis {} is in `{}` and in `{}`", axis, name_a, name_b));
    }
  }
}

}  // namespace

GatherSpec GatherSpec::of_gather(const Attrs& attrs) {
  return {attrs[index_attrs::offset_dims],
          attrs[index_attrs::collapsed_slice_dims],
          attrs[index_attrs::operand_batching_dims],
          attrs[index_attrs::start_indices_batching_dims],
          attrs[index_attrs::start_index_map],
          attrs[index_attrs::index_vector_dim],
          attrs[index_attrs::slice_sizes]};
}

GatherSpec GatherSpec::of_scatter(const Attrs& attrs, int operand_rank, const Shape& updates) {
  GatherSpec spec{attrs[index_attrs::update_window_dims],
                  attrs[index_attrs::inserted_window_dims],
                  attrs[index_attrs::operand_batching_dims],
                  attrs[index_attrs::scatter_indices_batching_dims],
                  attrs[index_attrs::scatter_dims_to_operand_dims],
                  attrs[index_attrs::index_vector_dim],
                  {}};
  std::size_t next = 0;
  for (std::int64_t axis = 0; axis < operand_rank; ++axis) {
    const bool is_one =
        contains(spec.collapsed_slice_dims, axis) || contains(spec.operand_batching_dims, axis);
    if (is_one || next >= spec.offset_dims.size()) {
      spec.slice_sizes.push_back(1);
      continue;
    }
    const std::int64_t window_axis = spec.offset_dims[next++];
    spec.slice_sizes.push_back(
        window_axis >= 0 && window_axis < updates.rank() ? updates[static_cast<int>(window_axis)] : Dim(1));
  }
  return spec;
}

Attrs GatherSpec::gather_attrs(IndexMode mode) const {
  return {attr(index_attrs::offset_dims, offset_dims),
          attr(index_attrs::collapsed_slice_dims, collapsed_slice_dims),
          attr(index_attrs::operand_batching_dims, operand_batching_dims),
          attr(index_attrs::start_indices_batching_dims, start_indices_batching_dims),
          attr(index_attrs::start_index_map, start_index_map),
          attr(index_attrs::index_vector_dim, index_vector_dim),
          attr(index_attrs::slice_sizes, slice_sizes),
          attr(index_attrs::mode, mode)};
}

Attrs GatherSpec::scatter_attrs(IndexMode mode) const {
  return {attr(index_attrs::update_window_dims, offset_dims),
          attr(index_attrs::inserted_window_dims, collapsed_slice_dims),
          attr(index_attrs::operand_batching_dims, operand_batching_dims),
          attr(index_attrs::scatter_indices_batching_dims, start_indices_batching_dims),
          attr(index_attrs::scatter_dims_to_operand_dims, start_index_map),
          attr(index_attrs::index_vector_dim, index_vector_dim),
          attr(index_attrs::mode, mode)};
}

GatherSpec GatherSpec::batched(bool operand, bool indices, const Dim& size) const {
  GatherSpec result = *this;
  result.offset_dims = shifted(offset_dims);
  if (operand) {
    result.collapsed_slice_dims = shifted(collapsed_slice_dims);
    result.operand_batching_dims = shifted(operand_batching_dims);
    result.start_index_map = shifted(start_index_map);
    result.slice_sizes = prepended(indices ? Dim(1) : size, slice_sizes);
  }
  if (indices) {
    result.index_vector_dim = index_vector_dim + 1;
    result.start_indices_batching_dims = shifted(start_indices_batching_dims);
  }
  if (operand && indices) {
    result.operand_batching_dims = prepended(std::int64_t{0}, std::move(result.operand_batching_dims));
    result.start_indices_batching_dims =
        prepended(std::int64_t{0}, std::move(result.start_indices_batching_dims));
  } else if (operand) {
    result.offset_dims = prepended(std::int64_t{0}, std::move(result.offset_dims));
  }
  return result;
}

loopir::GatherDimensions GatherSpec::lowered() const {
  loopir::GatherDimensions result{to_axes(offset_dims),
                                  to_axes(collapsed_slice_dims),
                                  to_axes(operand_batching_dims),
                                  to_axes(start_indices_batching_dims),
                                  to_axes(start_index_map),
                                  static_cast<int>(index_vector_dim),
                                  {}};
  for (const Dim& dim : slice_sizes) result.slice_sizes.push_back(dim.value());
  return result;
}

Shape check_gather(const Call& c, const GatherSpec& spec, const Type& operand, const Type& indices) {
  const bool is_scatter = c.size() == 3;
  const std::string_view offset_name = is_scatter ? "update_window_dims" : "offset_dims";
  const std::string_view collapsed_name = is_scatter ? "inserted_window_dims" : "collapsed_slice_dims";
  const std::string_view indices_batching_name =
      is_scatter ? "scatter_indices_batching_dims" : "start_indices_batching_dims";
  const std::string_view map_name = is_scatter ? "scatter_dims_to_operand_dims" : "start_index_map";
  const std::int64_t rank = operand.rank();

  check_axes(c, spec.collapsed_slice_dims, rank, collapsed_name, true);
  check_axes(c, spec.operand_batching_dims, rank, "operand_batching_dims", true);
  check_disjoint(c, spec.collapsed_slice_dims, collapsed_name, spec.operand_batching_dims,
                 "operand_batching_dims");
  if (spec.index_vector_dim < 0 || spec.index_vector_dim > indices.rank()) {
    c.fail(ErrorId::axis,
           format("`index_vector_dim` is {}, outside [0, {}]", spec.index_vector_dim, indices.rank()));
  }
  const int vector_axis = static_cast<int>(spec.index_vector_dim);
  const Dim vector_size = vector_axis < indices.rank() ? indices.shape[vector_axis] : Dim(1);
  check_axes(c, spec.start_index_map, rank, map_name, false);
  check_disjoint(c, spec.start_index_map, map_name, spec.operand_batching_dims, "operand_batching_dims");
  require_equal(c, Dim(static_cast<std::int64_t>(spec.start_index_map.size())), vector_size,
                format("the number of entries of `{}`", map_name), "the size of an index vector");
  check_axes(c, spec.start_indices_batching_dims, indices.rank(), indices_batching_name, false);
  if (contains(spec.start_indices_batching_dims, spec.index_vector_dim)) {
    c.fail(ErrorId::duplicate_axis,
           format("`{}` names axis {}, which holds the index vectors", indices_batching_name, vector_axis));
  }
  if (spec.start_indices_batching_dims.size() != spec.operand_batching_dims.size()) {
    c.fail(ErrorId::rank,
           format("`operand_batching_dims` and `{}` must have one length", indices_batching_name));
  }
  for (std::size_t i = 0; i < spec.operand_batching_dims.size(); ++i) {
    require_equal(c, operand.shape[static_cast<int>(spec.operand_batching_dims[i])],
                  indices.shape[static_cast<int>(spec.start_indices_batching_dims[i])],
                  format("axis {} of `{}`", spec.operand_batching_dims[i], c.operand_name(0)),
                  format("axis {} of `{}`", spec.start_indices_batching_dims[i], c.operand_name(1)));
  }
  if (static_cast<std::int64_t>(spec.slice_sizes.size()) != rank) {
    c.fail(ErrorId::rank,
           format("`slice_sizes` needs {} entries, one per axis of `{}`", rank, c.operand_name(0)));
  }

  std::vector<Dim> window;
  for (int axis = 0; axis < rank; ++axis) {
    const Dim& size = spec.slice_sizes[static_cast<std::size_t>(axis)];
    if (contains(spec.collapsed_slice_dims, axis) || contains(spec.operand_batching_dims, axis)) {
      if (size != Dim(1)) {
        c.fail(ErrorId::attribute, format("the slice size of axis {} is {}, not 1, but the axis is collapsed",
                                          axis, size.to_string()));
      }
      continue;
    }
    if (proven_less_equal(0, size) == Proof::no ||
        proven_less_equal(size, operand.shape[axis]) == Proof::no) {
      c.fail(ErrorId::attribute, format("the slice size of axis {} is {}, outside [0, {}]", axis,
                                        size.to_string(), operand.shape[axis].to_string()));
    }
    window.push_back(size);
  }
  const int start_rank = indices.rank() - (vector_axis < indices.rank() ? 1 : 0);
  const int result_rank = start_rank + static_cast<int>(window.size());
  if (spec.offset_dims.size() != window.size()) {
    c.fail(ErrorId::rank,
           format("`{}` needs {} entries, one per axis of `{}` that is neither collapsed nor batching",
                  offset_name, window.size(), c.operand_name(0)));
  }
  check_axes(c, spec.offset_dims, result_rank, offset_name, true);

  std::vector<Dim> sizes;
  std::size_t next_window = 0;
  int next_start = 0;
  for (int axis = 0; axis < result_rank; ++axis) {
    if (contains(spec.offset_dims, axis)) {
      sizes.push_back(window[next_window++]);
      continue;
    }
    if (next_start == vector_axis) ++next_start;
    sizes.push_back(indices.shape[next_start++]);
  }
  return Shape(std::move(sizes));
}

}  // namespace calx::ops
