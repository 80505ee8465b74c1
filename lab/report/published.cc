#include "report/published.h"

#include "report/fields.h"

namespace nrs {
namespace {

bool is_multi(const Fields& fields) {
  const std::string setting = fields.text("setting");
  if (setting != "single" && setting != "multi") {
    fields.refuse("setting", "must be \"single\" or \"multi\"");
  }
  return setting == "multi";
}

int level(const Fields& fields, const char* name) {
  const std::uint64_t value = fields.count(name);
  if (value < 1 || value > 100) fields.refuse(name, "must be from 1 to 100");
  return static_cast<int>(value);
}

}  // namespace

std::optional<double> PublishedAccuracy::at(int nesting) const {
  const auto index = static_cast<std::size_t>(nesting - 1);
  return index < values.size() ? values[index] : std::nullopt;
}

int PublishedAccuracy::deepest() const {
  int level = static_cast<int>(values.size());
  while (level > 0 && !at(level)) --level;
  return level;
}

Published read_published(const Fields& fields) {
  Published all;
  all.paper = fields.text("paper");
  all.hardware = fields.text("hardware");
  all.provenance = fields.text("provenance");
  for (const Fields& row : fields.objects("domains")) {
    all.domains.push_back(
        {row.text("name"), row.text("title"), level(row, "levels"), level(row, "trained")});
  }
  for (const Fields& row : fields.objects("accuracy")) {
    all.accuracy.push_back({row.text("system"), row.text("domain"), is_multi(row),
                            row.text("source"), row.numbers("by_nesting")});
  }
  for (const Fields& row : fields.objects("errors")) {
    std::vector<std::optional<double>> shares;
    for (const char* name : {"missing", "malformed", "solver", "other"}) {
      shares.push_back(row.maybe_number(name));
    }
    all.errors.push_back({row.text("system"), row.text("domain"), is_multi(row), row.text("source"),
                          std::move(shares)});
  }
  for (const Fields& row : fields.objects("cost")) {
    all.cost.push_back({row.text("system"), row.text("domain"), row.maybe_count("parameters"),
                        row.flag("estimated"), row.maybe_number("seconds"), row.text("source")});
  }
  for (const Fields& row : fields.objects("training")) {
    all.training.push_back({row.text("system"), row.text("domain"), row.text("module"),
                            row.maybe_count("steps"), row.maybe_count("batch"),
                            row.text("source")});
  }
  for (const Fields& row : fields.objects("splits")) {
    all.splits.push_back({row.text("domain"), row.text("part"), row.text("split"),
                          row.maybe_count("rows"), row.text("source")});
  }
  return all;
}

}  // namespace nrs
