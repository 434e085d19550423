// OpDef: everything the project knows about an op, in one value. Each slot holds a rule, or a typed claim that a test
// checks; a slot that is left out does not compile, and the diagnostic names it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "calx/base/special_members.h"
#include "calx/core/call.h"
#include "calx/core/evaluator.h"
#include "calx/loopir/lowered.h"

namespace calx {

// ---- Claims: what a slot may say instead of giving a rule ----------------------------------------------------------

/// Not linear in any group of operands. A test checks that the linearity law fails.
struct NotLinear {};
/// The jvp of an op that is linear in groups of operands: the sum over groups of the op on the group's tangents.
struct FromLinear {};
/// No operand is floating: there is nothing to differentiate.
struct NoFloatOperand {};
/// The result is piecewise constant in every operand (floor, comparisons): tangents are symbolic zeros.
struct PiecewiseConstant {};
/// Differentiation stops here by definition (stop_gradient).
struct Cut {};
/// No simplification that is exact for every bit pattern.
struct NoIdentity {};
/// A composite's slot that follows from its decomposition.
struct Derived {};
/// The transforms treat this op themselves (call).
struct ByTransforms {};
/// `lower` of ops that loopir cannot run: regions and library calls.
struct NotInterpretable {
  std::string_view reason;
};
/// A gap, stated: what is missing and what a caller sees. Counts as blank in the op report.
struct Todo {
  std::string_view missing;
};

// ---- Rules ----------------------------------------------------------------------------------------------------------

/// One Type per result; a rule for one result may return the Type.
class Types : public std::vector<Type> {
 public:
  Types() = default;
  CALX_SPECIAL_MEMBERS(Types);
  using std::vector<Type>::vector;
  Types(std::initializer_list<Type> types);
  Types(Type type);
  Types(std::vector<Type> types);
};
/// One Tensor per result; a rule for one result may return the Tensor.
class Results : public std::vector<Tensor> {
 public:
  Results() = default;
  CALX_SPECIAL_MEMBERS(Results);
  using std::vector<Tensor>::vector;
  Results(std::initializer_list<Tensor> tensors);
  Results(Tensor tensor);
  Results(std::vector<Tensor> tensors);
};

/// Operand types and attributes to result types; raises the op's errors.
using InferRule = std::function<Types(const Call&)>;
/// One tangent per result, linear in the tangents. Operands and results may be read.
using JvpRule = std::function<Tangents(const Call&, const Tangents&)>;
/// Cotangents of the results to cotangents of the operands of linear group `group`, in the group's order.
/// The group's operands may not be read.
using TransposeRule = std::function<Tangents(const Call&, int group, const Tangents& cotangents)>;
using DecomposeRule = std::function<Results(const Call&)>;
/// A replacement for the results, or nullopt. Exact for every bit pattern.
using SimplifyRule = std::function<std::optional<Results>(const Call&)>;

/// A tensor under vmap: where `batched`, its axis 0 is the batch axis.
struct Batched {
  Tensor tensor;
  bool batched = false;
};

/// What a batch rule sees: operands whose batch axis, where there is one, is axis 0.
class BatchCall {
 public:
  BatchCall(const Call& call, std::vector<Batched> operands, Dim size, Tensor mask)
      : call(call), operands(std::move(operands)), size(std::move(size)), mask(std::move(mask)) {}
  /// Types and attributes as they were for one lane. Its operand tensors are not set.
  const Call& call;
  std::vector<Batched> operands;
  /// The batch size.
  Dim size;
  /// bool[size]: lanes whose results count; undefined where all do. Loops and checks must obey it.
  Tensor mask;

