#ifndef LAUNCH_CBROTLI_SHIM_H
#define LAUNCH_CBROTLI_SHIM_H

#include <brotli/decode.h>
#include <brotli/encode.h>

#endif
