#pragma once
// Examples of built-in domains.
#include <cstdint>
#include <memory>
#include <vector>

#include "learn/example_source.h"
#include "nrs/domain.h"

namespace nrs {

// Every leaf and atom of a domain, and formulas drawn on the fly, never the same twice. `domain`
// must outlive the source; the built-in ones do.
std::unique_ptr<ExampleSource> make_domain_source(const Domain& domain);

// Several sources as one: each as likely as any other.
std::unique_ptr<ExampleSource> make_joint_source(
    std::vector<std::unique_ptr<ExampleSource>> sources);

// The paper's training and validation sets (data/protocol.h): a fixed number of formulas of each
// difficulty, and a part of the leaves.
std::unique_ptr<ExampleSource> make_paper_source(std::vector<const Domain*> domains,
                                                 std::uint64_t seed, int threads);

}  // namespace nrs
