// Takes blocks of GPVs from the datagrams of a receive queue.
#pragma once

#include "../gpv/allowed.h"
#include "../gpv/datagram.h"
#include "dpdk.h"

// io.weir.ingest.wire.dpdk.DpdkBlocks. One thread uses it.
typedef struct {
    int64_t left[DATAGRAM_WHOLE]; // frames that are no whole datagram, so far, by DatagramKind
    int64_t not_allowed;          // datagrams of senders that are not on the list, so far
    int32_t frames;               // of the last burst
    uint16_t first_port;
    uint16_t ports;
    int32_t allowed_count;
    int32_t unused;
    GpvAllowed allowed[GPV_ALLOWED];
    GpvBlock blocks[BURST];
    Frame burst[BURST];
} Blocks;

// Receives a burst, and checks its datagrams in place. Returns the number of blocks, sound ones or
// not. Their GPVs stay until the next call.
int32_t blocks_receive(Queue *queue, Blocks *blocks);
