#include "rewrite/limits.h"

namespace nrs::rewrite {

int bracket_balance(std::string_view text) {
  int balance = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') ++balance;
    if (c == ')' || c == ']' || c == '}') --balance;
  }
  return balance;
}

}  // namespace nrs::rewrite
