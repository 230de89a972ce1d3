#ifndef LAUNCH_CCURL_SHIM_H
#define LAUNCH_CCURL_SHIM_H

// libcurl's type-checking macros would hide the functions of the same names.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#ifndef __APPLE__
#include <sys/prctl.h>
#endif

// curl_easy_setopt is variadic, and variadic functions are not imported. One wrapper for each type of argument.

static inline CURLcode launch_setopt_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode launch_setopt_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode launch_setopt_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

// A function pointer must be passed to a variadic function as its own type: one wrapper for each type of callback.

static inline CURLcode launch_setopt_write(CURL *easy, CURLoption option, curl_write_callback function) {
  return curl_easy_setopt(easy, option, function);
}

static inline CURLcode launch_setopt_debug(CURL *easy, curl_debug_callback function) {
  return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, function);
}

static inline CURLcode launch_setopt_prereq(CURL *easy, curl_prereq_callback function) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode launch_setopt_open(CURL *easy, curl_opensocket_callback function) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

// curl_easy_getinfo is variadic as well.

static inline CURLcode launch_getinfo_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode launch_getinfo_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode launch_getinfo_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);
}

// The name a debugger shows for the calling thread: one call on Linux and another on Darwin.
static inline void launch_name_thread(const char *name) {
#ifdef __APPLE__
  pthread_setname_np(name);
#else
  prctl(PR_SET_NAME, name);
#endif
}

// Opens a socket that processes started by the program do not inherit: they would keep a connection open that a transfer
// has closed. A C function, as SOCK_CLOEXEC has another type in each C library's module and Darwin has none.
static inline curl_socket_t launch_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context;
  (void)purpose;
#ifdef SOCK_CLOEXEC
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
  curl_socket_t descriptor = socket(address->family, address->socktype, address->protocol);
  if (descriptor != CURL_SOCKET_BAD) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
#endif
}

// errno values are the C library's, which Swift imports under different module names on Linux and Darwin.
static inline int launch_is_refusal(long os_error) { return os_error == ECONNREFUSED; }

#endif
