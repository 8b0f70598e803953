// Opens rings over the loopback, sends datagrams to itself, and touches each byte of each frame.
// Built with sanitizers by AfPacketSanitizedTest. Exit code 0 if all datagrams were seen.
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../main/c/sockets/afpacket.h"

enum { DATAGRAMS = 500, BURST = 64, TURNS = 300, PAUSE = 20 };

static Settings settings_of(const char *name) {
    Settings settings = {.block_bytes = 1 << 16, .blocks = 256, .block_ms = 20, .snap = 256};
    settings.fanout = -1;
    settings.promiscuous = 1;
    strncpy(settings.name, name, NAME_BYTES - 1);
    return settings;
}

static void send_all(int port) {
    char payload[700] = "weir";
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    // It sends to itself, so that no errors come back. The loopback drops what comes too fast.
    bind(fd, (struct sockaddr *)&to, sizeof to);
    for (int i = 0; i < DATAGRAMS; i++) {
        sendto(fd, payload, (size_t)(1 + i), 0, (struct sockaddr *)&to, sizeof to);
        usleep(i % PAUSE == 0 ? 1000 : 0);
    }
    close(fd);
}

static int is_ours(const Frame *frame, int port) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < frame->captured; i++) {
        sum += frame->at[i];
    }
    return sum > 0 && frame->captured >= 42 && frame->at[36] == port >> 8 &&
           frame->at[37] == (port & 255) && frame->wire >= frame->captured;
}

static int count(Ring *ring, int port) {
    Frame frames[BURST];
    int seen = 0;
    for (int turn = 0; turn < TURNS && seen < DATAGRAMS; turn++) {
        int64_t got = ring_receive(ring, frames, BURST);
        for (int64_t i = 0; i < got; i++) {
            seen += is_ours(&frames[i], port);
        }
        if (got == 0 && ring_poll(ring, 10) < 0) {
            return -1;
        }
    }
    return seen;
}

int main(void) {
    int port = 40000 + getpid() % 20000;
    Settings wrong = settings_of("no-such-if");
    if (ring_open(&wrong) >= 0 || wrong.text[0] == 0) {
        return 2;
    }
    Settings settings = settings_of("lo");
    int64_t handle = ring_open(&settings);
    if (handle <= 0 && handle > -4096) {
        fprintf(stderr, "%s\n", settings.text);
        return 77;
    }
    send_all(port);
    int seen = count((Ring *)(intptr_t)handle, port);
    ring_close((Ring *)(intptr_t)handle);
    fprintf(stderr, "%d of %d\n", seen, DATAGRAMS);
    return seen == DATAGRAMS ? 0 : 1;
}