  [[nodiscard]] bool batched(int i) const { return operands[static_cast<std::size_t>(i)].batched; }
  [[nodiscard]] const Tensor& tensor(int i) const { return operands[static_cast<std::size_t>(i)].tensor; }
  /// Operand i with a batch axis: an unbatched one is expanded.
  [[nodiscard]] Tensor with_batch(int i) const;
};
using BatchRule = std::function<std::vector<Batched>(const BatchCall&)>;

/// What a reference sees: values of the operands and static result types.
class ReferenceCall {
 public:
  ReferenceCall(const OpDef& op, std::span<const Array> operands, const Attrs& attrs, std::span<const Type> types,
                EvaluationContext& context, SourceLoc where)
      : op_(&op), operands_(operands), attrs_(&attrs), types_(types), context_(&context), where_(where) {}

  [[nodiscard]] const OpDef& op() const { return *op_; }
  [[nodiscard]] int size() const { return static_cast<int>(operands_.size()); }
  [[nodiscard]] const Array& operator[](int i) const { return operands_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] std::span<const Array> operands() const { return operands_; }
  template <class T>
  [[nodiscard]] T operator[](const Attr<T>& key) const {
    return (*attrs_)[key];
  }
  [[nodiscard]] const Attrs& attrs() const { return *attrs_; }
  /// The sizes of result i.
  [[nodiscard]] std::vector<std::int64_t> sizes(int i = 0) const { return types_[static_cast<std::size_t>(i)].shape.sizes(); }
  [[nodiscard]] DType dtype(int i = 0) const { return types_[static_cast<std::size_t>(i)].dtype; }
  [[nodiscard]] std::span<const Type> result_types() const { return types_; }
  /// A new array for result i.
  [[nodiscard]] Array result(int i = 0) const { return Array::uninitialized(dtype(i), sizes(i)); }
  [[nodiscard]] std::int64_t evaluate(const Dim& dim) const { return dim.evaluate(context_->bindings()); }
  [[nodiscard]] std::vector<std::int64_t> evaluate(const std::vector<Dim>& dims) const;
  [[nodiscard]] EvaluationContext& context() const { return *context_; }
  [[nodiscard]] SourceLoc where() const { return where_; }

