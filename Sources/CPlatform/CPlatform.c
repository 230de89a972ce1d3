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
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <link.h>
#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/mman.h>
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
  int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (connection < 0) return -errno;
#else
  int connection = accept(listener, NULL, NULL);
  if (connection < 0) return -errno;
  set_flags(connection, 1);
  set_option(connection, SOL_SOCKET, SO_NOSIGPIPE);
#endif
  set_option(connection, IPPROTO_TCP, TCP_NODELAY);
  return connection;
}

int launch_is_unready(long code) { return code == -EAGAIN || code == -EWOULDBLOCK; }

int launch_is_exhaustion(int code) { return code == -EMFILE || code == -ENFILE; }

long launch_receive(int socket, void *bytes, size_t count) {
  long result;
  do result = recv(socket, bytes, count, 0);
  while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : result;
}

long launch_send(
    int socket, const void *first, size_t firstCount, const void *second, size_t secondCount, int more) {
  int flags = 0;
#ifdef __linux__
  flags |= MSG_NOSIGNAL | (more ? MSG_MORE : 0);
#else
  (void)more;
#endif
  struct iovec pieces[2] = {{(void *)first, firstCount}, {(void *)second, secondCount}};
  struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};
  long result;
  do result = secondCount ? sendmsg(socket, &message, flags) : send(socket, first, firstCount, flags);
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

int launch_has_input(int socket) {
  struct pollfd descriptor = {socket, POLLIN, 0};
  return poll(&descriptor, 1, 0) > 0;
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

#ifdef __linux__

// Pages of a segment that is never written are those of the file, so nothing can be lost with them.
static int give_back(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size, (void)context;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
    uintptr_t begin = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
    uintptr_t end = object->dlpi_addr + segment->p_vaddr + segment->p_memsz;
    madvise((void *)begin, end - begin, MADV_DONTNEED);
  }
  return 0;
}

void launch_give_back_loaded_pages(void) { dl_iterate_phdr(give_back, NULL); }

#else

void launch_give_back_loaded_pages(void) {}

#endif

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
  return control(watch, EPOLL_CTL_ADD, descriptor, id, EPOLLIN | EPOLLET);
}

int launch_watch_connection(int watch, int socket, uint64_t id) {
  return control(watch, EPOLL_CTL_ADD, socket, id, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
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
  // epoll_wait counts milliseconds, and epoll_pwait2 is missing from older systems: a near time is waited for by waiting
  // for the set itself, which costs one call more.
  const int64_t near = 2000000000;
  struct pollfd descriptor = {watch, POLLIN, 0};
  if (nanoseconds > 0 && nanoseconds < near && wait_for(&descriptor, 1, nanoseconds) <= 0) return 0;
  int64_t milliseconds = nanoseconds < 0 ? -1 : nanoseconds < near ? 0 : nanoseconds / 1000000 - 1000;
  struct epoll_event events[64];
  int count = epoll_wait(
      watch, events, capacity < 64 ? capacity : 64, milliseconds < INT32_MAX ? (int)milliseconds : INT32_MAX);
  for (int index = 0; index < count; index++) {
    uint32_t set = events[index].events;
    signs[index] = (struct launch_sign){
        .id = events[index].data.u64,
        .hasInput = (set & EPOLLIN) != 0,
        .hasRoom = (set & EPOLLOUT) != 0,
        .isBroken = (set & (EPOLLHUP | EPOLLERR)) != 0,
        .isEnded = (set & EPOLLRDHUP) != 0,
    };
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
  return control(watch, descriptor, EVFILT_READ, EV_ADD | EV_CLEAR, id);
}

int launch_watch_connection(int watch, int socket, uint64_t id) {
  int code = control(watch, socket, EVFILT_READ, EV_ADD | EV_CLEAR, id);
  return code < 0 ? code : control(watch, socket, EVFILT_WRITE, EV_ADD | EV_CLEAR, id);
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
  struct kevent events[64];
  int count = kevent(watch, NULL, 0, events, capacity < 64 ? capacity : 64, nanoseconds < 0 ? NULL : &rest);
  for (int index = 0; index < count; index++) {
    int isInput = events[index].filter == EVFILT_READ, isOver = (events[index].flags & EV_EOF) != 0;
    signs[index] = (struct launch_sign){
        .id = (uint64_t)(uintptr_t)events[index].udata,
        .hasInput = isInput,
        .hasRoom = !isInput,
        .isBroken = !isInput && isOver,
        .isEnded = isInput && isOver,
    };
  }
  return count < 0 ? 0 : count;
}

#endif

const char *launch_error_text(int code) { return strerror(code < 0 ? -code : code); }
