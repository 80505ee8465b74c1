#pragma once
// Answers pieces of work together.
#include <span>

#include "serve/limits.h"
#include "serve/work.h"

namespace nrs::serve {

// Pieces that are like each other: one at least. Puts their answers and outcomes into their
// tickets.
void answer_together(std::span<const Piece> pieces, const Limits& limits);

}  // namespace nrs::serve
