"""The course of a deal in Python, for bots in Python: the same phases and rule functions as `simcore.course`, decided
by objects.

With shipped bots in every seat it gives exactly what the kernels give (a test plays both). It is slow, about a
thousand deals a second, since every rule function is called from Python; use compiled bots for speed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simcore import codes, course
from simcore.bits import U0, U
from simcore.bots.bidding import switch as bidding
from simcore.bots.bidding.plan import BidPlan
from simcore.bots.exchange import switch as exchange
from simcore.bots.play import switch as play
from simcore.bots.view import AuctionView, ExchangeView, PlayView
from simcore.cards import COLON_OF, COLONS, trump_cards
from simcore.codes import BID_OFFSET, CALL_PASS, N_STRAINS
from simcore.errors import InputError
from simcore.phases.auction import bridge
from simcore.phases.exchange.draw_tricks import exchange_by_tricks
from simcore.phases.exchange.look_and_choose import exchange_by_choice
from simcore.phases.exchange.upcard import dealer_draw
from simcore.phases.match import FINISHED, GOES_ON, end_reached, leader_of, match_status
from simcore.phases.play import two_hand_rules
from simcore.plugins import PythonBot
from simcore.rng import below, bidding_key, deal_key, derive, exchange_key, match_key, play_key
from simcore.solving import solving_memory
from simcore.table import Contracted, Record, Table

if TYPE_CHECKING:
    from simcore.batch import Setup

Players = tuple[PythonBot | None, ...]
I = np.int64


class SlowDeal:
    """One deal between two seats, some of whose bots may be Python objects.

    Attributes
    ----------
    players : tuple
        By seat, the Python bot or None for a bot of the kernels.
    """

    def __init__(self, setup: Setup, players: Players, key: np.uint64, dealer: int, deals_left: int, table: Table) -> None:
        self.setup, self.players, self.key = setup, players, key
        self.rules, self.bots = setup.rules, setup.bot_table
        self.dealer, self.deals_left, self.table = dealer, deals_left, table

    def _python(self, seat: int, stage: str) -> PythonBot | None:
        player = self.players[seat]
        return player if player is not None and player.decides(stage) else None

    def _illegal(self, seat: int, choice: object, what: str) -> InputError:
        return InputError(f"bot {self.setup.bots[seat].name} (seat {seat}) chose {choice!r}, which is no legal {what}")

    # ------------------------------------------------------------------------------------------------------ exchange

    def exchange(self) -> None:
        """Both seats draw and throw, the non-dealer first (phases/exchange/upcard.py)."""
        rules = self.rules.exchange
        upcard = U(self.table.stock[0])
        n_other, n_dealer = rules.non_dealer_draw, int(dealer_draw(rules, upcard))
        extra = upcard if rules.takes_upcard else U0
        self._draw_and_throw(1 - self.dealer, 1, n_other, U0)
        self._draw_and_throw(self.dealer, 1 + n_other, n_dealer, extra)

    def _draw_and_throw(self, seat: int, first: int, n_cards: int, extra: np.uint64) -> None:
        hand = U(self.table.hands[seat]) | extra
        for i in range(first, first + n_cards):
            hand |= U(self.table.stock[i])
        n_throw = n_cards + (1 if extra else 0)
        thrown = U0
        if n_throw:
            view = ExchangeView(
                hand=hand,
                n_throw=n_throw,
                upcard=U(self.table.stock[0]),
                is_dealer=int(seat == self.dealer),
                colons=self.rules.deal.deck & COLONS,
                key=U(exchange_key(self.key, I(seat))),
            )
            player = self._python(seat, "exchange")
            if player is None:
                params, memory = self.bots.exchange_params, self.table.memory
                fixed = (params, memory, I(seat), None, self.bots.keeping)
                choice = exchange.choose_throw(self.bots.exchange[seat], view, *fixed)
            else:
                choice = player.choose_throw(view)
            if int(choice) & ~int(hand) or int(choice).bit_count() != n_throw:
                raise self._illegal(seat, choice, f"throw of {n_throw} cards")
            thrown = U(choice)
        self.table.hands[seat] = hand ^ thrown
        self.table.thrown[seat] = thrown
        self.table.gone[seat] = thrown
        self.table.drawn[seat] = n_throw

    # ------------------------------------------------------------------------------------------------------- auction

    def auction(self, calls: np.ndarray) -> Contracted:
        """Let both seats bid (phases/auction/bridge.py)."""
        rules = self.rules.auction
        assert rules is not None
        seat = self.dealer if rules.opener == codes.Role.DEALER else 1 - self.dealer
        plans = {s: self._plan(s) for s in (seat, 1 - seat)}
        hands = [U(hand) for hand in self.table.hands[:2]]
        may_bid = [U(bridge.holding(rules, hand, rules.min_suit_length)) for hand in hands]
        may_jump = [U(bridge.holding(rules, hand, rules.min_jump_length)) for hand in hands]
        other = 1 - seat
        mine, theirs = ((hands[s], may_bid[s], may_jump[s]) for s in (seat, other))
        open_hands = bridge.OpenHands(U(seat), *mine, *theirs)
        bridge.plan_with_all_cards(self.table.oracle, rules, self.bots, open_hands)
        known = [self._auction_view(s) for s in (seat, other)]
        bridge.plan_with_known_hands(self.table.known, rules, self.bots, *known, open_hands)
        bids = [U0, U0]
        last_bid, doubling, bidder, n_calls = codes.NO_BID, 0, codes.NO_SEAT, 0
        while True:
            legal = U(bridge.legal_bids(rules, may_bid[seat], may_jump[seat], I(last_bid)))
            may_double = int(bridge.legal_double(rules, I(seat), I(last_bid), I(bidder), I(doubling)))
            view = self._auction_view(seat)._replace(
                legal=legal,
                may_double=may_double,
                last_bid=last_bid,
                doubling=doubling,
                own_bids=bids[seat],
                opponent_bids=bids[1 - seat],
                own_calls=n_calls // 2,
            )
            call = self._call(seat, view, plans[seat])
            calls[n_calls] = call
            n_calls += 1
            if call == CALL_PASS and (last_bid >= 0 or n_calls == 2):
                break
            if call >= BID_OFFSET:
                last_bid, bidder, doubling = call - BID_OFFSET, seat, 0
                bids[seat] |= U(1) << U(last_bid)
            elif call != CALL_PASS:
                doubling += 1
            seat = 1 - seat
        return Contracted(last_bid, doubling, bidder, n_calls, int(bool(bids[0]) and bool(bids[1])))

    def _auction_view(self, seat: int) -> AuctionView:
        table = self.table
        return AuctionView(
            hand=U(table.hands[seat]),
            thrown=U(table.thrown[seat]),
            upcard=U(table.stock[0]) if self.rules.deal.upcard else U0,
            is_dealer=int(seat == self.dealer),
            own_drawn=int(table.drawn[seat]),
            opponent_drawn=int(table.drawn[1 - seat]),
            legal=U0,
            may_double=0,
            last_bid=codes.NO_BID,
            doubling=0,
            own_bids=U0,
            opponent_bids=U0,
            own_calls=0,
            own_score=int(table.totals[seat]),
            opponent_score=int(table.totals[1 - seat]),
            deals_left=self.deals_left,
            key=U(bidding_key(self.key, I(seat))),
            unseen=self.rules.deal.deck & ~(U(table.hands[seat]) | U(table.gone[seat]) | self._aside()),
        )

    def _aside(self) -> np.uint64:
        """The upcard where it is out of play."""
        is_aside = self.rules.deal.upcard and not self.rules.exchange.takes_upcard
        return U(self.table.stock[0]) if is_aside else U0

    def _plan(self, seat: int) -> BidPlan | None:
        if self._python(seat, "bidding") is not None:
            return None
        plan = bidding.plan_auction(
            self.bots.bidding[seat], self._auction_view(seat), self.bots.bidding_params, I(seat), expected=self.bots.expected
        )
        return BidPlan(*(U(part) for part in plan))

    def _call(self, seat: int, view: AuctionView, plan: BidPlan | None) -> int:
        player = self._python(seat, "bidding")
        if player is None:
            policy, params, tables = self.bots.bidding[seat], self.bots.bidding_params, self.bots.expected
            fixed = (self.table.memory, I(seat), None, 1, self.table.oracle, tables, self.table.known)
            return int(bidding.choose_call(policy, view, plan, params, *fixed))
        call = player.choose_call(view)
        is_bid = call >= BID_OFFSET and int(view.legal) >> (call - BID_OFFSET) & 1
        if not (is_bid or call == CALL_PASS or (call == view.may_double and view.may_double > 0)):
            raise self._illegal(seat, call, "call")
        return int(call)

    # ---------------------------------------------------------------------------------------------------------- play

    def play(self, contracted: Contracted, record: np.ndarray) -> int:
        """Play all tricks (phases/play/two_hands.py); -> declarer's tricks."""
        rules, table = self.rules.play, self.table
        declarer = contracted.declarer
        turned = U(self.table.stock[0]) if self.rules.deal.upcard else U0
        strain = int(two_hand_rules.trump_strain(rules, I(contracted.bid % N_STRAINS), turned))
        trumps = U(trump_cards(I(strain)))
        leader, bar = 1 - declarer, U0
        hands = [U(hand) for hand in table.hands[:2]]
        voids, lacks, notes, played = [U0, U0], [U0, U0], [U0, U0], U0
        tricks = [0, 0]
        for trick in range(self.rules.deal.final_cards):
            follower = 1 - leader
            fixed = self._play_view(contracted, strain, trumps, trick, tricks)
            legal = U(two_hand_rules.legal_leads(rules, hands[leader], bar))
            view = fixed(leader, hands[leader], legal, voids[follower], played)
            view = view._replace(bar=bar, opponent_lacks=lacks[follower])
            led, notes[leader] = self._card(leader, view, notes[leader], hands[follower])
            played |= led
            lacks[leader] |= U(two_hand_rules.lacks_after_lead(rules, led, bar))
            bit = U(int(led).bit_length() - 1)
            winners = U(two_hand_rules.winning_replies(bit, trumps))
            legal = U(two_hand_rules.legal_replies(rules, hands[follower], bit, trumps))
            view = fixed(follower, hands[follower], legal, voids[leader], played)
            view = view._replace(led=led, winners=winners, barring=COLON_OF[bit], opponent_lacks=lacks[leader])
            reply, notes[follower] = self._card(follower, view, notes[follower], hands[leader] ^ led)
            played |= reply
            bar = U(two_hand_rules.bar_after(rules, hands[follower], bit, reply))
            voids[follower] |= U(two_hand_rules.void_shown(rules, bit, reply))
            lacks[follower] |= U(two_hand_rules.lacks_after_reply(rules, bit, reply, winners))
            hands[leader] ^= led
            hands[follower] ^= reply
            record[trick] = led | reply
            if reply & winners:
                leader = follower
            tricks[leader] += 1
        return tricks[declarer]

    def _play_view(self, contracted: Contracted, strain: int, trumps: np.uint64, trick: int, tricks: list[int]) -> Any:
        """A function that makes a seat's view at this trick."""
        table = self.table
        aside = self._aside()

        def view(seat: int, hand: np.uint64, legal: np.uint64, opponent_void: np.uint64, played: np.uint64) -> PlayView:
            known = U(table.hands[seat]) | U(table.gone[seat]) | aside
            return PlayView(
                hand=hand,
                legal=legal,
                n_legal=U(int(legal).bit_count()),
                led=U0,
                winners=U0,
                barring=U0,
                bar=U0,
                unseen=self.rules.deal.deck & ~known & ~played,
                opponent_void=opponent_void,
                trumps=trumps,
                strain=strain,
                level=contracted.bid // N_STRAINS,
                doubling=contracted.doubling,
                is_declarer=int(seat == contracted.declarer),
                own_tricks=tricks[seat],
                trick=trick,
                n_tricks=self.rules.deal.final_cards,
                own_score=int(table.totals[seat]),
                opponent_score=int(table.totals[1 - seat]),
                key=U(play_key(self.key, I(seat))),
                opponent_lacks=U0,
            )

        return view

    def _card(self, seat: int, view: PlayView, note: np.uint64, other: np.uint64) -> tuple[np.uint64, np.uint64]:
        player = self._python(seat, "play")
        if player is None:
            choose = play.choose_follow if view.led else play.choose_lead
            fixed = (self.table.memory, U(seat), note, None, self.table.oracle, other, self.table.sampling)
            card, note = choose(self.bots.play[seat], view, self.bots.play_params, *fixed)
            return U(card), U(note)
        choice = player.choose_card(view)
        if int(choice).bit_count() != 1 or int(choice) & ~int(view.legal):
            raise self._illegal(seat, choice, "card")
        return U(choice), note


