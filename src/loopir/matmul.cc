// matmul with the order of dot(): register tiles whose every element is its own fma chain over a block of
// 1,024, so tiling and instruction set change no bit. One body, compiled for each instruction set and chosen
// once at run time (not target_clones: its resolver runs before sanitizers are ready, and templates cannot be
// cloned).
#include <algorithm>
#include <memory>
#include <type_traits>

#include "calx/loopir/summation.h"

namespace calx::loopir {
namespace {

// What one kernel call computes: a tile of up to kRows x kColumns of c += over `depth` <= 1,024 steps.
template <class T>
struct Tile {
  std::int64_t depth;
  const T* a;  // element (i, p) at a[i * a_row + p * a_step]
  std::int64_t a_row;
  std::int64_t a_step;
  const T* b;  // element (p, j) at b[p * b_step + j]
  std::int64_t b_step;
  T* out;  // element (i, j) at out[i * columns + j], overwritten
};

template <class T>
using Kernel = void (*)(const Tile<T>&);

template <class T>
struct Kernels {
  int columns;        // of every tile
  Kernel<T> rows[4];  // for 8, 4, 2 and 1 rows
};

template <class T, int Rows, int Columns>
[[gnu::always_inline]] inline void run_tile(const Tile<T>& tile) {
  T chains[Rows][Columns] = {};
  const T* a = tile.a;
  const T* b = tile.b;
  for (std::int64_t p = 0; p < tile.depth; ++p, a += tile.a_step, b += tile.b_step) {
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
      const T factor = a[i * tile.a_row];
      for (int j = 0; j < Columns; ++j) {
        if constexpr (std::is_same_v<T, float>) {
          chains[i][j] = __builtin_fmaf(factor, b[j], chains[i][j]);
        } else if constexpr (std::is_same_v<T, double>) {
          chains[i][j] = __builtin_fma(factor, b[j], chains[i][j]);
        } else {
          chains[i][j] += factor * b[j];
        }
      }
    }
  }
  for (int i = 0; i < Rows; ++i) {
    for (int j = 0; j < Columns; ++j) tile.out[i * Columns + j] = chains[i][j];
  }
}

#if defined(__x86_64__)
#define CALX_AVX512 [[gnu::target("avx512f,avx512vl,avx512dq,fma,prefer-vector-width=512")]]
#define CALX_AVX2 [[gnu::target("avx2,fma")]]

template <class T, int Rows, int Columns>
CALX_AVX512 void tile_avx512(const Tile<T>& tile) {
  run_tile<T, Rows, Columns>(tile);
}
template <class T, int Rows, int Columns>
CALX_AVX2 void tile_avx2(const Tile<T>& tile) {
  run_tile<T, Rows, Columns>(tile);
}
#endif

template <class T, int Rows, int Columns>
void tile_baseline(const Tile<T>& tile) {
  run_tile<T, Rows, Columns>(tile);
}

template <class T>
Kernels<T> choose_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("fma")) {
    constexpr int n = 128 / static_cast<int>(sizeof(T));
    return {n, {tile_avx512<T, 8, n>, tile_avx512<T, 4, n>, tile_avx512<T, 2, n>, tile_avx512<T, 1, n>}};
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    constexpr int n = 32 / static_cast<int>(sizeof(T));
    return {n, {tile_avx2<T, 8, n>, tile_avx2<T, 4, n>, tile_avx2<T, 2, n>, tile_avx2<T, 1, n>}};
  }
#endif
  constexpr int n = 32 / static_cast<int>(sizeof(T));
  return {n,
          {tile_baseline<T, 8, n>, tile_baseline<T, 4, n>, tile_baseline<T, 2, n>, tile_baseline<T, 1, n>}};
}

constexpr int kMaxColumns = 32;

template <class T>
class Matmul {
 public:
  Matmul(std::int64_t m, std::int64_t n, std::int64_t k, MatrixView<const T> a, MatrixView<const T> b,
         MatrixView<T> c)
      : m_(m), n_(n), k_(k), a_(a), b_(b), c_(c), kernels_(kernels()) {}

  void run() {
    if (k_ == 0) {
      for (std::int64_t i = 0; i < m_; ++i) {
        for (std::int64_t j = 0; j < n_; ++j) at(i, j) = T(0);
      }
      return;
    }
    for (first_ = 0; first_ < k_; first_ += kChainBlock) {
      depth_ = std::min(kChainBlock, k_ - first_);
      if (a_.column_stride != 1 && n_ > kernels_.columns) pack_a();
      for (std::int64_t j = 0; j < n_; j += kernels_.columns) run_panel(j);
    }
  }

 private:
  static const Kernels<T>& kernels() {
    static const Kernels<T> chosen = choose_kernels<T>();
    return chosen;
  }

  T& at(std::int64_t i, std::int64_t j) { return c_.data[i * c_.row_stride + j * c_.column_stride]; }

