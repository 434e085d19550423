// The fixed order of every reduction, dot product and cumulative op. It depends on the number of reduced
// elements only, never on layout, threads or fusion; the interpreter and generated code both follow it.
// Definition:
//
// reduce(x_0 .. x_{n-1}), elements in row-major order of the reduced axes, with a combiner c and its identity
// e:
//   The elements are cut into blocks of 256 (the last may be shorter). In a block, lane l of 16 starts as
//   e, and element i of the block is combined into lane i % 16, in increasing i: lane = c(lane, x_i). Then
//   lane l = c(lane l, lane l+8) for l < 8, likewise with 4, 2 and 1: lane 0 is the block's result. Blocks
//   r_0 .. r_{B-1} are combined by tree(one) = it, tree(B) = c(tree(first p), tree(other B - p)) where p is
//   the largest power of two below B. n = 0 gives the combiner's empty value. The identity of a floating sum
//   is -0, so that the sum of one element is that element; the empty sum is +0.
// dot(a, b) over k elements:
//   total = +0; for each block of 1,024: chain = +0; chain = fma(a_i, b_i, chain) in increasing i; total =
//   total + chain. So a dot is never -0, and leaving out terms whose product is a zero changes no bit.
//   Integers wrap in any order. A convolution is a dot over (input channel, kernel position in row-major
//   order); positions outside the operand count as positions but contribute nothing.
// cumulative(x_0 .. x_{n-1}): prefix = none; for each block of 1,024: s_0 = x_0, s_i = c(s_{i-1}, x_i);
// results
//   y_i = c(prefix, s_i) (s_i in the first block); prefix = y_last. Exclusive: y_0 = the empty value, then
//   y_{i-1}. Reverse: the same on the reversed sequence.
// Bits are fixed except the payload and sign of NaNs.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "calx/base/error.h"
#include "calx/loopir/scalar_math.h"

namespace calx::loopir {

inline constexpr std::int64_t kReductionBlock = 256;  // short chains: 16 additions a lane
inline constexpr std::int64_t kChainBlock = 1024;     // of dots and cumulative ops
inline constexpr int kReductionLanes = 16;

// --- Combiners: apply, identity (apply(identity, x) is x) and empty (the result for no elements). ---

struct Sum {
  template <class T>
  [[nodiscard]] static constexpr T identity() {
    return math::Floating<T> ? -T(0) : T(0);
  }
  template <class T>
  [[nodiscard]] static constexpr T empty() {
    return T(0);
  }
  template <class T>
  [[nodiscard]] static constexpr T apply(T a, T b) {
    return math::add(a, b);
  }
};

struct Prod {
  template <class T>
  [[nodiscard]] static constexpr T identity() {
    return T(1);
  }
  template <class T>
  [[nodiscard]] static constexpr T empty() {
    return T(1);
  }
  template <class T>
  [[nodiscard]] static constexpr T apply(T a, T b) {
    return math::mul(a, b);
  }
};

struct Max {
  template <class T>
  [[nodiscard]] static constexpr T identity() {
    if constexpr (math::Floating<T>) {
      return -std::numeric_limits<T>::infinity();
    } else {
      return std::numeric_limits<T>::lowest();
    }
  }
  template <class T>
  [[nodiscard]] static constexpr T empty() {
    return identity<T>();
  }
  template <class T>
  [[nodiscard]] static constexpr T apply(T a, T b) {
    return math::maximum(a, b);
  }
};

struct Min {
  template <class T>
  [[nodiscard]] static constexpr T identity() {
    if constexpr (math::Floating<T>) {
      return std::numeric_limits<T>::infinity();
    } else {
      return std::numeric_limits<T>::max();
    }
  }
  template <class T>
  [[nodiscard]] static constexpr T empty() {
    return identity<T>();
  }
  template <class T>
  [[nodiscard]] static constexpr T apply(T a, T b) {
    return math::minimum(a, b);
  }
};

/// Bitwise and: `all` of booleans.
struct And {
  template <math::Bits T>
  [[nodiscard]] static constexpr T identity() {
    return math::bitwise_not(T(0));
  }
  template <math::Bits T>
  [[nodiscard]] static constexpr T empty() {
    return identity<T>();
  }
  template <math::Bits T>
  [[nodiscard]] static constexpr T apply(T a, T b) {
    return math::bitwise_and(a, b);
  }
};

/// Bitwise or: `any` of booleans.
struct Or {
  template <math::Bits T>
  [[nodiscard]] static constexpr T identity() {
    return T(0);
  }
  template <math::Bits T>
  [[nodiscard]] static constexpr T empty() {
    return T(0);
  }
  template <math::Bits T>
  [[nodiscard]] static constexpr T apply(T a, T b) {
    return math::bitwise_or(a, b);
  }
};

enum class Combiner : std::uint8_t { sum, prod, max, min, bitwise_and, bitwise_or };

[[nodiscard]] constexpr std::string_view name(Combiner combiner) {
  constexpr std::string_view names[] = {"sum", "prod", "max", "min", "and", "or"};
  return names[static_cast<int>(combiner)];
}

/// Calls visit(Sum{}) ... for the run-time combiner, on elements of T; `and` and `or` of floats are an
/// internal error.
template <class T, class Visit>
decltype(auto) visit_combiner(Combiner combiner, Visit&& visit) {
  switch (combiner) {
    case Combiner::sum:
      return visit(Sum{});
    case Combiner::prod:
      return visit(Prod{});
    case Combiner::max:
      return visit(Max{});
    case Combiner::min:
      return visit(Min{});
    case Combiner::bitwise_and:
      if constexpr (math::Bits<T>) return visit(And{});
      break;
    case Combiner::bitwise_or:
      if constexpr (math::Bits<T>) return visit(Or{});
      break;
  }
  raise_internal("this combiner does not take this dtype");
}

// --- Reductions ---

namespace detail {

/// The tree over blocks in O(log n) memory: complete subtrees are merged as a binary counter carries.
template <class T, std::size_t Width>
class BlockTree {
 public:
  using Row = std::array<T, Width>;

