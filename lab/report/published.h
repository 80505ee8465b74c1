#pragma once
// The numbers of the paper, as data: published.json.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nrs {

struct PublishedDomain {
  std::string name{};   // "listops"
  std::string title{};  // "ListOps"
  int levels = 6;       // test formulas are nested 1 to this
  int trained = 3;      // training formulas 1 to this
};

// What is not known is nothing.
struct PublishedAccuracy {
  std::string system{};
  std::string domain{};
  bool multi = false;  // one model for all domains
  std::string source{};
  std::vector<std::optional<double>> values{};  // by nesting, from 1

  std::optional<double> at(int nesting) const;
  int deepest() const;  // with a number; 0 if there is none
};

struct PublishedErrors {
  std::string system{};
  std::string domain{};
  bool multi = false;
  std::string source{};
  std::vector<std::optional<double>> shares{};  // of all formulas, by class
};

struct PublishedCost {
  std::string system{};
  std::string domain{};  // or "multi"
  std::optional<std::uint64_t> parameters{};
  bool estimated = false;
  std::optional<double> seconds{};
  std::string source{};
};

struct PublishedTraining {
  std::string system{};
  std::string domain{};
  std::string module{};
  std::optional<std::uint64_t> steps{};
  std::optional<std::uint64_t> batch{};
  std::string source{};
};

struct PublishedSplit {
  std::string domain{};
  std::string part{};
  std::string split{};
  std::optional<std::uint64_t> rows{};
  std::string source{};
};

struct Published {
  std::string paper{};
  std::string hardware{};
  std::string provenance{};  // where its numbers come from, in words
  std::vector<PublishedDomain> domains{};
  std::vector<PublishedAccuracy> accuracy{};
  std::vector<PublishedErrors> errors{};
  std::vector<PublishedCost> cost{};
  std::vector<PublishedTraining> training{};
  std::vector<PublishedSplit> splits{};
};

class Fields;
// Throws Error (input) that names the field.
Published read_published(const Fields& fields);

}  // namespace nrs