  // Contiguous rows of this block of a, so that a strided a is walked once and not per panel of b.
  void pack_a() {
    if (!packed_a_) packed_a_ = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(m_ * depth_));
    const T* source = a_.data + first_ * a_.column_stride;
    constexpr std::int64_t kRowsAtOnce = 16;  // a cache line where the rows are contiguous
    for (std::int64_t top = 0; top < m_; top += kRowsAtOnce) {
      const std::int64_t bottom = std::min(m_, top + kRowsAtOnce);
      for (std::int64_t p = 0; p < depth_; ++p) {
        for (std::int64_t i = top; i < bottom; ++i) {
          packed_a_[static_cast<std::size_t>(i * depth_ + p)] =
              source[i * a_.row_stride + p * a_.column_stride];
        }
      }
    }
  }

  // The panel of b that starts at column j, contiguous and padded with zeros to a whole tile.
  void pack_b(std::int64_t j, std::int64_t width) {
    const std::int64_t columns = kernels_.columns;
    if (!packed_b_) packed_b_ = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(depth_ * columns));
    const T* source = b_.data + first_ * b_.row_stride + j * b_.column_stride;
    T* target = packed_b_.get();
    if (b_.row_stride == 1 && b_.column_stride != 1) {
      for (std::int64_t q = 0; q < columns; ++q) {
        for (std::int64_t p = 0; p < depth_; ++p) {
          target[p * columns + q] = q < width ? source[p + q * b_.column_stride] : T(0);
        }
      }
      return;
    }
    for (std::int64_t p = 0; p < depth_; ++p) {
      const T* row = source + p * b_.row_stride;
      for (std::int64_t q = 0; q < width; ++q) target[p * columns + q] = row[q * b_.column_stride];
      for (std::int64_t q = width; q < columns; ++q) target[p * columns + q] = T(0);
    }
  }

  void run_panel(std::int64_t j) {
    const std::int64_t width = std::min<std::int64_t>(kernels_.columns, n_ - j);
    Tile<T> tile{};
    tile.depth = depth_;
    if (b_.column_stride == 1 && width == kernels_.columns && m_ <= 8) {
      tile.b = b_.data + first_ * b_.row_stride + j;
      tile.b_step = b_.row_stride;
    } else {
      pack_b(j, width);
      tile.b = packed_b_.get();
      tile.b_step = kernels_.columns;
    }
    T out[8 * kMaxColumns];
    tile.out = out;
    for (std::int64_t i = 0; i < m_;) {
      int rows = 8;
      int which = 0;
      for (; rows > m_ - i; rows /= 2) ++which;
      if (!packed_a_) {
        tile.a = a_.data + i * a_.row_stride + first_ * a_.column_stride;
        tile.a_row = a_.row_stride;
        tile.a_step = a_.column_stride;
      } else {
        tile.a = packed_a_.get() + i * depth_;
        tile.a_row = depth_;
        tile.a_step = 1;
      }
      kernels_.rows[which](tile);
      store(i, j, rows, width, out);
      i += rows;
    }
  }

  void store(std::int64_t i, std::int64_t j, int rows, std::int64_t width, const T* out) {
    for (int r = 0; r < rows; ++r) {
      T* target = &at(i + r, j);
      const T* chain = out + r * kernels_.columns;
      for (std::int64_t q = 0; q < width; ++q) {
        T& element = target[q * c_.column_stride];
        element = (first_ == 0 ? T(0) : element) + chain[q];
      }
    }
  }

  std::int64_t m_, n_, k_;
  MatrixView<const T> a_, b_;
  MatrixView<T> c_;
  const Kernels<T>& kernels_;
  std::int64_t first_ = 0;  // of the current block of k
  std::int64_t depth_ = 0;  // its length
  std::unique_ptr<T[]> packed_a_, packed_b_;  // made for the first block, the longest
};

}  // namespace

template <class T>
void matmul(std::int64_t m, std::int64_t n, std::int64_t k, MatrixView<const T> a, MatrixView<const T> b,
            MatrixView<T> c) {
  // Unsigned arithmetic wraps and has the same bits.
  using U = std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
  MatrixView<const U> left{reinterpret_cast<const U*>(a.data), a.row_stride, a.column_stride};
  MatrixView<const U> right{reinterpret_cast<const U*>(b.data), b.row_stride, b.column_stride};
  MatrixView<U> out{reinterpret_cast<U*>(c.data), c.row_stride, c.column_stride};
  // Tiles are wide in n: a narrow product is computed as its transpose.
  if (n < 8 && m > n) {
    std::swap(m, n);
    std::swap(left, right);
    for (auto* view : {&left, &right}) std::swap(view->row_stride, view->column_stride);
    std::swap(out.row_stride, out.column_stride);
  }
  Matmul<U>(m, n, k, left, right, out).run();
}

template void matmul(std::int64_t, std::int64_t, std::int64_t, MatrixView<const float>,
                     MatrixView<const float>, MatrixView<float>);
template void matmul(std::int64_t, std::int64_t, std::int64_t, MatrixView<const double>,
                     MatrixView<const double>, MatrixView<double>);
template void matmul(std::int64_t, std::int64_t, std::int64_t, MatrixView<const std::int32_t>,
                     MatrixView<const std::int32_t>, MatrixView<std::int32_t>);
template void matmul(std::int64_t, std::int64_t, std::int64_t, MatrixView<const std::uint32_t>,
                     MatrixView<const std::uint32_t>, MatrixView<std::uint32_t>);
template void matmul(std::int64_t, std::int64_t, std::int64_t, MatrixView<const std::int64_t>,
                     MatrixView<const std::int64_t>, MatrixView<std::int64_t>);
template void matmul(std::int64_t, std::int64_t, std::int64_t, MatrixView<const std::uint64_t>,
                     MatrixView<const std::uint64_t>, MatrixView<std::uint64_t>);

}  // namespace calx::loopir
