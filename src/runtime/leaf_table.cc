#include "runtime/leaf_table.h"

#include <algorithm>
#include <array>
#include <map>

#include "runtime/require.h"

namespace nrs::runtime {
namespace {

constexpr const char* kLeafTable = "table of leaves";

// The states, each after those that it leads to. Throws if a text could go on for ever.
std::vector<std::uint16_t> from_the_end(const model::LeafGuard::Table& table) {
  const std::size_t classes = table.classes();
  enum : std::uint8_t { kNew, kOpen, kDone };
  std::vector<std::uint8_t> seen(table.accepting.size(), kNew);
  std::vector<std::uint16_t> order;
  std::vector<std::pair<std::uint16_t, std::size_t>> path = {{std::uint16_t{1}, 0}};
  seen[0] = kDone;
  seen[1] = kOpen;
  while (!path.empty()) {
    auto& [state, one] = path.back();
    if (one == classes) {
      seen[state] = kDone;
      order.push_back(state);
      path.pop_back();
      continue;
    }
    const std::uint16_t next = table.next[state * classes + one++];
    require(seen[next] != kOpen, kLeafTable, "its leaves are not a finite set");
    if (seen[next] == kNew) {
      seen[next] = kOpen;
      path.emplace_back(next, 0);
    }
  }
  return order;
}

}  // namespace

LeafTable::LeafTable(Parts parts)
    : parts_(std::move(parts)), classes_(model::LeafGuard(parts_.leaves).table().classes()) {
  count();
  number();
  require(rows_[1] == parts_.rows.size(), kLeafTable, "the rows do not fit the leaves");
  for (const Row& row : parts_.rows)
    require(row.begin < parts_.cells.size(), kLeafTable, "a row is outside");
  for (const std::uint16_t cell : parts_.cells) {
    require(cell < parts_.values.size(), kLeafTable, "a value is missing");
  }
}

void LeafTable::count() {
  const model::LeafGuard::Table& table = parts_.leaves;
  order_ = from_the_end(table);
  left_.assign(table.accepting.size(), 0);
  for (const std::uint16_t state : order_) {
    left_[state] = table.accepting[state];
    for (std::size_t one = 0; one < classes_; ++one) {
      left_[state] += left_[table.next[state * classes_ + one]];
    }
  }
  size_ = left_[1];
  require(size_ > 0 && size_ < UINT32_MAX, kLeafTable, "it has no leaves, or too many");
  require(parts_.row_begins.size() == left_.size(), kLeafTable, "the rows do not fit the states");
}

void LeafTable::number() {
  const model::LeafGuard::Table& table = parts_.leaves;
  arcs_.assign(table.next.size(), {});
  rows_.assign(table.accepting.size(), 0);
  for (const std::uint16_t state : order_) {
    const bool row = parts_.row_begins[state] != 0;
    std::uint64_t leaves = table.accepting[state], rows = leaves;
    for (std::size_t one = 0; one < classes_; ++one) {
      const std::uint16_t next = table.next[state * classes_ + one];
      arcs_[state * classes_ + one] = {static_cast<std::uint32_t>(row ? leaves : rows), next,
                                       static_cast<std::uint16_t>(row ? 1 : 0)};
      leaves += left_[next];
      rows += rows_[next];
      require(!row || next == 0 || parts_.row_begins[next] != 0, kLeafTable,
              "a row ends before its leaves");
    }
    rows_[state] = row ? 1 : rows;
  }
}

const TableValue* LeafTable::find(std::string_view leaf, std::string_view& copied) const {
  std::size_t state = 1;
  std::uint32_t counts[2] = {0, 0};  // of rows, then of leaves in the row
  for (const char c : leaf) {
    const Arc& arc =
        arcs_[state * classes_ + parts_.leaves.class_of[static_cast<unsigned char>(c)]];
    if (arc.next == 0) return nullptr;
    counts[arc.in_row] += arc.skip;
    state = arc.next;
  }
  if (parts_.leaves.accepting[state] == 0) return nullptr;
  const Row& row = parts_.rows[counts[0]];
  const std::size_t cell = row.begin + counts[1];
  if (cell >= parts_.cells.size()) return nullptr;
  const std::size_t kept = std::size_t{row.copied} + row.skipped;
  copied = kept > leaf.size() ? std::string_view() : leaf.substr(leaf.size() - kept, row.copied);
  return &parts_.values[parts_.cells[cell]];
}

std::vector<std::uint32_t> LeafTable::skips() const {
  std::vector<std::uint32_t> skips;
  for (const Arc& arc : arcs_) skips.push_back(arc.next == 0 ? 0 : arc.skip);
  return skips;
}

// Finds the rows of a table.
class LeafTableMaker {
 public:
  LeafTableMaker(LeafTable& table, const std::vector<std::string>& leaves,
                 const std::vector<TableValue>& said)
      : table_(table), leaves_(leaves), said_(said) {}

  // Of each large part of the leaves, the rows begin where it becomes smallest.
  void choose_rows() {
    constexpr std::array<std::uint32_t, 7> kLimits{1, 16, 64, 256, 512, 1024, 4096};
    std::map<std::size_t, std::pair<std::size_t, std::uint32_t>> best;  // by state of the part
    for (const std::uint32_t limit : kLimits) {
      begin_rows([&](std::size_t) { return limit; });
      for (const auto& [part, bytes] : make()) {
        const auto [known, fresh] = best.emplace(part, std::pair(bytes, limit));
        if (!fresh) known->second = std::min(known->second, std::pair(bytes, limit));
      }
    }
    begin_rows([&](std::size_t part) { return best.at(part).second; });
    make();
  }

 private:
  // No part has more leaves than this.
  static constexpr std::uint64_t kPart = 20'000;

