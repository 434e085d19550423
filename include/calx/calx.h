// Everything a program needs, in one header.
#pragma once

#include "calx/calculus/calculus.h"
#include "calx/core/text.h"
#include "calx/core/trace_tree.h"
#include "calx/core/tree.h"
#include "calx/core/verify.h"
#include "calx/interp/interpreter.h"
#include "calx/io/safetensors.h"
#include "calx/jit/jit.h"
#include "calx/ops.h"
#include "calx/ops/contraction.h"
#include "calx/ops/control.h"
#include "calx/ops/control_tree.h"
#include "calx/ops/sugar.h"
#include "calx/passes/passes.h"
#include "calx/transforms/transforms.h"
