// The values of conv_general: tiles of columns (the elements that some outputs read, one row per channel and
// kernel position) times the kernel, by loopir's matmul.
#include <cmath>
#include <memory>

#include "calx/loopir/summation.h"
#include "contraction/_convolution.h"

namespace calx::ops::convolution {
namespace {

struct Problem {
  std::int64_t groups = 1;
  bool by_batch = false;
  std::int64_t batch = 0;  // of the result
  std::int64_t lhs_channels = 0;
  std::int64_t group_channels = 0;
  std::int64_t outputs_per_group = 0;
  std::int64_t depth = 0;  // group_channels * kernel positions
  windows::Reads reads = {};

  /// Where the channels of group `g` start in image `n`.
  [[nodiscard]] std::int64_t image(std::int64_t g, std::int64_t n) const {
    const std::int64_t plane =
        by_batch ? (g * batch + n) * lhs_channels : n * lhs_channels + g * group_channels;
    return plane * reads.num_inputs;
  }
  [[nodiscard]] std::int64_t output(std::int64_t g, std::int64_t n, std::int64_t o) const {
    return ((n * groups + g) * outputs_per_group + o) * reads.num_outputs;
  }
};

template <class T>
bool all_finite(std::span<const T> values) {
  if constexpr (std::is_floating_point_v<T>) {
    for (const T value : values) {
      if (!std::isfinite(value)) return false;
    }
  }
  return true;
}

/// Padding contributes nothing, though the kernel may hold inf or NaN there: the order of dot(), one output
/// at a time.
template <class T>
void run_directly(const Problem& p, const T* lhs, const T* rhs, T* out) {
  const std::int64_t taps = p.reads.num_elements;
  for (std::int64_t g = 0; g < p.groups; ++g) {
    for (std::int64_t n = 0; n < p.batch; ++n) {
      for (std::int64_t o = 0; o < p.outputs_per_group; ++o) {
        const T* weights = rhs + (g * p.outputs_per_group + o) * p.depth;
        for (std::int64_t position = 0; position < p.reads.num_outputs; ++position) {
          T total = T(0);
          for (std::int64_t first = 0; first < p.depth; first += loopir::kChainBlock) {
            T chain = T(0);
            const std::int64_t last = std::min(p.depth, first + loopir::kChainBlock);
            for (std::int64_t k = first; k < last; ++k) {
              const std::int64_t offset =
                  p.reads.offsets[static_cast<std::size_t>(k % taps * p.reads.num_outputs + position)];
              if (offset < 0) continue;
              chain = loopir::math::fma(lhs[p.image(g, n) + k / taps * p.reads.num_inputs + offset],
                                        weights[k], chain);
            }
            total = loopir::math::add(total, chain);
          }
          out[p.output(g, n, o) + position] = total;
        }
      }
    }
  }
}

template <class T>
class Tiles {
 public:
  Tiles(const Problem& p, const T* lhs, const T* rhs, T* out) : p_(p), lhs_(lhs), rhs_(rhs), out_(out) {
    constexpr std::int64_t kTileElements = std::int64_t{1} << 17;  // stays in the second-level cache
    const std::int64_t wide = kTileElements / std::max<std::int64_t>(p.depth, 1) / 64 * 64;
    width_ = std::clamp<std::int64_t>(wide, 64, std::max<std::int64_t>(64, p.batch * p.reads.num_outputs));
    columns_ = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(p.depth * width_));
    products_ = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(p.outputs_per_group * width_));
  }

  void run() {
    const std::int64_t count = p_.batch * p_.reads.num_outputs;
    for (std::int64_t g = 0; g < p_.groups; ++g) {
      for (std::int64_t first = 0; first < count; first += width_) {
        const std::int64_t width = std::min(width_, count - first);
        fill(g, first, width);
        loopir::matmul<T>(p_.outputs_per_group, width, p_.depth,
                          {rhs_ + g * p_.outputs_per_group * p_.depth, p_.depth, 1},
                          {columns_.get(), width, 1}, {products_.get(), width, 1});
        store(g, first, width);
      }
    }
  }

