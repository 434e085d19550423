// The order of sums, bit for bit, against a naive rendering of the definition.
#include "calx/loopir/summation.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace calx::loopir::summation_test {
namespace {

template <class T>
std::vector<T> samples(std::int64_t n, std::uint64_t seed) {
  std::vector<T> result(static_cast<std::size_t>(n));
  for (T& x : result) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const auto bits = static_cast<std::int64_t>(seed >> 33);
    if constexpr (std::is_floating_point_v<T>) {
      x = static_cast<T>(bits - (std::int64_t{1} << 30)) / static_cast<T>(1 << ((seed >> 20) % 31));
    } else {
      x = static_cast<T>(bits * 2654435761);
    }
  }
  return result;
}

template <class T>
::testing::AssertionResult same_bits(T actual, T expected) {
  if (std::memcmp(&actual, &expected, sizeof(T)) == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << actual << " is not " << expected;
}

// The definition of the header comment, read aloud.
template <class T, class C>
T naive_tree(const std::vector<T>& x) {
  if (x.size() == 1) return x[0];
  std::size_t p = 1;
  while (p * 2 < x.size()) p *= 2;
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(p);
  return C::apply(naive_tree<T, C>({x.begin(), middle}), naive_tree<T, C>({middle, x.end()}));
}

template <class T, class C>
T naive_reduce(const std::vector<T>& x) {
  if (x.empty()) return C::template empty<T>();
  std::vector<T> blocks;
  for (std::size_t first = 0; first < x.size(); first += 256) {
    std::vector<T> lanes(16, C::template identity<T>());
    for (std::size_t i = first; i < std::min(x.size(), first + 256); ++i) {
      lanes[(i - first) % 16] = C::apply(lanes[(i - first) % 16], x[i]);
    }
    for (std::size_t half : {8, 4, 2, 1}) {
      for (std::size_t l = 0; l < half; ++l) lanes[l] = C::apply(lanes[l], lanes[l + half]);
    }
    blocks.push_back(lanes[0]);
  }
  return naive_tree<T, C>(blocks);
}

constexpr std::int64_t kLengths[] = {0,    1,    2,    15,   16,   17,           100,
                                     255, 256, 257, 512, 1023, 1024, 1025, 2048, 3000, 7 * 1024 + 5, 13000};

template <class T, class C>
void check_reduce() {
  for (std::int64_t n : kLengths) {
    const auto x = samples<T>(n, static_cast<std::uint64_t>(n) + 1);
    const T expected = naive_reduce<T, C>(x);
    EXPECT_TRUE(same_bits((reduce<T, C>(n, [&](std::int64_t i) { return x[static_cast<std::size_t>(i)]; })),
                          expected))
        << n;
    // Columns: the row in every column, at widths on either side of a chunk; other columns hold other values.
    for (std::int64_t width : {1, 15, 16, 65, 83}) {
      int seen = 0;
      reduce_columns<T, C>(
          n, width,
          [&](std::int64_t i, std::int64_t c) { return c % 2 == 0 ? x[static_cast<std::size_t>(i)] : T(1); },
          [&](std::int64_t c, T value) {
            ++seen;
            if (c % 2 == 0) {
              EXPECT_TRUE(same_bits(value, expected)) << n << " " << c;
            }
          });
      EXPECT_EQ(seen, width);
    }
  }
}

TEST(Summation, ReduceFollowsTheDefinition) {
  check_reduce<float, Sum>();
  check_reduce<double, Sum>();
  check_reduce<float, Prod>();
  check_reduce<float, Max>();
  check_reduce<double, Min>();
  check_reduce<std::int32_t, Sum>();
  check_reduce<std::uint64_t, Prod>();
  check_reduce<std::int32_t, And>();
  check_reduce<std::int32_t, Or>();
}

TEST(Summation, Corners) {
  const auto of = [](std::vector<float> x) {
    return [x](std::int64_t i) { return x[static_cast<std::size_t>(i)]; };
  };
  EXPECT_TRUE(same_bits(reduce<float, Sum>(1, of({-0.0f})), -0.0f));
  EXPECT_TRUE(same_bits(reduce<float, Sum>(0, of({})), 0.0f));
  EXPECT_TRUE(same_bits(reduce<float, Sum>(2, of({-0.0f, 0.0f})), 0.0f));
  EXPECT_TRUE(same_bits(reduce<float, Max>(3, of({-0.0f, 0.0f, -1.0f})), 0.0f));
  EXPECT_TRUE(std::isnan(reduce<float, Max>(2, of({1.0f, NAN}))));
  EXPECT_EQ((reduce<float, Prod>(0, of({}))), 1.0f);
  EXPECT_EQ((reduce<bool, And>(0, [](std::int64_t) { return false; })), true);
  EXPECT_EQ((reduce<bool, Or>(3, [](std::int64_t i) { return i == 2; })), true);
}

template <class T>
T naive_dot(const std::vector<T>& a, const std::vector<T>& b) {
  T total = T(0);
  for (std::size_t first = 0; first < a.size(); first += 1024) {
    T chain = T(0);
    for (std::size_t i = first; i < std::min(a.size(), first + 1024); ++i) {
      if constexpr (std::is_floating_point_v<T>) {
        chain = std::fma(a[i], b[i], chain);
      } else {
        using U = std::make_unsigned_t<T>;
        chain = static_cast<T>(static_cast<U>(chain) + static_cast<U>(a[i]) * static_cast<U>(b[i]));
      }
    }
    if constexpr (std::is_floating_point_v<T>) {
      total = total + chain;
    } else {
      total = static_cast<T>(static_cast<std::make_unsigned_t<T>>(total) +
                             static_cast<std::make_unsigned_t<T>>(chain));
    }
  }
  return total;
}

template <class T>
void check_matmul(std::int64_t m, std::int64_t n, std::int64_t k, int layout) {
  const auto a = samples<T>(m * k, 7);
  const auto b = samples<T>(k * n, 8);
  std::vector<T> c(static_cast<std::size_t>(m * n), T(99));
  const auto view = [&](auto* data, std::int64_t rows, std::int64_t columns, bool transposed) {
    return MatrixView<std::remove_pointer_t<decltype(data)>>{data, transposed ? 1 : columns,
                                                             transposed ? rows : 1};
  };
  const auto av = view(a.data(), m, k, (layout & 1) != 0);
  const auto bv = view(b.data(), k, n, (layout & 2) != 0);
  const auto cv = view(c.data(), m, n, (layout & 4) != 0);
  matmul<T>(m, n, k, av, bv, cv);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      std::vector<T> row, column;
      for (std::int64_t p = 0; p < k; ++p) {
        row.push_back(av.data[i * av.row_stride + p * av.column_stride]);
        column.push_back(bv.data[p * bv.row_stride + j * bv.column_stride]);
      }
      const T expected = naive_dot(row, column);
      EXPECT_TRUE(same_bits(cv.data[i * cv.row_stride + j * cv.column_stride], expected)) << i << " " << j;
      EXPECT_TRUE(same_bits(dot<T>(
                                k, [&](std::int64_t p) { return row[static_cast<std::size_t>(p)]; },
                                [&](std::int64_t p) { return column[static_cast<std::size_t>(p)]; }),
                            expected));
    }
  }
}

