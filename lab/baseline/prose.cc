#include "baseline/prose.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "nrs/error.h"

namespace nrs {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_letter(char c) {
  return is_lower(c) || (c >= 'A' && c <= 'Z');
}
bool is_word(char c) {
  return is_letter(c) || is_digit(c);
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// A text with a place in it; beyond both ends there are NULs.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  char before(std::size_t i) const { return i > 0 ? at(i - 1) : '\0'; }
  std::size_t size() const { return text_.size(); }
  std::string_view part(std::size_t from, std::size_t to) const {
    return text_.substr(from, to - from);
  }
  bool begins(std::size_t i, std::string_view word) const {
    const std::string_view here = text_.substr(std::min(i, text_.size()), word.size());
    return std::equal(here.begin(), here.end(), word.begin(), word.end(),
                      [](char a, char b) { return lower(a) == b; });
  }
  std::size_t skip(std::size_t i, std::string_view characters) const {
    return std::min(text_.find_first_not_of(characters, i), text_.size());
  }
  std::size_t skip_digits(std::size_t i) const { return skip(i, "0123456789"); }
  // The place behind the last character before i that is no blank.
  std::size_t skip_back(std::size_t i) const {
    while (i > 0 && (text_[i - 1] == ' ' || text_[i - 1] == '\t')) --i;
    return i;
  }

 private:
  std::string_view text_;
};

// "modulo 100", "mod 10", "\pmod{-100}", "% 100": the end of such a phrase at i, or i.
std::size_t end_of_modulo(const Scan& scan, std::size_t i) {
  std::size_t end = i;
  if (scan.at(i) == '%') {
    end = i + 1;
  } else if (scan.begins(i, "mod") && (!is_letter(scan.before(i)) || scan.before(i) == 'p')) {
    end = i + 3;
    for (const std::string_view rest : {"ulus", "ulo"}) {
      if (!scan.begins(end, rest)) continue;
      end += rest.size();
      break;
    }
    if (is_letter(scan.at(end))) return i;
  } else {
    return i;
  }
  end = scan.skip(end, " \t{(\\$-");
  const std::size_t digits_end = scan.skip_digits(end);
  return digits_end > end ? digits_end : i;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kSigns = {{{"\u2212", "-"},
                                                                                   {"\u2013", "-"},
                                                                                   {"\u00b7", "*"},
                                                                                   {"\u22c5", "*"},
                                                                                   {"\u00d7", "*"},
                                                                                   {"\u00a0", " "},
                                                                                   {"\u202f", " "},
                                                                                   {"\\cdot", "*"},
                                                                                   {"\\times", "*"},
                                                                                   {"\\,", " "}}};

// What is in the braces of the last \boxed{...}, or all.
std::string_view boxed(std::string_view text) {
  constexpr std::string_view kBox = "\\boxed{";
  const std::size_t box = text.rfind(kBox);
  if (box == std::string_view::npos) return text;
  const std::size_t from = box + kBox.size();
  int depth = 1;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return text.substr(from, i - from);
  }
  return text.substr(from);
}

bool is_variable(char c) {
  return c == 'a' || c == 'b' || c == 'x' || c == 'y';
}

// Whether something that a number could be subtracted from ends before i: "3", "17xy" or ")", but
// not "is".
bool ends_operand(const Scan& scan, std::size_t i) {
  const char last = scan.before(i);
  if (last == ')' || last == ']' || is_digit(last)) return true;
  if (!is_variable(last)) return false;
  while (is_variable(scan.before(i))) --i;
  return !is_letter(scan.before(i));
}

// Whether a minus belongs to what begins at i: "is -4" and "= - 4", but not "3 - 4", nor the dash
// of a list.
bool is_negative(const Scan& scan, std::size_t i) {
  const std::size_t sign = scan.skip_back(i);
  if (scan.before(sign) != '-') return false;
  const std::size_t operand = scan.skip_back(sign - 1);
  const char left = scan.before(operand);
  if (left == '\n' || left == '\r') return sign == i;
  return !ends_operand(scan, operand);
}

std::string without_leading_zeros(std::string_view digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string_view::npos ? "0" : std::string(digits.substr(first));
}

// Reads a number at i, which is moved behind it: "1,234.50" is 1234.5.
std::string take_number(const Scan& scan, std::size_t& i) {
  const bool negative = is_negative(scan, i);
  std::size_t end = scan.skip_digits(i);
  std::string digits(scan.part(i, end));
  while (scan.at(end) == ',' && scan.skip_digits(end + 1) == end + 4) {
    digits += scan.part(end + 1, end + 4);
    end += 4;
  }
  std::string text = without_leading_zeros(digits);
  if (scan.at(end) == '.' && is_digit(scan.at(end + 1))) {
    const std::size_t fraction_end = scan.skip_digits(end + 1);
    const std::string_view fraction = scan.part(end + 1, fraction_end);
    const std::size_t last = fraction.find_last_not_of('0');
    if (last != std::string_view::npos) text.append(1, '.').append(fraction.substr(0, last + 1));
    end = fraction_end;
  }
  i = end;
  if (negative && text != "0") text.insert(text.begin(), '-');
  return text;
}

// No product of ours has more factors; without a bound, one that is not ours could be read again
// from each of its factors on.
constexpr std::size_t kMostFactors = 8;

// One product as it is read from prose.
struct Product {
  bool negative = false;
  std::string_view digits;  // empty: no coefficient
  std::string variables;
  bool has_star = false;
  std::size_t end = 0;
};

// Whether the letter at i may be a factor that stands apart, as in "17 x y". A lonely `a` is as
// likely an article.
bool stands_apart(const Scan& scan, std::size_t i) {
  if (!is_variable(scan.at(i))) return false;
  const std::size_t next = scan.skip(i + 1, " *");
  const bool goes_on = is_variable(scan.at(next)) && !is_letter(scan.at(next + 1));
  return scan.at(i) == 'a' ? goes_on : !is_word(scan.at(i + 1)) || goes_on;
}

// Behind a factor: the place of the next variable, if the product goes on.
std::size_t next_variable(const Scan& scan, std::size_t i, Product& product) {
  if (is_variable(scan.at(i))) return i;
  const std::size_t star = scan.skip(i, " ");
  if (scan.at(star) == '*' && scan.at(star + 1) != '*') {
    const std::size_t next = scan.skip(star + 1, " ");
    if (!is_variable(scan.at(next))) return scan.size();
    product.has_star = true;
    return next;
  }
  return star == i + 1 && stands_apart(scan, star) ? star : scan.size();
}

// The product that begins at i; without variables if there is none.
Product take_product(const Scan& scan, std::size_t i) {
  Product product;
  product.negative = is_negative(scan, i);
  product.end = scan.skip_digits(i);
  product.digits = scan.part(i, product.end);
  std::size_t next = next_variable(scan, product.end, product);
  while (next < scan.size() && product.variables.size() < kMostFactors) {
    product.variables += scan.at(next);
    product.end = next + 1;
    next = next_variable(scan, product.end, product);
  }
  if (is_word(scan.at(product.end))) product.variables.clear();  // "yes" is no y
  return product;
}

// "divided by": an English word, unless it stands where an answer would.
bool is_preposition(const Scan& scan, std::size_t i, const Product& product) {
  if (!product.digits.empty() || product.has_star || product.variables != "by") return false;
  const char left = scan.before(scan.skip_back(i));
  return left != '\0' && std::string_view("=:${`*(+-\n").find(left) == std::string_view::npos;
}

std::string print(const Scan& scan, Product product) {
  std::sort(product.variables.begin(), product.variables.end());
  const std::string coefficient =
      product.digits.empty() ? "1" : without_leading_zeros(product.digits);
  std::string text(1, product.negative && coefficient != "0" ? '-' : '+');
  if (coefficient != "1") text.append(coefficient).append(1, '*');
  for (std::size_t i = 0; i < product.variables.size(); ++i) {
    if (i > 0) text += '*';
    text += product.variables[i];
  }
  if (scan.at(product.end) == '^') text += '^';  // of a higher degree: no monomial of ours
  return text;
}

// Whether the lonely letter at i stands for itself and not for a word.
bool is_name(const Scan& scan, std::size_t i) {
  const char left = scan.before(i);
  const char right = scan.at(i + 1);
  if (left == '\'' || right == '\'') return left == right;                       // "it's", but 'z'
  if (left == '.' || (right == '.' && is_letter(scan.at(i + 2)))) return false;  // "e.g."
  const bool article = scan.at(i) == 'a' && right == ' ' && is_lower(scan.at(i + 2));
  return !article;
}

}  // namespace

