/* The yardstick of the benchmarks: deal 13 + 13 of 52 cards and play 13 random legal tricks, as fast as plain C allows.
 *
 * Prints nanoseconds of processor time per deal, the best of five batches. Cards lie in 16 bits a suit, as in the kernels.
 * Build: gcc -O3 -march=native -o calibrator calibrator.c   (needs BMI2)
 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

typedef uint64_t u64;
typedef unsigned __int128 u128;

#define SUIT0 0x1FFFull
#define DECK 0x1FFF1FFF1FFF1FFFull
#define GOLD 0x9E3779B97F4A7C15ull

static inline u64 mix64(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static inline u64 next_word(u64 *state) {
    *state += GOLD;
    return mix64(*state);
}

static inline u64 high(u64 a, u64 b) { return (u64)(((u128)a * b) >> 64); }

/* Two hands of thirteen; six draws share one random word. */
static inline void deal(u64 *state, u64 *first, u64 *second) {
    u64 deck = DECK, after_first = 0, x = 0;
#pragma GCC unroll 26
    for (int i = 0; i < 26; i++) {
        if (i % 6 == 0) x = next_word(state);
        u64 n = 52 - i;
        u128 product = (u128)x * n;
        x = (u64)product;
        deck ^= _pdep_u64(1ull << (u64)(product >> 64), deck);
        if (i == 12) after_first = deck;
    }
    *first = DECK ^ after_first;
    *second = deck ^ after_first;
}

/* Thirteen tricks of random legal cards; returns the tricks of the hand that leads first. */
static inline int play(u64 *state, u64 leader, u64 follower, u64 trumps) {
    int tricks = 0;
    u64 swapped = 0;
    for (int n = 13; n > 0; n--) {
        u64 x = next_word(state);
        u128 product = (u128)x * n;
        u64 led = _pdep_u64(1ull << (u64)(product >> 64), leader);
        x = (u64)product;
        u64 suit = SUIT0 << (__builtin_ctzll(led) & 48);
        u64 legal = follower & suit;
        legal = legal ? legal : follower;
        u64 reply = _pdep_u64(1ull << high(x, __builtin_popcountll(legal)), legal);
        u64 winners = (suit & -(led << 1)) | (trumps & ~suit);
        u64 wins = (reply & winners) != 0;
        leader ^= led;
        follower ^= reply;
        u64 difference = (leader ^ follower) & -wins;
        leader ^= difference;
        follower ^= difference;
        swapped ^= wins;
        tricks += 1 - swapped;
    }
    return tricks;
}

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(void) {
    const u64 n_deals = 400000, key = mix64(1234567);
    const u64 trumps[5] = {SUIT0, SUIT0 << 16, SUIT0 << 32, SUIT0 << 48, 0};
    double best = 1e9;
    u64 total = 0;
    for (int repeat = 0; repeat < 5; repeat++) {
        total = 0;
        double begin = cpu_seconds();
        for (u64 i = 0; i < n_deals; i++) {
            u64 state = key + GOLD * (i << 10), first, second;
            deal(&state, &first, &second);
            total += play(&state, first, second, trumps[high(next_word(&state), 5)]);
        }
        double seconds = cpu_seconds() - begin;
        if (seconds < best) best = seconds;
    }
    printf("%.3f %.4f\n", best / n_deals * 1e9, (double)total / n_deals);
    return 0;
}
