// Sends the frames of captures to a device of DPDK, each once and none in vain: a full ring is tried
// again. Arguments: a device, and a capture (pcap, little endian) for each of its transmit queues.
// Stays until its input ends, so that the other side can read everything.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_dev.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "dpdk.h"

enum { FILE_HEADER = 24, RECORD_HEADER = 16, DESCRIPTORS = 1024, PART = 32, LINK_MS = 30000 };

static char error[ERROR_BYTES];

static void fail(const char *what) {
    printf("%s: %s\n", what, error);
    fflush(stdout);
    _exit(1);
}

static uint8_t *read_all(const char *name, size_t *bytes) {
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        fail(name);
    }
    *bytes = (size_t)ftell(file);
    rewind(file);
    uint8_t *all = malloc(*bytes + 1);
    if (!all || fread(all, 1, *bytes, file) != *bytes) {
        fail(name);
    }
    fclose(file);
    return all;
}

static uint16_t plug_in(const char *device, uint16_t queues, struct rte_mempool *pool) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(device, ","), device);
    struct rte_eth_conf conf = {0};
    uint16_t port;
    if (rte_dev_probe(device) || rte_eth_dev_get_port_by_name(name, &port) ||
        rte_eth_dev_configure(port, queues, queues, &conf)) {
        fail(device);
    }
    for (uint16_t queue = 0; queue < queues; queue++) {
        if (rte_eth_rx_queue_setup(port, queue, DESCRIPTORS, 0, NULL, pool) ||
            rte_eth_tx_queue_setup(port, queue, DESCRIPTORS, 0, NULL)) {
            fail("queue");
        }
    }
    if (rte_eth_dev_start(port)) {
        fail("start");
    }
    return port;
}

static void await_link(uint16_t port) {
    struct rte_eth_link link = {0};
    for (int ms = 0; ms < LINK_MS; ms++) {
        if (!rte_eth_link_get_nowait(port, &link) && link.link_status) {
            return;
        }
        rte_delay_us_sleep(1000);
    }
    fail("nobody came");
}

static void flush(uint16_t port, uint16_t queue, struct rte_mbuf **frames, uint16_t count) {
    uint16_t sent = 0;
    while (sent < count) {
        sent = (uint16_t)(sent + rte_eth_tx_burst(port, queue, frames + sent, count - sent));
        rte_delay_us_sleep(20);
    }
}

static int64_t send_all(uint16_t port, uint16_t queue, struct rte_mempool *pool, const char *name) {
    struct rte_mbuf *frames[PART];
    uint16_t waiting = 0;
    int64_t count = 0;
    size_t bytes, at = FILE_HEADER;
    uint8_t *all = read_all(name, &bytes);
    while (at + RECORD_HEADER <= bytes) {
        uint32_t length;
        memcpy(&length, all + at + 8, sizeof length);
        struct rte_mbuf *frame = rte_pktmbuf_alloc(pool);
        if (!frame || length > rte_pktmbuf_tailroom(frame)) {
            fail("frame");
        }
        memcpy(rte_pktmbuf_append(frame, (uint16_t)length), all + at + RECORD_HEADER, length);
        at += RECORD_HEADER + length;
        frames[waiting++] = frame;
        count++;
        if (waiting == PART) {
            flush(port, queue, frames, waiting);
            waiting = 0;
        }
    }
    flush(port, queue, frames, waiting);
    free(all);
    return count;
}

int main(int count, char **arguments) {
    static const char options[] = "--no-huge\0-m\0" "128\0--no-shconf\0--no-pci\0--no-telemetry\0"
                                  "--log-level=error\0";
    if (environment_start(options, error) < 0) {
        fail("environment_start");
    }
    struct rte_mempool *pool = rte_pktmbuf_pool_create("frames", 8191, 0, 0, 4096, 0);
    if (!pool) {
        fail("pool");
    }
    uint16_t queues = (uint16_t)(count - 2);
    uint16_t port = plug_in(arguments[1], queues, pool);
    printf("ready\n");
    fflush(stdout);
    await_link(port);
    int64_t sent = 0;
    for (uint16_t queue = 0; queue < queues; queue++) {
        sent += send_all(port, queue, pool, arguments[2 + queue]);
    }
    printf("sent=%" PRId64 "\n", sent);
    fflush(stdout);
    while (getchar() != EOF) {
    }
    _exit(0);
}