std::string tidy_prose(std::string_view text) {
  const std::string_view source = boxed(text);
  std::string plain;
  for (std::size_t i = 0; i < source.size();) {
    const std::string_view rest = source.substr(i);
    const bool plain_already = rest[0] != '\\' && static_cast<unsigned char>(rest[0]) < 0x80;
    const auto sign =
        plain_already ? kSigns.end() : std::find_if(kSigns.begin(), kSigns.end(), [&](auto& known) {
          return rest.starts_with(known.first);
        });
    plain += sign == kSigns.end() ? rest.substr(0, 1) : sign->second;
    i += sign == kSigns.end() ? 1 : sign->first.size();
  }
  const Scan scan(plain);
  std::string tidy;
  for (std::size_t i = 0; i < plain.size();) {
    const std::size_t end = end_of_modulo(scan, i);
    if (end == i) tidy += plain[i++];
    i = std::max(i, end);
  }
  return tidy;
}

std::optional<std::string> last_number(std::string_view prose) {
  const Scan scan(prose);
  std::optional<std::string> found;
  for (std::size_t i = 0; i < prose.size();) {
    if (is_digit(prose[i])) {
      found = take_number(scan, i);
    } else {
      ++i;
    }
  }
  return found;
}

std::optional<std::string> last_monomial(std::string_view prose, std::string_view variables) {
  const Scan scan(prose);
  std::optional<std::string> found;
  for (std::size_t i = 0; i < prose.size();) {
    if (!is_word(prose[i])) {
      ++i;
      continue;
    }
    const Product product = take_product(scan, i);
    if (product.variables.find_first_of("xy") != std::string::npos &&
        !is_preposition(scan, i, product)) {
      found = print(scan, product);
      i = product.end;
      continue;
    }
    const std::size_t begin = i;
    while (i < prose.size() && is_word(prose[i])) ++i;
    if (scan.part(begin, i) == "0") found.emplace("+0*").append(variables);
  }
  return found;
}

