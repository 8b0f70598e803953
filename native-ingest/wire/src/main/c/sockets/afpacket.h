// A receive queue of a network interface: a socket of AF_PACKET whose ring of blocks the kernel
// fills (TPACKET_V3, packet_mmap.rst of Linux).
#pragma once

#include <stdint.h>

// io.weir.ingest.wire.afpacket.AfPacket has the same places.
enum { NAME_BYTES = 16, TEXT_BYTES = 160 };
enum { BOTH_WAYS, ONLY_IN, ONLY_OUT };

typedef struct {
    char name[NAME_BYTES]; // of the interface; none: all of them, as Linux cooked frames
    int64_t block_bytes;   // a power of two, at least a page
    int64_t blocks;
    int64_t block_ms;    // a block is handed over after this time at most
    int64_t snap;        // captured bytes of a frame
    int64_t promiscuous;
    int64_t direction;
    int64_t fanout;      // the group that shares the interface's packets; -1 for all packets
    int64_t hardware;    // stamps of the card
    int64_t hardware_type; // out: ARPHRD_
    char text[TEXT_BYTES]; // out: the call that failed
} Settings;

// packets/frames.h has the same.
typedef struct {
    const uint8_t *at;
    uint32_t captured;
    uint32_t wire;
    int64_t ts_ns;
    uint32_t on;
    uint8_t direction;
    uint8_t unused[3];
} Frame;

enum { UNKNOWN_DIRECTION, INWARD, OUTWARD };

typedef struct Ring Ring;

// Opens a queue. Returns it, or a negative errno; the settings then name the call that failed.
int64_t ring_open(Settings *settings);

// Gives the frames of the last call back, and describes more. Returns how many.
int64_t ring_receive(Ring *ring, Frame *frames, int64_t most);

// Waits for frames. Returns 1 if there may be some, 0 after the time, or a negative errno.
int64_t ring_poll(Ring *ring, int64_t timeout_ms);

void ring_close(Ring *ring);
