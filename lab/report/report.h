#pragma once
// The paper's tables and figures, made from result files alone.
#include <filesystem>

#include "report/page.h"

namespace nrs::lab {

Page make_report(const Results& results);

// Below `folder`: index.html (complete in itself), report.md with figures/*.svg, a CSV file for
// each table, and levels.csv with everything that was counted. Throws Error (I/O).
void write_report(const Results& results, const std::filesystem::path& folder);
// A page of Markdown with the tables alone. Throws Error (I/O).
void write_tables(const Results& results, const std::filesystem::path& file);

}  // namespace nrs::lab
