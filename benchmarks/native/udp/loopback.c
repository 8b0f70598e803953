// Sends datagrams of GPVs to a port of the loopback, or only receives them: recvmmsg, and nothing
// else. Arguments: send or receive, and the port. Ends with its input, and prints its datagrams.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BURST = 64, HEADER = 40, PACKETS = 8, BYTES = HEADER + 24 + 4 * PACKETS, ROOM = 9216 };
enum { PACKET_BYTES = 100, EPOCH = 77, BUFFER = 8 << 20, PAUSE_MS = 300 };

static uint8_t room[BURST][ROOM];
static struct iovec parts[BURST];
static struct mmsghdr messages[BURST];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void put(uint8_t *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) {
        at[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
    }
}

// One GPV of eight packets (docs/GPV.md, layout flow32).
static void fill(uint8_t *block) {
    memcpy(block, "WGPV", 4);
    block[4] = 1;
    put(block + 8, 1, 4);
    put(block + 12, EPOCH, 4);
    put(block + 20, 1, 2);
    put(block + 22, PACKETS, 2);
    uint8_t *gpv = block + HEADER;
    put(gpv, 0x0A000001, 4);
    put(gpv + 4, 0x0A000002, 4);
    gpv[12] = 17;
    put(gpv + 14, PACKETS, 2);
    for (int i = 0; i < PACKETS; i++) {
        put(gpv + 24 + 4 * i, PACKET_BYTES << 1, 4);
    }
}

static void number(uint8_t *block, uint64_t sequence, uint64_t now_ns) {
    put(block + 16, sequence, 4);
    put(block + 24, sequence * PACKETS, 8);
    put(block + HEADER + 16, now_ns, 8);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int ends(int timeout_ms) {
    struct pollfd input = {.fd = 0, .events = POLLIN};
    char text[16];
    return poll(&input, 1, timeout_ms) > 0 && read(0, text, sizeof text) == 0;
}

static void send_burst(int fd, uint64_t *sequence, unsigned count) {
    uint64_t now_ns = now();
    for (unsigned i = 0; i < count; i++) {
        number(room[i], *sequence + i, now_ns);
    }
    int sent = sendmmsg(fd, messages, count, 0);
    *sequence += sent > 0 ? (uint64_t)sent : 0; // the others are sent again
}

static uint64_t send_all(int fd, const struct sockaddr_in *to) {
    uint64_t sequence = 0;
    if (connect(fd, (const struct sockaddr *)to, sizeof *to)) {
        fail("connect");
    }
    for (int i = 0; i < BURST; i++) {
        fill(room[i]);
        parts[i].iov_len = BYTES;
    }
    for (unsigned burst = 0; burst % 256 || !ends(0); burst++) {
        send_burst(fd, &sequence, BURST);
    }
    // The last one comes when there is room, and tells of those that were lost before.
    usleep(PAUSE_MS * 1000);
    for (uint64_t before = sequence; sequence == before;) {
        send_burst(fd, &sequence, 1);
    }
    return sequence;
}

static uint64_t receive_all(int fd, const struct sockaddr_in *at) {
    int buffer = BUFFER;
    uint64_t count = 0;
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer) &&
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer)) {
        fail("buffer");
    }
    if (bind(fd, (const struct sockaddr *)at, sizeof *at)) {
        fail("bind");
    }
    struct pollfd input = {.fd = 0, .events = POLLIN}, socket = {.fd = fd, .events = POLLIN};
    for (unsigned burst = 0;; burst++) {
        int received = recvmmsg(fd, messages, BURST, MSG_DONTWAIT, NULL);
        count += received > 0 ? (uint64_t)received : 0;
        if (received <= 0) {
            poll(&socket, 1, 20);
        }
        if (burst % 64 == 0 && poll(&input, 1, 0) > 0) {
            char text[16];
            if (read(0, text, sizeof text) <= 0) {
                return count;
            }
            count = 0;
        }
    }
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "send or receive, and a port\n");
        return 1;
    }
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)atoi(arguments[2])),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0) {
        fail("socket");
    }
    for (int i = 0; i < BURST; i++) {
        parts[i] = (struct iovec){room[i], ROOM};
        messages[i].msg_hdr = (struct msghdr){.msg_iov = &parts[i], .msg_iovlen = 1};
    }
    uint64_t datagrams =
        *arguments[1] == 's' ? send_all(fd, &address) : receive_all(fd, &address);
    printf("%llu\n", (unsigned long long)datagrams);
    return 0;
}
