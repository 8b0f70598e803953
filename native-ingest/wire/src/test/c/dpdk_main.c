// Receives frames of devices with the code of src/main/c/dpdk, for builds with sanitizers. Each
// argument is FRAMES:DEVICE: a device, and the frames to receive from it. Frames of net_ring are put
// into its ring here.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "dpdk.h"

static char error[ERROR_BYTES];
static Queue queue;
static Frame frames[BURST];

static void fail(const char *what) {
    printf("%s: %s\n", what, error);
    fflush(stdout);
    _exit(1);
}

// Puts frames of several lengths into the ring of a port.
static void feed(uint16_t port, unsigned count) {
    char name[32];
    snprintf(name, sizeof name, "weir-%u", port);
    struct rte_mempool *pool = rte_mempool_lookup(name);
    struct rte_ring *ring = rte_ring_lookup("ETH_RXTX0_net_ring0");
    if (!ring) {
        fail("no ring");
    }
    for (unsigned i = 0; i < count; i++) {
        struct rte_mbuf *buffer = rte_pktmbuf_alloc(pool);
        if (!buffer || rte_ring_enqueue(ring, buffer)) {
            rte_pktmbuf_free(buffer);
            return;
        }
        memset(rte_pktmbuf_append(buffer, (uint16_t)(60 + i % 1000)), (int)i, 60 + i % 1000);
    }
}

// Reads every byte, so that the sanitizer sees a frame that was freed.
static uint64_t sum(int32_t count) {
    uint64_t bytes = 0;
    for (int32_t i = 0; i < count; i++) {
        for (uint32_t at = 0; at < frames[i].captured; at++) {
            bytes += frames[i].at[at];
        }
    }
    return bytes;
}

static void receive(const char *device, int64_t most, int close_early) {
    Settings settings = {1, 512, 8191, 2048, 0, HASH_NONE};
    int32_t port = port_open(device, &settings, error);
    if (port < 0) {
        fail("port_open");
    }
    memset(&queue, 0, sizeof queue);
    queue.port = (uint16_t)port;
    if (queue_open(&queue, -1, error) < 0) {
        fail("queue_open");
    }
    if (!strncmp(device, "net_ring", 8)) {
        feed(queue.port, 700);
    }
    int64_t count = 0;
    uint64_t bytes = 0;
    int idle = 0;
    while (count < most && idle < 2) {
        int32_t came = queue_receive(&queue, frames);
        bytes += sum(came);
        count += came;
        idle = came || queue_wait(&queue, 100000) ? 0 : idle + 1;
    }
    if (close_early) {
        queue_wait(&queue, 1000); // some buffers wait when it is closed
    }
    queue_close(&queue);
    port_close(port);
    printf("%s frames=%" PRId64 " bytes=%" PRIu64 "\n", device, count, bytes);
}

int main(int count, char **arguments) {
    static const char options[] = "--no-huge\0-m\0" "128\0--no-shconf\0--no-pci\0--no-telemetry\0"
                                  "--log-level=warning\0";
    if (environment_start(options, error) < 0) {
        fail("environment_start");
    }
    for (int i = 1; i < count; i++) {
        char *device = strchr(arguments[i], ':') + 1;
        receive(device, atoll(arguments[i]), i % 2);
        receive(device, atoll(arguments[i]), 1);
    }
    fflush(stdout);
    return 0;
}
