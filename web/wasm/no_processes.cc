// A page has no processes. What would start one asks these first, and is told so.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cerrno>

namespace {

int refuse() {
  errno = ENOSYS;
  return -1;
}

}  // namespace

extern "C" {

int memfd_create(const char*, unsigned) {
  return refuse();
}
int prctl(int, ...) {
  return refuse();
}
pid_t wait4(pid_t, int*, int, rusage*) {
  return refuse();
}
}
