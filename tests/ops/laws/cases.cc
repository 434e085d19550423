#include "cases.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "calx/base/format.h"
#include "calx/base/hash.h"
#include "calx/core/bind.h"
#include "calx/core/evaluator.h"
#include "calx/core/substitute.h"
#include "calx/core/trace.h"

namespace calx::laws {
namespace {

/// Operands of these sets have their own dtype and do not follow the dtype under test unless they accept it.
std::optional<DType> fixed_dtype(DTypes set) {
  switch (set) {
    case DTypes::boolean:
      return boolean;
    case DTypes::index:
      return i32;
    case DTypes::u64_key:
      return u64;
    default:
      return std::nullopt;
  }
}

void bind_case(Case& one) {
  one.symbolic_attrs = one.attrs;
  one.symbolic_types = one.types;
  std::vector<std::string> symbols;
  const auto collect = [&](const Dim& dim) {
    for (std::string& name : dim.symbols()) {
      if (std::find(symbols.begin(), symbols.end(), name) == symbols.end())
        symbols.push_back(std::move(name));
    }
  };
  for (const Type& type : one.types) {
    for (const Dim& dim : type.shape) collect(dim);
  }
  if (symbols.empty()) return;
  Bindings bindings;
  std::int64_t size = 3;
  for (const std::string& name : symbols) bindings.emplace(name, size++);
  for (Type& type : one.types) type = type.bind(bindings);
  one.attrs = bind_sizes(one.attrs, bindings);
}

template <class T>
T from_double(double value) {
  return convert_element<T>(value);
}

double drawn(const OpDef& op, const SampleOperand& how, DType dtype, Random& random) {
  const bool bounded = how.low < how.high;
  if (how.draw == Draw::indices) {
    return how.high > how.low ? static_cast<double>(random.integer(static_cast<std::int64_t>(how.low),
                                                                   static_cast<std::int64_t>(how.high)))
                              : how.low;
  }
  if (dtype.is_boolean()) return static_cast<double>(random.integer(0, 2));
  double low = how.draw == Draw::positive ? 0.5 : how.draw == Draw::unit ? -0.9 : op.numerics.low;
  double high = how.draw == Draw::positive ? 2 : how.draw == Draw::unit ? 0.9 : op.numerics.high;
  if (bounded) {
    low = how.low;
    high = how.high;
  }
  if (!dtype.is_floating()) {
    if (!bounded && how.draw == Draw::positive) return static_cast<double>(random.integer(1, 6));
    if (!bounded && how.draw == Draw::unit)
      return static_cast<double>(random.integer(dtype.is_signed() ? -1 : 0, 2));
    if (!bounded) return static_cast<double>(random.integer(dtype.is_signed() ? -5 : 0, 6));
    return static_cast<double>(
        random.integer(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high) + 1));
  }
  if (how.draw == Draw::normal && !bounded) {
    for (int tries = 0; tries < 8; ++tries) {
      const double value = random.normal();
      if (value > low && value < high) return value;
    }
  }
  return random.uniform(low, high);
}

Array filled(DType dtype, const std::vector<std::int64_t>& sizes,
             const std::function<double(std::int64_t)>& value) {
  Array array = Array::uninitialized(dtype, sizes);
  visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
    T* to = array.mutable_data<T>();
    for (std::int64_t i = 0; i < array.num_elements(); ++i) to[i] = from_double<T>(value(i));
  });
  return array;
}

/// Keeps values apart from each other's magnitudes and from 0: there ops have kinks (choices of one of several,
/// absolute values), which differences must not step across.
class Apart {
 public:
  explicit Apart(std::int64_t count)
      : gap_(std::min(kGap, 0.5 / static_cast<double>(std::max<std::int64_t>(count, 1)))) {}

  [[nodiscard]] bool has_room_for(double value) const {
    const double magnitude = std::abs(value);
    const auto above = taken_.lower_bound(magnitude);
    return magnitude >= gap_ && (above == taken_.end() || *above - magnitude >= gap_) &&
           (above == taken_.begin() || magnitude - *std::prev(above) >= gap_);
  }
  void take(double value) { taken_.insert(std::abs(value)); }

 private:
  /// Differences step along directions, which are drawn and may be long: this is ten such lengths.
  static constexpr double kGap = 0.02;
  double gap_;
  std::set<double> taken_;
};

/// How many values each element of the operand has to choose from where consecutive seeds must go through them
/// all, so that laws that draw a few times meet both sides of a branch; 0 for what is drawn freely.
std::int64_t num_choices(const SampleOperand& how, const Type& type) {
  if (how.draw == Draw::given) return 0;
  if (how.draw == Draw::indices) {
    const bool is_one = type.shape.num_elements() == Dim(1) && how.low < how.high;
    return is_one ? static_cast<std::int64_t>(how.high) - static_cast<std::int64_t>(how.low) : 0;
  }
  return type.dtype.is_boolean() ? 2 : 0;
}

