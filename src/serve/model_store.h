#pragma once
// The models that a server offers: those that came with the program or were named, and those that
// were taught.
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/answerer.h"

namespace nrs::serve {

// Const and thread-safe.
class ServedModel {
 public:
  // Reads the file only to see what it is. Throws Error.
  ServedModel(std::string name, std::filesystem::path file, bool taught, int rule_megabytes);

  const std::string& name() const { return name_; }
  const std::filesystem::path& file() const { return file_; }
  bool taught() const { return taught_; }
  // The first call loads the model. Throws Error.
  const service::Answerer& answerer() const;
  // Seconds that it has lately taken for a formula; 0 before the first.
  double seconds_each() const { return seconds_each_; }
  void note_pace(double seconds) const {
    constexpr double kLately = 0.2;
    const double before = seconds_each_;
    seconds_each_ = before <= 0 ? seconds : before + kLately * (seconds - before);
  }
  // One JSON object; `whole` adds what the architecture tells of it.
  std::string describe(bool is_default, bool whole) const;
  // A model file that needs no other. Throws Error.
  std::string bytes() const;

 private:
  std::string name_;
  std::filesystem::path file_;
  bool taught_;
  int rule_megabytes_;
  std::string architecture_;
  std::vector<std::string> domains_;
  mutable std::mutex loading_;
  mutable std::optional<service::Answerer> answerer_;
  mutable std::atomic<double> seconds_each_ = 0;
};

// What a model may be called: letters, digits, and . _ - behind the first; at most 64 of them. A
// name is never a path.
bool is_model_name(std::string_view name);

// Thread-safe.
class ModelStore {
 public:
  // The first name is the default. Without names, all models at hand are offered, and those that
  // cannot be read are left out. Throws Error.
  ModelStore(const std::vector<std::string>& names, int rule_megabytes);

  // Null if there is none. An empty name is the default.
  std::shared_ptr<const ServedModel> find(const std::string& name) const;
  // All, in order.
  std::vector<std::shared_ptr<const ServedModel>> list() const;
  const std::string& default_name() const { return default_; }

  // Offers a model that was taught, in place of one that was taught before. Throws Error.
  void teach(const std::string& name, const std::filesystem::path& file);
  // Not the default, and not what came with the program.
  void forget(const std::string& name);

 private:
  void add(std::shared_ptr<const ServedModel> model);

  int rule_megabytes_;
  std::string default_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const ServedModel>> models_;
};

}  // namespace nrs::serve