def _play_deal(deal: SlowDeal, match: int, record: Record, slot: int, columns: course.DealColumns, row: int) -> bool:
    """`simcore.course.play_deal` with Python bots in some seats; -> whether the deal was played."""
    setup, table = deal.setup, deal.table
    rules = setup.rules
    dealer = I(deal.dealer)
    course.prepare_deal(rules.choose, rules.common, deal.key, U(match), dealer, setup.given, table)
    record.dealt[slot] = table.hands
    table.thrown[:] = U0
    table.gone[:] = U0
    table.drawn[:] = 0
    if rules.exchange.kind == codes.ExchangeKind.UPCARD:
        deal.exchange()
    # in the other exchanges Python bots do not decide (simcore.batch.prepare)
    if rules.draw is not None:
        exchange_by_tricks(rules.common, rules.draw, setup.bot_table, deal.key, dealer, table, record.phase1, I(slot))
    if rules.choose is not None:
        exchange_by_choice(rules.common, rules.choose, setup.bot_table, deal.key, dealer, table, record.choices, I(slot))
    record.thrown[slot] = table.thrown
    kept = row if columns.hands.shape[1] > 1 else 0
    n_seats = rules.deal.players
    columns.hands[:, kept], columns.thrown[:, kept] = table.hands[:n_seats], table.thrown[:n_seats]
    course.write_hands(rules.common, I(n_seats), dealer, table, columns, I(row))
    contracted = deal.auction(record.calls[slot])
    columns.small[codes.DealColumn.CALLS, row] = contracted.n_calls
    columns.small[codes.DealColumn.CONTESTED, row] = contracted.contested
    if contracted.bid < 0:
        course.write_passed_out(I(n_seats), columns, I(row))
        return False
    tricks = deal.play(contracted, record.tricks[slot])
    tenths = int(course.write_result(rules.common, rules.score, contracted, dealer, I(tricks), columns, I(row)))
    table.totals[contracted.declarer] += max(tenths, 0)
    table.totals[1 - contracted.declarer] += max(-tenths, 0)
    return True


