"""Layouts of the hidden cards among any number of hands, uniform over all that agree with what one player has seen.

What must agree: his own cards and those he has seen, how many cards each of the others holds, and which cards a seat cannot
hold after what it has played under the duties (`simcore.phases.play.duties.cannot_hold`). Each hidden hand is a row of
places, and so are the cards that nobody holds. Cards that the same seats may hold are one kind; kinds are laid one after the
other, those with fewest places first. A card takes a free place of its seats at random: it draws a number below the most
places that can be free then, and where the number is no free place the whole layout is dropped and drawn again. So every way
to lay the cards is equally likely, exactly. Cards that anybody may hold fill what is left in blocks. docs/random-streams.md
has the draws.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, ctz, lowest, nth_bit, popcount
from simcore.rng import GROUP, below, derive, draw_cards
from simcore.seats import next_seat


@inlined
def held_at_first(view, seat):
    """Cards of a seat as the trick under way began. view : ManyView -> int64"""
    return max((view.quotas[seat] if view.declarer >= 0 else view.n_tricks) - view.trick, 0)


@kernel
def set_places(view, rollouts):
    """Give each hidden card a place: a row for each other hand, in turn order after the own, then one for what nobody holds.

    Who plays after this seat has yet to play to the trick; those before it have played.

    view : ManyView, rollouts : Rollouts modified
    -> uint64            all places
    """
    at, waiting = 0, 0
    for seat in range(rollouts.seat_places.shape[0]):
        rollouts.seat_places[seat] = U0
    seat = view.seat
    for _ in range(view.players - 1):
        seat = next_seat(seat, view.players)
        size = held_at_first(view, seat)
        if size > 0:
            if waiting < view.to_play:
                waiting += 1
            else:
                size -= 1
        for place in range(at, at + size):
            rollouts.seat_of[place] = seat
        rollouts.seat_places[seat] = ((U1 << U(size)) - U1) << U(at)
        at += size
    n_unseen = I(popcount(view.unseen))
    for place in range(at, n_unseen):
        rollouts.seat_of[place] = view.players
    everywhere = (U1 << U(n_unseen)) - U1
    rollouts.seat_places[view.players] = everywhere & ~((U1 << U(at)) - U1)
    return everywhere


@inlined
def _split(rollouts, n_kinds, cards):
    """Split each kind into its cards among some others and the rest. -> int64, kinds"""
    n = n_kinds
    for i in range(n_kinds):
        inside = rollouts.kinds[i] & cards
        outside = rollouts.kinds[i] & ~cards
        if inside != U0 and outside != U0:
            rollouts.kinds[i] = inside
            rollouts.kinds[n] = outside
            n += 1
    return n


@kernel
def sort_kinds(view, everywhere, rollouts):
    """Find the kinds of hidden cards, where they may lie, and how many of these places can be free when their turn comes.

    view : ManyView, everywhere : uint64 of `set_places`, rollouts : Rollouts modified
    -> int64             kinds
    """
    rollouts.kinds[0] = view.unseen
    n = 1
    for seat in range(view.players):
        if seat != view.seat and rollouts.seat_places[seat] != U0:
            n = _split(rollouts, n, rollouts.barred[seat])
    for i in range(n):
        places = everywhere
        for seat in range(view.players):
            if seat != view.seat and rollouts.kinds[i] & rollouts.barred[seat] != U0:
                places &= ~rollouts.seat_places[seat]
        rollouts.places[i] = places
        j = i
        while j > 0 and popcount(rollouts.places[j - 1]) > popcount(rollouts.places[j]):
            rollouts.places[j - 1], rollouts.places[j] = rollouts.places[j], rollouts.places[j - 1]
            rollouts.kinds[j - 1], rollouts.kinds[j] = rollouts.kinds[j], rollouts.kinds[j - 1]
            j -= 1
    for i in range(n):
        bound = I(popcount(rollouts.places[i]))
        for j in range(i):  # at least so many of the cards before lie in these places
            elsewhere = I(popcount(rollouts.places[j] & ~rollouts.places[i]))
            bound -= max(I(popcount(rollouts.kinds[j])) - elsewhere, 0)
        rollouts.bounds[i] = bound
    return n


@inlined
def _fill(key, draw, free, pool, view, rollouts):
    """Deal cards that anybody may hold into the free places, a block for each seat in order. -> None"""
    n_pool = popcount(pool)
    for seat in range(view.players):
        size = popcount(free & rollouts.seat_places[seat])
        if size > U0:
            rest = draw_cards(key, draw, pool, n_pool, I(size))
            rollouts.layout[seat] |= pool ^ rest
            pool = rest
            n_pool -= size
            draw += (size + U(GROUP - 1)) // U(GROUP)


@kernel
def draw_layout(key, view, n_kinds, everywhere, rollouts):
    """Draw one layout.

    key : uint64         of the layout
    view : ManyView, n_kinds : int64 of `sort_kinds`, everywhere : uint64 of `set_places`
    rollouts : Rollouts  layout is modified: all hands but the own
    -> int64             attempts
    """
    attempt = 0
    while True:
        stream = derive(key, U(attempt))
        attempt += 1
        for seat in range(view.players + 1):
            rollouts.layout[seat] = U0
        free, draw, is_dropped = everywhere, U0, False
        for i in range(n_kinds):
            cards = rollouts.kinds[i]
            if rollouts.places[i] == everywhere:
                _fill(stream, draw, free, cards, view, rollouts)
                break
            bound = U(rollouts.bounds[i])
            while cards != U0 and not is_dropped:
                card = lowest(cards)
                cards ^= card
                place = below(stream, draw, bound)
                draw += U1
                bound -= U1
                open_places = free & rollouts.places[i]
                if place >= popcount(open_places):
                    is_dropped = True
                else:
                    taken = nth_bit(open_places, place)
                    free ^= taken
                    rollouts.layout[rollouts.seat_of[ctz(taken)]] |= card
            if is_dropped:
                break
        if not is_dropped:
            return attempt
