#include "base/unfinished_files.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <utility>
#include <vector>

#include "base/process.h"

namespace nrs {
namespace {

// Of one process: another one is a copy that has been forked, and must not touch the file.
struct Entry {
  std::string path;
  pid_t owner;
  bool operator==(const Entry&) const = default;
};

// Made for the first file, for a signal handler must not make it, and never destroyed, for a signal
// may come when all else has been.
std::vector<Entry>* list = nullptr;
std::atomic_flag in_use = ATOMIC_FLAG_INIT;

// The list for one thread alone. No signal reaches that thread meanwhile, so a handler that waits
// for the list never waits for what it has interrupted.
class Hold {
 public:
  Hold() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
    while (in_use.test_and_set(std::memory_order_acquire)) continue;
  }
  ~Hold() {
    in_use.clear(std::memory_order_release);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

UnfinishedFile::UnfinishedFile(std::string path) : path_(std::move(path)) {
  {
    const Hold hold;
    if (list == nullptr) list = new std::vector<Entry>;
    list->push_back({path_, ::getpid()});
  }
  clean_up_on_signals();
}

UnfinishedFile::~UnfinishedFile() {
  const Hold hold;
  std::erase(*list, Entry{path_, ::getpid()});
}

void remove_unfinished_files() noexcept {
  const Hold hold;
  if (list == nullptr) return;
  for (const Entry& entry : *list) {
    if (entry.owner == ::getpid()) ::unlink(entry.path.c_str());
  }
}

}  // namespace nrs