  template <class C>
  void push(const Row& block, std::size_t width) {
    levels_[depth_++] = block;
    for (std::uint64_t carry = count_++; (carry & 1) != 0; carry >>= 1) merge<C>(width);
  }

  template <class C>
  [[nodiscard]] const Row& finish(std::size_t width) {
    while (depth_ > 1) merge<C>(width);
    return levels_[0];
  }

 private:
  template <class C>
  void merge(std::size_t width) {
    --depth_;
    for (std::size_t c = 0; c < width; ++c) {
      levels_[depth_ - 1][c] = C::apply(levels_[depth_ - 1][c], levels_[depth_][c]);
    }
  }

  std::array<Row, 58> levels_;  // 2^56 blocks of 256 elements exceed what memory holds
  std::size_t depth_ = 0;
  std::uint64_t count_ = 0;
};

template <class T, class C, class Get>
[[nodiscard]] inline T reduce_block(std::int64_t first, std::int64_t size, Get& get) {
  T lanes[kReductionLanes];
  for (T& lane : lanes) lane = C::template identity<T>();
  std::int64_t i = 0;
  for (; i + kReductionLanes <= size; i += kReductionLanes) {
    for (int l = 0; l < kReductionLanes; ++l)
      lanes[l] = C::apply(lanes[l], static_cast<T>(get(first + i + l)));
  }
  for (int l = 0; i + l < size; ++l) lanes[l] = C::apply(lanes[l], static_cast<T>(get(first + i + l)));
  for (int half = kReductionLanes / 2; half > 0; half /= 2) {
    for (int l = 0; l < half; ++l) lanes[l] = C::apply(lanes[l], lanes[l + half]);
  }
  return lanes[0];
}

}  // namespace detail

/// Reduces get(0) .. get(n-1), values of the accumulation type T.
template <class T, class C, class Get>
[[nodiscard]] T reduce(std::int64_t n, Get get) {
  if (n == 0) return C::template empty<T>();
  if (n <= kReductionBlock) return detail::reduce_block<T, C>(0, n, get);
  detail::BlockTree<T, 1> tree;
  for (std::int64_t first = 0; first < n; first += kReductionBlock) {
    tree.template push<C>({detail::reduce_block<T, C>(first, std::min(kReductionBlock, n - first), get)}, 1);
  }
  return tree.template finish<C>(1)[0];
}

namespace detail {

template <std::size_t Chunk, class T, class C, class Width, class Get, class Put>
void reduce_chunk(std::int64_t n, std::int64_t left, Width width, Get& get, Put& put) {
  BlockTree<T, Chunk> tree;
  for (std::int64_t first = 0; first < n; first += kReductionBlock) {
    const std::int64_t size = std::min(kReductionBlock, n - first);
    const int num_lanes = static_cast<int>(std::min<std::int64_t>(kReductionLanes, size));
    std::array<std::array<T, Chunk>, kReductionLanes> lanes;
    for (int l = 0; l < num_lanes; ++l) lanes[static_cast<std::size_t>(l)].fill(C::template identity<T>());
    for (std::int64_t i = 0; i < size; ++i) {
      auto& lane = lanes[static_cast<std::size_t>(i % kReductionLanes)];
      for (std::size_t c = 0; c < width; ++c) {
        lane[c] = C::apply(lane[c], static_cast<T>(get(first + i, left + static_cast<std::int64_t>(c))));
      }
    }
    // A lane that got no element is the identity, so lanes beyond num_lanes can be left out.
    for (int half = kReductionLanes / 2; half > 0; half /= 2) {
      for (int l = 0; l < half && l + half < num_lanes; ++l) {
        auto& low = lanes[static_cast<std::size_t>(l)];
        const auto& high = lanes[static_cast<std::size_t>(l + half)];
        for (std::size_t c = 0; c < width; ++c) low[c] = C::apply(low[c], high[c]);
      }
    }
    tree.template push<C>(lanes[0], width);
  }
  const auto& result = tree.template finish<C>(width);
  for (std::size_t c = 0; c < width; ++c) put(left + static_cast<std::int64_t>(c), result[c]);
}

}  // namespace detail

/// reduce() of each of `width` columns: column c is get(0, c) .. get(n-1, c); calls put(c, value). Fast where
/// get(i, c) and put read and write neighbours for neighbouring c: the inner loops run over c.
template <class T, class C, class Get, class Put>
void reduce_columns(std::int64_t n, std::int64_t width, Get get, Put put) {
  if (n == 0) {
    for (std::int64_t c = 0; c < width; ++c) put(c, C::template empty<T>());
    return;
  }
  // A constant width lets the compiler vectorise without a loop for the rest.
  std::int64_t left = 0;
  for (; left + 64 <= width; left += 64) {
    detail::reduce_chunk<64, T, C>(n, left, std::integral_constant<std::size_t, 64>{}, get, put);
  }
  for (; left + 16 <= width; left += 16) {
    detail::reduce_chunk<16, T, C>(n, left, std::integral_constant<std::size_t, 16>{}, get, put);
  }
  if (left < width) detail::reduce_chunk<16, T, C>(n, left, static_cast<std::size_t>(width - left), get, put);
}

// --- Dot products ---

/// The dot of get_a(0..k-1) and get_b(0..k-1), values of the accumulation type T.
template <class T, class GetA, class GetB>
[[nodiscard]] T dot(std::int64_t k, GetA get_a, GetB get_b) {
  T total = T(0);
  for (std::int64_t first = 0; first < k; first += kChainBlock) {
    T chain = T(0);
    const std::int64_t last = std::min(k, first + kChainBlock);
    for (std::int64_t i = first; i < last; ++i) {
      chain = math::fma(static_cast<T>(get_a(i)), static_cast<T>(get_b(i)), chain);
    }
    total = math::add(total, chain);
  }
  return total;
}

/// A matrix in memory, strides in elements (0 and negative are legal).
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 0;
};

