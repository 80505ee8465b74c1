#include "rewrite/rules/emit_cpp.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "rewrite/rules/cpp_runtime.h"
#include "rewrite/rules/program.h"
#include "term/position.h"
#include "term/write_rules.h"

namespace nrs::rewrite::rules {
namespace {

using Kind = Operation::Kind;

constexpr std::size_t kPageWords = 4096;  // as in the runtime

constexpr std::string_view kHead =
    R"cpp(#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

          using V = std::uint32_t;  // a node: the place of its symbol; its arguments follow
    )cpp";

class Emitter {
 public:
  explicit Emitter(const term::RuleSet& rules)
      : rules_(rules), program_(rules), terms_(program_.terms()), names_(rules, "_", {}) {}

  std::string run() {
    out_ = "// Normal forms by the rules of " + cpp_comment(rules_.name) +
           ". Reads terms, one per line; prints their normal forms.\n"
           "// Compile with: g++ -O2 -o simplify FILE -pthread\n";
    out_ += kHead;
    write_tables();
    out_ += kCppRuntime;
    write_functions();
    write_apply();
    out_ += kCppMain;
    return std::move(out_);
  }

 private:
  // Nodes of constants and of constant terms of the rules, which are always there.
  void write_tables() {
    std::vector<std::uint32_t> words{0};
    const auto fix = [&](term::Term term) {
      if (fixed_.contains(term)) return;
      fixed_[term] = static_cast<std::uint32_t>(words.size());
      words.push_back(term::number(terms_.symbol(term)));
      for (const term::Term arg : terms_.args(term)) words.push_back(fixed_.at(arg));
    };
    for (const term::Term constant : program_.constants()) {
      for (const term::Term part : term::distinct_subterms(terms_, constant)) fix(part);
    }
    out_ +=
        "\n// ---- Symbols with their arities.\nstruct SymbolEntry { const char* name; std::size_t "
        "arity; };\n";
    out_ += "constexpr V kSymbolCount = " + std::to_string(program_.own_symbols()) + ";\n";
    out_ += "static const SymbolEntry kSymbols[] = {\n";
    for (std::uint32_t i = 0; i < program_.own_symbols(); ++i) {
      const term::Symbol symbol{i};
      // A variable of the rules is no symbol of terms; its name stands for something else there.
      const std::string name =
          terms_.is_variable(symbol) ? "\n" + std::to_string(i) : terms_.name(symbol);
      out_ += "  {" + cpp_string(name) + ", " + std::to_string(terms_.arity(symbol)) + "},\n";
    }
    out_ += "};\nconstexpr bool kClosed = " + std::string(rules_.sorts.empty() ? "false" : "true") +
            ";  // no other symbols\n";
    out_ += "static const V kFixed[] = {";
    for (std::size_t i = 0; i < words.size(); ++i) {
      out_ += (i % 20 == 0 ? "\n  " : " ") + std::to_string(words[i]) + ",";
    }
    out_ += "};\nconstexpr std::size_t kFixedPages = " +
            std::to_string((words.size() + kPageWords - 1) / kPageWords) + ";\n";
  }

  std::string function_name(term::Symbol symbol) const {
    return "f" + std::to_string(term::number(symbol)) + "_" + names_[symbol];
  }

  std::string reg(Register r) const { return "r" + std::to_string(r); }

  std::string registers(std::span<const std::uint32_t> list) const {
    std::string text;
    for (const std::uint32_t r : list) text += (text.empty() ? "" : ", ") + reg(r);
    return text;
  }

  void write_functions() {
    out_ += "\n// ---- Rules.\n";
    for (const Function& function : program_.functions()) out_ += head(function) + ";\n";
    for (const Function& function : program_.functions()) write(function);
  }

  std::string head(const Function& function) const {
    std::string text = "static V " + function_name(function.symbol) + "(";
    for (Register r = 0; r < terms_.arity(function.symbol); ++r) {
      text += (r > 0 ? ", V " : "V ") + reg(r);
    }
    return text + ")";
  }

  void write(const Function& function) {
    out_ += "\n" + head(function) + " {\n";
    find_targets(function);
    const auto arity = static_cast<Register>(terms_.arity(function.symbol));
    std::set<Register> locals;
    for (std::uint32_t i = function.first; i < function.end; ++i) {
      if (defines(program_.operations()[i])) locals.insert(program_.operations()[i].target);
    }
    std::string names;
    for (const Register r : locals) names += (names.empty() ? "" : ", ") + reg(r);
    if (!names.empty()) out_ += "  V " + names + ";\n";
    if (targets_.contains(function.first)) out_ += label(function.first) + ":\n";
    for (std::uint32_t i = function.first; i < function.end; ++i) {
      if (i > function.first && targets_.contains(i)) out_ += label(i) + ":\n";
      write(function, i, arity);
    }
    out_ += "}\n";
  }

  static bool defines(const Operation& operation) {
    return operation.kind == Kind::kField || operation.kind == Kind::kConstant ||
           operation.kind == Kind::kBuild || operation.kind == Kind::kCall;
  }

  // Operations that something jumps to.
  void find_targets(const Function& function) {
    targets_.clear();
    for (std::uint32_t i = function.first; i < function.end; ++i) {
      const Operation& operation = program_.operations()[i];
      if (operation.kind == Kind::kSwitch) {
        targets_.insert(operation.other);
        for (std::size_t k = 1; k < operation.operands; k += 2) {
          targets_.insert(program_.operands(operation)[k]);
        }
      } else if (operation.kind == Kind::kSame) {
        targets_.insert(operation.next == i + 1 ? operation.other : operation.next);
      } else if (operation.kind == Kind::kTailCall && operation.symbol == function.symbol) {
        targets_.insert(function.first);
      }
    }
  }

