#pragma once
// All verbs and options as a table, from which completions, man pages and docs/help are made.
#include <string>

namespace CLI {
class App;
}

namespace nrs::cli {

// A line for each verb of this program and one for each option: verb, option (empty: the verb
// itself), what it takes (empty: nothing), and what it is for, with tabs between them.
std::string describe(const CLI::App& app);

}  // namespace nrs::cli
