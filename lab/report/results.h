#pragma once
// The result files of a folder, checked strictly when they are read. docs/report.md describes them,
// formats.json has their fields.
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace nrs::lab {

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

// A result file. Its document has the fields that its format asks for, so they can be taken without
// looking; it may have others.
struct ResultFile {
  Source source{};
  nlohmann::json data{};
};

// A domain of the paper.
struct PublishedDomain {
  std::string name{};   // "listops"
  std::string title{};  // "ListOps"
  int levels = 6;       // test formulas are nested 1 to this
  int trained = 3;      // training formulas 1 to this
};

struct Results {
  nlohmann::json published{};  // published.json: the paper's numbers
  std::vector<PublishedDomain> domains{};
  std::map<std::string, std::vector<ResultFile>> kinds{};

  // The files of a kind ("eval"), by name.
  const std::vector<ResultFile>& of(const std::string& kind) const;
};

inline constexpr std::array<const char*, 4> kErrorClasses{"missing", "malformed", "solver",
                                                          "other"};

// How formulas of an evaluation ended.
struct Counts {
  std::uint64_t formulas = 0;
  std::uint64_t correct = 0;
  std::uint64_t answered = 0;
  std::array<std::uint64_t, kErrorClasses.size()> errors{};

  Counts& operator+=(const Counts& more);
  double accuracy() const;  // 0 of no formulas
};
// Of a level of a file eval/*.json or timing/*.json.
Counts counts_of(const nlohmann::json& level);

// Of a field that may be null or missing.
template <class T>
std::optional<T> maybe(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return std::nullopt;
  return found->get<T>();
}

// A document of a kind that was read from `path` and is shown as `file`. Throws Error (input) that
// names the path and the field.
ResultFile read_result(const std::string& kind, nlohmann::json document, const std::string& path,
                       const std::string& file);
// Reads all files of the folder. A folder of a kind that is not there is empty; published.json must
// be there. Throws Error that names the file and the field.
Results load_results(const std::filesystem::path& folder);

}  // namespace nrs::lab