 private:
  /// Calls visit(image, first output position, how many, first column) for the images that columns first..
  /// touch.
  template <class Visit>
  void for_each_image(std::int64_t first, std::int64_t width, Visit visit) {
    for (std::int64_t column = 0; column < width;) {
      const std::int64_t n = (first + column) / p_.reads.num_outputs;
      const std::int64_t position = (first + column) % p_.reads.num_outputs;
      const std::int64_t run = std::min(width - column, p_.reads.num_outputs - position);
      visit(n, position, run, column);
      column += run;
    }
  }

  void fill(std::int64_t g, std::int64_t first, std::int64_t width) {
    const std::int64_t taps = p_.reads.num_elements;
    for_each_image(
        first, width, [&](std::int64_t n, std::int64_t position, std::int64_t run, std::int64_t column) {
          const T* plane = lhs_ + p_.image(g, n);
          for (std::int64_t channel = 0; channel < p_.group_channels;
               ++channel, plane += p_.reads.num_inputs) {
            for (std::int64_t tap = 0; tap < taps; ++tap) {
              const std::int64_t* offsets = p_.reads.offsets.data() + tap * p_.reads.num_outputs + position;
              T* row = columns_.get() + (channel * taps + tap) * width + column;
              for (std::int64_t i = 0; i < run; ++i) row[i] = offsets[i] < 0 ? T(0) : plane[offsets[i]];
            }
          }
        });
  }

  void store(std::int64_t g, std::int64_t first, std::int64_t width) {
    for_each_image(
        first, width, [&](std::int64_t n, std::int64_t position, std::int64_t run, std::int64_t column) {
          for (std::int64_t o = 0; o < p_.outputs_per_group; ++o) {
            std::copy_n(products_.get() + o * width + column, run, out_ + p_.output(g, n, o) + position);
          }
        });
  }

  const Problem& p_;
  const T* lhs_;
  const T* rhs_;
  T* out_;
  std::int64_t width_ = 64;
  std::unique_ptr<T[]> columns_;
  std::unique_ptr<T[]> products_;
};

std::span<const std::int64_t> spatial(const std::vector<std::int64_t>& sizes) {
  return std::span(sizes).subspan(2);
}

}  // namespace

Array run_convolution(const ReferenceCall& c) {
  std::vector<Type> types = {c[0].type(), c[1].type()};
  const windows::Geometry geometry = geometry_of(Call(c.op(), types, c.attrs(), c.where()));
  const std::vector<std::int64_t> sizes = c.sizes();
  Problem p;
  p.reads = windows::trace_reads(c, geometry, spatial(c[0].sizes()), spatial(c[1].sizes()), spatial(sizes));
  const std::int64_t batches = c.evaluate(c[batch_groups]);
  p.by_batch = batches != 1;
  p.groups = p.by_batch ? batches : c.evaluate(c[feature_groups]);
  p.batch = sizes[0];
  p.lhs_channels = c[0].sizes()[1];
  p.group_channels = c[1].sizes()[1];
  p.depth = p.group_channels * p.reads.num_elements;
  const DType running = running_dtype(c[accumulation], c[0].dtype());
  Array out = Array::uninitialized(running, sizes);
  if (out.num_elements() == 0) return contraction::converted(out, c.dtype());
  p.outputs_per_group = sizes[1] / p.groups;
  const Array lhs = contraction::converted(c[0], running);
  const Array rhs = contraction::converted(c[1], running);
  visit_running(running, [&]<class T>(std::type_identity<T>) {
    if (p.reads.reaches_outside && !all_finite(rhs.values<T>())) {
      run_directly<T>(p, lhs.data<T>(), rhs.data<T>(), out.mutable_data<T>());
    } else {
      Tiles<T>(p, lhs.data<T>(), rhs.data<T>(), out.mutable_data<T>()).run();
    }
  });
  return contraction::converted(out, c.dtype());
}

}  // namespace calx::ops::convolution
