#pragma once
// Readers of the single kinds of result files (results.h).
#include "report/fields.h"
#include "report/results.h"

namespace nrs {

// `file` is the name that is shown. All throw Error (input) that names the field.
Source read_source(const Fields& fields, const std::string& file);
Evaluation read_evaluation(const Fields& fields, const std::string& file);
ConfidenceStudy read_confidence(const Fields& fields, const std::string& file);
TrainingRun read_training(const Fields& fields, const std::string& file);
Ablation read_ablation(const Fields& fields, const std::string& file);
std::vector<Dataset> read_datasets(const Fields& fields, const std::string& file);
Trace read_trace(const Fields& fields, const std::string& file);
ModelInfo read_model_info(const Fields& fields, const std::string& file);

}  // namespace nrs
