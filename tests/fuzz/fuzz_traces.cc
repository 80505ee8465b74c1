// Bytes as a file of traces, first as CSV, then as JSON lines: steps lie in their formulas, and
// what was read can be written and read again.
#include "data/trace_file.h"
#include "fuzz.h"

namespace nrs {
namespace {

void check(std::string_view content, const char* extension) {
  std::string again;
  const std::vector<data::RewriteExample> examples =
      data::read_trace_file(fuzz::as_file(content, extension));
  for (const data::RewriteExample& example : examples) {
    for (const Step& step : example.steps) fuzz::expect(step.leaf.end <= example.formula.size());
    combine(example.formula, example.steps);
    again += data::to_json_line(example) + '\n';
  }
  // Bytes that are not UTF-8 are replaced when written, so only the number of examples is compared.
  fuzz::expect(data::read_trace_file(fuzz::as_file(again, ".jsonl")).size() <= examples.size());
}

}  // namespace

void fuzz::check(std::string_view content) {
  for_each_reader({".csv", ".jsonl"}, [&](auto extension) { nrs::check(content, extension); });
}

}  // namespace nrs
