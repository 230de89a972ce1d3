#pragma once

#include <stddef.h>
#include <stdint.h>

// Sockets for LaunchServer, and threads. What differs between Linux and macOS, and what Swift imports badly (variadic
// calls, socket address casts, macros), stays behind these functions. Failures are negative errno values.

/// Listens on 127.0.0.1, non-blocking; port 0 lets the system choose.
int launch_listen(uint16_t port);

/// The port a socket is bound to.
int launch_port(int socket);

/// Takes the next waiting connection: blocking, without delaying small writes, raising no SIGPIPE.
int launch_accept(int listener);

/// Bytes read, 0 when the peer has closed its side.
long launch_receive(int socket, void *_Nonnull bytes, size_t count);

/// Bytes written, at least one.
long launch_send(int socket, const void *_Nonnull bytes, size_t count);

/// Waits until `first` has input (or, with `firstInput` 0, is broken in both directions), until `second` has input, or
/// until the time is over. A negative descriptor is left out, a negative time is endless. Bit 0 of the result stands
/// for `first`, bit 1 for `second`.
int launch_wait(int first, int firstInput, int second, int64_t nanoseconds);

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

/// Makes the waits of the calling thread end as soon after their time as the system can.
void launch_sharpen_timers(void);

/// The system's sentence for an errno value, of either sign.
const char *_Nonnull launch_error_text(int code);
