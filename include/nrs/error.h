#pragma once
// What nrs throws when the caller, a file or the system is at fault. A model's mistake is never an
// Error: it is a Result with a stop reason (rewriter.h).
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace nrs {

// Whose fault it is. The numbers are the exit codes of the command line.
enum class ErrorKind {
  kIo = 1,     // a file could not be read or written
  kUsage = 2,  // an option or a recipe is wrong
  kInput = 3,  // a formula, a data file or a model file is bad
};

// One line that says what is wrong, where, and (if there is something to say) what to do about it.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message, std::string hint = {})
      : std::runtime_error(message), kind_(kind), hint_(std::move(hint)) {}

  // A fault at one character of a formula; `offset` counts from 0, the column that is shown from 1.
  static Error at(std::size_t offset, const std::string& message, std::string hint = {}) {
    Error error(ErrorKind::kInput, "column " + std::to_string(offset + 1) + ": " + message,
                std::move(hint));
    error.offset_ = offset;
    return error;
  }

  // The same error with a place in front: "line 3" or "traces.csv:3".
  Error in(const std::string& place) const {
    Error error(kind_, place + (offset_ ? ", " : ": ") + what(), hint_);
    error.offset_ = offset_;
    return error;
  }

  // The same error with another hint.
  Error with_hint(std::string hint) const {
    Error error = *this;
    error.hint_ = std::move(hint);
    return error;
  }

  ErrorKind kind() const { return kind_; }
  const std::string& hint() const { return hint_; }
  // Where in the formula, if the fault is in one.
  std::optional<std::size_t> offset() const { return offset_; }
  // Message and hint in one line, as it is shown to people.
  std::string line() const { return hint_.empty() ? what() : what() + (" (" + hint_ + ")"); }

 private:
  ErrorKind kind_;
  std::string hint_;
  std::optional<std::size_t> offset_;
};

}  // namespace nrs
