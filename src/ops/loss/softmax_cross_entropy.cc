#include "calx/ops/enums.h"
#include "reduction/_support.h"

namespace calx::ops {

namespace {

using namespace reduction;

constinit const Attr<std::optional<std::int64_t>> ignore_index{"ignore_index", std::optional<std::int64_t>{},
                                                     "rows with this label add nothing; none: every row counts"};
constinit const Attr<double> label_smoothing{"label_smoothing", 0.0,
                                   "share of the target that is spread evenly over all classes", 0, 1};
constinit const Attr<LossReduction> loss_reduction{"reduction", LossReduction::mean,
                                         "none, sum, or mean weighted by the targets' weights"};

void check(const Call& c, int class_axis) {
  const bool integer_labels = !c.dtype(1).is_floating();
  if (integer_labels && !accepts(DTypes::index, c.dtype(1))) {
    c.fail(ErrorId::dtype, "`labels` must be i32 or i64 (classes) or floating (probabilities)");
  }
  const Shape wanted = integer_labels ? c.shape(0).without_axis(class_axis) : c.shape(0);
  require_rank(c, 1, wanted.rank());
  for (int i = 0; i < wanted.rank(); ++i) {
    require_equal(c, c.shape(1)[i], wanted[i], "the size of `labels`", "that of `logits`");
  }
  if (!integer_labels && c[ignore_index]) {
    c.fail(ErrorId::attribute, "`ignore_index` needs integer labels", "give such rows probabilities that are all 0");
  }
  if (c.size() > 2) {
    require_rank(c, 2, 1);
    require_equal(c, c.shape(2)[0], c.shape(0)[class_axis], "the size of `class_weights`", "the number of classes");
  }
}

/// Per row: what it adds, and the weight of its target.
struct Rows {
  Tensor loss;
  Tensor weight;
};

Rows rows_of(const Call& c, int class_axis, const Tensor& log_probabilities) {
  const Axes classes = {class_axis};
  const Shape& shape = log_probabilities.shape();
  const DType wide = log_probabilities.dtype();
  const Dim& num_classes = shape[class_axis];
  const double smoothing = c[label_smoothing];
  const auto sum = [&](const Tensor& x) { return core::reduce_sum(x, classes); };

  Tensor weights;  // of the classes, over the whole shape
  if (c.size() > 2) weights = core::expand(core::convert(c[2], wide), shape, classes);
  Tensor losses = -log_probabilities;
  if (weights.defined()) losses = core::strong_mul(weights, losses);

  Rows rows;
  Tensor counts;
  if (c.dtype(1).is_floating()) {
    // Where the target is 0 the loss is, even of a class whose probability is 0.
    const Tensor targets = core::convert(c[1], wide);
    rows.loss = sum(core::strong_mul(targets, losses));
    rows.weight = sum(weights.defined() ? targets * weights : targets);
  } else {
    Tensor labels = c[1];
    if (const std::optional<std::int64_t> ignored = c[ignore_index]) {
      counts = compare(labels, static_cast<double>(*ignored), Comparison::ne);
    }
    labels = spread_back(core::checked_index(labels, num_classes, c.op().name, counts), shape, classes);
    const Tensor chosen = compare(labels, core::iota(shape, class_axis, labels.dtype()), Comparison::eq);
    rows.loss = sum(select(chosen, losses, 0));
    rows.weight = weights.defined() ? sum(select(chosen, weights, 0)) : core::ones(rows.loss.type());
  }
  if (smoothing > 0) {
    const Tensor share = smoothing / core::size(num_classes, wide);
    rows.loss = (1 - smoothing) * rows.loss + spread(share, rows.loss.shape()) * sum(losses);
  }
  if (counts.defined()) {
    rows.loss = select(counts, rows.loss, 0);
    rows.weight = select(counts, rows.weight, 0);
  }
  return rows;
}

Results decompose_cross_entropy(const Call& c) {
  const int class_axis = normalize_axis(c, c[axis], c.type(0).rank());
  check(c, class_axis);
  static const OpDef& log_softmax_op = get_op("log_softmax");
  const Tensor log_probabilities =
      apply_one(log_softmax_op, {core::convert(c[0], computation(c))}, {attr(axis, class_axis)});
  const Rows rows = rows_of(c, class_axis, log_probabilities);
  if (c[loss_reduction] == LossReduction::none) return core::convert(rows.loss, c.dtype(0));
  const Axes all = kept_axes(rows.loss.rank(), {});
  Tensor total = core::reduce_sum(rows.loss, all);
  if (c[loss_reduction] == LossReduction::mean) {
    const Tensor divisor = core::reduce_sum(rows.weight, all);
    total = total / select(compare(divisor, 0, Comparison::eq), 1, divisor);
  }
  return core::convert(total, c.dtype(0));
}

std::vector<Sample> cross_entropy_samples() {
  const auto labels = [](Shape shape, double high, DType dtype = i32) {
    return SampleOperand{.shape = std::move(shape), .dtype = dtype, .draw = Draw::indices, .high = high};
  };
  const auto positive = [](Shape shape) {
    return SampleOperand{.shape = std::move(shape), .dtype = f32, .draw = Draw::positive};
  };
  const SampleOperand rows = {.shape = {2, 3}, .dtype = f32};
  const SampleOperand ignored = {.shape = {3}, .dtype = i32, .draw = Draw::given, .values = {0, -100, 1}};
  return {
      {.operands = {{.shape = {2, 3}}, labels({2}, 3)}},
      {.operands = {{.shape = {3}}, labels({}, 3)}, .attrs = {attr(loss_reduction, LossReduction::sum)}},
      {.operands = {{.shape = {2, 3}}, labels({2}, 3, i64)}, .attrs = {attr(loss_reduction, LossReduction::none)}},
      {.operands = {{.shape = {3, 2, 4}}, labels({2, 4}, 3)}, .attrs = {attr(axis, 0)}},
      {.operands = {rows, positive({2, 3})}},
      {.operands = {rows, positive({2, 3}), positive({3})}, .attrs = {attr(label_smoothing, 0.1)}},
      {.operands = {{.shape = {3, 2}, .dtype = f32}, ignored, positive({2})},
       .attrs = {attr(ignore_index, -100), attr(label_smoothing, 0.1)}},
      {.operands = {{.shape = {0, 3}}, labels({0}, 3)}},
      {.operands = {rows, labels({2}, 3)}, .attrs = {attr(accumulation, f64)}}};
}

std::vector<Reject> cross_entropy_rejects() {
  const Type logits{f32, {2, 3}};
  return {
      {.operands = {logits, {i32, {3}}}, .id = ErrorId::shape_mismatch, .message = "the size of `labels` (3)"},
      {.operands = {logits, {f32, {2}}}, .id = ErrorId::rank, .message = "`labels`"},
      {.operands = {logits, {boolean, {2}}}, .id = ErrorId::dtype, .message = "`labels` must be"},
      {.operands = {logits, {i32, {2}}, {f32, {2}}}, .id = ErrorId::shape_mismatch, .message = "`class_weights`"},
      {.operands = {logits, logits}, .attrs = {attr(ignore_index, 0)}, .id = ErrorId::attribute, .message = "`ignore_index`"},
      {.operands = {logits, {i32, {2}}},
       .attrs = {attr(label_smoothing, 1.5)},
       .id = ErrorId::attribute,
       .message = "label_smoothing"},
      {.operands = {{f32, {}}, {i32, {}}}, .id = ErrorId::axis, .message = "`axis` is -1"}};
}

}  // namespace

OpDef softmax_cross_entropy() {
  return {
      .name = "softmax_cross_entropy",
      .family = "loss",
      .doc = {.summary = "Cross entropy between the softmax of logits and labels, which are classes or probabilities.",
              .math = "row loss = -sum over classes c of w_c * t_c * log_softmax(logits)_c, where t = (1 - label_smoothing) * "
                      "target + label_smoothing / classes; mean: sum of row losses / sum of w_c * target_c",
              .shapes = "`logits: f32[n,c]`, `labels: i32[n]` or `f32[n,c]`, `class_weights: f32[c]` (may be absent) -> `f32[]`, "
                        "or `f32[n]` with reduction none",
              .gradient = "w * (softmax(logits) - t) to logits, divided as the mean is; -w * log_softmax(logits) to "
                          "probabilities; exactly 0 in rows that are ignored",
              .accuracy = "computed in `accumulation` (f32 for f16 and bf16) from a stable log_softmax, rounded once; 0 if all "
                          "rows are ignored",
              .errors = "at run time, a label that is no class and not ignored: CALX-E401; labels of another shape: CALX-E201, "
                        "CALX-E202; another kind of dtype: CALX-E101; label_smoothing outside [0, 1]: CALX-E301",
              .example = "softmax_cross_entropy(tensor({{0, 0}}), tensor<std::int32_t>({1}))  // f32[] 0.6931472",
              .source = "torch.nn.CrossEntropyLoss, whose mean over probabilities divides by the number of rows; Szegedy et al. "
                        "(2016), section 7"},
      .operands = {{"logits", DTypes::floating},
                   {"labels", DTypes::any},
                   {.name = "class_weights", .dtypes = DTypes::floating, .optional = true}},
      .attrs = {axis, ignore_index, label_smoothing, loss_reduction, accumulation},
      .form = Composite{.infer = Derived{},
                        .decompose = decompose_cross_entropy,
                        .jvp = Derived{},
                        .batch = Derived{},
                        .simplify = NoIdentity{},
                        .reference = Derived{},
                        .lower = Derived{}},
      .numerics = {.max_ulp_f32 = 16},
      .samples = cross_entropy_samples,
      .rejects = cross_entropy_rejects,
  };
}

}  // namespace calx::ops
