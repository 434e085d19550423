// The command `calx`: runs programs in the text format, transforms them, and tells about ops. Values and
// programs go to stdout, everything else to stderr; exit code 1 for every error.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "apply.h"
#include "calx/base/format.h"
#include "calx/base/mapped_file.h"
#include "calx/base/printable.h"
#include "calx/core/evaluator.h"
#include "calx/core/op_def.h"
#include "calx/core/text.h"
#include "calx/core/verify.h"
#include "calx/io/safetensors.h"
#include "calx/transforms/rules.h"

namespace calx::tool {
namespace {

struct RunOptions {
  std::string program;
  std::string in;
  std::string out;
  std::vector<std::string> apply;
  bool print = false;
};

Function read_program(const std::string& path) {
  if (path == "-") {
    std::ostringstream text;
    text << std::cin.rdbuf();
    return parse(text.str(), "stdin");
  }
  const std::shared_ptr<const MappedFile> file = MappedFile::open(path);
  return parse({reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()}, path);
}

std::vector<Array> arguments_from(const Function& f, const RunOptions& options) {
  NamedArrays given;
  if (!options.in.empty()) given = read_safetensors(options.in, {}).tensors;
  std::vector<Array> arguments;
  std::vector<std::string> missing;
  for (const Argument& argument : f.arguments()) {
    const auto found = given.find(argument.name);
    if (found == given.end()) {
      missing.push_back(format("`{}` {}", argument.name, argument.type.to_string()));
      continue;
    }
    arguments.push_back(found->second);
  }
  if (!missing.empty()) {
    std::vector<std::string> names;
    for (const auto& [name, array] : given) names.push_back(name);
    raise({.id = ErrorId::arity,
           .op = f.name(),
           .message = format("no value for {}", calx::join(missing, ", ")),
           .hint = options.in.empty()
                       ? "name a file with --in"
                       : format("`{}` holds {}", options.in,
                                names.empty() ? "nothing" : calx::join(names, ", "))});
  }
  for (const auto& [name, array] : given) {
    const bool known = std::any_of(f.arguments().begin(), f.arguments().end(),
                                   [&](const Argument& argument) { return argument.name == name; });
    if (!known)
      fmt::print(stderr, "calx: note: `{}` in `{}` is no argument of `{}`\n", shown(name), printable(options.in),
                 shown(f.name()));
  }
  return arguments;
}

void run(const RunOptions& options) {
  Function f = read_program(options.program);
  verify(f, {});
  for (const std::string& specification : options.apply) f = apply_transform(f, specification);
  verify(f, {});
  if (options.print) fmt::print("{}", print(f));
  if (options.print && options.in.empty() && options.out.empty()) return;

  const std::vector<Array> values = default_evaluator().run(f, arguments_from(f, options), {});
  NamedArrays results;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < values.size(); ++i) {
    names.push_back(fresh_name(f.results()[i].name, names));
    if (options.out.empty()) {
      fmt::print("{}: {}\n", printable(names.back()), to_string(Tensor(values[i])));
    } else {
      results.emplace(names.back(), values[i]);
    }
  }
  if (!options.out.empty()) write_safetensors(options.out, results, {}, {});
}

void show_op(const OpDef& op) {
  const auto signature = [&] {
    std::vector<std::string> parts;
    for (const OperandSpec& operand : op.operands) {
      parts.push_back(format("%{}{}: {}", operand.name,
                             operand.variadic   ? "..."
                             : operand.optional ? "?"
                                                : "",
                             describe(operand.dtypes)));
    }
    return format("{}({})", op.name, calx::join(parts, ", "));
  };
  fmt::print("{}\n  {}\n", signature(), op.doc.summary);
  for (const AttrSpec& attribute : op.attrs) {
    fmt::print("  {{{}}}  {}{}\n", attribute.name, attribute.doc,
               attribute.default_value ? "" : " (required)");
    if (!attribute.names.empty()) fmt::print("    one of {}\n", calx::join(attribute.names, ", "));
  }
  for (const auto& [title, text] : {std::pair{"formula", op.doc.math}, std::pair{"shapes", op.doc.shapes},
                                    std::pair{"gradient", op.doc.gradient},
                                    std::pair{"errors", op.doc.errors}, std::pair{"source", op.doc.source}}) {
    if (!text.empty()) fmt::print("  {}: {}\n", title, text);
  }
}

void list_ops(const std::string& wanted) {
  if (!wanted.empty()) {
    const OpDef* op = find_op(wanted);
    if (op == nullptr) {
      raise({.id = ErrorId::value,
             .op = "ops",
             .message = format("there is no op `{}`", wanted),
             .hint = "`calx ops` lists them"});
    }
    show_op(*op);
    return;
  }
  for (const OpDef* op : op_table()) fmt::print("{:<28} {:<12} {}\n", op->name, op->family, op->doc.summary);
}

int main_of(int argc, char** argv) {
  CLI::App app{"Runs, transforms and prints programs in the text format of Calx."};
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);

  RunOptions options;
  CLI::App* run_command = app.add_subcommand("run", "Runs a program, transformed as asked");
  run_command->add_option("program", options.program, "the program (.calx); - for standard input")
      ->required();
  run_command->add_option("--in", options.in, "values of the arguments, by name (safetensors)");
  run_command->add_option("--out", options.out,
                          "where to write the results (safetensors); without it they are printed");
  run_command
      ->add_option("--apply", options.apply, "a transform or pass, see below; repeatable, applied in order")
      ->allow_extra_args(false);
  run_command->add_flag("--print", options.print,
                        "prints the transformed program; without --in and --out only that");
  run_command->footer(
      "Transforms (of the floating arguments named, or of all of them):\n" + describe_transforms() +
      "Names: the tangent of x is x.t, its cotangent x.ct; where a name is taken: x.t2, x.t3, ...");
  run_command->callback([&] { run(options); });

  std::string op;
  CLI::App* ops_command = app.add_subcommand("ops", "Lists the ops, or tells about one");
  ops_command->add_option("name", op, "the op to tell about");
  ops_command->callback([&] { list_ops(op); });

  try {
    app.parse(argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      raise({.id = ErrorId::file_open, .op = "calx", .message = "standard output cannot be written"});
    }
    return 0;
  } catch (const CLI::ParseError& error) {
    std::ostringstream told;
    const int code = app.exit(error, std::cout, told);
    // It quotes the arguments.
    std::istringstream lines(told.str());
    for (std::string line; std::getline(lines, line);) fmt::print(stderr, "{}\n", printable(line));
    return code == 0 ? 0 : 1;
  } catch (const Error& error) {
    fmt::print(stderr, "calx: error: {}\n", error.what());
    for (const std::string& note : error.notes()) fmt::print(stderr, "calx: note: {}\n", note);
  } catch (const std::exception& error) {
    fmt::print(stderr, "calx: error: {}\n", error.what());
  }
  return 1;
}

}  // namespace
}  // namespace calx::tool

int main(int argc, char** argv) { return calx::tool::main_of(argc, argv); }
