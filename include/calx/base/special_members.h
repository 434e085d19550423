// Special members of types that nearly every file builds and destroys, declared in the header and defined once. Inlined
// into each op's file they were half of its compile time.
#pragma once

#define CALX_SPECIAL_MEMBERS(T)  \
  ~T();                          \
  T(const T&);                   \
  T(T&&) noexcept;               \
  T& operator=(const T&);        \
  T& operator=(T&&) noexcept

/// In one source file. T may be qualified (`Outer::T`); Name is its last part.
#define CALX_DEFINE_SPECIAL_MEMBERS(T, Name) \
  T::~Name() = default;                      \
  T::Name(const Name&) = default;            \
  T::Name(Name&&) noexcept = default;        \
  T& T::operator=(const Name&) = default;    \
  T& T::operator=(Name&&) noexcept = default
