#pragma once
// The result files of a folder, read strictly into plain structs. docs/report.md describes them.
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "report/published.h"

namespace nrs {

// Which file some numbers are in, and what made them.
struct Source {
  std::string file{};  // below the folder of results
  std::string command{};
  std::string program{};
  std::string machine{};
  std::string model{};
  std::string checksum{};
  std::string engine{};
  std::string recipe{};
  std::string protocol{};              // "paper", "full" or empty
  std::vector<std::string> domains{};  // that the model was trained on
  std::optional<std::uint64_t> recipe_seed{};
  std::optional<std::uint64_t> seed{};  // of the formulas
  std::optional<std::uint64_t> parameters{};
};

inline constexpr std::array<const char*, 4> kErrorClasses{"missing", "malformed", "solver",
                                                          "other"};

struct Counts {
  std::uint64_t formulas = 0;
  std::uint64_t correct = 0;
  std::uint64_t answered = 0;
  std::array<std::uint64_t, kErrorClasses.size()> errors{};

  Counts& operator+=(const Counts& more);
  double accuracy() const;  // 0 of no formulas
};

struct LevelCounts {
  std::string domain{};
  int nesting = 0;
  Counts counts{};
};

// eval/*.json and timing/*.json: what `nrs eval --json` prints.
struct Evaluation {
  Source source{};
  std::vector<LevelCounts> levels{};
  double seconds = 0;
  int threads = 1;
};

struct ConfidenceAtLength {
  double characters = 0;
  double formulas = 0;
  double confidence = 0;
};

struct DomainConfidence {
  std::string domain{};
  std::optional<double> longest_trained{};
  std::vector<ConfidenceAtLength> selector{};
  std::uint64_t leaves = 0;
  std::uint64_t unsure = 0;
  double least_log_prob = 0;  // the counts are of equal parts of [this, 0]
  std::vector<std::uint64_t> solver{};
};

// confidence/*.json: what `nrs confidence` prints.
struct ConfidenceStudy {
  Source source{};
  double threshold = 0;
  std::vector<DomainConfidence> domains{};
};

struct TrainingPoint {
  double step = 0;
  std::optional<double> known{};   // share of validation examples like those of the training
  std::optional<double> beyond{};  // the same for deeper formulas or unseen leaves
};

struct TrainedModule {
  std::string module{};
  std::uint64_t steps = 0;
  std::uint64_t batch = 0;
  std::vector<TrainingPoint> points{};
};

// training/*.json: a thinned metrics file.
struct TrainingRun {
  Source source{};
  std::vector<TrainedModule> modules{};
};

struct AblationRun {
  std::uint64_t seed = 0;
  std::vector<std::pair<double, double>> points{};  // step, measure
};

struct AblationVariant {
  std::string name{};
  std::vector<AblationRun> runs{};
};

// ablations/*.json: one choice, varied.
struct Ablation {
  Source source{};
  std::string title{};
  std::string domain{};
  std::string measure{};  // what the numbers are, in words
  std::string note{};
  std::vector<AblationVariant> variants{};
};

struct SplitSize {
  std::string part{};
  std::string split{};
  std::uint64_t rows = 0;
};

// datasets/*.json: the statistics that `nrs dataset` writes.
struct Dataset {
  Source source{};
  std::string domain{};
  std::vector<SplitSize> splits{};
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

// traces/*.json: what `nrs simplify --trace --json` prints for one formula.
struct Trace {
  Source source{};
  std::string domain{};
  std::vector<TraceRound> rounds{};
};

// models/*.json: what `nrs info --json` prints.
struct ModelInfo {
  Source source{};
  std::optional<std::uint64_t> selector_parameters{};
  std::optional<std::uint64_t> solver_parameters{};
  std::optional<std::uint64_t> router_parameters{};
  std::string verdict{};  // of its certificate, or empty
};

struct Results {
  Published published{};
  std::vector<Evaluation> evaluations{};
  std::vector<Evaluation> timings{};
  std::vector<ConfidenceStudy> confidence{};
  std::vector<TrainingRun> training{};
  std::vector<Ablation> ablations{};
  std::vector<Dataset> datasets{};
  std::vector<Trace> traces{};
  std::vector<ModelInfo> models{};
};

// Reads all files of the folder; those of a kind in the order of their names. A folder of a kind
// that is not there is empty; published.json must be there. Throws Error that names the file and
// the field.
Results load_results(const std::filesystem::path& folder);

}  // namespace nrs
