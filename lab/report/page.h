#pragma once
// A report before it is written: sections of text, figures and tables, for any format.
#include <string>
#include <variant>
#include <vector>

#include "report/results.h"

namespace nrs::lab {

// Texts may have `code` in backticks; everything else in them is plain.

struct Paragraph {
  std::string text{};
};

enum class Tone {
  kPlain,
  kMissing,    // a result that is not there, or was not published
  kPublished,  // from the paper
  kBest,       // everything right
};

struct Cell {
  std::string text{};
  Tone tone = Tone::kPlain;
  std::string hint{};  // what a pointer on it shows
};

struct Table {
  std::string id{};  // the name of its CSV file
  std::string caption{};
  std::vector<std::string> header{};
  std::vector<std::vector<Cell>> rows{};  // the first cell of each is its heading
};

// What a mark on the page stands for.
struct LegendEntry {
  std::string label{};
  int colour = 0;
};

struct Figure {
  std::string id{};
  std::string caption{};
  std::vector<std::string> charts{};  // SVG
  std::vector<LegendEntry> legend{};
};

struct TraceStep {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string value{};
};

struct TraceRound {
  std::string formula{};
  std::vector<TraceStep> steps{};  // those that were applied, left to right
};

// A formula becoming its value, round by round.
struct WorkedDerivation {
  std::string id{};
  std::string caption{};
  std::vector<TraceRound> rounds{};
};

using Block = std::variant<Paragraph, Table, Figure, WorkedDerivation>;

struct Section {
  std::string id{};
  std::string title{};
  std::vector<Block> blocks{};
  std::vector<Source> sources{};  // the files that this section was made from

  // Adds those that are not yet there.
  void add_sources(const std::vector<Source>& more);
};

struct Page {
  std::string title{};
  std::string introduction{};
  std::string tables_title{};  // of the page of tables alone
  std::string tables_introduction{};
  std::vector<Section> sections{};
};

std::string to_html(const Page& page);
// Tables and captions; figures are linked as files `figures/ID-N.svg`.
std::string to_markdown(const Page& page);
// The tables and texts alone, with the commands and machines behind them.
std::string to_tables(const Page& page);
std::string to_csv(const Table& table);
// A chart of a figure with the colours of the page, to stand alone.
std::string to_svg_file(const std::string& chart);

}  // namespace nrs::lab
