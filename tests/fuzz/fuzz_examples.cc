// Bytes as a file of examples: what is read keeps the laws of Example, and can be summed up.
#include "examples/summary.h"
#include "fuzz.h"

namespace nrs {
namespace {

void check(const examples::Example& example) {
  fuzz::expect(example.line > 0 && !example.formulas.empty());
  for (std::size_t i = 0; i < example.formulas.size(); ++i) {
    const bool last = i > 0 && i + 1 == example.formulas.size() && example.complete;
    fuzz::expect(last || !example.formulas[i].empty());
  }
  fuzz::expect(example.places.empty() || example.places.size() == example.formulas.size());
  std::size_t free_from = 0;
  for (const auto& places : example.places) {
    for (const examples::Place& place : places) {
      fuzz::expect(free_from <= place.begin && place.begin < place.end);
      fuzz::expect(place.end <= example.formulas[0].size());
      free_from = place.end;
    }
  }
  fuzz::expect(example.positions.empty() ||
               example.positions.size() + 1 == example.formulas.size());
}

}  // namespace

void fuzz::check(std::string_view content) {
  const examples::ExampleFile file = examples::parse_examples(content, "fuzz");
  for (const examples::Example& example : file.examples) nrs::check(example);
  const examples::Summary summary = examples::summarise(file);
  fuzz::expect(summary.chains + summary.answers + summary.finals == summary.examples);
  fuzz::expect(!examples::to_text(summary).empty() && !examples::to_json(summary).empty());
  examples::require_teachable(summary);
}

}  // namespace nrs
