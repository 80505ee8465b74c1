#pragma once
// What a program knows of its own process: whether it was asked to end, and the memory it took.

namespace nrs {

// From now on the first Ctrl-C (or request to terminate) only makes interrupted() say so, that work
// may come to an orderly end; the second one ends the program as usual.
void notice_interrupts();
// The number of the signal, 0 if there was none.
int interrupted();

// The most memory that was ever in use, in megabytes (10^6 bytes).
double peak_memory_mb();

}  // namespace nrs