 private:
  const OpDef* op_;
  std::span<const Array> operands_;
  const Attrs* attrs_;
  std::span<const Type> types_;
  EvaluationContext* context_;
  SourceLoc where_;
};
using ReferenceRule = std::function<std::vector<Array>(const ReferenceCall&)>;
/// Static operand types and bound attributes to loopir's description.
using LowerRule = std::function<loopir::Lowered(const Call&)>;

// Region ops.

/// Values and tangents of the results of a region op.
struct RegionDerivative {
  Results results;
  Tangents tangents;
};
/// Forward mode: results and tangents; the derivative of a region is a region.
using RegionJvpRule = std::function<RegionDerivative(const Call&, const Tangents&)>;
/// The same, split: `results` come from equations that do not depend on the tangents (they emit residuals as well),
/// `tangents` from equations that are linear in them.
using RegionLinearizeRule = std::function<RegionDerivative(const Call&, const Tangents&)>;
/// Cotangents of the operands for which `linear` is set (the others' entries are zeros); operands set there may not be read.
using RegionTransposeRule =
    std::function<Tangents(const Call&, const std::vector<bool>& linear, const Tangents& cotangents)>;
/// Which results are used: an equal application without what is not needed, or nullopt if nothing can go.
/// Unused results may be returned as undefined tensors.
using PruneRule = std::function<std::optional<Results>(const Call&, const std::vector<bool>& used)>;

// ---- Slots ----------------------------------------------------------------------------------------------------------

// The constructors of std::variant are not inherited: its default constructor, no template, would win over the one here.
#define CALX_SLOT(Name, ...)                                                                        \
  struct Name : std::variant<__VA_ARGS__> {                                                         \
    CALX_SPECIAL_MEMBERS(Name);                                                                     \
    template <class Rule>                                                                           \
      requires(!std::is_same_v<std::remove_cvref_t<Rule>, Name> &&                                  \
               std::is_constructible_v<std::variant<__VA_ARGS__>, Rule>)                            \
    Name(Rule&& rule) : std::variant<__VA_ARGS__>(std::forward<Rule>(rule)) {}                      \
    template <class Missing = void>                                                                 \
    Name() {                                                                                        \
      static_assert(!std::is_void_v<Missing>,                                                       \
                    "this op definition leaves out the slot " #Name ": give a rule or a claim");    \
    }                                                                                               \
  }

namespace slot {
struct LinearGroups {
  LinearGroups(std::vector<std::vector<int>> groups, TransposeRule transpose);
  CALX_SPECIAL_MEMBERS(LinearGroups);
  std::vector<std::vector<int>> groups;  // operands that the op is linear in, together; {kAllOperands} for variadic ops
  TransposeRule transpose;
};
CALX_SLOT(infer, InferRule);
CALX_SLOT(jvp, JvpRule, FromLinear, NoFloatOperand, PiecewiseConstant, Cut, ByTransforms, Todo);
CALX_SLOT(linear, LinearGroups, NotLinear, ByTransforms, Todo);
CALX_SLOT(batch, BatchRule, ByTransforms, Todo);
CALX_SLOT(simplify, SimplifyRule, NoIdentity, Todo);
CALX_SLOT(reference, ReferenceRule, Todo);
CALX_SLOT(lower, LowerRule, NotInterpretable, Todo);

CALX_SLOT(decompose, DecomposeRule);
CALX_SLOT(composite_infer, InferRule, Derived);
CALX_SLOT(composite_jvp, JvpRule, Derived, Cut);
CALX_SLOT(composite_batch, BatchRule, Derived);
CALX_SLOT(composite_simplify, SimplifyRule, NoIdentity, Todo);
CALX_SLOT(composite_reference, ReferenceRule, Derived);
CALX_SLOT(composite_lower, LowerRule, Derived);

CALX_SLOT(region_jvp, RegionJvpRule, ByTransforms, Todo);
CALX_SLOT(region_linearize, RegionLinearizeRule, ByTransforms, Todo);
CALX_SLOT(region_transpose, RegionTransposeRule, NotLinear, ByTransforms, Todo);
CALX_SLOT(region_prune, PruneRule, NoIdentity, Todo);
}  // namespace slot

using LinearIn = slot::LinearGroups;
/// In LinearIn::groups: every operand of a variadic op.
inline constexpr int kAllOperands = -1;

struct Primitive {
  slot::infer infer;
  slot::jvp jvp;
  slot::linear linear;
  slot::batch batch;
  slot::simplify simplify;
  slot::reference reference;
  slot::lower lower;
};

struct Composite {
  slot::composite_infer infer;
  slot::decompose decompose;
  slot::composite_jvp jvp;
  slot::composite_batch batch;
  slot::composite_simplify simplify;
  slot::composite_reference reference;
  slot::composite_lower lower;
};

struct Region {
  slot::infer infer;
  slot::region_jvp jvp;
  slot::region_linearize linearize;
  slot::region_transpose transpose;
  slot::batch batch;
  slot::region_prune prune;
  slot::simplify simplify;
  slot::reference reference;
  slot::lower lower;
};

// ---- Documentation, operands, samples ----------------------------------------------------------------------------------

struct OpDoc {
  std::string_view summary = {};   // one sentence
  std::string_view math = {};      // the formula
  std::string_view shapes = {};    // `x: f32[b,k]`, `w: f32[k,n]` -> `f32[b,n]`
  std::string_view gradient = {};  // and its value where there is none
  std::string_view accuracy = {};  // per dtype
  std::string_view errors = {};
  std::string_view example = {};   // C++, with its output in a comment
  std::string_view source = {};    // paper and equation, DLMF, or the NumPy/JAX/StableHLO name and the differences
};

/// The dtypes that an operand takes.
enum class DTypes : std::uint8_t { any, floating, integer, numeric, boolean, index, u64_key, bits };
[[nodiscard]] bool accepts(DTypes set, DType dtype);
[[nodiscard]] std::string_view describe(DTypes set);

struct OperandSpec {
  std::string_view name;
  DTypes dtypes = DTypes::any;
  bool variadic = false;      // only the last operand: zero or more
  std::string_view doc = {};
  bool optional = false;      // trailing; an absent one is simply not there
};

/// How the values of a sample operand are drawn; laws replace the random ones by their own draws.
enum class Draw : std::uint8_t {
  normal,      // standard normal; integers: uniform in [-5, 5]; booleans: fair
  positive,    // uniform in [0.5, 2]
  unit,        // uniform in [-0.9, 0.9]
  distinct,    // a random permutation of multiples of 0.25 around 0: no ties
  indices,     // uniform integers in [low, high)
  given,       // `values`
};

struct SampleOperand {
  Shape shape = {};
  std::optional<DType> dtype = {};  // empty: each dtype that the operand accepts (the same for all such operands)
  Draw draw = Draw::normal;
  double low = 0;                   // indices, and bounds that override the range of normal/positive/unit when low < high
  double high = 0;
  std::vector<double> values = {};
};

class SampleOperands : public std::vector<SampleOperand> {
 public:
  SampleOperands() = default;
  CALX_SPECIAL_MEMBERS(SampleOperands);
  using std::vector<SampleOperand>::vector;
  SampleOperands(std::initializer_list<SampleOperand> operands);
};

struct Sample {
  SampleOperands operands = {};
  Attrs attrs = {};
  std::string_view note = {};
  /// Not differentiable at the drawn points by nature (ties): only the value laws are run.
  bool smooth = true;
};

/// A misuse and the error it must give.
struct Reject {
  Types operands = {};
  Attrs attrs = {};
  ErrorId id = ErrorId::dtype;
  std::string_view message = {};    // must occur in what()
};

/// What the binder does with operands before the op is applied.
enum class Binding : std::uint8_t {
  exact,      // nothing; weak scalars become f32, i32 or bool
  promote,    // operands whose spec is not boolean, index or key get their common dtype
  broadcast,  // promote, then all operands are expanded to their common shape
};

struct Numerics {
  double max_ulp_f32 = 0;           // against a correctly rounded result; 0: exact or by construction
  double low = -3, high = 3;        // the domain from which laws draw
  double tolerance_scale = 1;       // multiplies the table's tolerance; say why in `reason`
  std::string_view reason = {};
};

/// How an op is defined.
class OpForm : public std::variant<Primitive, Composite, Region> {
 public:
  OpForm() = delete;
  CALX_SPECIAL_MEMBERS(OpForm);
  OpForm(Primitive primitive);
  OpForm(Composite composite);
  OpForm(Region region);
};

struct OpDef {
  std::string_view name = {};
  std::string_view family = {};
  OpDoc doc = {};
  std::vector<OperandSpec> operands = {};
  std::vector<AttrSpec> attrs = {};
  std::vector<std::string_view> results = {"result"};
  Binding binding = Binding::exact;
  OpForm form;
  Numerics numerics = {};
  /// Made when asked for, since samples of region ops trace functions.
  std::function<std::vector<Sample>()> samples;
  std::function<std::vector<Reject>()> rejects;

  [[nodiscard]] const Primitive* primitive() const;
  [[nodiscard]] const Composite* composite() const;
  [[nodiscard]] const Region* region() const;
};

// ---- The table ----------------------------------------------------------------------------------------------------------

namespace detail {
/// Defined once per program at link time, from the list of op files.
std::vector<OpDef> make_op_table();
}  // namespace detail

/// Every op there is now, core ops first, then by name, then those registered. Stable addresses.
[[nodiscard]] std::vector<const OpDef*> op_table();
/// nullptr if there is none.
[[nodiscard]] const OpDef* find_op(std::string_view name);
/// An op that must exist.
[[nodiscard]] const OpDef& get_op(std::string_view name, SourceLoc where = SourceLoc::current());
/// Adds a user's op; raises `value` if the name is taken. The OpDef lives as long as the program.
const OpDef& register_op(OpDef op, SourceLoc where = SourceLoc::current());

}  // namespace calx