class _Progress:
    """Where a match stands (course.play_match)."""

    def __init__(self, setup: Setup, match: int) -> None:
        self.rules = setup.rules.match
        self.key = U(match_key(U(setup.seed), U(match)))
        given = setup.given.dealers
        drawn = int(below(U(derive(self.key, U0)), U0, U(setup.rules.deal.players)))
        self.dealer = int(given[match]) if len(given) and given[match] >= 0 else drawn
        self.n_rows = self.counted = self.redealt = 0
        self.reached = False

    def after(self, played: bool, players: int) -> None:
        """Count a deal and pass the deal on, unless it is dealt again."""
        self.n_rows += 1
        if played or not self.rules.redeal or self.redealt == codes.MAX_REDEALS:
            self.counted += 1
            self.redealt = 0
            self.dealer = (self.dealer + 1) % players
        else:
            self.redealt += 1

    def status(self, totals: np.ndarray, players: int) -> int:
        """GOES_ON, FINISHED or CAPPED."""
        self.reached |= bool(end_reached(self.rules, I(self.counted), totals, I(players)))
        level = leader_of(totals, I(players)) < 0
        return int(match_status(self.rules, self.reached, I(self.counted), I(self.n_rows), level))


def play_matches(
    setup: Setup,
    players: Players,
    first_match: int,
    n_matches: int,
    record: Record,
    deals: course.DealColumns,
    matches: course.MatchColumns,
) -> tuple[int, int]:
    """`simcore.course.play_matches` with Python bots in some seats; -> rows written, matches played."""
    table, _memory = solving_memory(setup)  # kept while the table knows its addresses
    n_seats = setup.rules.deal.players
    row = 0
    for i in range(n_matches):
        match, first_row = first_match + i, row
        table.totals[:] = 0
        at = _Progress(setup, match)
        status = GOES_ON
        while status == GOES_ON:
            if row >= len(deals.match):
                return first_row, i
            deals.match[row], deals.deal[row] = match, at.n_rows
            slot = row if len(record.dealt) > 1 else 0
            deals_left = max(at.rules.deals - at.counted, 1)
            key = U(deal_key(at.key, U(at.n_rows)))
            deal = SlowDeal(setup, players, key, at.dealer, deals_left, table)
            at.after(_play_deal(deal, match, record, slot, deals, row), n_seats)
            row += 1
            status = at.status(table.totals, n_seats)
        matches.match[i], matches.deals[i] = match, at.n_rows
        matches.totals[:, i] = table.totals[:n_seats]
        matches.winner[i] = leader_of(table.totals, I(n_seats))
        matches.finished[i] = status == FINISHED
    return row, n_matches
