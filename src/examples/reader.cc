// Reads files of examples: the first lines wait until the form is known, then line by line.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "base/lines.h"
#include "base/text.h"
#include "examples/examples.h"
#include "examples/line_faults.h"
#include "examples/line_form.h"
#include "examples/line_numbers.h"
#include "examples/sampler.h"
#include "examples/separators.h"
#include "examples/steps_or_answers.h"
#include "nrs/error.h"

namespace nrs::examples {
namespace {

// The form is found out from so many lines, or from so many bytes.
constexpr std::size_t kSampleLines = 5000;
constexpr std::size_t kSampleBytes = std::size_t{1} << 23;
// So many of the lines may be unreadable, and always one.
constexpr double kMostUnread = 0.05;
constexpr std::size_t kMostListed = 1000;  // of them; the others are counted
// Enough to tell steps from answers.
constexpr std::size_t kPairsToCompare = 200'000;
// If so many lines show several steps, lines of two formulas are steps, too.
constexpr double kShowsSteps = 0.05;
// So many different formulas become the same one, which is rewritten nowhere.
constexpr std::size_t kSurelyFinal = 5;

using Visit = std::function<void(Example&&)>;

class FileReader {
 public:
  FileReader(std::string name, const ReadOptions& options, Visit visit = {})
      : options_(options), visit_(std::move(visit)) {
    file_.name = std::move(name);
  }

  void take(std::string line, bool too_long) {
    ++number_;
    if (number_ == 1) refuse_other_files(line, file_.name);
    if (options_.progress && number_ % kProgressEvery == 0) options_.progress("lines", number_);
    if (too_long) {
      return note(number_, Error(ErrorKind::kInput, fmt::format("the line is longer than {} bytes",
                                                                options_.longest_line)));
    }
    if (const std::optional<std::string> fault = fault_of(line)) {
      return note(number_, Error(ErrorKind::kInput, *fault));
    }
    if (form_) return read(line, number_);
    if (trimmed(line).empty()) return;
    bytes_ += line.size();
    waiting_.push_back({number_, std::move(line)});
    if (waiting_.size() >= sample_lines_ || bytes_ >= sample_bytes_) try_to_start();
  }

  ExampleFile finish() {
    if (!form_ && !waiting_.empty()) start(recognise());
    refuse_if_unread();
    std::sort(file_.unread.begin(), file_.unread.end(),
              [](const BadLine& a, const BadLine& b) { return a.line < b.line; });
    if (!decision_) decide();
    if (sampler_) {
      file_.examples = sampler_->result();
      file_.left_out = sampler_->left_out();
    }
    say_kind();
    if (!visit_) refuse_if_nothing_is_rewritten();
    return std::move(file_);
  }

 private:
  // Without a separator in any line so far, it may still come.
  void try_to_start() {
    std::unique_ptr<LineForm> form = recognise();
    if (!single_) return start(std::move(form));
    sample_lines_ *= 2;
    sample_bytes_ *= 2;
  }

  std::unique_ptr<LineForm> recognise() {
    const std::optional<LineNumbers> numbers = line_numbers(waiting_);
    file_.numbered = numbers.has_value();
    if (!numbers) return recognise(waiting_);
    return numbered_form(*numbers, recognise(without_numbers(waiting_, *numbers)));
  }

  std::unique_ptr<LineForm> recognise(Sample sample) {
    single_ = false;
    if (auto form = json_form(sample)) return form;
    if (auto form = table_form(sample)) return form;
    if (auto form = columns_form(sample)) return form;
    return chain_form(sample, single_);
  }

  void start(std::unique_ptr<LineForm> form) {
    form_ = std::move(form);
    file_.format = form_->format();
    for (NumberedLine& line : waiting_) {
      read(line.text, line.number);
      line.text = {};
    }
    waiting_ = {};
  }

  void read(std::string_view line, std::uint32_t number) {
    try {
      std::optional<Draft> draft = form_->read(line, number);
      if (!draft) return;
      check_formulas(draft->example);
      draft->example.line = number;
      take(std::move(*draft));
    } catch (const Error& error) {
      note(number, error);
    }
  }

  // Examples wait until it is known what pairs are.
  void take(Draft draft) {
    if (decision_) {
      settle(draft.example, draft.open, draft.may_go_on);
      complete(draft.example, draft.open || draft.may_go_on);
      return pass_on(std::move(draft.example));
    }
    kept_bytes_ += bytes_of(draft.example);
    open_.push_back(draft.open);
    may_go_on_.push_back(draft.may_go_on);
    file_.examples.push_back(std::move(draft.example));
    if (kept_bytes_ <= options_.most_bytes) return;
    sampler_.emplace(options_.most_bytes, options_.seed);
    decide();
  }

