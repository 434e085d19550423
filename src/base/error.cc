// Renders errors. The form of the message is fixed here and nowhere else.
#include "calx/base/error.h"

#include "calx/base/format.h"
#include "calx/base/printable.h"

namespace calx {
namespace {

std::string render(const Error::Parts& parts) {
  std::string text;
  if (!parts.op.empty()) text += parts.op + ": ";
  text += parts.message;
  if (parts.where.known()) text += " · " + printable(to_string(parts.where));
  if (!parts.hint.empty()) text += " · hint: " + parts.hint;
  for (const std::string& note : parts.notes) text += " · note: " + note;
  return text + " · " + to_string(parts.id);
}

/// What is told may quote anything that users wrote; what() ends at a NUL. Facts are for programs and stay as they are.
Error::Parts readable(Error::Parts parts) {
  for (std::string* text : {&parts.op, &parts.message, &parts.hint}) *text = printable(*text);
  for (std::string& note : parts.notes) note = printable(note);
  return parts;
}

}  // namespace

Error::Error(Parts parts) : std::runtime_error(render(parts = readable(std::move(parts)))), parts_(std::move(parts)) {}

void raise(Error::Parts parts) {
  if (parts.id == ErrorId::internal) throw InternalError(std::move(parts));
  if (parts.id == ErrorId::unsupported || parts.id == ErrorId::no_rule) throw UnsupportedError(std::move(parts));
  switch (static_cast<int>(parts.id) / 100) {
    case 1: throw DTypeError(std::move(parts));
    case 2: throw ShapeError(std::move(parts));
    case 3: throw ValueError(std::move(parts));
    case 4: throw IndexError(std::move(parts));
    case 8: throw FileError(std::move(parts));
    default: throw Error(std::move(parts));
  }
}

std::string to_string(ErrorId id) { return format("CALX-E{}", static_cast<int>(id)); }

void raise_internal(std::string message, SourceLoc where) {
  throw InternalError({.id = ErrorId::internal,
                       .op = "",
                       .message = "internal error: " + message,
                       .where = where,
                       .hint = "this is a bug in Calx, please report it with the program that caused it"});
}

void raise_broken_invariant(const char* condition, const std::string& detail, SourceLoc where) {
  raise_internal(format("broken invariant: {}{}{}", condition, detail.empty() ? "" : ": ", detail), where);
}

}  // namespace calx
