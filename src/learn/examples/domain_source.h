#pragma once
// Examples of built-in domains.
#include <cstdint>
#include <memory>
#include <vector>

#include "data/protocol.h"
#include "learn/examples/example_source.h"
#include "nrs/domain.h"

namespace nrs {

// Every leaf and atom of the domains, and formulas drawn on the fly, each domain as likely as any
// other. The domains must outlive the source; the built-in ones do. With the paper's protocol the
// formulas are of the paper's kind, and partly rewritten from the last leaf on; else half of them
// have been rewritten in an order that chance makes: people write (1+(2*3)) too.
std::unique_ptr<ExampleSource> make_domains_source(const std::vector<const Domain*>& domains,
                                                   Protocol protocol = Protocol::kFull);

// The same formulas, but of the leaves only the part that the paper's protocol trains on
// (data/protocol.h). For its fixed sets of formulas, write them with `nrs dataset` and read the
// folder.
std::unique_ptr<ExampleSource> make_paper_source(std::vector<const Domain*> domains,
                                                 std::uint64_t seed);

}  // namespace nrs
