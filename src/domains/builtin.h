#pragma once
// The built-in domains, for the registry.

namespace nrs {
class Domain;
}

namespace nrs::domains {

const Domain& logic();
const Domain& listops();
const Domain& arithmetic();
const Domain& algebra();

}  // namespace nrs::domains
