#define _GNU_SOURCE
#include "launch_cancellation.h"

#ifndef __APPLE__

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "patience.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { words = 16, clock_readings = 100 };
static const long milliseconds = 2;

// The word of a task, and the bit in it, that say that it is cancelled; zero until learnt.
static _Atomic(size_t) cancelled_word;
static _Atomic(uint64_t) cancelled_bit;

static __thread timer_t timer;
static __thread bool has_timer;
static __thread sigset_t blocked_signals;
__thread int launch_patience;

void launch_learn_cancellation(launch_job *task) {
  uint64_t before[words], after[words];
  memcpy(before, task, sizeof before);
  swift_task_cancel(task);
  memcpy(after, task, sizeof after);
  size_t word = 0;
  uint64_t bit = 0;
  for (size_t i = 0; i < words; i++) {
    uint64_t change = before[i] ^ after[i];
    if (!change) continue;
    // More than one bit, or one that was cleared, is not the note.
    if (bit || change & (change - 1) || before[i] & change) return;
    word = i;
    bit = change;
  }
  atomic_store(&cancelled_word, word);
  atomic_store(&cancelled_bit, bit);
}

void launch_lose_patience(void) {
  launch_job *task = launch_current_task();
  uint64_t bit = atomic_load(&cancelled_bit);
  if (!task || !bit) return;
  atomic_fetch_and((_Atomic(uint64_t) *)task + atomic_load(&cancelled_word), ~bit);
}

static void on_signal(int signal) {
  (void)signal;
  // Between two jobs the current task is the one that called the simulation, which is none of ours.
  if (launch_patience) launch_lose_patience();
}

// A real-time signal that nobody uses, or zero.
static int free_signal(void) {
  static _Atomic(int) found;
  int number = atomic_load(&found);
  if (number) return number;
  for (number = SIGRTMAX; number > SIGRTMIN; number--) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) || action.sa_flags & SA_SIGINFO) continue;
    if (action.sa_handler != SIG_DFL && action.sa_handler != on_signal) continue;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    if (sigaction(number, &action, NULL)) continue;
    atomic_store(&found, number);
    return number;
  }
  return 0;
}

void launch_begin_patience(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = free_signal()};
  if (!event.sigev_signo) return;
  event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
  if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return;
  has_timer = true;
  // Dispatch blocks signals on its threads.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, event.sigev_signo);
  pthread_sigmask(SIG_UNBLOCK, &set, &blocked_signals);
  struct timespec interval = {.tv_nsec = milliseconds * 1000000};
  struct itimerspec setting = {.it_interval = interval, .it_value = interval};
  timer_settime(timer, 0, &setting, NULL);
}

void launch_begin_job(void) { launch_patience = clock_readings; }

void launch_end_job(void) { launch_patience = 0; }

void launch_end_patience(void) {
  if (has_timer) {
    timer_delete(timer);
    pthread_sigmask(SIG_SETMASK, &blocked_signals, NULL);
    has_timer = false;
  }
}

#endif
