#pragma once
#include "launch_job.h"

#ifndef __APPLE__

/// Learns where a task notes that it is cancelled, by cancelling `task`, which must be enqueued and not have run.
/// Where the runtime cannot be understood so, the functions below do nothing.
void launch_learn_cancellation(launch_job *_Nonnull task);

/// From here on a cancelled task of this thread is no longer cancelled once a job of its, between `launch_begin_job` and
/// `launch_end_job`, takes milliseconds or reads the clock a hundred times: a loop that sleeps without heeding
/// cancellation never suspends while it is cancelled.
void launch_begin_patience(void);
void launch_begin_job(void);
void launch_end_job(void);
void launch_end_patience(void);

#endif