  static std::string label(std::uint32_t operation) { return "L" + std::to_string(operation); }

  void line(const std::string& text) { out_ += "  " + text + "\n"; }

  void write(const Function& function, std::uint32_t i, Register arity) {
    const Operation& operation = program_.operations()[i];
    const std::span<const std::uint32_t> operands = program_.operands(operation);
    const std::string symbol = std::to_string(term::number(operation.symbol));
    switch (operation.kind) {
      case Kind::kSwitch:
        write_switch(operation);
        break;
      case Kind::kField:
        line(reg(operation.target) + " = W[" + reg(operation.reg) + " + " +
             std::to_string(operation.index + 1) + "];");
        break;
      case Kind::kSame:
        write_same(operation, i);
        break;
      case Kind::kConstant:
        line(reg(operation.target) + " = " + constant(operation.index) + ";");
        break;
      case Kind::kBuild:
        line(reg(operation.target) + " = build(" + symbol + "u, " + registers(operands) + ");");
        break;
      case Kind::kCall:
        line(reg(operation.target) + " = " + function_name(operation.symbol) + "(" +
             registers(operands) + ");");
        break;
      case Kind::kStep:
        line("// " + cpp_comment(term::to_string(rules_.terms, rules_.rules[operation.index])));
        break;
      case Kind::kReturn:
        line("return " + reg(operation.reg) + ";");
        break;
      case Kind::kTailCall:
        write_tail(function, operation, arity);
        break;
      case Kind::kStuck:
        write_stuck(function, arity);
        break;
    }
  }

  std::string constant(std::uint32_t index) const {
    return std::to_string(fixed_.at(program_.constants()[index])) + "u";
  }

  void write_switch(const Operation& operation) {
    const std::span<const std::uint32_t> operands = program_.operands(operation);
    line("switch (W[" + reg(operation.reg) + "]) {");
    for (std::size_t k = 0; k < operands.size(); k += 2) {
      line("  case " + std::to_string(operands[k]) + ": goto " + label(operands[k + 1]) + ";  // " +
           cpp_comment(terms_.name(term::Symbol{operands[k]})));
    }
    line("  default: goto " + label(operation.other) + ";");
    line("}");
  }

  void write_same(const Operation& operation, std::uint32_t i) {
    const bool inverted = operation.next != i + 1;
    const std::string one = reg(operation.reg);
    const std::string other = reg(program_.operands(operation)[0]);
    const std::optional<term::Term> constant = program_.constant_operand(operation);
    const bool single = constant && terms_.args(*constant).empty();
    const std::string test = single     ? one + (inverted ? " == " : " != ") + other
                             : inverted ? "same(" + one + ", " + other + ")"
                                        : "!same(" + one + ", " + other + ")";
    line("if (" + test + ") goto " + label(inverted ? operation.next : operation.other) + ";");
  }

  // A call of the function itself is a jump to its beginning.
  void write_tail(const Function& function, const Operation& operation, Register arity) {
    const std::span<const std::uint32_t> operands = program_.operands(operation);
    if (operation.symbol != function.symbol) {
      return line("return " + function_name(operation.symbol) + "(" + registers(operands) + ");");
    }
    std::string before;
    std::string after;
    for (Register r = 0; r < arity; ++r) {
      if (operands[r] == r) continue;
      before += "const V n" + std::to_string(r) + " = " + reg(operands[r]) + "; ";
      after += reg(r) + " = n" + std::to_string(r) + "; ";
    }
    line("{ " + before + after + "goto " + label(function.first) + "; }");
  }

  void write_stuck(const Function& function, Register arity) {
    std::string args;
    for (Register r = 0; r < arity; ++r) args += ", " + reg(r);
    line("return build(" + std::to_string(term::number(function.symbol)) + "u" + args +
         ");  // no rule");
  }

  // For terms that are read.
  void write_apply() {
    out_ += "\nstatic V apply(V symbol, std::size_t arity, const V* args) {\n  switch (symbol) {\n";
    for (const Function& function : program_.functions()) {
      std::string args;
      for (std::size_t i = 0; i < terms_.arity(function.symbol); ++i) {
        args += (i > 0 ? ", args[" : "args[") + std::to_string(i) + "]";
      }
      out_ += "    case " + std::to_string(term::number(function.symbol)) + ": return " +
              function_name(function.symbol) + "(" + args + ");\n";
    }
    for (const auto& [term, node] : fixed_) {
      if (!terms_.args(term).empty()) continue;
      out_ += "    case " + std::to_string(term::number(terms_.symbol(term))) + ": return " +
              std::to_string(node) + "u;\n";
    }
    out_ +=
        "    default: break;\n  }\n"
        "  const V node = take(1 + arity);\n"
        "  W[node] = symbol;\n"
        "  for (std::size_t i = 0; i < arity; ++i) W[node + 1 + i] = args[i];\n"
        "  return node;\n}\n";
  }

  const term::RuleSet& rules_;
  const Program program_;
  const term::Terms& terms_;
  const term::PlainNames names_;
  std::map<term::Term, std::uint32_t> fixed_;  // the nodes of constant terms
  std::set<std::uint32_t> targets_;
  std::string out_;
};

}  // namespace

std::string emit_cpp(const term::RuleSet& rules) {
  return Emitter(rules).run();
}

}  // namespace nrs::rewrite::rules
