// CSV and TSV with a header.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/lines.h"
#include "examples/column_words.h"
#include "examples/line_form.h"
#include "nrs/error.h"

namespace nrs::examples {
namespace {

constexpr std::array<char, 3> kDelimiters{'\t', ',', ';'};

struct Columns {
  std::size_t first = 0;
  std::size_t second = 0;
  std::optional<Kind> kind;
  std::size_t count = 0;
};

// A tab is rare in formulas and quotes are not, so files with tabs often have no quoting.
void split_row(std::string_view line, char delimiter, std::vector<std::string>& fields) {
  try {
    split_csv_line(line, delimiter, fields);
  } catch (const Error&) {
    if (delimiter != '\t') throw;
    fields.clear();
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find('\t', begin), line.size());
      fields.emplace_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
  }
}

// The column with the best word for the second formula, if there is also one for the first.
std::optional<Columns> read_header(std::string_view line, char delimiter) {
  std::vector<std::string> words;
  try {
    split_row(line, delimiter, words);
  } catch (const Error&) {
    return std::nullopt;
  }
  std::array<std::optional<std::size_t>, 4> found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::optional<Role> role = role_of(trimmed(words[i]));
    if (role && !found[static_cast<std::size_t>(*role)]) found[static_cast<std::size_t>(*role)] = i;
  }
  if (!found[0]) return std::nullopt;
  for (const Role role : {Role::kNext, Role::kAnswer, Role::kSecond}) {
    if (const auto& second = found[static_cast<std::size_t>(role)]) {
      return Columns{*found[0], *second, kind_of(role), words.size()};
    }
  }
  return std::nullopt;
}

class TableForm : public LineForm {
 public:
  TableForm(std::uint32_t header, char delimiter, Columns columns)
      : header_(header), delimiter_(delimiter), columns_(columns) {}

  Format format() const override { return Format::kTable; }

  std::optional<Draft> read(std::string_view line, std::uint32_t number) const override {
    if (number <= header_ || trimmed(line).empty()) return std::nullopt;
    std::vector<std::string> fields;
    split_row(line, delimiter_, fields);
    if (fields.size() != columns_.count) {
      throw Error(ErrorKind::kInput,
                  fmt::format("{} fields, but the header has {}", fields.size(), columns_.count),
                  delimiter_ == '\t' ? "" : "quote a formula that has commas: \"f(a,b)\"");
    }
    return draft_of_pair(std::string(trimmed(fields[columns_.first])),
                         std::string(trimmed(fields[columns_.second])), columns_.kind);
  }

 private:
  std::uint32_t header_;
  char delimiter_;
  Columns columns_;
};

}  // namespace

std::unique_ptr<LineForm> table_form(Sample sample) {
  const auto header = std::find_if(sample.begin(), sample.end(), [](const NumberedLine& line) {
    return !looks_like_comment(line.text);
  });
  if (header == sample.end()) return nullptr;
  for (const char delimiter : kDelimiters) {
    if (const std::optional<Columns> columns = read_header(header->text, delimiter)) {
      return std::make_unique<TableForm>(header->number, delimiter, *columns);
    }
  }
  return nullptr;
}

}  // namespace nrs::examples
