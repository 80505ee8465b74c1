#include "base/process.h"

#include <sys/resource.h>

#include <atomic>
#include <csignal>

namespace nrs {
namespace {

std::atomic<int> received_signal{0};

extern "C" void remember_signal(int number) {
  received_signal = number;
}

}  // namespace

void notice_interrupts() {
  struct sigaction action {};
  action.sa_handler = remember_signal;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int interrupted() {
  return received_signal;
}

double peak_memory_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;  // given in kibibytes
}

}  // namespace nrs
