#ifndef LAUNCH_CZLIB_SHIM_H
#define LAUNCH_CZLIB_SHIM_H

// Makes next_in point to const bytes, so that Swift can hand over an immutable buffer.
#define ZLIB_CONST
#include <zlib.h>

// inflateInit2 is a function-like macro, which the importer skips.
static inline int launch_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}

// deflateInit2 is a function-like macro, which the importer skips.
static inline int launch_deflate_init(z_stream *stream, int level, int window_bits) {
  return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}

#endif
