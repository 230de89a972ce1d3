#ifndef LAUNCH_CZSTD_SHIM_H
#define LAUNCH_CZSTD_SHIM_H

#include <zstd.h>
#include <zstd_errors.h>

#endif
