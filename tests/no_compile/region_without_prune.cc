// EXPECT: this op definition leaves out the slot region_prune: give a rule or a claim
#include "calx/core/bind.h"

calx::OpDef my_op() {
  return {.name = "my_op",
          .form = calx::Region{.infer = calx::infer::same_as(0),
                               .jvp = calx::ByTransforms{},
                               .linearize = calx::ByTransforms{},
                               .transpose = calx::ByTransforms{},
                               .batch = calx::ByTransforms{},
                               .simplify = calx::NoIdentity{},
                               .reference = calx::Todo{"all of it"},
                               .lower = calx::NotInterpretable{"it is a region"}}};
}
