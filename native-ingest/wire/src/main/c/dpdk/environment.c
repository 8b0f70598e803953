// Starts DPDK's environment, and keeps the end of its log for messages.
#define _GNU_SOURCE
#include "dpdk.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_log.h>

enum { MOST_OPTIONS = 64, LOG_BYTES = 4096, CORES_BYTES = 8192, KEPT_BYTES = 2048 };

// DPDK is one per process, and so is its log.
static struct {
    pthread_mutex_t lock;
    char text[LOG_BYTES];
    size_t length;
} logged = {.lock = PTHREAD_MUTEX_INITIALIZER};

static ssize_t log_write(void *cookie, const char *text, size_t length) {
    (void)cookie;
    pthread_mutex_lock(&logged.lock);
    size_t room = LOG_BYTES - logged.length;
    size_t taken = length < room ? length : room;
    memcpy(logged.text + logged.length, text, taken);
    logged.length += taken;
    pthread_mutex_unlock(&logged.lock);
    return (ssize_t)length;
}

void log_clear(void) {
    pthread_mutex_lock(&logged.lock);
    logged.length = 0;
    pthread_mutex_unlock(&logged.lock);
}

// The first line says why; later ones only say that something else failed because of it.
static void log_line(char *to, size_t room) {
    pthread_mutex_lock(&logged.lock);
    size_t at = 0;
    while (at < logged.length && logged.text[at] != '\n' && at + 1 < room) {
        to[at] = logged.text[at];
        at++;
    }
    to[at] = 0;
    pthread_mutex_unlock(&logged.lock);
}

int32_t failed(char *error, const char *text, int code) {
    char line[512];
    log_line(line, sizeof line);
    int positive = code < 0 ? -code : code;
    snprintf(error, ERROR_BYTES, "%s: %s%s%s", text, rte_strerror(positive),
             line[0] ? "; DPDK: " : "", line);
    return positive ? -positive : -EIO;
}

typedef struct {
    const char *options;
    char *error;
    int32_t result;
} Start;

// Writes "--lcores=0@(0,1,...)": the main lcore floats over all cores of the process.
static int own_cores(char *to) {
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores)) {
        return -errno;
    }
    int at = sprintf(to, "--lcores=0@(");
    for (int core = 0; core < CPU_SETSIZE && at < CORES_BYTES - 16; core++) {
        if (CPU_ISSET(core, &cores)) {
            at += sprintf(to + at, "%d,", core);
        }
    }
    to[at - 1] = ')';
    return 0;
}

static int32_t start_here(const char *options, char *error) {
    static char name[] = "weir", cores[CORES_BYTES], kept[KEPT_BYTES]; // DPDK may keep them
    static char *arguments[MOST_OPTIONS + 3] = {name, cores};
    int count = 2;
    int code = own_cores(cores);
    if (code) {
        return failed(error, "the cores of this process are unknown", code);
    }
    for (char *at = kept; *options && count < MOST_OPTIONS; options += strlen(options) + 1) {
        size_t bytes = strlen(options) + 1;
        if (bytes > (size_t)(kept + KEPT_BYTES - at)) {
            return failed(error, "the options of DPDK are too long", EINVAL);
        }
        arguments[count++] = memcpy(at, options, bytes);
        at += bytes;
    }
    cookie_io_functions_t writer = {.write = log_write};
    FILE *log = fopencookie(NULL, "w", writer);
    if (log) {
        setvbuf(log, NULL, _IONBF, 0);
        rte_openlog_stream(log);
    }
    if (rte_eal_init(count, arguments) < 0) {
        return failed(error, "DPDK does not start", rte_errno);
    }
    return 0;
}

static void *start_thread(void *argument) {
    Start *start = argument;
    start->result = start_here(start->options, start->error);
    return NULL;
}

// On a thread of its own: rte_eal_init changes the cores of its caller, and a JVM counts them.
int32_t environment_start(const char *options, char *error) {
    Start start = {options, error, 0};
    pthread_t thread;
    int code = pthread_create(&thread, NULL, start_thread, &start);
    if (code) {
        return failed(error, "no thread can start DPDK", code);
    }
    pthread_join(thread, NULL);
    return start.result;
}
