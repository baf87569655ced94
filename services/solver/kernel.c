/* The solver's inner loop: for each guess, how its marks would divide the words that are still possible.
 *
 * The number of a row of marks (base 3, the first tile counts most) is a sum with one addend for each distinct letter of
 * the guess. An addend depends on the letter and on its places in the guess alone, so guesses share it: it is worked out
 * once for all words, as a row of bytes. Neighbours in alphabetical order share sums of addends as well.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH 5
#define LETTERS 26
#define PLACES 32    /* sets of places */
#define PATTERNS 256 /* 243 rows of marks, filled up to whole vectors */
#define LANES 4      /* tallies side by side: a count need not wait for the store of the one before */
#define LANE (PATTERNS + 16) /* apart from a power of two, which would make stores and loads seem to meet */
#define ALIGNED 64

#if defined(__x86_64__) && defined(__gnu_linux__)
#define VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define VECTORS
#endif

static const uint8_t WEIGHTS[LENGTH] = {81, 27, 9, 3, 1};

struct words {
    size_t n, stride;                        /* how many, and the length of every row of bytes */
    uint8_t *columns;                        /* LENGTH rows: the letters at each place, 0 to 25 */
    uint8_t *sums;                           /* LENGTH rows: sums of the addends of the guess at work */
    const uint8_t *addends[LETTERS][PLACES]; /* a row for each letter and set of places that some guess has */
};

/* How often the letter is in each word. */
VECTORS static void count_letter(uint8_t *restrict count, const uint8_t *restrict columns, size_t stride, uint8_t letter)
{
    const uint8_t *a = columns, *b = a + stride, *c = b + stride, *d = c + stride, *e = d + stride;
    for (size_t i = 0; i < stride; i++)
        count[i] = (uint8_t)((a[i] == letter) + (b[i] == letter) + (c[i] == letter) + (d[i] == letter) + (e[i] == letter));
}

/* The addend of a letter that is at one place of the guess. */
VECTORS static void add_single(uint8_t *restrict row, const uint8_t *restrict count, const uint8_t *restrict column,
                               size_t stride, uint8_t letter, uint8_t weight)
{
    for (size_t i = 0; i < stride; i++) {
        uint8_t anywhere = count[i] ? weight : 0, here = column[i] == letter ? weight : 0;
        row[i] = (uint8_t)(anywhere + here);
    }
}

/* The copies of the letter that its green places leave over. */
VECTORS static void spend_green(uint8_t *restrict spare, const uint8_t *restrict column, size_t stride, uint8_t letter)
{
    for (size_t i = 0; i < stride; i++)
        spare[i] = (uint8_t)(spare[i] - (column[i] == letter));
}

/* The addend's share of one of several places: green, else yellow while there are copies to spare. */
VECTORS static void add_place(uint8_t *restrict row, uint8_t *restrict spare, const uint8_t *restrict column, size_t stride,
                              uint8_t letter, uint8_t weight)
{
    for (size_t i = 0; i < stride; i++) {
        uint8_t green = column[i] == letter, yellow = (uint8_t)(!green & (spare[i] > 0));
        spare[i] = (uint8_t)(spare[i] - yellow);
        row[i] = (uint8_t)(row[i] + (green + green + yellow) * weight);
    }
}

VECTORS static void add_rows(uint8_t *restrict sum, const uint8_t *restrict a, const uint8_t *restrict b, size_t stride)
{
    for (size_t i = 0; i < stride; i++)
        sum[i] = (uint8_t)(a[i] + b[i]);
}

/* Counts each pattern, in lanes. */
static void tally(uint32_t (*restrict lanes)[LANE], const uint8_t *restrict patterns, size_t n)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t eight;
        memcpy(&eight, patterns + i, 8);
        lanes[0][eight & 255]++;
        lanes[1][eight >> 8 & 255]++;
        lanes[2][eight >> 16 & 255]++;
        lanes[3][eight >> 24 & 255]++;
        lanes[0][eight >> 32 & 255]++;
        lanes[1][eight >> 40 & 255]++;
        lanes[2][eight >> 48 & 255]++;
        lanes[3][eight >> 56]++;
    }
    for (; i < n; i++)
        lanes[0][patterns[i]]++;
}

/* Adds up the lanes and clears them; answers with the sum of the squares of the counts. */
VECTORS static int64_t merge(uint32_t (*restrict lanes)[LANE], uint32_t *restrict counts)
{
    const uint32_t *a = lanes[0], *b = lanes[1], *c = lanes[2], *d = lanes[3];
    uint32_t squares = 0;
    for (size_t k = 0; k < PATTERNS; k++) {
        counts[k] = a[k] + b[k] + c[k] + d[k];
        squares += counts[k] * counts[k];
    }
    memset(lanes, 0, LANES * sizeof *lanes);
    return squares;
}