Array draw_choices(const SampleOperand& how, const Type& type, std::int64_t count, std::uint64_t seed,
                   std::uint64_t hash) {
  const auto n = static_cast<std::uint64_t>(count);
  Random random(hash_mix(hash, seed / n));
  const std::int64_t low = how.draw == Draw::indices ? static_cast<std::int64_t>(how.low) : 0;
  return filled(type.dtype, type.shape.sizes(), [&](std::int64_t) {
    return static_cast<double>(low + static_cast<std::int64_t>((random.bits() % n + seed) % n));
  });
}

Array draw_operand(const OpDef& op, const SampleOperand& how, const Type& type, Apart& apart, Random& random) {
  const std::vector<std::int64_t> sizes = type.shape.sizes();
  if (how.draw == Draw::given) {
    CALX_ASSERT(!how.values.empty() || type.shape.num_elements() == Dim(0), std::string(op.name));
    return filled(type.dtype, sizes, [&](std::int64_t i) {
      return how.values[static_cast<std::size_t>(i) % how.values.size()];
    });
  }
  if (how.draw == Draw::distinct && !type.dtype.is_boolean()) {
    const std::int64_t n = type.shape.num_elements().value();
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    for (std::int64_t i = n - 1; i > 0; --i) {
      std::swap(order[static_cast<std::size_t>(i)],
                order[static_cast<std::size_t>(random.integer(0, i + 1))]);
    }
    const double step = type.dtype.is_floating() ? 0.25 : 1;
    const auto origin = type.dtype.is_signed() ? n / 2 : 0;
    return filled(type.dtype, sizes, [&](std::int64_t i) {
      const double value = static_cast<double>(order[static_cast<std::size_t>(i)] - origin) * step;
      apart.take(value);
      return value;
    });
  }
  return filled(type.dtype, sizes, [&](std::int64_t) {
    double value = drawn(op, how, type.dtype, random);
    if (!type.dtype.is_floating()) return value;
    for (int tries = 0; tries < 32 && !apart.has_room_for(value); ++tries) value = drawn(op, how, type.dtype, random);
    apart.take(value);
    return value;
  });
}

template <class T>
std::vector<T> corner_values() {
  using C = ComputeType<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return {false, true};
  } else if constexpr (std::is_integral_v<T>) {
    using Limits = std::numeric_limits<T>;
    return {T(0),
            T(1),
            static_cast<T>(-1),
            Limits::min(),
            Limits::max(),
            T(2),
            T(3),
            static_cast<T>(Limits::max() - 1)};
  } else {
    // By value in the widest type, except for the extremes of the dtype itself.
    double largest = std::numeric_limits<C>::max();
    double smallest = std::numeric_limits<C>::denorm_min();
    double normal = std::numeric_limits<C>::min();
    if (dtype_of<T> == f16) largest = 65504, smallest = 0x1p-24, normal = 0x1p-14;
    if (dtype_of<T> == bf16) largest = 0x1.FEp127, smallest = 0x1p-133, normal = 0x1p-126;
    const double inf = std::numeric_limits<double>::infinity();
    std::vector<T> values;
    for (double value : {0.0, -0.0, 1.0, -1.0, inf, -inf, std::nan(""), smallest, -smallest, largest,
                         -largest, normal, 0.5, 1.5, 2.5, -0.5, -2.5, 3.0}) {
      values.push_back(convert_element<T>(value));
    }
    return values;
  }
}

}  // namespace

std::uint64_t Random::bits() {
  state_ += 0x9E3779B97F4A7C15u;
  return hash_mix(state_, 0x632BE59BD9B4E019u);
}
double Random::uniform(double low, double high) {
  return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
}
std::int64_t Random::integer(std::int64_t low, std::int64_t high) {
  CALX_ASSERT(low < high);
  return low + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(high - low));
}
double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform(0, 1)));
  return radius * std::cos(6.283185307179586 * uniform(0, 1));
}

bool Case::has_floating() const {
  return std::any_of(types.begin(), types.end(), [](const Type& type) { return type.dtype.is_floating(); });
}
std::vector<bool> Case::floating() const {
  std::vector<bool> result;
  for (const Type& type : types) result.push_back(type.dtype.is_floating());
  return result;
}
std::int64_t Case::num_elements() const {
  std::int64_t n = 0;
  for (const Type& type : types) n += type.shape.num_elements().value();
  return n;
}

const OperandSpec& operand_spec(const OpDef& op, int i) {
  CALX_ASSERT(!op.operands.empty(), std::string(op.name));
  return op.operands[std::min(static_cast<std::size_t>(i), op.operands.size() - 1)];
}

