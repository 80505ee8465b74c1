#pragma once
// Worked examples as people write them: what every learner reads, whatever form the file has.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nrs::examples {

// What lies between a formula of an example and the next one.
enum class Kind : std::uint8_t {
  kSteps,   // one step, of one place or of several at once
  kAnswer,  // the first is a question, the second its answer; nothing is said of the way
};

// A part of a formula that is rewritten to `value`, which may be empty. In bytes; no character is
// cut, and places of one formula do not overlap.
struct Place {
  std::size_t begin;
  std::size_t end;
  std::string value;

  bool operator==(const Place&) const = default;
};

// Formulas are valid UTF-8 without line ends. Only the last one may be empty, and it is final then.
struct Example {
  std::uint32_t line = 0;   // of the file, from 1
  std::uint32_t times = 1;  // that the file has it, if others like it were dropped
  Kind kind = Kind::kSteps;
  bool complete = true;  // the last formula is final
  // If places are stated: whether they are all places of their formulas that can be rewritten now.
  bool all_places = false;
  // At least one. One formula alone is final if `complete`; otherwise it can be rewritten, and
  // places may say where.
  std::vector<std::string> formulas{};
  // What the file says of where formulas are rewritten: empty, or one list for each formula, left
  // to right.
  std::vector<std::vector<Place>> places{};
  // The same for terms, "2.1" or "root": empty, or one for each step.
  std::vector<std::string> positions{};

  bool operator==(const Example&) const = default;
};

// A line of the file that something is wrong with.
struct BadLine {
  std::uint32_t line;
  std::string reason;

  bool operator==(const BadLine&) const = default;
};

enum class Format : std::uint8_t {
  kChains,     // formulas with arrows or equals signs between them
  kColumns,    // two columns with a tab between them
  kTable,      // CSV or TSV with a header
  kJsonLines,  // an object a line
};

struct ExampleFile {
  std::string name;  // as it is shown in messages
  std::vector<Example> examples;
  std::vector<BadLine> unread;  // few; the file is refused if they are many
  Kind kind = Kind::kSteps;     // kAnswer if no example shows steps
  Format format = Format::kChains;
  std::string why;        // how it was decided between steps and answers
  bool numbered = false;  // every line begins with its number, which is left out
  // Of a large file: examples that are not here. All that are the same are one.
  std::size_t left_out = 0;
};

// Called now and then with what is being done and the number of lines or examples done.
using Progress = std::function<void(std::string_view doing, std::size_t done)>;
inline constexpr std::size_t kProgressEvery = 4096;

struct ReadOptions {
  Progress progress{};
  std::optional<Kind> kind{};  // instead of what the file seems to have
  bool finals_only = false;    // a file is taken even if nothing in it is rewritten
  std::size_t longest_line = std::size_t{1} << 24;  // bytes; a longer one is not read
  // About so much memory is for examples; of a larger file a share is kept (Sampler), by this seed.
  std::size_t most_bytes = ~std::size_t{0};
  std::uint64_t seed = 0;
};

// Reads the examples of a file; "-" is standard input. The form is found out from the file:
//   t0 -> t1 -> ... -> tn   a chain; the arrows may also be =>, → or =; tn is final
//   t0 -> t1 -> ...         the chain goes on
//   t                       a final formula
//   question = answer       unless other lines have chains with =
//   t0 <tab> t1             two columns
//   question,answer         CSV or TSV; the header names the columns
//   {"formula": ...}        JSON lines
// Lines may begin with their number, such as "1. "; examples are without it.
// docs/data.md has the details. Throws Error (input) with file and line if it has no examples, if
// nothing is ever rewritten, or if more lines than a few cannot be read; Error (I/O) if the file
// cannot be.
ExampleFile read_examples(const std::filesystem::path& path, const ReadOptions& options = {});
// The same of a text; `name` is for messages.
ExampleFile parse_examples(std::string_view text, const std::string& name,
                           const ReadOptions& options = {});

// Visits all examples of a file, in memory that does not depend on how many there are. What pairs
// are is found out as by read_examples() with the same options.
void visit_examples(const std::filesystem::path& path, const ReadOptions& options,
                    const std::function<void(Example&&)>& visit);

// "chains", "two columns", "table", "JSON lines".
std::string_view name_of(Format format);

}  // namespace nrs::examples