  // To where examples go once it is known what pairs are.
  void pass_on(Example example) {
    ++examples_;
    if (visit_) return visit_(std::move(example));
    sampler_->take(std::move(example));
  }

  void note(std::uint32_t number, const Error& error) {
    ++unread_;
    if (file_.unread.size() < kMostListed) file_.unread.push_back({number, error.line()});
    if (!first_error_ || number < first_error_number_) {
      first_error_ = error;
      first_error_number_ = number;
    }
  }

  void refuse_if_unread() const {
    if (!first_error_) return;
    const std::size_t read = examples_ + file_.examples.size();
    const double most = std::max(1.0, kMostUnread * static_cast<double>(read + unread_));
    if (read > 0 && static_cast<double>(unread_) <= most) return;
    throw first_error_->in(fmt::format("{}:{}", file_.name, first_error_number_));
  }

  void refuse_if_nothing_is_rewritten() const {
    if (file_.examples.empty()) {
      throw Error(ErrorKind::kInput, file_.name + ": there is no example in it",
                  "write one per line: t0 -> t1 -> ... -> tn");
    }
    const bool rewritten =
        std::any_of(file_.examples.begin(), file_.examples.end(), [](const Example& example) {
          return example.formulas.size() > 1 || !example.places.empty();
        });
    if (rewritten || options_.finals_only) return;
    const bool json = file_.examples.front().formulas[0].starts_with("[[\"") ||
                      file_.examples.front().formulas[0].starts_with("[{");
    throw Error(ErrorKind::kInput,
                fmt::format("{}:{}: every line is one formula, and none is rewritten", file_.name,
                            file_.examples.front().line),
                json ? "if this is JSON, write one object per line: {\"chain\": [...]}"
                     : "put -> between formulas, or a tab between two columns");
  }

  // Steps or answers, where lines leave that open.
  void decide() {
    decision_ = decision_for_open();
    for (std::size_t i = 0; i < file_.examples.size(); ++i) {
      settle(file_.examples[i], open_[i], may_go_on_[i]);
    }
    if (decision_->kind == Kind::kSteps) find_finals();
    for (std::size_t i = 0; i < file_.examples.size(); ++i) {
      complete(file_.examples[i], open_[i] || may_go_on_[i]);
    }
    open_ = {};
    may_go_on_ = {};
    if (!sampler_ && !visit_) return;
    for (Example& example : std::exchange(file_.examples, {})) pass_on(std::move(example));
  }

  void settle(Example& example, bool open, bool may_go_on) const {
    if (example.formulas.size() != 2) return;
    if (open || says_otherwise(example, may_go_on)) become(example, *decision_, may_go_on);
    if (example.kind == Kind::kAnswer && example.formulas[0] == example.formulas[1]) {
      example.formulas.pop_back();  // a question that is its own answer is final
    }
  }

  // `unsaid`: the file does not say whether the second formula is final.
  void complete(Example& example, bool unsaid) const {
    if (!unsaid || example.complete || example.formulas.size() != 2) return;
    example.complete = finals_.contains(example.formulas[1]);
  }

  void say_kind() {
    file_.why = options_.kind ? "as the caller says" : decision_->why;
    const bool steps =
        std::any_of(file_.examples.begin(), file_.examples.end(), [](const Example& example) {
          return example.kind == Kind::kSteps &&
                 (example.formulas.size() > 1 || !example.places.empty());
        });
    file_.kind = steps ? Kind::kSteps : Kind::kAnswer;
  }

  // Where lines are single steps, what many of them end with and none begins with is final.
  void find_finals() {
    std::unordered_set<std::string_view> rewritten;
    std::unordered_map<std::string_view, std::size_t> ends;
    for (const Example& example : file_.examples) {
      if (example.formulas.size() > 2) return;
      if (example.formulas.size() < 2) continue;
      if (rewritten.insert(example.formulas[0]).second) ++ends[example.formulas[1]];
    }
    for (const auto& [end, times] : ends) {
      if (times >= kSurelyFinal && !rewritten.contains(end)) finals_.emplace(end);
    }
  }

