#pragma once

#include <stddef.h>
#include <stdint.h>

// Sockets and their pacing for LaunchServer, and threads. What differs between Linux and macOS, and what Swift imports
// badly (variadic calls, socket address casts, macros), stays behind these functions. Failures are negative errno values.

/// Listens on 127.0.0.1, non-blocking; port 0 lets the system choose.
int launch_listen(uint16_t port);

/// The port a socket is bound to.
int launch_port(int socket);

/// Takes the next waiting connection: non-blocking, without delaying small writes, raising no SIGPIPE.
int launch_accept(int listener);

/// Bytes read, 0 when the peer has closed its side.
long launch_receive(int socket, void *_Nonnull bytes, size_t count);

/// Bytes written of the first piece and then of the second, at least one. `more` says that the next bytes follow at once,
/// so that a small packet may wait for them.
long launch_send(
    int socket, const void *_Nullable first, size_t firstCount, const void *_Nullable second, size_t secondCount,
    int more);

/// Whether a failed accept, receive or send would only have had to wait.
int launch_is_unready(long code);

/// Whether the process or the system has no descriptor left.
int launch_is_exhaustion(int code);

/// Whether there is something to receive or to accept.
int launch_has_input(int socket);

/// Whether the connection is broken in both directions.
int launch_is_broken(int socket);

/// Ends the sending direction, so that the peer reads an orderly end behind what was sent; with `receiving` also the
/// other one, so that whoever waits for this socket wakes up. Does not close it.
void launch_shut_down(int socket, int receiving);

/// How many sent bytes the peer has not acknowledged.
int launch_unsent(int socket);

/// Makes `launch_close` reset the connection (TCP RST) instead of ending it in order.
void launch_reset_on_close(int socket);

void launch_close(int descriptor);

/// A non-blocking pipe.
int launch_pipe(int *_Nonnull reading, int *_Nonnull writing);

/// Makes the reading end of a pipe ready; nothing when it is already full.
void launch_pipe_fill(int writing);

/// Takes everything out of a pipe.
void launch_pipe_drain(int reading);

/// Runs `body` on a new thread with its own stack; the thread ends by itself. No signal is delivered to it: those belong
/// to the program, and SIGPIPE would end it.
int launch_thread(size_t stackBytes, void *_Nullable (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);

/// Like `launch_thread`, in the real-time class of the system: runs before every ordinary thread as soon as it is ready.
/// Fails without trace where the class is not granted.
int launch_real_time_thread(
    size_t stackBytes, void *_Nullable (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);

/// Makes the waits of the calling thread end as soon after their time as the system can.
void launch_sharpen_timers(void);

/// Gives back the memory pages of the program and its libraries that are as they are on disk: loading alone touches
/// megabytes of them, once. What is needed again comes back when it is touched. Does nothing on macOS.
void launch_give_back_loaded_pages(void);

/// Nanoseconds of the monotonic clock.
int64_t launch_now(void);

/// A set of descriptors one thread waits for (epoll, kqueue). A descriptor that is closed leaves it.
int launch_watch_open(void);

/// Watches for input. A sign comes once, and again when there is more.
int launch_watch_input(int watch, int descriptor, uint64_t id);

/// Watches for input, room to write, the end of what the peer sends, and a connection that is broken in both directions.
/// A sign comes once, and again when there is something new.
int launch_watch_connection(int watch, int socket, uint64_t id);

/// Watches for a connection that is broken in both directions, and for the end of what the peer sends.
int launch_watch_add(int watch, int socket, uint64_t id);

/// Watches also for room to write, and for the end of what the peer sends, or no longer.
void launch_watch_change(int watch, int socket, uint64_t id, int output, int end);

void launch_watch_remove(int watch, int socket);

struct launch_sign {
  uint64_t id;
  int hasInput;
  int hasRoom;
  int isBroken;
  /// The peer sends nothing more. It may still read. On macOS only where input is watched for.
  int isEnded;
};

/// Waits until a watched descriptor has a sign or the time is over; a negative time is endless. Returns how many signs
/// there are, at most 64 and 0 also when a signal came or seconds before a far time; one that was not wanted may be among
/// them.
int launch_watch_wait(int watch, int64_t nanoseconds, struct launch_sign *_Nonnull signs, int capacity);

/// The system's sentence for an errno value, of either sign.
const char *_Nonnull launch_error_text(int code);