  // Rows begin where a part has no more than so many leaves left.
  template <class Limit>
  void begin_rows(const Limit& limit_of) {
    const model::LeafGuard::Table& leaves = table_.parts_.leaves;
    table_.parts_.row_begins.assign(leaves.accepting.size(), 0);
    std::vector<std::uint32_t> limits(leaves.accepting.size(), 0);  // of the part, below it
    for (auto state = table_.order_.rbegin(); state != table_.order_.rend(); ++state) {
      if (table_.left_[*state] <= kPart) {
        if (limits[*state] == 0) limits[*state] = limit_of(*state);
        if (table_.left_[*state] <= limits[*state]) table_.parts_.row_begins[*state] = 1;
      }
      for (std::size_t one = 0; one < table_.classes_; ++one) {
        std::uint32_t& below = limits[leaves.next[*state * table_.classes_ + one]];
        below = std::max(below, limits[*state]);
      }
    }
    table_.number();
  }

  // The bytes that the rows of each part take.
  std::map<std::size_t, std::size_t> make() {
    LeafTable::Parts& parts = table_.parts_;
    parts.rows.clear();
    parts.cells.clear();
    parts.values.clear();
    values_.clear();
    blocks_.clear();
    std::map<std::size_t, std::size_t> bytes;
    for (std::size_t begin = 0; begin < leaves_.size();) {
      std::size_t end = begin + 1;
      const std::uint32_t row = row_of(leaves_[begin]);
      while (end < leaves_.size() && row_of(leaves_[end]) == row) ++end;
      const std::size_t cells = parts.cells.size();
      add_row(begin, end);
      bytes[part_of(leaves_[begin])] += sizeof(std::uint64_t) + 2 * (parts.cells.size() - cells);
      begin = end;
    }
    return bytes;
  }

  // The first state on the way of a leaf from which no more leaves can be reached than a part has.
  std::size_t part_of(const std::string& leaf) const {
    const model::LeafGuard::Table& leaves = table_.parts_.leaves;
    std::size_t state = 1;
    for (const char c : leaf) {
      if (table_.left_[state] <= kPart) break;
      state = leaves.next[state * table_.classes_ + leaves.class_of[static_cast<unsigned char>(c)]];
    }
    return state;
  }

  std::uint32_t row_of(const std::string& leaf) const {
    std::size_t state = 1;
    std::uint32_t row = 0;
    for (const char c : leaf) {
      const auto one = table_.parts_.leaves.class_of[static_cast<unsigned char>(c)];
      const LeafTable::Arc& arc = table_.arcs_[state * table_.classes_ + one];
      if (arc.in_row != 0) break;
      row += arc.skip;
      state = arc.next;
    }
    return row;
  }

  // How many characters before the last `skipped` of each leaf end its value, too.
  std::size_t common_end(std::size_t begin, std::size_t end, std::size_t skipped) const {
    std::size_t common = UINT8_MAX;
    bool any = false;
    for (std::size_t i = begin; i < end; ++i) {
      if (said_[i].omega) continue;
      any = true;
      const std::string& value = said_[i].text;
      const std::string& leaf = leaves_[i];
      std::size_t same = 0;
      while (same < common && same < value.size() && same + skipped < leaf.size() &&
             value[value.size() - 1 - same] == leaf[leaf.size() - 1 - skipped - same]) {
        ++same;
      }
      common = same;
    }
    return any ? common : 0;
  }

  void add_row(std::size_t begin, std::size_t end) {
    LeafTable::Row row;
    for (std::uint8_t skipped = 0; skipped < 3; ++skipped) {
      const std::size_t copied = common_end(begin, end, skipped);
      if (copied <= row.copied) continue;
      row.copied = static_cast<std::uint8_t>(copied);
      row.skipped = skipped;
    }
    std::vector<std::uint16_t> block;
    for (std::size_t i = begin; i < end; ++i) {
      TableValue value = said_[i];
      if (!value.omega) value.text.erase(value.text.size() - row.copied);
      block.push_back(value_number(std::move(value)));
    }
    std::vector<std::uint16_t>& cells = table_.parts_.cells;
    const auto [found, fresh] =
        blocks_.emplace(std::move(block), static_cast<std::uint32_t>(cells.size()));
    if (fresh) cells.insert(cells.end(), found->first.begin(), found->first.end());
    row.begin = found->second;
    table_.parts_.rows.push_back(row);
  }

  std::uint16_t value_number(TableValue value) {
    std::vector<TableValue>& values = table_.parts_.values;
    const auto [found, fresh] = values_.emplace(std::move(value), values.size());
    if (fresh) {
      require(values.size() < UINT16_MAX, kLeafTable, "it has too many different values");
      values.push_back(found->first);
    }
    return static_cast<std::uint16_t>(found->second);
  }

  LeafTable& table_;
  const std::vector<std::string>& leaves_;
  const std::vector<TableValue>& said_;
  std::map<TableValue, std::size_t> values_;
  std::map<std::vector<std::uint16_t>, std::uint32_t> blocks_;
};

LeafTable LeafTable::of(const std::vector<std::string>& leaves,
                        const std::vector<TableValue>& said) {
  const model::LeafGuard accepted =
      model::LeafGuard::of_texts(leaves, model::LeafGuard::kWholeTexts);
  // One row with one value, to begin with.
  std::vector<std::uint8_t> begins(accepted.table().accepting.size(), 1);
  LeafTable table({.leaves = accepted.table(),
                   .row_begins = std::move(begins),
                   .rows = {{}},
                   .cells = {0},
                   .values = {{}}});
  LeafTableMaker(table, leaves, said).choose_rows();
  return table;
}

}  // namespace nrs::runtime
