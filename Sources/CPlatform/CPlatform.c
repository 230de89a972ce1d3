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
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/sockios.h>
#include <sys/prctl.h>
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

long launch_receive(int socket, void *bytes, size_t count) {
  long result;
  do result = recv(socket, bytes, count, 0);
  while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : result;
}

long launch_send(int socket, const void *bytes, size_t count) {
#ifdef __linux__
  const int flags = MSG_NOSIGNAL;
#else
  const int flags = 0;
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

int launch_thread(size_t stackBytes, void *(*body)(void *), void *context) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  sigset_t every, before;
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &before);
  int code = pthread_create(&thread, &attributes, body, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return -code;
}

void launch_sharpen_timers(void) {
#ifdef __linux__
  prctl(PR_SET_TIMERSLACK, 1UL);
#endif
}

const char *launch_error_text(int code) { return strerror(code < 0 ? -code : code); }
