// Puts frames into the ring of net_ring0, in the process that receives them. The calls of
// io.weir.ingest.wire.gpv.DpdkRingTest.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_ring.h>

// Returns 1 once the frame is in the ring, 0 while there is no room or no buffer, and -1 if there is
// no such ring, or the frame is too long.
int32_t Java_io_weir_ingest_wire_gpv_DpdkRingTest_feed(void *env, void *type, int64_t frame,
                                                       int32_t length) {
    (void)env;
    (void)type;
    uint16_t port;
    char name[32];
    struct rte_ring *ring = rte_ring_lookup("ETH_RXTX0_net_ring0");
    if (!ring || rte_eth_dev_get_port_by_name("net_ring0", &port)) {
        return -1;
    }
    snprintf(name, sizeof name, "weir-%u", port);
    struct rte_mempool *pool = rte_mempool_lookup(name);
    struct rte_mbuf *buffer = pool && rte_ring_free_count(ring) ? rte_pktmbuf_alloc(pool) : NULL;
    if (!buffer) {
        return pool ? 0 : -1;
    }
    void *to = rte_pktmbuf_append(buffer, (uint16_t)length);
    if (to) {
        memcpy(to, (const void *)frame, (size_t)length);
    }
    if (!to || rte_ring_enqueue(ring, buffer)) {
        rte_pktmbuf_free(buffer);
        return -1;
    }
    return 1;
}
