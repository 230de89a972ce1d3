#pragma once
#include <stdint.h>

#include "launch_cancellation.h"
#include "launch_job.h"

/// The simulation that runs on this thread, or NULL.
void *_Nullable launch_simulation(void);
/// From here on this thread reads virtual time, which starts at zero, and `launch_simulation` returns `simulation`.
void launch_enter_simulation(void *_Nonnull simulation);
/// This thread reads real time again.
void launch_leave_simulation(void);
/// Sets this thread's virtual time: nanoseconds since it entered the simulation.
void launch_set_virtual_nanoseconds(int64_t nanoseconds);

/// The real monotonic clock, inside a simulation too.
int64_t launch_real_nanoseconds(void);
/// Blocks this thread until the real monotonic clock reads `nanoseconds`; returns at once when it already did.
void launch_wait_until(int64_t nanoseconds);
