#pragma once
// Worked examples: chains of terms, each the one before it after one rewrite or several at once.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "examples/examples.h"
#include "term/notation.h"
#include "term/position.h"
#include "term/term.h"

namespace nrs::induce {

struct Chain {
  std::vector<term::Term> terms;
  bool complete = true;    // the last term is a normal form
  std::uint32_t line = 0;  // of the file, from 1
  // Where each step rewrote, if the file says so: empty, or one less than the terms.
  std::vector<term::Position> positions{};
  bool trusted = true;     // if not, nothing is concluded from what it does not rewrite
  bool explained = false;  // its steps need no rule, but speak against rules with other results
};

using examples::BadLine;

// A file of chains owns the store of its terms.
struct ChainFile {
  term::Terms terms;
  std::vector<Chain> chains;
  std::vector<BadLine> unread;
  term::Notation notation = term::Notation::kFunctional;
};

// Called now and then with the number of lines read.
using ReadProgress = std::function<void(std::size_t lines)>;

// The terms of examples. They are taken for steps if they are pairs. A position is a path of
// argument numbers from 1, "root" or "" for the root. The notation is found out from the first
// examples. Lines that are no terms are listed if they are few; otherwise the first one is thrown
// (Error).
ChainFile to_chains(examples::ExampleFile from);

// Reads a file of any form that examples/examples.h knows.
ChainFile read_chains(const std::filesystem::path& path, const ReadProgress& progress = {});
ChainFile read_chains(std::string_view text, const std::string& name);

}  // namespace nrs::induce
