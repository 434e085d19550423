// Law 12: `lower`, run by loopir's interpreter on operands laid out in several ways, equals the reference bit
// for bit.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "calx/base/format.h"
#include "calx/core/bind.h"
#include "calx/loopir/interpreter.h"
#include "law_functions.h"

namespace calx::laws {
namespace {

enum class Layout { contiguous, reversed, transposed, repeated };
constexpr std::string_view kLayouts[] = {"contiguous", "negative strides", "transposed with gaps",
                                         "stride 0"};

/// A copy of `array` in memory of the given layout. `repeated`: axis 0 has stride 0, so all rows are row 0.
loopir::StridedArray laid_out(const Array& array, Layout layout) {
  loopir::StridedArray result = loopir::StridedArray::of(array);
  if (layout == Layout::contiguous || array.rank() == 0) return result;
  const auto rank = static_cast<std::size_t>(array.rank());
  std::int64_t extent = 1;
  if (layout == Layout::reversed) {
    for (std::size_t a = rank; a-- > 0;) {
      result.strides[a] = -extent;
      extent *= result.sizes[a];
    }
    result.offset = std::max<std::int64_t>(extent - 1, 0);
  } else if (layout == Layout::transposed) {
    extent = 2;
    for (std::size_t a = 0; a < rank; ++a) {
      result.strides[a] = extent;
      extent *= std::max<std::int64_t>(result.sizes[a], 1);
      extent += 1;
    }
    result.offset = 1;
    extent += 1;
  } else {
    for (std::size_t a = rank; a-- > 1;) {
      result.strides[a] = extent;
      extent *= result.sizes[a];
    }
    result.strides[0] = 0;
  }
  const auto width = static_cast<std::size_t>(array.dtype().size_bytes());
  result.buffer = Buffer::uninitialized(static_cast<std::size_t>(std::max<std::int64_t>(extent, 1)) * width);
  std::memset(result.buffer.mutable_data(), 1, result.buffer.size_bytes());
  std::int64_t position = 0;
  loopir::for_each_index(array.sizes(), [&](std::span<const std::int64_t> index) {
    const std::int64_t at =
        std::inner_product(index.begin(), index.end(), result.strides.begin(), result.offset);
    const bool stays = layout != Layout::repeated || index[0] == 0;
    if (stays) {
      std::memcpy(result.buffer.mutable_data() + static_cast<std::size_t>(at) * width,
                  array.bytes().data() + static_cast<std::size_t>(position) * width, width);
    }
    ++position;
  });
  return result;
}

const LowerRule* lower_rule(const OpDef& op) {
  if (const Primitive* primitive = op.primitive()) return std::get_if<LowerRule>(&primitive->lower);
  if (const Composite* composite = op.composite()) return std::get_if<LowerRule>(&composite->lower);
  return std::get_if<LowerRule>(&op.region()->lower);
}

std::optional<std::vector<Array>> run_strided(const OpDef& op, const Case& one,
                                              const std::vector<loopir::StridedArray>& operands,
                                              const std::vector<Type>& results) {
  const LowerRule* rule = lower_rule(op);
  if (rule == nullptr) return std::nullopt;
  Attrs attrs = one.attrs;
  (void)infer_types(op, one.types, attrs, {});  // completes the attributes
  const loopir::Lowered lowered = (*rule)(Call(op, {}, one.types, attrs, {}, {}, results));
  return loopir::run(lowered, operands, results);
}

}  // namespace

std::optional<std::vector<Array>> run_lowered(const OpDef& op, const Case& one,
                                              const std::vector<Array>& operands,
                                              const std::vector<Type>& results) {
  std::vector<loopir::StridedArray> strided;
  for (const Array& operand : operands) strided.push_back(loopir::StridedArray::of(operand));
  return run_strided(op, one, strided, results);
}

void check_lower(const LawInput& input, Cell& cell) {
  const OpDef& op = input.op;
  if (lower_rule(op) == nullptr) {
    if (const Primitive* primitive = op.primitive()) {
      if (const auto* todo = std::get_if<Todo>(&primitive->lower))
        return cell.fail("Todo: " + std::string(todo->missing));
    }
    if (const Region* region = op.region()) {
      if (const auto* todo = std::get_if<Todo>(&region->lower))
        return cell.fail("Todo: " + std::string(todo->missing));
    }
    return cell.claim(op.composite() != nullptr ? "Derived" : "NotInterpretable");
  }
  for (const Case& one : input.cases) {
    guarded(cell, one.label, [&] {
      const Function f = one_equation(op, one.types, one.attrs);
      for (Layout layout : {Layout::contiguous, Layout::reversed, Layout::transposed, Layout::repeated}) {
        if (layout != Layout::contiguous && one.types.empty()) break;
        std::vector<loopir::StridedArray> strided;
        std::vector<Array> operands;
        for (const Array& drawn : draw(op, one, input.seed)) {
          strided.push_back(laid_out(drawn, layout));
          operands.push_back(strided.back().to_contiguous());
          if (layout == Layout::repeated) continue;
          cell.check(operands.back() == drawn, [&] { return one.label + ": the layout itself is wrong"; });
        }
        const std::vector<Array> expected = evaluate(f, operands);
        const std::vector<Array> actual = *run_strided(op, one, strided, f.result_types());
        cell.check(expected.size() == actual.size(),
                   [&] { return one.label + ": another number of results"; });
        for (std::size_t r = 0; r < expected.size(); ++r) {
          check_same(cell,
                     format("{}: {}: reference and lower", one.label, kLayouts[static_cast<int>(layout)]),
                     expected[r], actual[r]);
        }
      }
    });
  }
}

}  // namespace calx::laws
