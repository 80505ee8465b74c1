#include "cli/console.h"

#include <fmt/format.h>
#include <unistd.h>

namespace nrs::cli {
namespace {

// Put in front of what is hidden; no formula contains it.
constexpr char kHidden = '\x01';

bool looks_like_formula(std::string_view argument) {
  if (argument.starts_with('[')) return true;
  return argument.size() > 1 && argument[0] == '-' &&
         std::string_view("0123456789abxy").find(argument[1]) != std::string_view::npos;
}

}  // namespace

void hide(std::string& argument) {
  if (looks_like_formula(argument)) argument.insert(0, 1, kHidden);
}

std::string as_given(const std::string& argument) {
  return argument.starts_with(kHidden) ? argument.substr(1) : argument;
}

bool errors_are_terminal() {
  return ::isatty(STDERR_FILENO) == 1;
}

void complain(const std::string& line) {
  fmt::print(stderr, "nrs: {}\n", line);
}

Output::Output(const std::string& path) {
  if (!path.empty() && path != "-") file_ = std::make_unique<AtomicFile>(path);
}

void Output::write(std::string_view text) {
  file_ ? file_->write(text) : standard_.write(text);
}

void Output::commit() {
  file_ ? file_->commit() : standard_.flush();
}

}  // namespace nrs::cli
