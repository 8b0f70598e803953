// The senders whose blocks are taken: networks.
#ifndef WEIR_GPV_ALLOWED_H
#define WEIR_GPV_ALLOWED_H

#include <stdint.h>

enum { GPV_ALLOWED = 64 };

// Senders that begin with these bits. An IPv4 address is the IPv6 address ::ffff:a.b.c.d.
typedef struct {
    uint64_t high;
    uint64_t low;
    uint32_t bits;
    uint32_t unused;
} GpvAllowed;

static inline uint64_t gpv_prefix_mask(uint32_t bits) {
    return bits == 0 ? 0 : bits >= 64 ? UINT64_MAX : UINT64_MAX << (64 - bits);
}

static inline int gpv_is_allowed(const GpvAllowed *all, int count, uint64_t high, uint64_t low) {
    for (int i = 0; i < count; i++) {
        const GpvAllowed *allowed = &all[i];
        uint64_t high_mask = gpv_prefix_mask(allowed->bits);
        uint64_t low_mask = allowed->bits <= 64 ? 0 : gpv_prefix_mask(allowed->bits - 64);
        if (((high ^ allowed->high) & high_mask) == 0 && ((low ^ allowed->low) & low_mask) == 0) {
            return 1;
        }
    }
    return 0;
}

#endif
