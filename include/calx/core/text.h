// The text format: Functions as text and back. Knows the op table only through names, attributes and type rules.
// Invariant: parse(print(f)) == f for every verified Function, bitwise on constants. Grammar (# starts a comment):
//
//   file      = "calx 1" func {func}        the last func is the entry, the others are used as @label
//   func      = "func" name ["as" @label] "(" [%name ":" type {","...}] ")" "->" "(" [[name ":"] type {","...}] ")"
//               ["donates" "(" %name "->" index {","...} ")"] ["where" dim ">=" dim {","...}]
//               "{" {equation} "return" [values] "}"
//   equation  = [%name {"," %name} "="] op "(" [values] ")" ["{" attribute "=" value {","...} "}"] [":" type {","...}]
//
// Functions are nested at most 256 deep. A missing attribute takes its default; missing result types are inferred, given ones are checked.
#pragma once

#include <string>
#include <string_view>

#include "calx/core/equation.h"

namespace calx {

/// The program as text, self-contained: constants in full, `parse` gives the same Function.
[[nodiscard]] std::string print(const Function& f, SourceLoc where = SourceLoc::current());
/// For people: long constants are elided as `...`. Does not parse where something was elided.
[[nodiscard]] std::string print_short(const Function& f, SourceLoc where = SourceLoc::current());
/// One equation of f, constants and regions elided, for errors: `%3 = mul(%x, %2) : f32[3]`.
[[nodiscard]] std::string print_equation(const Function& f, const Equation& equation);

/// Reads a program. Raises `parse` with file, line and column (facts `line`, `column`). Safe on hostile text:
/// nesting, ranks and sizes are bounded, nothing is allocated that the text does not pay for.
[[nodiscard]] Function parse(std::string_view text, std::string_view file = "text");

}  // namespace calx
