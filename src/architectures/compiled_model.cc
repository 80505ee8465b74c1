#include "architectures/compiled_model.h"

#include <nlohmann/json.hpp>

#include "nrs/error.h"

namespace nrs::architectures {
namespace {

using Json = nlohmann::ordered_json;
using model::IntegerTable;
using runtime::LeafTable;
using runtime::Mark;
using runtime::MarkAutomata;
using runtime::TableValue;

const IntegerTable& table_in(const model::Module& module, std::string_view name) {
  const auto found = module.tables.find(name);
  if (found != module.tables.end()) return found->second;
  throw Error(ErrorKind::kInput, "the model has no table '" + std::string(name) + "'");
}

template <class T>
std::vector<T> numbers_in(const model::Module& module, std::string_view name) {
  return table_in(module, name).values<T>();
}

template <class Numbers>
void keep(model::Module& module, const std::string& name, nn::TensorShape shape,
          const Numbers& numbers) {
  using Number = typename Numbers::value_type;
  module.tables[name] = IntegerTable::of<Number>(std::move(shape), numbers);
}

model::Module marks_module(const CompiledModel& compiled) {
  const MarkAutomata& automata = compiled.parts.automata;
  const rewrite::Habits& habits = compiled.parts.habits;
  const std::uint64_t classes = automata.classes, lefts = automata.left_states(),
                      rights = automata.right_states();
  model::Module module;
  Json fields = {{"reach", compiled.reach},     {"tokens", compiled.tokens},
                 {"balanced", habits.balanced}, {"erases", habits.erases},
                 {"linear", habits.linear},     {"quadratic", habits.quadratic}};
  if (compiled.last_leaf) fields["last_leaf"] = true;
  module.fields = fields.dump();
  std::vector<std::uint8_t> marks;
  for (const Mark mark : automata.marks) marks.push_back(static_cast<std::uint8_t>(mark));
  keep(module, "marks.class_of", {automata.class_of.size()}, automata.class_of);
  keep(module, "marks.left", {lefts, classes}, automata.left);
  keep(module, "marks.right", {rights, classes}, automata.right);
  keep(module, "marks.neighbours", {classes, classes}, automata.neighbours);
  keep(module, "marks.marks", {lefts, classes, rights}, marks);
  return module;
}

void read_marks(const model::Module& module, CompiledModel& compiled) {
  const Json fields = Json::parse(module.fields);
  fields.at("reach").get_to(compiled.reach);
  fields.at("tokens").get_to(compiled.tokens);
  compiled.last_leaf = fields.value("last_leaf", false);
  rewrite::Habits& habits = compiled.parts.habits;
  fields.at("balanced").get_to(habits.balanced);
  fields.at("erases").get_to(habits.erases);
  fields.at("linear").get_to(habits.linear);
  fields.at("quadratic").get_to(habits.quadratic);
  MarkAutomata& automata = compiled.parts.automata;
  const auto class_of = numbers_in<std::uint8_t>(module, "marks.class_of");
  if (class_of.size() != automata.class_of.size()) {
    throw Error(ErrorKind::kInput, "marks.class_of: there are 256 bytes");
  }
  std::ranges::copy(class_of, automata.class_of.begin());
  const IntegerTable& left = table_in(module, "marks.left");
  if (left.shape.size() != 2) throw Error(ErrorKind::kInput, "marks.left: it has two axes");
  automata.classes = left.shape[1];
  automata.left = left.values<std::uint8_t>();
  automata.right = numbers_in<std::uint8_t>(module, "marks.right");
  automata.neighbours = numbers_in<std::uint8_t>(module, "marks.neighbours");
  for (const std::uint8_t mark : numbers_in<std::uint8_t>(module, "marks.marks")) {
    automata.marks.push_back(static_cast<Mark>(mark));
  }
  automata.check();
}

// A row in one number of the file.
std::uint64_t packed(const LeafTable::Row& row) {
  return row.begin | std::uint64_t{row.copied} << 32 | std::uint64_t{row.skipped} << 40;
}
LeafTable::Row unpacked(std::uint64_t row) {
  return {static_cast<std::uint32_t>(row), static_cast<std::uint8_t>(row >> 32),
          static_cast<std::uint8_t>(row >> 40)};
}

model::Module values_module(const CompiledModel& compiled) {
  const LeafTable::Parts& parts = compiled.parts.table.parts();
  Json values = Json::array();
  for (const TableValue& value : parts.values) {
    values.push_back({value.omega ? Json(nullptr) : Json(value.text), value.log_prob});
  }
  model::Module module;
  module.fields = Json{
      {"complete", compiled.complete},
      {"min_log_prob", compiled.min_log_prob ? Json(*compiled.min_log_prob) : Json(nullptr)},
      {"values",
       values}}.dump();
  const model::LeafGuard::Table& leaves = parts.leaves;
  std::vector<std::uint64_t> rows;
  for (const LeafTable::Row& row : parts.rows) rows.push_back(packed(row));
  keep(module, "values.class_of", {leaves.class_of.size()}, leaves.class_of);
  keep(module, "values.accepting", {leaves.accepting.size()}, leaves.accepting);
  keep(module, "values.row_begins", {parts.row_begins.size()}, parts.row_begins);
  keep(module, "values.next", {leaves.accepting.size(), leaves.classes()}, leaves.next);
  keep(module, "values.rows", {rows.size()}, rows);
  keep(module, "values.cells", {parts.cells.size()}, parts.cells);
  return module;
}

LeafTable read_table(const model::Module& module, const Json& fields) {
  LeafTable::Parts parts;
  for (const Json& value : fields.at("values")) {
    TableValue& read = parts.values.emplace_back();
    read.omega = value.at(0).is_null();
    if (!read.omega) value.at(0).get_to(read.text);
    value.at(1).get_to(read.log_prob);
  }
  parts.leaves.class_of = numbers_in<std::uint8_t>(module, "values.class_of");
  parts.leaves.accepting = numbers_in<std::uint8_t>(module, "values.accepting");
  parts.leaves.next = numbers_in<std::uint16_t>(module, "values.next");
  parts.row_begins = numbers_in<std::uint8_t>(module, "values.row_begins");
  for (const std::uint64_t row : numbers_in<std::uint64_t>(module, "values.rows")) {
    parts.rows.push_back(unpacked(row));
  }
  parts.cells = numbers_in<std::uint16_t>(module, "values.cells");
  return LeafTable(std::move(parts));
}

}  // namespace

void store(const CompiledModel& compiled, model::Model& model) {
  model.architecture = kCompiledArchitecture;
  model.modules[std::string(kMarksModule)] = marks_module(compiled);
  model.modules[std::string(kValuesModule)] = values_module(compiled);
}

CompiledModel compiled_model_of(const model::Model& model) {
  try {
    const model::Module& values = model.module(kValuesModule);
    const Json fields = Json::parse(values.fields);
    const Json& min_log_prob = fields.at("min_log_prob");
    CompiledModel compiled{.parts = {.automata = {}, .table = read_table(values, fields)},
                           .complete = fields.at("complete").get<bool>(),
                           .tokens = {},
                           .min_log_prob = min_log_prob.is_null()
                                               ? std::nullopt
                                               : std::optional(min_log_prob.get<double>())};
    read_marks(model.module(kMarksModule), compiled);
    return compiled;
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::kInput,
                std::string("the compiled modules are damaged: ") + error.what());
  }
}

}  // namespace nrs::architectures
