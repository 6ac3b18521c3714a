def columns(const int32_t[::1] data, int actions, int sides, int action, int side):
    """Return what `kernel.Batch.columns` does: the margin of a side in each part, by position."""
    cdef int width = 6 * sides + 2, part, one
    cdef Py_ssize_t count = data.shape[0] // (width * actions), number, at
    cdef int32_t total
    cdef int32_t[::1] out
    found = []
    for part in range(5):
        column = array("i", bytes(4 * count))
        found.append(column)
        if not count:
            continue
        out = column
        with nogil:
            for number in range(count):
                at = (number * actions + action) * width
                total = 0
                for one in range(sides):
                    total += data[at + 5 * one + part]
                out[number] = sides * data[at + 5 * side + part] - total
    return tuple(found)


def added(columns):
    """Return the sum of columns, position by position."""
    cdef Py_ssize_t number, count = len(columns[0])
    cdef int32_t[::1] into
    cdef const int32_t[::1] one
    total = array("i", columns[0])
    if not count:
        return total
    into = total
    for column in columns[1:]:
        one = column
        with nogil:
            for number in range(count):
                into[number] += one[number]
    return total


def paired_sums(const int32_t[::1] ones, const int32_t[::1] others):
    """Return the sum of the differences of two columns, and that of their squares.

    The squares stay below 64 bits: a difference has 21 bits at most, and there are a million.
    """
    cdef Py_ssize_t number, count = min(ones.shape[0], others.shape[0])
    cdef int64_t one, total = 0
    cdef uint64_t squares = 0
    with nogil:
        for number in range(count):
            one = <int64_t>ones[number] - others[number]
            total += one
            squares += <uint64_t>(one * one)
    return total, squares


def standings(
    const int32_t[::1] data, int actions, int sides, int action, seat_sides, int leader, int out,
    int blocked,
):
    """Return what makes up the `kernel.Standings` of an action; OUT and BLOCKED say who leads."""
    cdef int width = 6 * sides + 2, one, rule, lead, most, alike
    cdef Py_ssize_t count = data.shape[0] // (width * actions), number, at
    cdef uint64_t check, room = 16, place
    cdef int side_of[SEATS]
    # The keys of the groups, one behind the other: the scores, and who leads.
    cdef int32_t key[SEATS + 1]
    cdef int size = sides + 1
    cdef int32_t found = 0
    cdef int32_t* keys = NULL
    cdef int32_t* known = NULL
    cdef int32_t[::1] into
    groups = array("i", bytes(4 * count))
    told = []
    if not count:
        return groups, told
    into = groups
    for one in range(len(seat_sides)):
        side_of[one] = seat_sides[one]
    while room < 2 * <uint64_t>count:
        room *= 2
    try:
        known = <int32_t*>malloc(room * sizeof(int32_t))
        keys = <int32_t*>malloc(count * size * sizeof(int32_t))
        if known == NULL or keys == NULL:
            raise MemoryError
        memset(known, 0xFF, room * sizeof(int32_t))
        for number in range(count):
            at = (number * actions + action) * width
            rule = blocked if data[at + width - 2] == ENDED_BLOCKED else out
            lead = rule
            if rule == LED_BY_CLOSER:
                lead = side_of[data[at + width - 1] if data[at + width - 1] >= 0 else leader]
            elif rule == LED_BY_PAID:
                lead, most, alike = -1, 0, 0
                for one in range(sides):
                    if data[at + 5 * one + PLAY_END] > most:
                        lead, most, alike = one, data[at + 5 * one + PLAY_END], 0
                    elif data[at + 5 * one + PLAY_END] == most:
                        alike = 1
                if alike:
                    lead = -1
            check = 0
            for one in range(sides):
                key[one] = data[at + 5 * sides + one]
            key[sides] = lead
            for one in range(size):
                check = mixed(check ^ <uint32_t>key[one])
            place = check & (room - 1)
            while known[place] >= 0:
                if not memcmp(keys + known[place] * size, key, size * sizeof(int32_t)):
                    break
                place = (place + 1) & (room - 1)
            if known[place] < 0:
                known[place] = found
                memcpy(keys + found * size, key, size * sizeof(int32_t))
                told.append(tuple([key[one] for one in range(size)]))
                found += 1
            into[number] = known[place]
    finally:
        free(known)
        free(keys)
    return groups, told


def ends(const int32_t[::1] data, int actions, int sides, int action):
    """Return how often each pair of how a round ended and who laid last comes up, by first use."""
    cdef int width = 6 * sides + 2, how, closer, one
    cdef Py_ssize_t count = data.shape[0] // (width * actions), number, at
    cdef Py_ssize_t counts[3 * (SEATS + 1)]
    memset(counts, 0, sizeof(counts))
    order = []
    for number in range(count):
        at = (number * actions + action + 1) * width
        one = data[at - 2] * (SEATS + 1) + data[at - 1] + 1
        if not counts[one]:
            order.append(one)
        counts[one] += 1
    return {(one // (SEATS + 1), one % (SEATS + 1) - 1): counts[one] for one in order}
