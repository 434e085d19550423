// EXPECT: this type is no tree: list its fields with CALX_TREE
#include "calx/core/tree.h"

struct Layer {
  calx::Tensor weight;
  int units = 0;
};
CALX_TREE(Layer, weight, units);

calx::Tensors leaves(const Layer& layer) { return calx::tree::leaves(layer); }
