#pragma once
// Examples of built-in domains.
#include <cstdint>
#include <memory>
#include <vector>

#include "learn/example_source.h"
#include "nrs/domain.h"

namespace nrs {

// In which order the leaves of a drawn formula have been rewritten before it is shown.
enum class RewriteOrder {
  kLast,  // the last leaf first, as in the paper's data
  kAny,   // half of the formulas so, half in an order that chance makes: people write (1+(2*3)) too
};

// Every leaf and atom of the domains, and formulas drawn on the fly, each domain as likely as any
// other. The domains must outlive the source; the built-in ones do.
std::unique_ptr<ExampleSource> make_domains_source(const std::vector<const Domain*>& domains,
                                                   RewriteOrder order = RewriteOrder::kAny);

// The same formulas, but of the leaves only the part that the paper's protocol trains on
// (data/protocol.h). For its fixed sets of formulas, write them with `nrs dataset` and read the
// folder.
std::unique_ptr<ExampleSource> make_paper_source(std::vector<const Domain*> domains,
                                                 std::uint64_t seed);

}  // namespace nrs
