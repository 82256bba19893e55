"""Play policy `sampling` among any number of hands: plays each card out in sampled layouts, takes the best on average.

It stands here and not among the other policies (`simcore.bots.many`), since it plays on by the rules of the tricks. It sees
what the others see: the view, and what follows from it for cards that a seat cannot hold. Every legal card, of cards that are
as good as one another the lowest, is played to the end in every layout, all seats by `careful`; the layouts are the same for
all cards of a decision. Of equals it plays what `careful` would, else the first. With more cards than `roll_from` it plays as
`careful`.

Layouts come from the seat's own random stream: that of layout s at trick t is `derive(derive(key, t), s)`.
"""

from __future__ import annotations

from simcore._jit import inlined, kernel
from simcore.bits import U0, U1, I, U, lowest, popcount
from simcore.bots.many.switch import choose_card as choose_otherwise
from simcore.cards import LANE, SUIT0
from simcore.codes import N_SUITS, PlayPolicy, SamplingParam
from simcore.phases.play.duties import cannot_hold
from simcore.phases.play.last_tricks import solve_on
from simcore.phases.play.roll_out import careful_card, play_on
from simcore.phases.play.worth import settled_worth, worth_of
from simcore.rng import derive
from simcore.sampling.hidden_hands import draw_layout, held_at_first, set_places, sort_kinds

SAMPLING = int(PlayPolicy.SAMPLING)
ROLLOUTS, ROLL_FROM = int(SamplingParam.ROLLOUTS), int(SamplingParam.ROLL_FROM)
OTHERS, EXACT_FROM = int(SamplingParam.OTHERS), int(SamplingParam.EXACT_FROM)


# --- what everybody has seen -----------------------------------------------------------------------------------------


@inlined
def forget(rollouts):
    """Nothing is known as the play begins. rollouts : Rollouts or None, modified"""
    if rollouts is not None:
        for seat in range(rollouts.barred.shape[0]):
            rollouts.barred[seat] = U0
            rollouts.won[seat] = 0


@inlined
def note_card(rollouts, play, seat, card, suit, winners, trumps, ruffed):
    """Note what a card says about its player's hand. Arguments of `cannot_hold`; rollouts : Rollouts or None, modified"""
    if rollouts is not None:
        rollouts.barred[seat] |= cannot_hold(play, card, suit, winners, trumps, ruffed)


@inlined
def note_trick(rollouts, seat, cards):
    """Note who took the cards of a trick. rollouts : Rollouts or None, modified"""
    if rollouts is not None:
        rollouts.won[seat] += I(popcount(cards))


# --- the choice -------------------------------------------------------------------------------------------------------


@kernel
def list_cards(view, cards):
    """Write the legal cards among which there is a choice: of neighbours, with no card of others between them, the lowest.

    view : ManyView, cards : uint64[:] modified
    -> int64             how many
    """
    n = 0
    others = view.unseen | view.best
    for suit in range(N_SUITS):
        mine = view.legal & (SUIT0 << U(LANE * suit))
        below = U0  # the legal card of the suit before
        while mine != U0:
            card = lowest(mine)
            mine ^= card
            between = (card - U1) & ~((below << U1) - U1)
            if below == U0 or others & between != U0:
                cards[n] = card
                n += 1
            below = card
    return n


@inlined
def cards_on_table(view):
    """Cards of the trick so far. view : ManyView -> int64"""
    if view.led == U0:
        return I(0)
    n = I(-1) - view.to_play
    for seat in range(view.players):
        n += 1 if held_at_first(view, seat) > 0 else 0
    return n


@inlined
def _to_the_end(plies, rules, view, card, n_played, exact, rollouts):
    """Play a card and the rest of a layout. plies : Plies or None, exact : bool, whether the rest is solved"""
    if plies is not None:
        if exact:
            solve_on(rules, view, card, rollouts)
        else:
            play_on(rules, view, card, n_played, rollouts)
    if plies is None:
        play_on(rules, view, card, n_played, rollouts)


@kernel
def weigh_cards(rules, view, samples, others, exact_from, rollouts):
    """Play the cards of a choice out in sampled layouts.

    rules : Rules or SheddingRules, view : ManyView
    samples : int64      layouts
    others : int64       how much the others' scores count, in percent
    exact_from : int64   games of calls: most cards in the own hand with which layouts are solved
    rollouts : Rollouts  modified: cards, and sums of what each came to
    -> int64             cards of the choice
    """
    n = list_cards(view, rollouts.cards)
    settled, worth = settled_worth(rules.stakes, rules, view, rollouts, others)
    for i in range(n):
        rollouts.sums[i] = samples * worth if settled else 0
    if settled or (n == 1 and rollouts.weighed.shape[0] == 0):
        return n
    exact = I(popcount(view.hand)) <= exact_from
    everywhere = set_places(view, rollouts)
    n_kinds = sort_kinds(view, everywhere, rollouts)
    n_played = cards_on_table(view)
    stream = derive(view.key, U(view.trick))
    for sample in range(samples):
        draw_layout(derive(stream, U(sample)), view, n_kinds, everywhere, rollouts)
        rollouts.layout[view.seat] = view.hand
        for i in range(n):
            for seat in range(view.players):
                rollouts.hands[seat] = rollouts.layout[seat]
                rollouts.taken[seat] = view.taken[seat]
                rollouts.taken_cards[seat] = rollouts.won[seat]
            _to_the_end(rollouts.plies, rules, view, rollouts.cards[i], n_played, exact, rollouts)
            rollouts.sums[i] += worth_of(rules.call_score, rules.stakes, rules, view, rollouts, others)
    return n


@inlined
def _keep(rollouts, seat, n):
    """Keep what a decision weighed, where somebody asks for reasons. seat : uint64, n : int64 cards"""
    at = rollouts.n_decisions[0]
    if at < rollouts.weighed.shape[0]:
        rollouts.n_decisions[0] = at + 1
        rollouts.seats[at] = seat
        for i in range(n):
            rollouts.weighed[at, i] = rollouts.cards[i]
            rollouts.found[at, i] = rollouts.sums[i]


@kernel
def choose_sampled(rules, view, params, seat, rollouts):
    """The card that is best on average. params : int64[:, :] rows of `SamplingParam`, seat : uint64 the own row -> uint64"""
    usual = careful_card(rules.call_score, view)
    if view.n_legal == U1 or I(popcount(view.hand)) > params[seat, ROLL_FROM]:
        _keep(rollouts, seat, 0)
        return usual
    n = weigh_cards(rules, view, params[seat, ROLLOUTS], params[seat, OTHERS], params[seat, EXACT_FROM], rollouts)
    _keep(rollouts, seat, n)
    best = I(0)
    for i in range(n):
        if rollouts.sums[i] > rollouts.sums[best]:
            best = i
    for i in range(n):  # of cards as good as one another the list has the lowest
        is_usual = rollouts.cards[i] <= usual and (i + 1 == n or rollouts.cards[i + 1] > usual)
        if is_usual and rollouts.sums[i] == rollouts.sums[best]:
            return usual
    return rollouts.cards[best]


@inlined
def choose_card(policy, view, params, seat, note, only_random, rules, rollouts):
    """The card a policy plays, `sampling` among them.

    rules : Rules or SheddingRules
    rollouts : Rollouts or None   None: nothing of that policy is compiled
    others as for `simcore.bots.many.switch.choose_card`
    -> (uint64, uint64)  one card of view.legal, and the policy's note
    """
    if rollouts is not None:
        if policy == SAMPLING:
            return choose_sampled(rules, view, params, seat, rollouts), note
    return choose_otherwise(policy, view, params, seat, note, only_random)
