// conv as conv_general: paddings by name, one stride for all axes.
#include "calx/base/format.h"
#include "calx/ops/contraction.h"
#include "contraction/_convolution.h"
#include "contraction/_sugar.h"

namespace calx {
namespace {

[[noreturn]] void fail_conv(ErrorId id, std::string message, SourceLoc where, std::string hint = {}) {
  raise({.id = id, .op = "conv", .message = std::move(message), .where = where, .hint = std::move(hint)});
}

std::vector<std::int64_t> for_every_axis(const std::vector<std::int64_t>& given, std::size_t rank) {
  if (given.size() == 1) return std::vector<std::int64_t>(rank, given[0]);
  return given.empty() ? std::vector<std::int64_t>(rank, 1) : given;
}

}  // namespace

Padding::Padding(const char* kind, const std::source_location& where) {
  const std::string_view name = kind;
  if (name == "same") {
    kind_ = Kind::same;
  } else if (name != "valid") {
    fail_conv(ErrorId::attribute, format("padding is \"{}\"", name), where,
         "\"valid\", \"same\", a count or (low, high) per axis");
  }
}

Padding::Padding(std::vector<std::pair<Dim, Dim>> low_and_high)
    : kind_(Kind::explicit_counts), low_and_high_(std::move(low_and_high)) {}

std::vector<std::pair<Dim, Dim>> Padding::resolve(const std::vector<Dim>& sizes,
                                                  const std::vector<Dim>& kernel_spans,
                                                  const std::vector<std::int64_t>& strides,
                                                  SourceLoc where) const {
  if (kind_ == Kind::explicit_counts) {
    if (low_and_high_.size() != sizes.size()) {
      fail_conv(
          ErrorId::attribute,
          format("padding has {} entries, but there are {} spatial axes", low_and_high_.size(), sizes.size()),
          where);
    }
    return low_and_high_;
  }
  std::vector<std::pair<Dim, Dim>> result;
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    if (kind_ != Kind::same) {
      result.emplace_back(everywhere_, everywhere_);
      continue;
    }
    const Dim outputs = ceil_div(sizes[a], strides[a]);
    const Dim total = max((outputs - 1) * strides[a] + kernel_spans[a] - sizes[a], 0);
    const Dim low = floor_div(total, 2);
    result.emplace_back(low, total - low);
  }
  return result;
}

Tensor conv(const Operand& x, const Operand& w, const ConvOptions& options) {
  const SourceLoc where = x.where();
  const std::vector<Tensor> promoted = detail::promote_operands("conv", {x, w}, where);
  const Tensor& input = promoted[0];
  const Tensor& kernel = promoted[1];
  const Facts facts = {{"x", input.type().to_string()}, {"w", kernel.type().to_string()}};
  if (input.rank() < 2 || input.rank() != kernel.rank()) {
    raise({.id = ErrorId::rank,
           .op = "conv",
           .message = format("`x` {} and `w` {} must have one rank, 2 or more", input.type().to_string(),
                             kernel.type().to_string()),
           .where = where,
           .hint = "x is [batch, channels, spatial...], w is [outputs, channels / groups, spatial...]",
           .facts = facts});
  }
  if (const Proof fits = proven_equal(input.shape()[1], options.groups * kernel.shape()[1]);
      fits != Proof::yes) {
    raise(
        {.id = fits == Proof::no ? ErrorId::contracted_size : ErrorId::dim_unknown,
         .op = "conv",
         .message = format("`x` {} has {} channels, but `w` {} takes {} with {} group(s)",
                           input.type().to_string(), input.shape()[1].to_string(), kernel.type().to_string(),
                           (options.groups * kernel.shape()[1]).to_string(), options.groups.to_string()),
         .where = where,
         .facts = facts});
  }
  const auto rank = static_cast<std::size_t>(input.rank() - 2);
  ops::windows::Geometry geometry;
  geometry.strides = for_every_axis(options.strides, rank);
  geometry.dilation = for_every_axis(options.dilation, rank);
  geometry.base_dilation.assign(rank, 1);
  if (geometry.strides.size() != rank || geometry.dilation.size() != rank) {
    fail_conv(ErrorId::attribute,
         format("strides and dilation need one entry, or one for each of the {} spatial axes", rank), where);
  }
  std::vector<Dim> sizes;
  std::vector<Dim> spans;
  for (std::size_t a = 0; a < rank; ++a) {
    if (geometry.strides[a] < 1 || geometry.dilation[a] < 1) {
      fail_conv(ErrorId::attribute, "strides and dilation must be at least 1", where);
    }
    sizes.push_back(input.shape()[static_cast<int>(a) + 2]);
    spans.push_back(ops::windows::span_of(kernel.shape()[static_cast<int>(a) + 2], geometry.dilation[a]));
  }
  for (const auto& [low, high] : options.padding.resolve(sizes, spans, geometry.strides, where)) {
    geometry.low.push_back(low);
    geometry.high.push_back(high);
  }
  const LocationScope location(where);
  return ops::convolution::convolve(input, kernel, geometry, options.groups, options.accumulation, where);
}

}  // namespace calx
