cdef class Mirror(Frontiers):
    """The spec on flat arrays, and the position that is worked on."""

    cdef object lock
    cdef public object spec
    # The spec, flat.
    cdef int seats, side_count
    cdef int sides[SEATS]
    cdef int pips[64]
    cdef int hand_pips[64]
    cdef uint64_t doubles, wild, leads, deciding, every
    cdef int lead_rule, lead_qualifying, lead_draws, lead_scores
    cdef int draw_when, draw_then, reserve, forced_wild, knock_bonus, pass_penalty
    cdef int extra_double, extra_score, extra_forced, both_out
    cdef int out_award, out_fixed, blocked_winner, blocked_award, blocked_fixed, blocked_tie
    cdef int round_to, round_mode, round_per_hand, round_blocked, divide
    cdef int declare, last_claim, entry, target, exact, bounce, bundle, stops
    cdef int win_on_out, loser_resets, plain
    cdef int near_count
    cdef int near_missing[64]
    cdef int near_most[64]
    cdef int follow_drawn, binds
    cdef size_t node_size
    # The position being worked on.
    cdef uint8_t stock[64]
    cdef int stock_size
    cdef int drawable_end
    cdef int leader
    cdef int follow

    def __cinit__(self, spec):
        cdef int seat, one
        self.spec = spec
        self.lock = threading.Lock()
        self.seats = spec.seats
        self.side_count = spec.side_count
        for seat in range(self.seats):
            self.sides[seat] = spec.sides[seat]
        for one in range(self.top):
            self.pips[one] = spec.pips[one]
            self.hand_pips[one] = spec.hand_pips[one]
        self.every, self.doubles, self.wild = spec.every, spec.doubles, spec.wild
        self.leads, self.deciding = spec.leads, spec.deciding
        self.lead_rule, self.lead_qualifying = spec.lead_rule, spec.lead_qualifying
        self.lead_draws, self.lead_scores = spec.lead_draws, spec.lead_scores
        self.draw_when, self.draw_then, self.reserve = spec.draw_when, spec.draw_then, spec.reserve
        self.forced_wild = spec.forced_wild
        self.knock_bonus, self.pass_penalty = spec.knock_bonus, spec.pass_penalty
        self.extra_double, self.extra_score = spec.extra_double, spec.extra_score
        self.extra_forced, self.both_out = spec.extra_forced, spec.both_out
        self.out_award, self.out_fixed = spec.out_award, spec.out_fixed
        self.blocked_winner, self.blocked_award = spec.blocked_winner, spec.blocked_award
        self.blocked_fixed, self.blocked_tie = spec.blocked_fixed, spec.blocked_tie
        self.round_to, self.round_mode = spec.round_to, spec.round_mode
        self.round_per_hand, self.round_blocked = spec.round_per_hand, spec.round_blocked
        self.divide = spec.divide
        self.declare, self.last_claim, self.entry = spec.declare, spec.last_claim, spec.entry
        self.target, self.exact, self.bounce = spec.target, spec.exact, spec.bounce
        self.bundle, self.stops, self.win_on_out = spec.bundle, spec.stops, spec.win_on_out
        self.loser_resets, self.plain = spec.loser_resets, spec.plain
        if len(spec.near_target) > 64:
            raise ValueError("too many caps near the target for the native kernel")
        self.near_count = len(spec.near_target)
        for one, (missing, most) in enumerate(spec.near_target.items()):
            self.near_missing[one] = missing
            self.near_most[one] = most
        self.follow_drawn = spec.follows_drawn
        self.binds = spec.binds
        self.node_size = sizeof(Node) - (SEATS - self.seats) * sizeof(uint64_t)
