#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CPlatform.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#else
#include <mach/mach.h>
#include <mach/mach_time.h>
#include <mach/thread_policy.h>
#include <sys/event.h>
#endif

static void set_flags(int descriptor, int nonblocking) {
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  int flags = fcntl(descriptor, F_GETFL);
  fcntl(descriptor, F_SETFL, nonblocking ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

static void set_option(int socket, int level, int option) {
  int on = 1;
  setsockopt(socket, level, option, &on, sizeof on);
}

int launch_listen(uint16_t port) {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (listener < 0) return -errno;
  set_flags(listener, 1);
  set_option(listener, SOL_SOCKET, SO_REUSEADDR);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, SOMAXCONN) < 0) {
    int code = errno;
    close(listener);
    return -code;
  }
  return listener;
}

int launch_port(int socket) {
  struct sockaddr_in address;
  socklen_t size = sizeof address;
  if (getsockname(socket, (struct sockaddr *)&address, &size) < 0) return -errno;
  return ntohs(address.sin_port);
}

int launch_accept(int listener) {
#ifdef __linux__
  int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (connection < 0) return -errno;
#else
  int connection = accept(listener, NULL, NULL);
  if (connection < 0) return -errno;
  set_flags(connection, 0);
  set_option(connection, SOL_SOCKET, SO_NOSIGPIPE);
#endif
  set_option(connection, IPPROTO_TCP, TCP_NODELAY);
  return connection;
}