std::vector<Case> make_cases(const OpDef& op) {
  std::vector<Case> cases;
  const std::vector<Sample> samples = op.samples();
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const Sample& sample = samples[s];
    // The dtypes that all open operands without a dtype of their own accept.
    bool open = false;
    std::vector<DType> dtypes(std::begin(kAllDTypes), std::end(kAllDTypes));
    bool only_fixed = true;
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t i = 0; i < sample.operands.size(); ++i) {
        const DTypes set = operand_spec(op, static_cast<int>(i)).dtypes;
        if (sample.operands[i].dtype) continue;
        open = true;
        if (pass == 0) only_fixed &= fixed_dtype(set).has_value();
        if (pass == 1 && (only_fixed || !fixed_dtype(set))) {
          std::erase_if(dtypes, [&](DType dtype) { return !accepts(set, dtype); });
        }
      }
    }
    if (!open) dtypes = {f32};
    for (DType dtype : dtypes) {
      Case one{.sample_index = static_cast<int>(s), .sample = sample};
      if (open) one.dtype = dtype;
      for (std::size_t i = 0; i < sample.operands.size(); ++i) {
        const DTypes set = operand_spec(op, static_cast<int>(i)).dtypes;
        const DType own = accepts(set, dtype) ? dtype : fixed_dtype(set).value_or(dtype);
        one.types.push_back({sample.operands[i].dtype.value_or(own), sample.operands[i].shape});
      }
      one.attrs = sample.attrs;
      bind_case(one);
      std::string types;
      for (const Type& type : one.types) types += (types.empty() ? "" : ", ") + type.to_string();
      one.label = format("sample {} ({})", s, types);
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

std::vector<Case> derivative_cases(const std::vector<Case>& cases) {
  std::vector<Case> chosen;
  for (const Case& one : cases) {
    if (one.sample.smooth && one.has_floating() &&
        (!one.dtype || *one.dtype == f64 || !one.dtype->is_floating())) {
      chosen.push_back(one);
    }
  }
  // A sample whose open operands are not floating but whose other operands are: once is enough.
  std::vector<Case> result;
  for (Case& one : chosen) {
    const bool repeated = std::any_of(result.begin(), result.end(), [&](const Case& other) {
      return other.sample_index == one.sample_index && one.dtype && !one.dtype->is_floating();
    });
    if (!repeated) result.push_back(std::move(one));
  }
  return result;
}

std::vector<Case> structural_cases(const std::vector<Case>& cases) {
  std::vector<Case> chosen;
  for (const Case& one : cases) {
    if (!one.dtype || *one.dtype == f32 || *one.dtype == i32 || *one.dtype == boolean || *one.dtype == u64) {
      chosen.push_back(one);
    }
  }
  return chosen;
}

std::vector<Array> draw(const OpDef& op, const Case& one, std::uint64_t seed) {
  const auto sample = static_cast<std::uint64_t>(one.sample_index);
  Random random(hash_string(op.name, hash_mix(seed, sample)));
  Apart apart(one.num_elements());
  std::vector<Array> values;
  for (std::size_t i = 0; i < one.types.size(); ++i) {
    const SampleOperand& how = one.sample.operands[i];
    const std::int64_t choices = num_choices(how, one.types[i]);
    values.push_back(choices > 0 ? draw_choices(how, one.types[i], choices, seed,
                                                hash_string(op.name, hash_mix(sample, i)))
                                 : draw_operand(op, how, one.types[i], apart, random));
  }
  return values;
}

std::vector<Array> draw_corners(const OpDef& op, const Case& one, int round) {
  std::vector<Array> values = draw(op, one, static_cast<std::uint64_t>(round));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Draw how = one.sample.operands[i].draw;
    if (how == Draw::indices || how == Draw::given) continue;
    Array corners = Array::uninitialized(values[i].dtype(), values[i].sizes());
    visit_dtype(corners.dtype(), [&]<class T>(std::type_identity<T>) {
      const std::vector<T> candidates = corner_values<T>();
      // Operand 0 runs through the values in order, so that each occurs; the others are drawn, so that pairs
      // meet.
      Random random(hash_mix(static_cast<std::uint64_t>(round), i));
      T* to = corners.mutable_data<T>();
      for (std::int64_t k = 0; k < corners.num_elements(); ++k) {
        const std::size_t next =
            i == 0 ? static_cast<std::size_t>(round) + static_cast<std::size_t>(k) : random.bits();
        to[k] = candidates[next % candidates.size()];
      }
    });
    values[i] = std::move(corners);
  }
  return values;
}

Array draw_normal(const Type& type, Random& random) {
  return filled(type.dtype, type.shape.sizes(), [&](std::int64_t) { return random.normal(); });
}

Function one_equation(const OpDef& op, const std::vector<Type>& types, const Attrs& attrs) {
  std::vector<Argument> arguments;
  for (std::size_t i = 0; i < types.size(); ++i) arguments.push_back({format("a{}", i), types[i]});
  return trace_flat(arguments,
                    [&](std::span<const Tensor> operands) {
                      return apply(op, {operands.begin(), operands.end()}, attrs);
                    },
                    {.name = std::string(op.name)})
      .function;
}

std::vector<Array> evaluate(const Function& f, std::vector<Array> arguments) {
  return default_evaluator().run(f, std::move(arguments));
}

}  // namespace calx::laws
