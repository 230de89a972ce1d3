#pragma once

/// How often this thread may still read the clock in a job before `launch_lose_patience`; 0 for as often as it likes.
extern __thread int launch_patience;
/// The running task is no longer cancelled.
void launch_lose_patience(void);
