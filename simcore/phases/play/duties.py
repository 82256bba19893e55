"""What must be played to a trick: to follow, to ruff, to beat the trumps played, to head the trick.

Rule (rules.md, section 2 and its "Details of options"). Follow suit if able (option: no duty to). `must_head`: who follows
must beat the best card of the trick if able; lapses once the trick is ruffed. Void: with `must_ruff`, one who holds a trump
that beats every trump of the trick must play such a trump (with `must_overruff`; without it, some trump). `must_underruff`: one
who holds only lower trumps must play one of them. Otherwise any card.
"""

from __future__ import annotations

from simcore._jit import inlined
from simcore.bits import U0, select, unlikely


@inlined
def ruff_due(play, hand, winners, trumps):
    """Trumps of which a player who cannot follow must play one; none where no ruff is due.

    play : PlayRules
    hand : uint64        cards of the player
    winners : uint64     cards that would beat the trick so far
    trumps : uint64      mask of the trump suit
    -> uint64
    """
    mine = hand & trumps
    beating = mine & winners
    due = beating | (mine & play.any_ruff)  # without the duty to beat, any trump fulfils the duty to ruff
    return select(beating != U0, due & play.must_ruff, mine & play.must_underruff)


@inlined
def legal_cards(play, hand, suit, winners, trumps, ruffed):
    """Cards that may be played to a trick of natural cards.

    play : PlayRules, hand : uint64
    suit : uint64        mask of the suit led, 0 for a leader, who may play any card
    winners : uint64     cards that would beat the trick so far
    trumps : uint64      mask of the trump suit, empty for no trump
    ruffed : bool        whether the trick was ruffed: another suit was led, and a trump wins
    -> uint64
    """
    following = hand & suit & play.must_follow
    if unlikely(play.must_head != U0):
        heads = following & winners
        following = select((heads != U0) & (not ruffed), heads, following)
    free = select(following != U0, following, hand)
    # a branch, so that a player who follows, or has no trump, need not wait for the card that wins so far
    if unlikely((following == U0) & (suit != U0) & (hand & trumps & play.must_ruff != U0)):
        due = ruff_due(play, hand, winners, trumps)
        return select(due != U0, due, free)
    return free


@inlined
def cannot_hold(play, card, suit, winners, trumps, ruffed):
    """Cards that a player who has played a card cannot hold besides: with one of them, it would not have been legal.

    play : PlayRules
    card : uint64        what he played, one bit
    suit : uint64        mask of the suit led, 0 where he led
    winners : uint64     cards that would have beaten the trick before
    trumps : uint64      mask of the trump suit, empty for no trump
    ruffed : bool        whether the trick was ruffed before
    -> uint64
    """
    following = suit & play.must_follow
    if card & following != U0:  # he followed: where he had to head the trick and did not, he could not
        heads = (play.must_head != U0) & (not ruffed) & (card & winners == U0)
        return select(heads, following & winners, U0)
    beats = (card & trumps & winners != U0) | (card & trumps & play.any_ruff != U0)
    unbeaten = select(beats, U0, winners & trumps & play.must_ruff)  # he would have had to ruff with one of them
    lower = select(card & trumps == U0, trumps & play.must_underruff, U0)
    return select(suit == U0, U0, following | unbeaten | lower)
