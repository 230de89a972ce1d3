#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef __APPLE__

// Entry points of the concurrency runtime that Swift code may not declare.
__attribute__((swiftcall)) void *_Nullable swift_task_getCurrent(void);
__attribute__((swiftcall)) uint64_t swift_task_getJobTaskId(void *_Nonnull job);
__attribute__((swiftcall)) void swift_task_cancel(void *_Nonnull task);
size_t swift_retainCount(void *_Nonnull object);

/// The head of a job, as the toolchain's `swift/ExecutorImpl.h` lays it out for those who write executors.
typedef struct {
  const void *_Nonnull metadata;
  uintptr_t references;
  void *_Nullable executor_data[2];
  uint32_t flags;
} launch_job;

/// The task whose code runs on this thread, or NULL.
static inline launch_job *_Nullable launch_current_task(void) { return (launch_job *)swift_task_getCurrent(); }

/// False for what the runtime enqueues for itself, such as an actor that has jobs of its own.
static inline bool launch_is_task(const launch_job *_Nonnull job) { return (job->flags & 0xff) == 0; }

/// Whether a parent outlives the task and cancels it: `async let` and the tasks of a group.
static inline bool launch_is_child(const launch_job *_Nonnull task) { return task->flags >> 24 & 1; }

/// Counts up from one task of the process to the next, so no two tasks share it.
static inline uint64_t launch_task_number(launch_job *_Nonnull task) { return swift_task_getJobTaskId(task); }

static inline size_t launch_reference_count(launch_job *_Nonnull task) { return swift_retainCount(task); }

static inline void launch_cancel(launch_job *_Nonnull task) { swift_task_cancel(task); }

#endif
