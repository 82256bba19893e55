/* The limit of dealing: four hands of 13 from 52 cards, six draws to a random word, as fast as plain C allows.
 *
 * Takes the number of deals; prints a number that depends on all of them.
 * Build: gcc -O3 -march=native -o dealing dealing.c   (needs BMI2)
 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint64_t u64;
typedef unsigned __int128 u128;

#define GOLD 0x9E3779B97F4A7C15ull

static inline u64 mix64(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

int main(int count, char **words) {
    const u64 n_deals = count > 1 ? strtoull(words[1], 0, 10) : 1000000, key = mix64(1234567);
    u64 total = 0;
    for (u64 i = 0; i < n_deals; i++) {
        u64 state = key + GOLD * (i << 10), deck = 0xFFFFFFFFFFFFFull, x = 0, hands[4], before = deck;
#pragma GCC unroll 39
        for (int card = 0; card < 39; card++) {
            if (card % 6 == 0) x = mix64(state += GOLD);
            u128 product = (u128)x * (52 - card);
            x = (u64)product;
            deck ^= _pdep_u64(1ull << (u64)(product >> 64), deck);
            if (card % 13 == 12) {
                hands[card / 13] = before ^ deck;
                before = deck;
            }
        }
        hands[3] = deck;
        total += hands[0] ^ hands[1] * 3 ^ hands[2] * 5 ^ hands[3] * 7;
    }
    printf("%llu\n", (unsigned long long)total);
    return 0;
}
