"""Perfect play of two known hands by trying every card: what each side can make sure of.

Nothing is left out and nothing is assumed about which cards are worth playing; only positions met before are remembered.
"""

from __future__ import annotations

from .colons import suit_barred_by
from .play import legal_leads, legal_replies, trick_is_won_by_reply


def best_result(rules, hands, leader, trump, payoff, barred=None, led=None):
    """What seat 0 can make sure of when it wants much of a payoff and seat 1 wants little.

    Parameters
    ----------
    rules : dict
        The variant.
    hands : list of list of str
        Cards of seat 0 and of seat 1; a led card is no longer in its hand.
    leader : int
        Who leads, or has led.
    trump : str or None
        The trump suit.
    payoff : list
        By the tricks that seat 0 takes from here on.
    barred : str, optional
        The suit that the leader may not lead.
    led : str, optional
        The card on the table.
    """
    return _Search(rules, trump, payoff).value(hands, leader, barred, led, 0)


def most_tricks(rules, hands, leader, trump, barred=None, led=None):
    """Tricks that seat 0 takes when both sides play for tricks; arguments as of `best_result`."""
    return best_result(rules, hands, leader, trump, list(range(14)), barred, led)


class _Search:
    def __init__(self, rules, trump, payoff):
        self.rules, self.trump, self.payoff = rules, trump, payoff
        self.met = {}

    def value(self, hands, leader, barred, led, taken):
        """Seat 0's payoff from a position in which it has taken some tricks."""
        if led is not None:
            return self.after_lead(hands, leader, led, taken)
        if not hands[0]:
            return self.payoff[taken]
        key = (frozenset(hands[0]), frozenset(hands[1]), leader, barred, taken)
        if key not in self.met:
            values = []
            for card in legal_leads(self.rules, hands[leader], barred):
                left = [[other for other in hand if other != card] for hand in hands]
                values.append(self.after_lead(left, leader, card, taken))
            self.met[key] = self.choice_of(leader, values)
        return self.met[key]

    def after_lead(self, hands, leader, led, taken):
        """The same with a card on the table."""
        follower = 1 - leader
        values = []
        for reply in legal_replies(self.rules, hands[follower], led, self.trump):
            left = [[card for card in hand if card != reply] for hand in hands]
            barred = suit_barred_by(self.rules, hands[follower], led, reply)
            winner = follower if trick_is_won_by_reply(led, reply, self.trump) else leader
            values.append(self.value(left, winner, barred, None, taken + (winner == 0)))
        return self.choice_of(follower, values)

    def choice_of(self, seat, values):
        """Seat 0 takes the most, seat 1 leaves the least."""
        return max(values) if seat == 0 else min(values)
