cdef enum:
    # Parts by which one join may replace a part: what is left of it, and what the tile adds.
    LEFT = 4
    # More parts than a table of 64 tiles can have; the numbers of all parts are below PARTS.
    MOST_PARTS = 192
    PARTS = 722
    # Sums of the ends whose worth is remembered.
    SUMS = 2048

#: Stands for the tiles that fit where nobody has asked yet.
cdef extern from *:
    """
    #define SNIFF_ASK 0xFFFFFFFFFFFFFFFFULL
    """
    uint64_t ASK "SNIFF_ASK"

cdef struct Change:
    # What a join makes of one part (tables.Change): the parts that take its place, rising, and how
    # the mark and the sum of the table change.
    uint64_t mark
    int32_t pips
    uint16_t parts[LEFT]
    uint8_t count
    uint8_t taken

cdef struct Spot:
    # One part on its own (tables.Spot); its changes are listed by tile, beginning at `first`.
    uint64_t fits
    int32_t first
    int16_t urgency
    int16_t known

cdef struct Laid:
    # One table: its parts, rising, and their sum.
    uint64_t mark
    int32_t parts
    int32_t pips
    uint8_t count
    uint8_t taken


cdef class Frontiers:
    """The twin of tables.FrontierTable, with numbers of its own and filled without the GIL.

    What becomes of one part of a table is asked of the original once; tables are put together
    from that here.
    """

    cdef object table
    cdef int known
    cdef int room
    cdef int top
    cdef int32_t* worth
    cdef int32_t* limit
    cdef uint64_t* fits
    cdef int32_t* rows
    cdef Laid* laid
    # The tables by mark, in a table of hashes with open addressing.
    cdef int32_t* slots
    cdef uint32_t slot_mask
    # The ways of tiles that have several.
    cdef int32_t* pool
    cdef int pool_used, pool_room
    cdef uint16_t* parts
    cdef int parts_used, parts_room
    # What the original says of parts: by part and whether the spinner is chosen; by part.
    cdef Spot* spots
    cdef int32_t* firsts
    cdef int firsts_used, firsts_room
    cdef Change* changes
    cdef int changes_used, changes_room
    cdef int32_t part_pips[PARTS]
    cdef uint8_t part_fills[PARTS]
    cdef uint8_t part_met[PARTS]
    cdef int usual_limit, filling_limit, by_sum
    cdef int32_t paid[SUMS]
    # The number here of each table of the original, -1 where it was not asked for.
    cdef int32_t* own_numbers
    cdef int own_room

    def __cinit__(self, spec):
        cdef int one
        if spec.top > 64:
            raise ValueError("the native kernel holds at most 64 tiles")
        self.table = spec.table
        self.top = spec.top
        self.by_sum = self.table.by_sum
        self.usual_limit, self.filling_limit = self.table.limits
        for one in range(SUMS):
            self.paid[one] = -1
        self.spots = <Spot*>calloc(2 * PARTS, sizeof(Spot))
        if self.spots == NULL:
            raise MemoryError
        if self._own(0) != 0:
            raise AssertionError("the empty table comes first")

    def __dealloc__(self):
        free(self.worth)
        free(self.limit)
        free(self.fits)
        free(self.rows)
        free(self.laid)
        free(self.slots)
        free(self.pool)
        free(self.parts)
        free(self.spots)
        free(self.firsts)
        free(self.changes)
        free(self.own_numbers)

    @cython.final
    cdef int _own(self, int number) except -1:
        """Return the number here of table NUMBER of the original."""
        cdef uint16_t parts[MOST_PARTS]
        cdef int count = 0, room, one
        cdef uint64_t mark = 0
        cdef int pips = 0
        if number >= self.own_room:
            room = max(1024, 2 * <int>len(self.table))
            self.own_numbers = <int32_t*>larger(self.own_numbers, room * sizeof(int32_t))
            for one in range(self.own_room, room):
                self.own_numbers[one] = -1
            self.own_room = room
        if self.own_numbers[number] < 0:
            if len(self.table.parts[number]) > MOST_PARTS:
                self._too_long()
            for part in self.table.parts[number]:
                self._meet(part)
                parts[count] = part
                count += 1
                mark += mixed(<uint64_t>(<int>part + 1))
                pips += self.part_pips[<int>part]
            self.own_numbers[number] = self._intern(
                parts, count, self.table.taken[number], mark, pips
            )
        return self.own_numbers[number]

    @cython.final
    cdef int _meet(self, int part) except -1:
        """Ask for what is always the same of a part."""
        if not self.part_met[part]:
            self.part_pips[part] = self.table.pips[part]
            self.part_fills[part] = self.table.fills(part)
            self.part_met[part] = 1
        return 0

    @cython.final
    cdef int _read(self, int part, int taken) except -1 with gil:
        """Ask the original what becomes of a part."""
        cdef Spot* spot = &self.spots[2 * part + taken]
        cdef Change* to
        cdef int tile, one
        original = self.table.spot(part, bool(taken))
        if self.firsts_used + self.top + 1 > self.firsts_room:
            self.firsts_room = 2 * self.firsts_room + 64 * (self.top + 1)
            self.firsts = <int32_t*>larger(self.firsts, self.firsts_room * sizeof(int32_t))
        spot.first = self.firsts_used
        self.firsts_used += self.top + 1
        for tile in range(self.top):
            self.firsts[spot.first + tile] = self.changes_used
            for change in original.changes.get(tile, ()):
                if self.changes_used == self.changes_room:
                    self.changes_room = 2 * self.changes_room + 1024
                    self.changes = <Change*>larger(
                        self.changes, self.changes_room * sizeof(Change)
                    )
                to = &self.changes[self.changes_used]
                self.changes_used += 1
                if len(change.parts) > LEFT:
                    raise ValueError("a join leaves more parts than the native kernel has room for")
                to.mark = (
                    (taken_mark() if change.taken else 0)
                    - (taken_mark() if taken else 0)
                    - mixed(<uint64_t>(part + 1))
                )
                to.pips = -self.part_pips[part]
                to.count = 0
                to.taken = change.taken
                for one in change.parts:
                    self._meet(one)
                    to.parts[to.count] = one
                    to.count += 1
                    to.mark += mixed(<uint64_t>(one + 1))
                    to.pips += self.part_pips[one]
        self.firsts[spot.first + self.top] = self.changes_used
        spot.fits = original.fits
        spot.urgency = original.urgency
        spot.known = 1
        return 0

    @cython.final
    cdef int _intern(
        self, uint16_t* parts, int count, int taken, uint64_t mark, int pips
    ) except -1 nogil:
        """Return the number of the table with these parts, a new one if it was never seen."""
        cdef uint32_t slot = 0
        cdef int one, found
        cdef Laid* laid
        if self.room:
            slot = <uint32_t>(mark >> 32) & self.slot_mask
            while self.slots[slot] >= 0:
                found = self.slots[slot]
                laid = &self.laid[found]
                if laid.mark == mark and laid.count == count and laid.taken == taken:
                    one = 0
                    while one < count and self.parts[laid.parts + one] == parts[one]:
                        one += 1
                    if one == count:
                        return found
                slot = (slot + 1) & self.slot_mask
        if self.known == self.room or self.parts_used + count > self.parts_room:
            self._more_tables()
            slot = <uint32_t>(mark >> 32) & self.slot_mask
            while self.slots[slot] >= 0:
                slot = (slot + 1) & self.slot_mask
        found = self.known
        laid = &self.laid[found]
        laid.mark, laid.parts, laid.pips = mark, self.parts_used, pips
        laid.count, laid.taken = count, taken
        self.fits[found] = ASK
        self.limit[found] = self.usual_limit
        for one in range(count):
            self.parts[self.parts_used + one] = parts[one]
            if self.part_fills[parts[one]]:
                self.limit[found] = self.filling_limit
        if self.by_sum and pips < SUMS and self.paid[pips] >= 0:
            self.worth[found] = self.paid[pips]
        else:
            self._pay(parts, count, taken, pips, found)
        self.slots[slot] = found
        self.parts_used += count
        self.known += 1
        return found

    @cython.final
    cdef int _pay(
        self, uint16_t* parts, int count, int taken, int pips, int number
    ) except -1 with gil:
        """Ask the original what a play that leads to these parts is worth."""
        cdef int one
        if self.by_sum:
            self.worth[number] = self.table.paid(pips)
            if pips < SUMS:
                self.paid[pips] = self.worth[number]
        else:
            self.worth[number] = self.table.worth_of(
                tuple([parts[one] for one in range(count)]), bool(taken)
            )
        return 0

    @cython.final
    cdef int _more_tables(self) except -1 with gil:
        """Make room for twice as many tables."""
        cdef int room = max(1024, 2 * self.room), one
        cdef size_t cells = <size_t>room * self.top
        cdef uint32_t slot
        self.worth = <int32_t*>larger(self.worth, room * sizeof(int32_t))
        self.limit = <int32_t*>larger(self.limit, room * sizeof(int32_t))
        self.fits = <uint64_t*>larger(self.fits, room * sizeof(uint64_t))
        self.laid = <Laid*>larger(self.laid, room * sizeof(Laid))
        self.rows = <int32_t*>larger(self.rows, cells * sizeof(int32_t))
        memset(
            &self.rows[<size_t>self.room * self.top], 0xFF,
            <size_t>(room - self.room) * self.top * sizeof(int32_t),
        )
        self.parts_room = max(2 * self.parts_room, 8 * room) + MOST_PARTS
        self.parts = <uint16_t*>larger(self.parts, self.parts_room * sizeof(uint16_t))
        self.slots = <int32_t*>larger(self.slots, 4 * <size_t>room * sizeof(int32_t))
        self.slot_mask = 4 * <uint32_t>room - 1
        memset(self.slots, 0xFF, 4 * <size_t>room * sizeof(int32_t))
        for one in range(self.known):
            slot = <uint32_t>(self.laid[one].mark >> 32) & self.slot_mask
            while self.slots[slot] >= 0:
                slot = (slot + 1) & self.slot_mask
            self.slots[slot] = one
        self.room = room
        return 0

    @cython.final
    cdef int _urgency(self, int fid) except -1 nogil:
        """Return the urgency of the open parts of a table, after asking for each of its parts."""
        cdef Laid* laid = &self.laid[fid]
        cdef int one, most = 0
        cdef Spot* spot
        for one in range(laid.parts, laid.parts + laid.count):
            spot = &self.spots[2 * self.parts[one] + laid.taken]
            if not spot.known:
                self._read(self.parts[one], laid.taken)
            most = max(most, spot.urgency)
        return most

    @cython.final
    cdef int _add_fits(self, int fid) except -1 nogil:
        cdef Laid* laid = &self.laid[fid]
        cdef int most = self._urgency(fid), one
        cdef Spot* spot
        cdef uint64_t fits = 0
        for one in range(laid.parts, laid.parts + laid.count):
            spot = &self.spots[2 * self.parts[one] + laid.taken]
            if spot.urgency == most:
                fits |= spot.fits
        self.fits[fid] = fits
        if fid == 0:
            self._may_lead()
        return 0

    @cython.final
    cdef int _may_lead(self) except -1 with gil:
        self.fits[0] = self.table.fitting(0)
        return 0

    @cython.final
    cdef int _led(self, int tile) except -1 with gil:
        return self._own(self.table.led(tile))

    @cython.final
    cdef int _add_row(self, int fid, int tile) except -1 nogil:
        """List the tables after a tile was joined, alike ones once, in the order of the places."""
        cdef int32_t found[MOVES]
        cdef uint16_t parts[MOST_PARTS]
        cdef uint16_t after[MOST_PARTS]
        cdef int count = 0, size, most, taken, pips, one, two, part, last = -1, at, new
        cdef uint64_t mark
        cdef Spot* spot
        cdef Change* change
        if fid == 0:
            found[0] = self._led(tile)
            count = 1
        else:
            most = self._urgency(fid)
            # The tables move in memory when new ones are added.
            size, taken = self.laid[fid].count, self.laid[fid].taken
            mark, pips = self.laid[fid].mark, self.laid[fid].pips
            if size + LEFT > MOST_PARTS:
                self._too_long()
            memcpy(parts, &self.parts[self.laid[fid].parts], size * sizeof(uint16_t))
            for one in range(size):
                part = parts[one]
                spot = &self.spots[2 * part + taken]
                if part == last or spot.urgency != most or not spot.fits >> tile & 1:
                    continue
                last = part
                for at in range(self.firsts[spot.first + tile], self.firsts[spot.first + tile + 1]):
                    change = &self.changes[at]
                    merge(parts, size, one, change, after)
                    new = self._intern(
                        after, size - 1 + change.count, change.taken, mark + change.mark,
                        pips + change.pips,
                    )
                    two = 0
                    while two < count and found[two] != new:
                        two += 1
                    if two == count:
                        if count == MOVES - 2:
                            self._crowded()
                        found[count] = new
                        count += 1
        if count == 1:
            self.rows[<size_t>fid * self.top + tile] = found[0] << 1
            return 0
        if self.pool_used + count + 1 > self.pool_room:
            self._more_pool()
        self.rows[<size_t>fid * self.top + tile] = self.pool_used << 1 | 1
        self.pool[self.pool_used] = count
        memcpy(&self.pool[self.pool_used + 1], found, count * sizeof(int32_t))
        self.pool_used += 1 + count
        return 0

    @cython.final
    cdef int _more_pool(self) except -1 with gil:
        self.pool_room = 2 * self.pool_room + 4096
        self.pool = <int32_t*>larger(self.pool, self.pool_room * sizeof(int32_t))
        return 0

    @cython.final
    cdef int _crowded(self) except -1 with gil:
        raise ValueError(f"a position has more than {MOVES - 2} plays")

    @cython.final
    cdef int _too_long(self) except -1 with gil:
        raise ValueError("a table has more ends than the native kernel has room for")

    @cython.final
    cdef inline uint64_t fitting(self, int fid) except? 0xFFFFFFFFFFFFFFFF nogil:
        if self.fits[fid] == ASK:
            self._add_fits(fid)
        return self.fits[fid]

    @cython.final
    cdef inline int row(self, int fid, int tile) except -1 nogil:
        """Return the ways of a tile: the one table doubled, or their place in the pool, odd."""
        cdef size_t at = <size_t>fid * self.top + tile
        if self.rows[at] < 0:
            self._add_row(fid, tile)
        return self.rows[at]

    @cython.final
    cdef inline int ways(self, int row) noexcept nogil:
        """Return how many ways a row has."""
        return self.pool[row >> 1] if row & 1 else 1

    @cython.final
    cdef inline int way(self, int row, int nth) noexcept nogil:
        """Return the table to which the NTH way of a row leads."""
        return self.pool[(row >> 1) + 1 + nth] if row & 1 else row >> 1

    def described(self, int number):
        """Return worth, limit, fitting tiles and ways of table NUMBER of the original.

        The ways are listed by tile, each as the parts of the table that it leads to, whether its
        spinner is chosen, and its worth: what a comparison with the original needs.
        """
        cdef int fid = self._own(number), tile, nth, at
        cdef uint64_t fits = self.fitting(fid)
        ways = {}
        for tile in range(self.top):
            if fits >> tile & 1:
                at = self.row(fid, tile)
                ways[tile] = [self._described(self.way(at, nth)) for nth in range(self.ways(at))]
        return self.worth[fid], self.limit[fid], fits, ways

    @cython.final
    cdef tuple _described(self, int fid):
        cdef Laid* laid = &self.laid[fid]
        cdef int one
        parts = tuple([self.parts[one] for one in range(laid.parts, laid.parts + laid.count)])
        return parts, bool(laid.taken), self.worth[fid]

    def largest_worth(self):
        """Return what the best play is worth that leads to a table seen so far."""
        cdef int one, most = 0
        for one in range(self.known):
            most = max(most, self.worth[one])
        return most


cdef void* larger(void* old, size_t size) except NULL:
    """Return what realloc returns; the old block stays where there is no memory."""
    cdef void* moved = realloc(old, size)
    if moved == NULL:
        raise MemoryError
    return moved


cdef inline uint64_t taken_mark() noexcept nogil:
    """Return what a chosen spinner adds to the mark of a table."""
    return mixed(0)


cdef inline void merge(
    uint16_t* parts, int count, int without, Change* change, uint16_t* after
) noexcept nogil:
    """Write rising parts into AFTER, one of them replaced by those of CHANGE."""
    cdef int one, other = 0, to = 0
    for one in range(count):
        if one == without:
            continue
        while other < change.count and change.parts[other] <= parts[one]:
            after[to] = change.parts[other]
            other += 1
            to += 1
        after[to] = parts[one]
        to += 1
    while other < change.count:
        after[to] = change.parts[other]
        other += 1
        to += 1