/// c[m,n] = dot over k of a[m,k] and b[k,n], each element with the bits of dot(). c overlaps neither a nor b.
/// Any strides; fast on every layout, fastest where columns of b and c are contiguous. T: float, double,
/// int32, uint32, int64, uint64.
template <class T>
void matmul(std::int64_t m, std::int64_t n, std::int64_t k, MatrixView<const T> a, MatrixView<const T> b,
            MatrixView<T> c);

extern template void matmul(std::int64_t, std::int64_t, std::int64_t, MatrixView<const float>,
                            MatrixView<const float>, MatrixView<float>);
extern template void matmul(std::int64_t, std::int64_t, std::int64_t, MatrixView<const double>,
                            MatrixView<const double>, MatrixView<double>);
extern template void matmul(std::int64_t, std::int64_t, std::int64_t, MatrixView<const std::int32_t>,
                            MatrixView<const std::int32_t>, MatrixView<std::int32_t>);
extern template void matmul(std::int64_t, std::int64_t, std::int64_t, MatrixView<const std::uint32_t>,
                            MatrixView<const std::uint32_t>, MatrixView<std::uint32_t>);
extern template void matmul(std::int64_t, std::int64_t, std::int64_t, MatrixView<const std::int64_t>,
                            MatrixView<const std::int64_t>, MatrixView<std::int64_t>);
extern template void matmul(std::int64_t, std::int64_t, std::int64_t, MatrixView<const std::uint64_t>,
                            MatrixView<const std::uint64_t>, MatrixView<std::uint64_t>);

// --- Cumulative ops ---

struct CumulativeOptions {
  bool exclusive = false;
  bool reverse = false;
};

/// Calls put(i, y_i) for the cumulative combination of get(0) .. get(n-1), values of the accumulation type T.
template <class T, class C, class Get, class Put>
void cumulative(std::int64_t n, Get get, Put put, CumulativeOptions options = {}) {
  const auto at = [&](std::int64_t i) { return options.reverse ? n - 1 - i : i; };
  if (options.exclusive && n > 0) put(at(0), C::template empty<T>());
  T prefix{};
  for (std::int64_t first = 0; first < n; first += kChainBlock) {
    T chain{};
    T result{};
    const std::int64_t last = std::min(n, first + kChainBlock);
    for (std::int64_t i = first; i < last; ++i) {
      const T x = static_cast<T>(get(at(i)));
      chain = i == first ? x : C::apply(chain, x);
      result = first == 0 ? chain : C::apply(prefix, chain);
      const std::int64_t target = options.exclusive ? i + 1 : i;
      if (target < n) put(at(target), result);
    }
    prefix = result;
  }
}

}  // namespace calx::loopir
