#pragma once
// nrs check of a file of examples.
#include <filesystem>
#include <string>

#include "examples/examples.h"

namespace nrs::cli {

// By the extension and the first lines: chains, tables, JSON lines. Files of rules, which have
// variables, and models are no examples. A few rules without variables are taken for rules.
bool are_examples(const std::filesystem::path& path);

// How a file is read if `kind` is "steps", "answers", or "auto" to find it out.
examples::ReadOptions read_options(const std::string& kind, const examples::Progress& progress);

// Prints what is in the file; the exit code says whether anything is wrong.
int check_examples(const std::filesystem::path& path, const std::string& kind, bool json);

}  // namespace nrs::cli