  // The caller's word counts more than a header's; but a chain that goes on has no answer.
  bool says_otherwise(const Example& example, bool may_go_on) const {
    return options_.kind && example.kind != *options_.kind && (example.complete || may_go_on);
  }

  static void become(Example& example, const Decision& decision, bool may_go_on) {
    const bool step = decision.kind == Kind::kSteps, ends = example.formulas[1].empty();
    example.kind = decision.kind;
    example.complete = !step || ends || !(may_go_on || decision.goes_on);
    if (step && ends && may_go_on) example.formulas.pop_back();  // in tables: nothing comes next
  }

  Decision decision_for_open() const {
    std::vector<Pair> pairs;
    std::size_t chains = 0;
    std::size_t rewritten = 0;
    Kind likelier = Kind::kSteps;
    for (std::size_t i = 0; i < file_.examples.size(); ++i) {
      const Example& example = file_.examples[i];
      if (example.formulas.size() > 1) ++rewritten;
      if (example.formulas.size() > 2) ++chains;
      if (!open_[i]) continue;
      if (pairs.empty()) likelier = example.kind;
      if (pairs.size() < kPairsToCompare) {
        pairs.emplace_back(example.formulas[0], example.formulas[1]);
      }
    }
    if (options_.kind) return {*options_.kind, "", chains == 0 && leads_on(pairs)};
    if (pairs.empty()) return {likelier, "the file says so"};
    if (chains > 0 && static_cast<double>(chains) >= kShowsSteps * static_cast<double>(rewritten)) {
      return {Kind::kSteps, "lines show several steps"};
    }
    return steps_or_answers(pairs, likelier);
  }

  const ReadOptions& options_;
  Visit visit_;
  ExampleFile file_;
  std::optional<Decision> decision_;        // what pairs are, when it is known
  std::unordered_set<std::string> finals_;  // found by find_finals()
  std::optional<Sampler> sampler_;          // if the file is large
  std::size_t examples_ = 0;                // that went on, to sampler or visitor
  std::size_t kept_bytes_ = 0;              // of those that wait
  std::unique_ptr<LineForm> form_;
  std::vector<NumberedLine> waiting_;
  std::size_t bytes_ = 0;
  std::size_t sample_lines_ = kSampleLines;
  std::size_t sample_bytes_ = kSampleBytes;
  bool single_ = false;
  std::vector<bool> open_;
  std::vector<bool> may_go_on_;
  std::uint32_t number_ = 0;
  std::size_t unread_ = 0;
  std::optional<Error> first_error_;
  std::uint32_t first_error_number_ = 0;
};

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

bool looks_like_comment(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with("# ")) return line == "#";
  const std::string_view rest = trimmed(line.substr(1));
  return !begins_with_arrow(rest) && !rest.starts_with("= ");
}

Draft draft_of_pair(std::string first, std::string second, std::optional<Kind> kind) {
  Draft draft;
  Example& example = draft.example;
  draft.open = !kind.has_value();
  draft.may_go_on = true;
  example.kind = kind.value_or(Kind::kAnswer);
  example.complete = example.kind == Kind::kAnswer || second.empty();
  example.formulas.push_back(std::move(first));
  if (example.kind == Kind::kAnswer || !second.empty()) {
    example.formulas.push_back(std::move(second));
  }
  return draft;
}

namespace {

ExampleFile read_all(const std::filesystem::path& path, const ReadOptions& options, Visit visit) {
  FileReader reader(path == "-" ? "standard input" : path.string(), options, std::move(visit));
  LineReader lines(path, options.longest_line);
  std::string line;
  while (lines.next(line)) reader.take(std::move(line), lines.too_long());
  return reader.finish();
}

}  // namespace

ExampleFile read_examples(const std::filesystem::path& path, const ReadOptions& options) {
  return read_all(path, options, {});
}

void visit_examples(const std::filesystem::path& path, const ReadOptions& options,
                    const std::function<void(Example&&)>& visit) {
  read_all(path, options, visit);
}

ExampleFile parse_examples(std::string_view text, const std::string& name,
                           const ReadOptions& options) {
  FileReader reader(name, options);
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool too_long = line.size() > options.longest_line;
    reader.take(std::string(line.substr(0, options.longest_line)), too_long);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

std::string_view name_of(Format format) {
  constexpr std::array<std::string_view, 4> kNames{"chains", "two columns", "table", "JSON lines"};
  return kNames[static_cast<std::size_t>(format)];
}

}  // namespace nrs::examples
