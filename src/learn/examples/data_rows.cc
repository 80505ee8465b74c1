#include "learn/examples/data_rows.h"

#include <map>
#include <string>
#include <vector>

#include "data/csv.h"
#include "nrs/error.h"

namespace nrs {

void read_rows(const std::filesystem::path& path, std::string_view value, const TakeRow& take) {
  CsvReader csv(path);
  const std::size_t formula_at = csv.require({"X"});
  const std::size_t value_at = csv.require({value});
  std::vector<std::size_t> key_columns;
  for (const std::string_view column : {"domain", "nesting", "num_operands", "extra"}) {
    if (const auto at = csv.find(column)) key_columns.push_back(*at);
  }
  std::map<std::string, int> groups;
  std::vector<std::string> fields;
  while (csv.next(fields)) {
    std::string key;
    for (const std::size_t at : key_columns) key += fields[at] + ",";
    const int group = groups.emplace(key, static_cast<int>(groups.size())).first->second;
    try {
      take(fields[formula_at], fields[value_at], group);
    } catch (const Error& error) {
      throw error.in(csv.place());
    }
  }
}

}  // namespace nrs
