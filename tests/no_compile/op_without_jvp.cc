// EXPECT: this op definition leaves out the slot jvp: give a rule or a claim
#include "calx/core/bind.h"

calx::OpDef my_op() {
  return {.name = "my_op",
          .form = calx::Primitive{.infer = calx::infer::same_as(0),
                                  .linear = calx::NotLinear{},
                                  .batch = calx::batch::pointwise,
                                  .simplify = calx::NoIdentity{},
                                  .reference = calx::Todo{"all of it"},
                                  .lower = calx::Todo{"all of it"}}};
}
