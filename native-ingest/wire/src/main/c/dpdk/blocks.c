#include "blocks.h"

enum { LONGEST = 9216 }; // as over sockets

static int take(Blocks *blocks, const Frame *frame, GpvBlock *block) {
    Datagram datagram;
    DatagramKind kind =
        datagram_of(frame->at, frame->captured, blocks->first_port, blocks->ports, &datagram);
    if (kind != DATAGRAM_WHOLE) {
        blocks->left[kind]++;
        return 0;
    }
    if (!gpv_is_allowed(blocks->allowed, blocks->allowed_count, datagram.sender_high,
                        datagram.sender_low)) {
        blocks->not_allowed++;
        return 0;
    }
    block->sender_high = datagram.sender_high;
    block->sender_low = datagram.sender_low;
    block->fault = datagram.length > LONGEST ? GPV_TOO_LONG
                                             : gpv_check(datagram.at, datagram.length, block);
    return 1;
}

int32_t blocks_receive(Queue *queue, Blocks *blocks) {
    int32_t count = 0;
    blocks->frames = queue_receive(queue, blocks->burst);
    for (int32_t i = 0; i < blocks->frames; i++) {
        count += take(blocks, &blocks->burst[i], &blocks->blocks[count]);
    }
    return count;
}
