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


def endings(const int32_t[::1] data, int actions, int sides, int action):
    """Return what makes up a `kernel.Endings`."""
    cdef int width = 6 * sides + 2, size, one
    cdef Py_ssize_t count = data.shape[0] // (width * actions), number, at
    cdef uint64_t check, room = 16, place
    cdef int32_t key[2 * SEATS + 2]
    cdef int32_t group, found = 0
    # The keys of the groups, one behind the other, and where that of each group begins.
    cdef int32_t* keys = NULL
    cdef Py_ssize_t* starts = NULL
    cdef int32_t* known = NULL
    cdef Py_ssize_t used = 0
    cdef int32_t[::1] out
    groups = array("i", bytes(4 * count))
    firsts, ends, told = [], [], []
    if not count:
        return groups, firsts, ends, told
    out = groups
    while room < 2 * <uint64_t>count:
        room *= 2
    try:
        known = <int32_t*>malloc(room * sizeof(int32_t))
        starts = <Py_ssize_t*>malloc((count + 1) * sizeof(Py_ssize_t))
        keys = <int32_t*>malloc(count * (2 * sides + 2) * sizeof(int32_t))
        if known == NULL or starts == NULL or keys == NULL:
            raise MemoryError
        memset(known, 0xFF, room * sizeof(int32_t))
        starts[0] = 0
        for number in range(count):
            at = (number * actions + action) * width
            size = sides + 2
            for one in range(size):
                key[one] = data[at + 5 * sides + one]
            if key[sides] == ENDED_BLOCKED:
                for one in range(sides):
                    key[size + one] = data[at + 5 * one + PLAY_END]
                size += sides
            check = 0
            for one in range(size):
                check = mixed(check ^ <uint32_t>key[one])
            place = check & (room - 1)
            while known[place] >= 0:
                group = known[place]
                if starts[group + 1] - starts[group] == size and not memcmp(
                    keys + starts[group], key, size * sizeof(int32_t)
                ):
                    break
                place = (place + 1) & (room - 1)
            if known[place] < 0:
                known[place] = found
                memcpy(keys + used, key, size * sizeof(int32_t))
                used += size
                found += 1
                starts[found] = used
                firsts.append(number)
                ends.append((key[sides], key[sides + 1]))
                told.append((<char*>key)[:size * sizeof(int32_t)])
            out[number] = known[place]
    finally:
        free(known)
        free(starts)
        free(keys)
    return groups, firsts, ends, told