TEST(Summation, MatmulFollowsTheDefinitionOnEveryLayout) {
  for (int layout = 0; layout < 8; ++layout) {
    check_matmul<float>(13, 37, 50, layout);
    check_matmul<float>(9, 3, 1100, layout);
    check_matmul<double>(7, 21, 2049, layout);
    check_matmul<float>(1, 1, 3000, layout);
    check_matmul<std::int32_t>(11, 35, 40, layout);
    check_matmul<std::uint64_t>(5, 18, 40, layout);
  }
  check_matmul<float>(3, 4, 0, 0);
  check_matmul<float>(0, 4, 3, 0);
}

TEST(Summation, DotIsNeverNegativeZero) {
  const auto minus_zero = [](std::int64_t) { return -0.0f; };
  EXPECT_TRUE(same_bits(dot<float>(1, minus_zero, [](std::int64_t) { return 1.0f; }), 0.0f));
  // An underflow to -0 inside the chain is not seen either.
  EXPECT_TRUE(same_bits(
      dot<float>(1, [](std::int64_t) { return -1e-30f; }, [](std::int64_t) { return 1e-30f; }), 0.0f));
}

template <class T, class C>
void check_cumulative(CumulativeOptions options) {
  for (std::int64_t n : kLengths) {
    auto x = samples<T>(n, 3);
    std::vector<T> expected;
    if (options.reverse) std::reverse(x.begin(), x.end());
    T prefix{};
    T chain{};
    for (std::size_t i = 0; i < x.size(); ++i) {
      chain = i % 1024 == 0 ? x[i] : C::apply(chain, x[i]);
      if (i % 1024 == 0 && i > 0) prefix = expected.back();
      expected.push_back(i < 1024 ? chain : C::apply(prefix, chain));
    }
    if (options.exclusive && n > 0) {
      expected.insert(expected.begin(), C::template empty<T>());
      expected.pop_back();
    }
    if (options.reverse) {
      std::reverse(expected.begin(), expected.end());
      std::reverse(x.begin(), x.end());
    }
    int seen = 0;
    cumulative<T, C>(
        n, [&](std::int64_t i) { return x[static_cast<std::size_t>(i)]; },
        [&](std::int64_t i, T value) {
          ++seen;
          EXPECT_TRUE(same_bits(value, expected[static_cast<std::size_t>(i)])) << n << " " << i;
        },
        options);
    EXPECT_EQ(seen, n);
  }
}

TEST(Summation, CumulativeFollowsTheDefinition) {
  for (bool exclusive : {false, true}) {
    for (bool reverse : {false, true}) {
      check_cumulative<float, Sum>({exclusive, reverse});
      check_cumulative<float, Max>({exclusive, reverse});
      check_cumulative<std::int32_t, Prod>({exclusive, reverse});
    }
  }
}

TEST(Summation, CumulativeSumOfPositiveNumbersNeverFalls) {
  const auto x = samples<float>(5000, 5);
  float last = 0.0f;
  cumulative<float, Sum>(
      5000, [&](std::int64_t i) { return std::abs(x[static_cast<std::size_t>(i)]); },
      [&](std::int64_t, float value) {
        EXPECT_GE(value, last);
        last = value;
      });
}

}  // namespace
}  // namespace calx::loopir::summation_test
