// A UDP socket that receives blocks of GPVs, a burst of datagrams with each call.
#ifndef WEIR_GPV_UDP_H
#define WEIR_GPV_UDP_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "../gpv/allowed.h"
#include "../gpv/block.h"

enum {
    GPV_BURST = 64,
    GPV_DATAGRAM_BYTES = 9216, // a jumbo frame; a longer datagram is counted as too long
    GPV_CONTROL_BYTES = 64,
};

// io.weir.ingest.wire.gpv.UdpBlocks reads the part before the datagrams.
typedef struct {
    int32_t descriptor;
    int32_t allowed_count;
    uint64_t dropped;     // datagrams that the kernel has dropped: the socket's buffer was full
    uint64_t not_allowed; // datagrams of senders that are not on the list
    int32_t port;         // the one that the kernel chose, if 0 was asked for
    int32_t buffer_bytes; // as the kernel granted it
    GpvAllowed allowed[GPV_ALLOWED];
    GpvBlock blocks[GPV_BURST];
    // Behind here only C reads.
    uint32_t last_dropped;
    struct mmsghdr messages[GPV_BURST];
    struct iovec parts[GPV_BURST];
    struct sockaddr_in6 from[GPV_BURST];
    _Alignas(8) uint8_t control[GPV_BURST][GPV_CONTROL_BYTES];
    _Alignas(8) uint8_t datagrams[GPV_BURST][GPV_DATAGRAM_BYTES];
} GpvUdp;

// Opens the socket and binds it. The list of senders is set before. Returns 0, or -errno.
int gpv_open(GpvUdp *udp, uint64_t high, uint64_t low, int port, int buffer_bytes);

// Receives a burst and checks it. Waits for the first datagram, at most for the time-out. Returns
// the number of blocks, sound ones or not, or -errno.
int gpv_receive(GpvUdp *udp, int timeout_ms);

void gpv_close(GpvUdp *udp);

#endif