static int64_t look_up(const int64_t *table, const uint32_t *counts)
{
    int64_t a = 0, b = 0, c = 0;
    for (size_t k = 0; k < 243; k += 3) {
        a += table[counts[k]];
        b += table[counts[k + 1]];
        c += table[counts[k + 2]];
    }
    return a + b + c;
}

/* The set of places that the letter at this place has in the guess, as bits. */
static unsigned places_of(const uint8_t *guess, size_t place)
{
    unsigned places = 0;
    for (size_t p = 0; p < LENGTH; p++)
        places |= (unsigned)(guess[p] == guess[place]) << p;
    return places;
}

/* Works out the addend of a letter at these places. */
static void make_addend(uint8_t *row, uint8_t *spare, const uint8_t *count, const struct words *words, uint8_t letter,
                        unsigned places)
{
    const uint8_t *columns = words->columns;
    size_t stride = words->stride;
    if (!(places & (places - 1))) {
        size_t p = 0;
        while (!(places >> p & 1))
            p++;
        add_single(row, count, columns + p * stride, stride, letter, WEIGHTS[p]);
        return;
    }
    memcpy(spare, count, stride);
    memset(row, 0, stride);
    for (size_t p = 0; p < LENGTH; p++)
        if (places >> p & 1)
            spend_green(spare, columns + p * stride, stride, letter);
    for (size_t p = 0; p < LENGTH; p++)
        if (places >> p & 1)
            add_place(row, spare, columns + p * stride, stride, letter, WEIGHTS[p]);
}

/* Lays the words out by columns, and makes every addend that the guesses need. Answers with the memory of it all. */
static uint8_t *lay_out(struct words *words, const uint8_t *guesses, size_t g, const uint8_t *letters, size_t n)
{
    uint8_t needed[LETTERS][PLACES] = {{0}};
    size_t rows = 0, stride = (n + ALIGNED - 1) / ALIGNED * ALIGNED;
    for (size_t i = 0; i < g * LENGTH; i++) {
        uint8_t *need = &needed[guesses[i]][places_of(guesses + i / LENGTH * LENGTH, i % LENGTH)];
        rows += !*need;
        *need = 1;
    }
    uint8_t *memory = aligned_alloc(ALIGNED, (2 * LENGTH + 2 + rows) * stride);
    if (!memory)
        return NULL;
    words->n = n;
    words->stride = stride;
    words->columns = memory;
    words->sums = memory + LENGTH * stride;
    uint8_t *count = words->sums + LENGTH * stride, *spare = count + stride, *row = spare + stride;
    for (size_t p = 0; p < LENGTH; p++) {
        uint8_t *column = words->columns + p * stride;
        for (size_t i = 0; i < n; i++)
            column[i] = letters[LENGTH * i + p];
        memset(column + n, LETTERS, stride - n);
    }
    for (uint8_t letter = 0; letter < LETTERS; letter++) {
        if (memchr(needed[letter], 1, PLACES))
            count_letter(count, words->columns, stride, letter);
        for (unsigned places = 1; places < PLACES; places++)
            if (needed[letter][places]) {
                make_addend(row, spare, count, words, letter, places);
                words->addends[letter][places] = row;
                row += stride;
            }
    }
    return memory;
}

/* For each of g guesses: how would its marks divide the n words into groups? Words are five letters each, 0 to 25.
 *
 * Gives back in `entropies` the sum of table[c] over the sizes c of the groups, in `squares` the sum of c * c. Answers
 * with 0, or with -1 if there is no memory.
 */
int wordyard_divide(const uint8_t *guesses, size_t g, const uint8_t *letters, size_t n, const int64_t *table,
                    int64_t *entropies, int64_t *squares)
{
    struct words words;
    uint8_t *memory = lay_out(&words, guesses, g, letters, n);
    if (!memory)
        return -1;
    uint32_t lanes[LANES][LANE] __attribute__((aligned(ALIGNED))) = {{0}};
    uint32_t counts[PATTERNS] __attribute__((aligned(ALIGNED)));
    const uint8_t *before[LENGTH] = {NULL};
    for (size_t i = 0; i < g; i++) {
        const uint8_t *guess = guesses + LENGTH * i, *patterns = NULL;
        size_t depth = 0;
        int same = 1;
        for (size_t p = 0; p < LENGTH; p++) {
            unsigned places = places_of(guess, p);
            if (places & ((1u << p) - 1))
                continue; /* a letter that has been counted at an earlier place */
            const uint8_t *addend = words.addends[guess[p]][places];
            uint8_t *sum = words.sums + depth * words.stride;
            same = same && before[depth] == addend;
            if (!same && depth)
                add_rows(sum, patterns, addend, words.stride);
            before[depth] = addend;
            patterns = depth++ ? sum : addend;
        }
        if (depth < LENGTH)
            before[depth] = NULL;
        tally(lanes, patterns, n);
        squares[i] = merge(lanes, counts);
        entropies[i] = look_up(table, counts);
    }
    free(memory);
    return 0;
}
