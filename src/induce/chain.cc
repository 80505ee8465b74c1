#include "induce/chain.h"

#include <algorithm>
#include <optional>
#include <span>

#include "examples/terms.h"
#include "nrs/error.h"

namespace nrs::induce {
namespace {

using term::Term;

// The notation is found out from so many examples.
constexpr std::size_t kExamplesToTry = 60;
// Up to this fraction of the lines may be unreadable, and always one line.
constexpr double kMostUnread = 0.1;

term::Position read_position(const std::string& text) {
  term::Position position;
  if (text.empty() || text == "root") return position;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const bool number = !part.empty() && part.size() < 9 &&
                        part.find_first_not_of("0123456789") == std::string::npos;
    if (!number || part == "0") {
      throw Error(ErrorKind::kInput, "\"" + text + "\" is not a position",
                  "write argument numbers from 1, such as \"2.1\", or \"root\"");
    }
    position.push_back(static_cast<std::uint32_t>(std::stoul(part) - 1));
    begin = end + 1;
  }
  return position;
}

// The formula after all places that the file states were rewritten at once.
std::string rewritten(const std::string& formula, const std::vector<examples::Place>& places) {
  std::string next;
  std::size_t from = 0;
  for (const examples::Place& place : places) {
    next += formula.substr(from, place.begin - from) + place.value;
    from = place.end;
  }
  return next + formula.substr(from);
}

// The two terms of each step must be equal but for what stands at its position.
void check_positions(term::Terms& terms, const Chain& chain) {
  for (std::size_t i = 0; i < chain.positions.size(); ++i) {
    const term::Position& at = chain.positions[i];
    const std::optional<Term> after = term::subterm(terms, chain.terms[i + 1], at);
    if (!term::subterm(terms, chain.terms[i], at) || !after ||
        term::replace(terms, chain.terms[i], at, *after) != chain.terms[i + 1]) {
      throw Error(ErrorKind::kInput, "step " + std::to_string(i + 1) +
                                         " is not a rewrite at position " + term::to_string(at));
    }
  }
}

Chain chain_of(term::Terms& terms, examples::TermReader& reader, examples::Example example) {
  Chain chain;
  chain.line = example.line;
  chain.complete = example.complete;
  if (example.formulas.size() == 1 && !example.places.empty()) {
    example.formulas.push_back(rewritten(example.formulas[0], example.places[0]));
  }
  for (const std::string& formula : example.formulas) chain.terms.push_back(reader.read(formula));
  for (const std::string& text : example.positions) chain.positions.push_back(read_position(text));
  check_positions(terms, chain);
  return chain;
}

}  // namespace

ChainFile to_chains(examples::ExampleFile from) {
  ChainFile file;
  file.unread = std::move(from.unread);
  std::vector<examples::Example>& list = from.examples;
  file.notation =
      examples::likeliest_notation(std::span(list).first(std::min(list.size(), kExamplesToTry)));
  examples::TermReader reader(file.terms, file.notation);
  std::optional<Error> first_error;
  for (examples::Example& example : list) {
    const std::uint32_t line = example.line;
    try {
      file.chains.push_back(chain_of(file.terms, reader, std::move(example)));
    } catch (const Error& error) {
      file.unread.push_back({line, error.what()});
      if (!first_error) first_error = error.in(from.name + ":" + std::to_string(line));
    }
  }
  const double most = std::max(1.0, kMostUnread * static_cast<double>(file.chains.size()));
  const bool too_many = file.chains.empty() || static_cast<double>(file.unread.size()) > most;
  if (first_error && too_many) throw *first_error;
  return file;
}

ChainFile read_chains(const std::filesystem::path& path, const ReadProgress& progress) {
  examples::ReadOptions options;
  options.kind = examples::Kind::kSteps;
  if (progress) options.progress = [&](std::string_view, std::size_t lines) { progress(lines); };
  return to_chains(examples::read_examples(path, options));
}

ChainFile read_chains(std::string_view text, const std::string& name) {
  examples::ReadOptions options;
  options.kind = examples::Kind::kSteps;
  return to_chains(examples::parse_examples(text, name, options));
}

}  // namespace nrs::induce
