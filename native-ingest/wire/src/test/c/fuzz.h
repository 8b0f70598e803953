// The harness of a decoder's test. libFuzzer calls try_bytes with any bytes. Without libFuzzer main
// turns random bits of sound inputs: PROGRAM RUNS SEED. PROGRAM RUNS SEED FOLDER writes sound inputs
// into a folder, with which libFuzzer begins.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Each test has these two. Whether the decoder took the bytes; it aborts if that was wrong.
static int try_bytes(const uint8_t *bytes, size_t size);

enum { MADE_BYTES = 1024 };

// Makes a sound input of up to MADE_BYTES, which are zeros. Returns its length.
static size_t make(uint8_t *bytes);

static uint64_t drawn = 1;

static inline uint32_t draw(uint32_t below) {
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(drawn >> 33) % below;
}

static inline void put16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

#ifdef WITH_LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_bytes(data, size);
    return 0;
}
#else
// Gives the decoder bytes of their exact length, so that ASan sees each step outside.
static int try_turned(void) {
    uint8_t bytes[MADE_BYTES] = {0};
    size_t size = make(bytes);
    for (uint32_t flips = draw(4); flips > 0; flips--) {
        bytes[draw((uint32_t)size)] ^= (uint8_t)(1 << draw(8));
    }
    size_t cut = draw(4) == 0 ? draw((uint32_t)size + 1) : size;
    uint8_t *exact = malloc(cut ? cut : 1);
    memcpy(exact, bytes, cut);
    int taken = try_bytes(exact, cut);
    free(exact);
    return taken;
}

static int write_made(const char *folder, long number) {
    char name[4096];
    uint8_t bytes[MADE_BYTES] = {0};
    size_t size = make(bytes);
    snprintf(name, sizeof name, "%s/%ld", folder, number);
    FILE *file = fopen(name, "wb");
    int whole = file && fwrite(bytes, 1, size, file) == size;
    return file && fclose(file) == 0 && whole;
}

int main(int count, char **arguments) {
    long runs = count > 1 ? atol(arguments[1]) : 1000000;
    drawn = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    long taken = 0;
    for (long run = 0; run < runs; run++) {
        taken += count > 3 ? write_made(arguments[3], run) : try_turned();
    }
    printf("%ld of %ld\n", taken, runs);
    return count > 3 ? taken < runs : taken == 0 || taken == runs;
}
#endif
