// The list of built-in domains, and the choice among them by what a formula looks like.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>

#include "base/text.h"
#include "domains/brackets.h"
#include "nrs/error.h"

namespace nrs {
namespace {

bool knows(const Domain& domain, char c) {
  return c == ' ' || domain.alphabet().find(c) != std::string_view::npos;
}

// The built-in domains that know all characters of a text: a bit for each.
unsigned experts_of(std::string_view text) {
  static const auto kKnowers = [] {
    std::array<std::uint8_t, 256> knowers{};
    for (std::size_t c = 0; c < knowers.size(); ++c) {
      for (std::size_t i = 0; i < all_domains().size(); ++i) {
        if (knows(*all_domains()[i], static_cast<char>(c))) knowers[c] |= 1u << i;
      }
    }
    return knowers;
  }();
  unsigned experts = ~0u;
  for (const char c : text) experts &= kKnowers[static_cast<unsigned char>(c)];
  return experts;
}

// How likely a text that a domain cannot read was meant for it. First, whether all its characters
// belong to the domain, and then how few others the domain has: (-0+3) is about numbers, not about
// monomials. Where no domain has all the characters, the one that read furthest, and which at least
// knows the character at which it stopped.
std::tuple<std::size_t, std::size_t, bool> likeness(const Domain& domain, std::string_view text,
                                                    bool knows_text, std::size_t stopped_at) {
  const std::size_t fit = knows_text ? std::size_t{256} - domain.alphabet().size() : 0;
  return {fit, stopped_at, stopped_at < text.size() && knows(domain, text[stopped_at])};
}

}  // namespace

std::span<const Domain* const> all_domains() {
  static const std::array<const Domain*, 4> domains = {&domains::logic(), &domains::listops(),
                                                       &domains::arithmetic(), &domains::algebra()};
  return domains;
}

const Domain& find_domain(std::string_view name) {
  std::vector<std::string> known;
  for (const Domain* domain : all_domains()) {
    if (domain->name() == name) return *domain;
    known.emplace_back(domain->name());
  }
  const std::string close = nearest(name, known);
  throw Error(ErrorKind::kUsage, fmt::format("unknown domain '{}'", excerpt(name)),
              close.empty() ? fmt::format("the domains are {}", fmt::join(known, ", "))
                            : fmt::format("did you mean {}?", close));
}

void Domain::for_each_formula(const Shape& shape, const Visit& visit) const {
  if (shape.nesting == 0) {
    for_each_atom([&](std::string_view atom) { visit(atom, atom); });
  } else if (shape.nesting == 1) {
    for_each_leaf(shape.space, [&](std::string_view leaf, std::string_view its_value) {
      if (args(leaf) == shape.args) visit(leaf, its_value);
    });
  } else {
    for_each_nested(shape, visit);
  }
}

ReadFormula read_in_any_domain(std::string_view text, std::span<const Domain* const> domains) {
  const unsigned experts = experts_of(text);
  std::optional<Error> best;
  std::tuple<std::size_t, std::size_t, bool> best_likeness;
  // A refusal costs much more than a reading, so that those that will hardly accept it wait.
  for (const bool knows_text : {true, false}) {
    for (const Domain* domain : domains) {
      const auto number = std::ranges::find(all_domains(), domain) - all_domains().begin();
      if ((experts >> number & 1u) != knows_text) continue;
      try {
        return {domain, domain->read(text)};
      } catch (const Error& error) {
        const auto its_likeness = likeness(*domain, text, knows_text, error.offset().value_or(0));
        if (!best || its_likeness > best_likeness) {
          best = error;
          best_likeness = its_likeness;
        }
      }
    }
  }
  throw *best;
}

}  // namespace nrs