void launch_set_patience(int socket, int64_t nanoseconds) {
  // Whole microseconds, rounded up: zero would mean without end.
  int64_t microseconds = nanoseconds / 1000 + 1;
  struct timeval time = {microseconds / 1000000, microseconds % 1000000};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

int launch_is_time_out(long code) { return code == -EAGAIN || code == -EWOULDBLOCK; }

int launch_is_exhaustion(int code) { return code == -EMFILE || code == -ENFILE; }

long launch_receive(int socket, void *bytes, size_t count) {
  long result;
  do result = recv(socket, bytes, count, 0);
  while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : result;
}

long launch_send(int socket, const void *bytes, size_t count, int more, int waiting) {
  int flags = waiting ? 0 : MSG_DONTWAIT;
#ifdef __linux__
  flags |= MSG_NOSIGNAL | (more ? MSG_MORE : 0);
#else
  (void)more;
#endif
  long result;
  do result = send(socket, bytes, count, flags);
  while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : result;
}

static int wait_for(struct pollfd *descriptors, nfds_t count, int64_t nanoseconds) {
  struct timespec rest = {nanoseconds / 1000000000, nanoseconds % 1000000000};
#ifdef __linux__
  return ppoll(descriptors, count, nanoseconds < 0 ? NULL : &rest, NULL);
#else
  // poll counts milliseconds: whole ones there, the rest asleep. At most a day at once; callers check the time anyway.
  int64_t milliseconds = nanoseconds / 1000000 < 86400000 ? nanoseconds / 1000000 : 86400000;
  int ready = poll(descriptors, count, nanoseconds < 0 ? -1 : (int)milliseconds);
  if (ready != 0 || nanoseconds < 0) return ready;
  rest.tv_sec = 0;
  rest.tv_nsec = nanoseconds % 1000000;
  nanosleep(&rest, NULL);
  return poll(descriptors, count, 0);
#endif
}

int launch_wait(int first, int firstInput, int second, int64_t nanoseconds) {
  struct pollfd descriptors[2] = {{first, firstInput ? POLLIN : 0, 0}, {second, POLLIN, 0}};
  if (wait_for(descriptors, 2, nanoseconds) <= 0) return 0;
  return (descriptors[0].revents ? 1 : 0) | (descriptors[1].revents ? 2 : 0);
}

int launch_is_broken(int socket) {
  struct pollfd descriptor = {socket, 0, 0};
  return poll(&descriptor, 1, 0) > 0 && (descriptor.revents & (POLLHUP | POLLERR)) != 0;
}

void launch_shut_down(int socket, int receiving) { shutdown(socket, receiving ? SHUT_RDWR : SHUT_WR); }

int launch_unsent(int socket) {
  int count = 0;
#ifdef __linux__
  ioctl(socket, SIOCOUTQ, &count);
#else
  socklen_t size = sizeof count;
  getsockopt(socket, SOL_SOCKET, SO_NWRITE, &count, &size);
#endif
  return count;
}

void launch_reset_on_close(int socket) {
  struct linger linger = {1, 0};
  setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

void launch_close(int descriptor) { close(descriptor); }

int launch_pipe(int *reading, int *writing) {
  int ends[2];
  if (pipe(ends) < 0) return -errno;
  set_flags(*reading = ends[0], 1);
  set_flags(*writing = ends[1], 1);
  return 0;
}

void launch_pipe_fill(int writing) {
  while (write(writing, "", 1) < 0 && errno == EINTR) {}
}

void launch_pipe_drain(int reading) {
  char bytes[256];
  while (read(reading, bytes, sizeof bytes) > 0) {}
}

/// Uses up `attributes`.
static int start_thread(
    pthread_attr_t *attributes, size_t stackBytes, void *(*body)(void *), void *context, pthread_t *made) {
  pthread_attr_setstacksize(attributes, stackBytes);
  pthread_attr_setdetachstate(attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  sigset_t every, before;
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &before);
  int code = pthread_create(&thread, attributes, body, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(attributes);
  if (made) *made = thread;
  return -code;
}

int launch_thread(size_t stackBytes, void *(*body)(void *), void *context) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  return start_thread(&attributes, stackBytes, body, context, NULL);
}

int launch_real_time_thread(size_t stackBytes, void *(*body)(void *), void *context) {
#ifdef __linux__
  // Explicit: without it the new thread silently takes over its maker's class. Fails at once where it is not granted.
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  struct sched_param parameters = {.sched_priority = 10};
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
  pthread_attr_setschedparam(&attributes, &parameters);
  return start_thread(&attributes, stackBytes, body, context, NULL);
#else
  // Not run yet. Up to half a millisecond of computing, done within one: needs no privilege.
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  int code = start_thread(&attributes, stackBytes, body, context, &thread);
  if (code < 0) return code;
  mach_timebase_info_data_t base;
  mach_timebase_info(&base);
  uint32_t millisecond = (uint32_t)(1000000ull * base.denom / base.numer);
  thread_time_constraint_policy_data_t policy = {0, millisecond / 2, millisecond, 1};
  thread_policy_set(
      pthread_mach_thread_np(thread), THREAD_TIME_CONSTRAINT_POLICY, (thread_policy_t)&policy,
      THREAD_TIME_CONSTRAINT_POLICY_COUNT);
  return 0;
#endif
}

void launch_sharpen_timers(void) {
#ifdef __linux__
  prctl(PR_SET_TIMERSLACK, 1UL);
#endif
}

int64_t launch_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#ifdef __linux__

int launch_watch_open(void) {
  int watch = epoll_create1(EPOLL_CLOEXEC);
  return watch < 0 ? -errno : watch;
}

static int control(int watch, int operation, int descriptor, uint64_t id, uint32_t events) {
  struct epoll_event event = {.events = events, .data.u64 = id};
  return epoll_ctl(watch, operation, descriptor, &event) < 0 ? -errno : 0;
}

int launch_watch_input(int watch, int descriptor, uint64_t id) {
  return control(watch, EPOLL_CTL_ADD, descriptor, id, EPOLLIN);
}

// A broken connection is told in any case.
int launch_watch_add(int watch, int socket, uint64_t id) {
  return control(watch, EPOLL_CTL_ADD, socket, id, EPOLLRDHUP);
}

void launch_watch_change(int watch, int socket, uint64_t id, int output, int end) {
  control(watch, EPOLL_CTL_MOD, socket, id, (output ? EPOLLOUT : 0) | (end ? EPOLLRDHUP : 0));
}

void launch_watch_remove(int watch, int socket) { control(watch, EPOLL_CTL_DEL, socket, 0, 0); }

int launch_watch_wait(int watch, int64_t nanoseconds, struct launch_sign *signs, int capacity) {
  // Waiting for the set itself: epoll_wait counts milliseconds, and epoll_pwait2 is missing from older systems.
  struct pollfd descriptor = {watch, POLLIN, 0};
  if (wait_for(&descriptor, 1, nanoseconds) <= 0) return 0;
  struct epoll_event events[16];
  int count = epoll_wait(watch, events, capacity < 16 ? capacity : 16, 0);
  for (int index = 0; index < count; index++) {
    signs[index].id = events[index].data.u64;
    signs[index].isBroken = (events[index].events & (EPOLLHUP | EPOLLERR)) != 0;
    signs[index].isEnded = (events[index].events & EPOLLRDHUP) != 0;
  }
  return count < 0 ? 0 : count;
}

#else

// Not run yet. A write filter tells of a broken connection too; being edge-triggered, it stays on, and one sign too many
// is harmless.

int launch_watch_open(void) {
  int watch = kqueue();
  return watch < 0 ? -errno : watch;
}

static int control(int watch, int descriptor, int16_t filter, uint16_t flags, uint64_t id) {
  struct kevent event;
  EV_SET(&event, descriptor, filter, flags, 0, 0, (void *)(uintptr_t)id);
  return kevent(watch, &event, 1, NULL, 0, NULL) < 0 ? -errno : 0;
}

int launch_watch_input(int watch, int descriptor, uint64_t id) {
  return control(watch, descriptor, EVFILT_READ, EV_ADD, id);
}

int launch_watch_add(int watch, int socket, uint64_t id) {
  return control(watch, socket, EVFILT_WRITE, EV_ADD | EV_CLEAR, id);
}

void launch_watch_change(int watch, int socket, uint64_t id, int output, int end) {
  (void)watch, (void)socket, (void)id, (void)output, (void)end;
}

void launch_watch_remove(int watch, int socket) { control(watch, socket, EVFILT_WRITE, EV_DELETE, 0); }

int launch_watch_wait(int watch, int64_t nanoseconds, struct launch_sign *signs, int capacity) {
  struct timespec rest = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  struct kevent events[16];
  int count = kevent(watch, NULL, 0, events, capacity < 16 ? capacity : 16, nanoseconds < 0 ? NULL : &rest);
  for (int index = 0; index < count; index++) {
    signs[index].id = (uint64_t)(uintptr_t)events[index].udata;
    signs[index].isBroken = (events[index].flags & EV_EOF) != 0;
    signs[index].isEnded = 0;
  }
  return count < 0 ? 0 : count;
}

#endif

struct launch_latch {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  int64_t value;
};

struct launch_latch *launch_latch_make(void) {
  struct launch_latch *latch = malloc(sizeof *latch);
  if (!latch) abort();
  pthread_mutex_init(&latch->mutex, NULL);
  pthread_cond_init(&latch->condition, NULL);
  latch->value = 0;
  return latch;
}

void launch_latch_release(struct launch_latch *latch, int64_t value) {
  pthread_mutex_lock(&latch->mutex);
  latch->value = value;
  pthread_cond_signal(&latch->condition);
  pthread_mutex_unlock(&latch->mutex);
}

int64_t launch_latch_wait(struct launch_latch *latch) {
  pthread_mutex_lock(&latch->mutex);
  while (latch->value == 0) pthread_cond_wait(&latch->condition, &latch->mutex);
  int64_t value = latch->value;
  latch->value = 0;
  pthread_mutex_unlock(&latch->mutex);
  return value;
}

void launch_latch_free(struct launch_latch *latch) {
  pthread_cond_destroy(&latch->condition);
  pthread_mutex_destroy(&latch->mutex);
  free(latch);
}

const char *launch_error_text(int code) { return strerror(code < 0 ? -code : code); }
