#pragma once
// The sections of the report, each made from the results that it needs. A result that is not there
// is said to be missing, and is no fault.
#include "report/page.h"

namespace nrs {

Section overview_section(const Results& results);
// Accuracy by nesting: one model per domain, or one for all.
Section accuracy_section(const Results& results, bool multi);
Section error_section(const Results& results);
Section training_section(const Results& results);
Section ablation_section(const Results& results);
Section confidence_section(const Results& results);
Section cost_section(const Results& results);
Section data_section(const Results& results);
Section derivation_section(const Results& results);
// Which models there are, and every file with what made it.
Section source_section(const Results& results);

// Cells that are alike in every section: ours, and the paper's.
Cell accuracy_cell(const Counts& counts);
Cell published_share(std::optional<double> share, const std::string& source);
Cell published_count(std::optional<std::uint64_t> count, const std::string& source);

}  // namespace nrs
