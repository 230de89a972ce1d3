#define _GNU_SOURCE
#include "launch_simulation.h"

#include <errno.h>
#include <time.h>

static const int64_t second = 1000000000;

static __thread void *current;
static __thread int64_t virtual_nanoseconds;

void *launch_simulation(void) { return current; }

void launch_enter_simulation(void *simulation) {
  virtual_nanoseconds = 0;
  current = simulation;
}

void launch_leave_simulation(void) { current = NULL; }

void launch_set_virtual_nanoseconds(int64_t nanoseconds) { virtual_nanoseconds = nanoseconds; }

static struct timespec timespec_of(int64_t nanoseconds) {
  return (struct timespec){.tv_sec = nanoseconds / second, .tv_nsec = nanoseconds % second};
}

#ifdef __APPLE__

int64_t launch_real_nanoseconds(void) { return (int64_t)clock_gettime_nsec_np(CLOCK_UPTIME_RAW); }

void launch_wait_until(int64_t nanoseconds) {
  int64_t left;
  while ((left = nanoseconds - launch_real_nanoseconds()) > 0) {
    struct timespec duration = timespec_of(left);
    nanosleep(&duration, NULL);
  }
}

#else

#include <dlfcn.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "patience.h"

// Defined by LaunchSimulation; weak, so that this target links without it.
__attribute__((weak)) void launch_install_executors(void);

__attribute__((constructor)) static void install_executors(void) {
  if (launch_install_executors) launch_install_executors();
}

typedef int (*clock_reader)(clockid_t, struct timespec *);

static int system_clock_gettime(clockid_t clock, struct timespec *out) {
  return (int)syscall(SYS_clock_gettime, clock, out);
}

// The C library's function, or the system call in a fully static executable, where nothing follows this definition.
static int real_clock_gettime(clockid_t clock, struct timespec *out) {
  static _Atomic(clock_reader) found;
  clock_reader reader = atomic_load_explicit(&found, memory_order_relaxed);
  if (!reader) {
    reader = (clock_reader)dlsym(RTLD_NEXT, "clock_gettime");
    if (!reader) reader = system_clock_gettime;
    atomic_store_explicit(&found, reader, memory_order_relaxed);
  }
  return reader(clock, out);
}

// What each clock reads when a simulation starts: far from zero, so that subtracting a little never goes below it.
static int64_t start_of(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
      return 1700000000 * second;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
      return 1000 * second;
    default:
      return 0;
  }
}

// Defined in the executable, so the calls of every shared library come here. The concurrency runtime turns each sleep
// into a deadline by reading the clock: with the real one, a pre-empted thread would change the schedule.
int clock_gettime(clockid_t clock, struct timespec *out) {
  if (current) {
    int64_t start = start_of(clock);
    if (start) {
      if (launch_patience && !--launch_patience) launch_lose_patience();
      *out = timespec_of(start + virtual_nanoseconds);
      return 0;
    }
  }
  return real_clock_gettime(clock, out);
}

int64_t launch_real_nanoseconds(void) {
  struct timespec now;
  real_clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * second + now.tv_nsec;
}

void launch_wait_until(int64_t nanoseconds) {
  struct timespec deadline = timespec_of(nanoseconds);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL) == EINTR) {}
}

#endif
