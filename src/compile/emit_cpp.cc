#include "compile/emit_cpp.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/text.h"
#include "compile/cpp_loop.h"

namespace nrs::compile {
namespace {

constexpr std::string_view kIncludes = R"cpp(#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>
)cpp";

constexpr std::string_view kTypes = R"cpp(
  struct Row {
    std::uint32_t begin;   // the first of its cells
    std::uint8_t copied;   // characters of the leaf that end its value,
    std::uint8_t skipped;  // but for the last ones
  };
  struct Value {
    std::string_view text;
    bool omega;  // nothing is left to compute
    bool sure;
  };
)cpp";

class Emitter {
 public:
  explicit Emitter(const EmittedModel& model) : model_(model), parts_(*model.parts) {}

  std::string run() {
    out_ = fmt::format(
        "// The values of formulas by the model {}. Reads formulas, one per line.\n"
        "// Compile with: g++ -O2 -o simplify FILE\n"
        "// exit status: 0 all final, 3 some formula was bad, 4 some did not reach a normal form\n",
        cpp_comment(model_.name));
    out_ += kIncludes;
    write_habits();
    write_automata();
    out_ += kTypes;
    write_table();
    out_ += kCppLoop;
    return std::move(out_);
  }

 private:
  template <class Range>
  void numbers(std::string_view type, std::string_view name, const Range& all) {
    constexpr std::size_t kWidth = 110;
    out_ += fmt::format("static const {} {}[] = {{", type, name);
    std::size_t column = kWidth;
    for (const auto& one : all) {
      const std::string number = std::to_string(static_cast<std::uint64_t>(one)) + ",";
      if (column + number.size() > kWidth) {
        out_ += "\n  ";
        column = 2;
      }
      out_ += number;
      column += number.size();
    }
    out_ += "};\n";
  }

  void constant(std::string_view type, std::string_view name, auto value) {
    out_ += fmt::format("constexpr {} {} = {};\n", type, name, value);
  }

  void write_habits() {
    const rewrite::Habits& habits = parts_.habits;
    const bool blank = std::ranges::find(model_.tokens, " ") != model_.tokens.end();
    constant("bool", "kBalanced", habits.balanced);
    constant("bool", "kErases", habits.erases);
    constant("bool", "kBlanksMeanNothing", !blank);
    out_ +=
        "// Rewrites that a formula of n characters may need: linear * n + quadratic * n * n.\n";
    constant("double", "kLinear", habits.linear);
    constant("double", "kQuadratic", habits.quadratic);
  }

  void write_automata() {
    const runtime::MarkAutomata& automata = parts_.automata;
    std::vector<bool> known(256);
    for (std::size_t c = 0; c < known.size(); ++c) {
      known[c] = model_.tokens.empty() && automata.class_of[c] != 0;
    }
    for (const std::string& token : model_.tokens) {
      known[static_cast<unsigned char>(token.front())] = true;
    }
    out_ += "\n// ---- Which characters begin a leaf or go on with it, by what is around them.\n";
    numbers("bool", "kToken", known);
    numbers("std::uint8_t", "kClassOf", automata.class_of);
    constant("std::size_t", "kClasses", automata.classes);
    constant("std::size_t", "kRightStates", automata.right_states());
    numbers("std::uint8_t", "kLeft", automata.left);
    numbers("std::uint8_t", "kRight", automata.right);
    numbers("std::uint8_t", "kMarks", automata.marks);
    numbers("std::uint8_t", "kNeighbours", automata.neighbours);
  }

  void write_table() {
    const runtime::LeafTable& table = parts_.table;
    const runtime::LeafTable::Parts& parts = table.parts();
    out_ += fmt::format("\n// ---- The values of {} leaves.\n", table.size());
    numbers("std::uint8_t", "kLeafClassOf", parts.leaves.class_of);
    constant("std::size_t", "kLeafClasses", parts.leaves.classes());
    numbers("std::uint16_t", "kNext", parts.leaves.next);
    numbers("std::uint32_t", "kSkip", table.skips());
    numbers("bool", "kAccepting", parts.leaves.accepting);
    numbers("bool", "kRowBegins", parts.row_begins);
    out_ += "static const Row kRows[] = {\n";
    for (const runtime::LeafTable::Row& row : parts.rows) {
      out_ += fmt::format("{{{},{},{}}},\n", row.begin, row.copied, row.skipped);
    }
    out_ += "};\n";
    numbers("std::uint16_t", "kCells", parts.cells);
    out_ += "static const Value kValues[] = {\n";
    for (const runtime::TableValue& value : parts.values) {
      const bool sure = !model_.min_log_prob || value.log_prob >= *model_.min_log_prob;
      out_ += fmt::format("{{{},{},{}}},\n", cpp_string(value.text), value.omega, sure);
    }
    out_ += "};\n";
  }

  const EmittedModel& model_;
  const runtime::MarkedParts& parts_;
  std::string out_;
};

}  // namespace

std::string emit_cpp(const EmittedModel& model) {
  return Emitter(model).run();
}

}  // namespace nrs::compile
