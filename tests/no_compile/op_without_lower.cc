// EXPECT: this op definition leaves out the slot lower: give a rule or a claim
#include "calx/core/bind.h"

calx::OpDef my_op() {
  return {.name = "my_op",
          .form = calx::Primitive{.infer = calx::infer::same_as(0),
                                  .jvp = calx::PiecewiseConstant{},
                                  .linear = calx::NotLinear{},
                                  .batch = calx::batch::pointwise,
                                  .simplify = calx::NoIdentity{},
                                  .reference = calx::Todo{"all of it"}}};
}
