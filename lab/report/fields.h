#pragma once
// Strict access to the fields of a result file: every fault names the file and the field.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace nrs {

// A view of one JSON object; the document must outlive it. Fields that nobody asks for are no
// fault, so that newer programs may add some.
class Fields {
 public:
  // `place` goes before every message. Throws Error (input) unless `object` is an object.
  Fields(const nlohmann::json& object, std::string place);

  // All of these throw Error (input) if the field is missing or of another kind.
  std::string text(const char* name) const;
  double number(const char* name) const;
  std::uint64_t count(const char* name) const;
  bool flag(const char* name) const;
  std::vector<std::string> texts(const char* name) const;
  std::vector<std::uint64_t> counts(const char* name) const;
  // Null stands for what is not known.
  std::vector<std::optional<double>> numbers(const char* name) const;
  Fields object(const char* name) const;
  std::vector<Fields> objects(const char* name) const;
  // Each member of an object whose keys are names.
  std::vector<std::pair<std::string, Fields>> members(const char* name) const;

  // Whether the field is there and not null.
  bool has(const char* name) const;
  std::string text_or(const char* name, const std::string& otherwise) const {
    return has(name) ? text(name) : otherwise;
  }
  std::optional<double> maybe_number(const char* name) const {
    return has(name) ? std::optional(number(name)) : std::nullopt;
  }
  std::optional<std::uint64_t> maybe_count(const char* name) const {
    return has(name) ? std::optional(count(name)) : std::nullopt;
  }

  // A share: from 0 to 1.
  double share(const char* name) const;
  [[noreturn]] void refuse(const std::string& name, const std::string& reason,
                           std::string hint = {}) const;

 private:
  const nlohmann::json& get(const char* name) const;
  const nlohmann::json& list(const char* name) const;
  std::string inside(const std::string& name) const;

  const nlohmann::json* object_;
  std::string place_;  // "file.json" or "file.json: levels[3]"
  bool outermost_ = true;
};

}  // namespace nrs
