// What nearly every file of core and above includes.
#pragma once

#include "calx/core/bind.h"
#include "calx/core/core_ops.h"
#include "calx/core/lower.h"
#include "calx/core/match.h"
#include "calx/core/op_def.h"
#include "calx/core/reference.h"
#include "calx/core/samples.h"
#include "calx/core/trace.h"
#include "calx/loopir/scalar_math.h"
#include "precompiled_foundation.h"
