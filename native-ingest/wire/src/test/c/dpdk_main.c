// Receives frames of devices with the code of src/main/c/dpdk, for builds with sanitizers.
// Arguments: WHAT FRAMES DEVICE FILE, and again. WHAT is frames, or gpv for blocks in datagrams (to
// ports 23600 and 23601, of any sender), or gone: the device is removed meanwhile. A ring of
// net_ring gets the frames of a capture (pcap, little endian); other devices have "-".
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_dev.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "blocks.h"

enum { FILE_HEADER = 24, RECORD_HEADER = 16 };

static char error[ERROR_BYTES];
static Queue queue;
static Blocks blocks;
static uint64_t bytes;

static void fail(const char *what) {
    printf("%s: %s\n", what, error);
    fflush(stdout);
    _exit(1);
}

// Puts frames of a capture into the ring of a port, as many as have room.
static void feed(uint16_t port, FILE *file) {
    char name[32];
    uint32_t record[RECORD_HEADER / 4];
    snprintf(name, sizeof name, "weir-%u", port);
    struct rte_mempool *pool = rte_mempool_lookup(name);
    struct rte_ring *ring = rte_ring_lookup("ETH_RXTX0_net_ring0");
    if (!ring) {
        fail("no ring");
    }
    while (rte_ring_free_count(ring) > 0 && fread(record, RECORD_HEADER, 1, file) == 1) {
        struct rte_mbuf *buffer = rte_pktmbuf_alloc(pool);
        if (!buffer) {
            fail("no buffer for a frame");
        }
        uint16_t room = rte_pktmbuf_tailroom(buffer);
        uint16_t length = record[2] < room ? (uint16_t)record[2] : room;
        void *to = rte_pktmbuf_append(buffer, length);
        if (fread(to, 1, length, file) != length || rte_ring_enqueue(ring, buffer) ||
            fseek(file, (long)(record[2] - length), SEEK_CUR)) {
            fail("a frame");
        }
    }
}

// Reads every byte, so that the sanitizer sees one that was freed.
static void read_all(const uint8_t *at, uint32_t length) {
    for (uint32_t i = 0; i < length; i++) {
        bytes += at[i];
    }
}

static int32_t receive_frames(void) {
    int32_t came = queue_receive(&queue, blocks.burst);
    for (int32_t i = 0; i < came; i++) {
        read_all(blocks.burst[i].at, blocks.burst[i].captured);
    }
    return came;
}

static int32_t receive_blocks(int64_t *sound) {
    int32_t count = blocks_receive(&queue, &blocks);
    for (int32_t i = 0; i < count; i++) {
        const GpvBlock *block = &blocks.blocks[i];
        if (block->fault == GPV_SOUND) {
            read_all((const uint8_t *)(uintptr_t)block->gpvs_at, (uint32_t)block->gpvs_bytes);
            ++*sound;
        }
    }
    return blocks.frames;
}

static void remove_device(const char *device) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(device, ","), device);
    if (rte_eal_hotplug_remove("vdev", name)) {
        fail("hotplug");
    }
}

static int32_t open_queue(const char *device) {
    Settings settings = {1, 512, 8191, 2048, 0, HASH_NONE};
    int32_t port = port_open(device, &settings, error);
    if (port < 0) {
        fail("port_open");
    }
    memset(&queue, 0, sizeof queue);
    memset(&blocks, 0, sizeof blocks);
    blocks.first_port = 23600;
    blocks.ports = 2;
    blocks.allowed_count = 1; // zeros: a network of all senders
    queue.port = (uint16_t)port;
    if (queue_open(&queue, -1, error) < 0) {
        fail("queue_open");
    }
    return port;
}

static void receive(const char *what, int64_t most, const char *device, const char *name) {
    int32_t port = open_queue(device);
    FILE *file = *name == '-' ? NULL : fopen(name, "rb");
    int64_t count = 0, sound = 0;
    int idle = 0;
    bytes = 0;
    if (file && fseek(file, FILE_HEADER, SEEK_SET)) {
        fail(name);
    }
    while (count < most && idle < 2 && !queue.gone) {
        if (file) {
            feed(queue.port, file);
        }
        int32_t came = *what == 'g' && what[1] == 'p' ? receive_blocks(&sound) : receive_frames();
        count += came;
        idle = came || queue_wait(&queue, 100000) ? 0 : idle + 1;
        if (!strcmp(what, "gone") && count > most / 2) {
            remove_device(device);
            queue_wait(&queue, 50000000);
        }
    }
    if (count % 2) {
        queue_wait(&queue, 1000); // some buffers wait when it is closed
    }
    queue_close(&queue);
    port_close(port);
    if (file) {
        fclose(file);
    }
    printf("%s %s frames=%" PRId64 " bytes=%" PRIu64 " sound=%" PRId64 " gone=%" PRId64 "\n", what,
           device, count, bytes, sound, queue.gone);
}

int main(int count, char **arguments) {
    static const char options[] = "--no-huge\0-m\0" "128\0--no-shconf\0--no-pci\0--no-telemetry\0"
                                  "--log-level=warning\0";
    if (environment_start(options, error) < 0) {
        fail("environment_start");
    }
    for (int i = 1; i + 3 < count; i += 4) {
        receive(arguments[i], atoll(arguments[i + 1]), arguments[i + 2], arguments[i + 3]);
    }
    fflush(stdout);
    return 0;
}