std::optional<std::string> last_truth(std::string_view prose, std::string_view letters) {
  const Scan scan(prose);
  char found = '\0';
  for (std::size_t i = 0; i < prose.size(); ++i) {
    const std::size_t begin = i;
    while (i < prose.size() && is_word(prose[i])) ++i;
    const std::string_view word = scan.part(begin, i);
    if (word == "T" || (word.size() == 4 && scan.begins(begin, "true"))) found = 'T';
    if (word == "F" || (word.size() == 5 && scan.begins(begin, "false"))) found = 'F';
    if (word.size() == 1 && is_lower(word[0]) && letters.find(word[0]) != std::string_view::npos &&
        is_name(scan, begin)) {
      found = word[0];
    }
  }
  if (found == '\0') return {};
  return std::string(1, found);
}

namespace {

// The paper sets the arguments apart: [MIN [SM 5 4] [MIN 3 9]].
std::string set_apart(const Domain& /*domain*/, std::string_view formula) {
  std::string apart;
  for (const char c : formula) {
    if ((c == '[' || is_digit(c)) && !apart.empty()) apart += ' ';
    apart += c;
  }
  return apart;
}

std::string in_paper_notation(const Domain& domain, std::string_view formula) {
  return domain.paper_notation(formula);
}

std::optional<std::string> monomial_of(std::string_view prose, std::string_view formula) {
  std::string variables;
  for (const char variable : std::string_view("abxy")) {
    if (formula.find(variable) == std::string_view::npos) continue;
    if (!variables.empty()) variables += '*';
    variables += variable;
  }
  return last_monomial(prose, variables);
}

std::optional<std::string> number_of(std::string_view prose, std::string_view /*formula*/) {
  return last_number(prose);
}

// What a language model is asked in each domain, around the formula, and what it may answer.
struct Prompt {
  std::string_view domain;
  std::string_view before, behind;
  std::string (*print)(const Domain& domain, std::string_view formula);
  std::optional<std::string> (*find)(std::string_view prose, std::string_view formula);
};
constexpr Prompt kPrompts[] = {
    {"logic",
     "AND, OR, and NOT are the operators of propositional logic, and lower-case letters are "
     "variables. Simplify the following expression to True, False, or a single variable: ",
     ".", in_paper_notation, last_truth},
    // The paper's own words.
    {"listops",
     "MIN, MAX, and SM are operators on lists of single-digit integers, representing minimum, "
     "maximum, and sum modulo 10, respectively. Solve the following expression using these "
     "operators: ",
     ".", set_apart, number_of},
    {"arithmetic", "Solve the following arithmetic expression: ",
     ". Take the value of every operation modulo 100 if it is positive, and modulo -100 if it is "
     "negative, before you go on with it.",
     in_paper_notation, number_of},
    {"algebra", "Simplify the following algebraic expression to a single monomial: ",
     ". Take the coefficient of every sum modulo 100 if it is positive, and modulo -100 if it is "
     "negative, before you go on with it.",
     in_paper_notation, monomial_of}};

const Prompt& prompt_of(const Domain& domain) {
  for (const Prompt& prompt : kPrompts) {
    if (prompt.domain == domain.name()) return prompt;
  }
  throw Error(ErrorKind::kUsage,
              "there is no question in words for the domain " + std::string(domain.name()));
}

}  // namespace

std::string question_of(const Domain& domain, std::string_view formula) {
  const Prompt& prompt = prompt_of(domain);
  return std::string(prompt.before) + prompt.print(domain, formula) + std::string(prompt.behind);
}

std::optional<std::string> answer_in(const Domain& domain, std::string_view reply,
                                     std::string_view formula) {
  return prompt_of(domain).find(tidy_prose(reply), formula);
}

}  // namespace nrs
