// EXPECT: this op definition leaves out the slot composite_simplify: give a rule or a claim
#include "calx/core/bind.h"

calx::OpDef my_op() {
  return {.name = "my_op",
          .form = calx::Composite{.infer = calx::Derived{},
                                  .decompose = [](const calx::Call& c) { return calx::Results(c[0]); },
                                  .jvp = calx::Derived{},
                                  .batch = calx::Derived{},
                                  .reference = calx::Derived{},
                                  .lower = calx::Derived{}}};
}
