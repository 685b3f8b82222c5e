"""Crown and Anchor, clause by clause: its README and docs/common_rules.md; Parker is the printed sheet."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import parlour
from parlour.envs.crown_and_anchor.evaluation import PLAYERS, bold
from parlour.interfaces.aec import GameEnv
from tests.support.evaluation import greedy_moves, happened
from tests.support.games import begun
from tests.support.texts import play

GAME = "crown_and_anchor-v0"
DESIGNS = ("crown", "anchor", "heart", "spade", "diamond", "club")
SEAT_COUNTS = [2, 3, 4, 7, 12]

both_payouts = pytest.mark.parametrize("payout", ["net", "gross"])
both_banks = pytest.mark.parametrize("bank", ["unlimited", "limited"])
both_bets = pytest.mark.parametrize("bets", ["one", "many"])


def at(
    chips: str,
    laid: str = "",
    seat: int | None = None,
    banker: int = 0,
    throws: int = 3,
    plies: int = 9,
    **options: Any,
) -> GameEnv:
    """A game from a set-up; without ``seat`` the Banker is to act. ``players`` follows from the chips."""
    options.setdefault("players", len(chips.split()))
    env = parlour.make(GAME, illegal_move="raise", **options)
    where = f"bets{' ' * bool(laid)}{laid} | player_{banker if seat is None else seat} | dice 1 2 3 | {plies}"
    env.reset(seed=0, options={"position": f"chips {chips} | banker {banker} | throws {throws} | {where}"})
    return env


def rolled(env: GameEnv, *faces: int) -> GameEnv:
    """After the Banker's throw of these faces."""
    env.set_dice([faces])
    env.step(env.parse_move("roll"))
    assert env.dice == faces
    return env


def chips(env: GameEnv) -> list[int]:
    return [int(count) for count in env.position().partition(" |")[0].split()[1:]]


def field(env: GameEnv, key: str) -> str:
    return next(part for part in env.position().split(" | ") if part.startswith(key))


def changes(env: GameEnv) -> list[int]:
    """The latest ply's rewards, in chips."""
    return [round(reward * env.values["start_chips"]) for reward in env.rewards.values()]


# --- the first Banker ---


@pytest.mark.parametrize("players", SEAT_COUNTS)
@pytest.mark.parametrize("misses", [0, 1, 5, 14])
def test_each_seat_throws_one_die_from_player_0_round_and_round_until_a_crown(players: int, misses: int) -> None:
    """“First Banker: each seat in turn throws one die, from player_0, round and round, until a crown comes.”"""
    env = begun(GAME, 1, throws=[(1 + k % 5,) for k in range(misses)] + [(0,)], players=players)
    banker = misses % players
    assert field(env, "banker") == f"banker {banker}"
    assert env.agent_selection == f"player_{(banker + 1) % players}"
    assert env.dice == ()  # “opening throws are not shown”
    assert field(env, "throws") == "throws 0"
    assert chips(env) == [20] * players
    assert set(env.rewards.values()) == {0.0}


# --- betting ---


@pytest.mark.parametrize("players", SEAT_COUNTS)
def test_every_seat_but_the_banker_bets_from_the_bankers_left_then_the_banker_throws(players: int) -> None:
    """“every seat but the Banker, from the Banker's left on (ascending seat order, wrapping round) … Then the Banker
    throws (`roll`).”"""
    banker = players // 2
    env = at(" ".join(["20"] * players), seat=(banker + 1) % players, banker=banker)
    for k in range(1, players):
        assert env.agent_selection == f"player_{(banker + k) % players}"
        assert "roll" not in env.legal_moves()
        play(env, "heart*2")
        assert set(env.rewards.values()) == {0.0}  # “a bet itself gives no reward”
        assert chips(env) == [20] * players  # “Stakes stay among a seat's chips until the throw”
    assert env.agent_selection == f"player_{banker}"
    assert env.legal_moves() == ["roll"]
    rolled(env, 0, 1, 3)
    assert env.agent_selection == f"player_{(banker + 1) % players}"
    assert field(env, "throws") == "throws 4"


@pytest.mark.parametrize("max_stake", [1, 2, 5, 8, 130])
def test_a_bet_is_1_to_max_stake_chips_on_one_design(max_stake: int) -> None:
    """“a bet of 1 to `max_stake` … chips … on one design”; actions in the order of designs, then stakes."""
    env = at("200 200 200", seat=1, max_stake=max_stake)
    bets = [f"{design}*{stake}" for design in DESIGNS for stake in range(1, max_stake + 1)]
    assert env.legal_moves() == bets
    assert [env.move_name(action) for action in range(6 * max_stake + 2)] == [*bets, "done", "roll"]
    assert env.action_space("player_0").n == 6 * max_stake + 2
    with pytest.raises(ValueError):
        env.parse_move(f"crown*{max_stake + 1}")


@pytest.mark.parametrize("held", [1, 2, 4, 5, 6])
def test_a_bet_is_at_most_what_the_seat_has(held: int) -> None:
    """“at most what it has”: the other seats' and the Banker's chips don't matter."""
    env = at(f"1 {held} 30", seat=1)
    assert env.legal_moves() == [f"{design}*{stake}" for design in DESIGNS for stake in range(1, min(held, 5) + 1)]
    assert play(env, f"club*{min(held, 5)}").agent_selection == "player_2"


@both_bets
def test_seats_without_chips_are_skipped(bets: str) -> None:
    """“A seat that has no chips (zero or below) when the round begins is skipped.” It stays in the game."""
    env = at("20 0 5 -3 7 0", seat=2, bets=bets)
    done = ["done"] if bets == "many" else []
    play(env, "crown*1", *done)
    assert env.agent_selection == "player_4"
    play(env, "crown*1", *done)
    assert env.agent_selection == "player_0"
    assert len(env.agents) == 6
    assert not any(env.terminations.values())
    rolled(env, 1, 2, 3)
    assert env.agent_selection == "player_2"


def test_if_nobody_can_bet_the_banker_throws_all_the_same() -> None:
    """Again and again, at reward 0, each counting for `rounds`; with an unlimited bank that is no end."""
    env = at("60 0 0", throws=3)
    for throw in range(4, 7):
        assert env.legal_moves() == ["roll"]
        rolled(env, 0, 1, 2)
        assert field(env, "throws") == f"throws {throw}"
        assert set(env.rewards.values()) == {0.0}
        assert not env.is_over()
    rolled(env, 4, 4, 4)
    assert field(env, "banker") == "banker 1"
    assert env.agent_selection == "player_0"


def test_a_bet_is_not_limited_by_the_bankers_means() -> None:
    """“it is not limited by the Banker's means”."""
    for bank in ("unlimited", "limited"):
        env = at("1 20 20", seat=1, bank=bank)
        assert "crown*5" in env.legal_moves()
    assert "crown*5" in at("-9 20 20", seat=1).legal_moves()


def test_with_one_bet_the_turn_ends_without_done() -> None:
    """“With `one` a bet ends the seat's turn without `done`”."""
    env = at("20 20 20", seat=1)
    assert "done" not in env.legal_moves()
    assert play(env, "crown*1").agent_selection == "player_2"


def test_with_many_bets_each_adds_up_to_max_stake_a_design_and_the_chips_in_all() -> None:
    """“several bets, each adding to what lies on that design, up to max_stake a design and to its chips in all, then
    `done`, legal once a bet has been placed in this round”."""
    env = at("20 8 20", seat=1, bets="many")
    assert "done" not in env.legal_moves()
    play(env, "crown*2")
    assert env.agent_selection == "player_1"
    assert env.legal_moves()[-1] == "done"
    assert env.legal_moves()[:4] == ["crown*1", "crown*2", "crown*3", "anchor*1"]
    play(env, "crown*1", "club*3")
    assert field(env, "bets") == "bets 1:crown*3,club*3"
    assert env.legal_moves() == [f"{design}*{k}" for design in DESIGNS for k in (1, 2)] + ["done"]
    play(env, "crown*2")
    assert env.legal_moves() == ["done"]  # “`done` is a ply of its own even where it is the only one left”
    assert play(env, "done").agent_selection == "player_2"
    assert field(env, "bets") == "bets 1:crown*5,club*3"
    assert "done" not in env.legal_moves()


def test_a_full_cloth_leaves_done_alone() -> None:
    """All six designs at `max_stake`."""
    env = at("20 20 20", seat=1, bets="many", max_stake=1)
    play(env, *(f"{design}*1" for design in DESIGNS))
    assert env.legal_moves() == ["done"]


@both_bets
def test_a_seat_may_sit_out_where_the_option_says_so(bets: str) -> None:
    """“`sit_out` … a seat may place nothing: `done` is legal from the start; with `one` it means no bet”."""
    env = at("20 20 20", seat=1, bets=bets, sit_out=True)
    assert env.legal_moves()[-1] == "done"
    play(env, "done")
    assert env.agent_selection == "player_2"
    assert field(env, "bets") == "bets 1:-"
    play(env, "done")
    assert env.legal_moves() == ["roll"]  # the Banker has no choice
    rolled(env, 0, 0, 1)
    assert changes(env) == [0, 0, 0]


# --- settlement ---


@both_payouts
def test_all_216_throws_pay_exactly(payout: str) -> None:
    """“A design shown on m dice pays the stake m-fold, and the stake is kept: `net` | `gross` (m-fold including the
    stake, that is m − 1 from the Banker). The Banker collects the rest.”"""
    cloth = {1: {"crown": 3}, 2: {"club": 1, "heart": 4}, 3: dict.fromkeys(DESIGNS, 2)}
    text = " ".join(f"{seat}:" + ",".join(f"{d}*{stake}" for d, stake in laid.items()) for seat, laid in cloth.items())
    env = at("20 20 20 20", text, bets="many", payout=payout, rounds=300)
    start = env.position()
    for faces in product(range(6), repeat=3):
        expected = [0, 0, 0, 0]
        for seat, laid in cloth.items():
            for design, stake in laid.items():
                shown = faces.count(DESIGNS.index(design))
                gain = (shown if payout == "net" else shown - 1) * stake if shown else -stake
                expected[seat] += gain
                expected[0] -= gain
        env.reset(options={"position": start, "dice": [faces]})
        play(env, "roll")
        assert changes(env) == expected, faces
        assert chips(env) == [20 + change for change in expected]
        assert list(env.rewards.values()) == [change / 20 for change in expected]
        assert field(env, "bets") == "bets"
        assert field(env, "banker") == f"banker {1 if len(set(faces)) == 1 else 0}"
        assert field(env, "dice") == f"dice {faces[0]} {faces[1]} {faces[2]}"  # “order kept”


def test_rewards_are_in_start_chips() -> None:
    """“each seat's change in chips divided by `start_chips`, none besides at the end”."""
    for start in (1, 7, 20, 1000):
        env = at("20 20 20", "1:crown*5 2:anchor*3", start_chips=start, rounds=4)
        rolled(env, 0, 0, 2)
        assert env.is_over()
        assert list(env.rewards.values()) == [change / start for change in (-7, 10, -3)]


# --- triples ---


@pytest.mark.parametrize("face", range(6))
@pytest.mark.parametrize("players", SEAT_COUNTS)
def test_on_a_triple_the_bank_passes_to_the_left_after_the_settlement(face: int, players: int) -> None:
    """“Triples: settled as usual, then the bank passes to the left (next higher seat, wrapping round).”"""
    banker = players - 1
    bets = " ".join(f"{seat}:crown*1" for seat in range(players - 1))
    env = rolled(at(" ".join(["20"] * players), bets, banker=banker), face, face, face)
    gain = 3 if face == 0 else -1
    assert changes(env) == [gain] * (players - 1) + [-gain * (players - 1)]
    assert field(env, "banker") == "banker 0"
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize("faces", [(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 1, 2)])
def test_otherwise_the_bank_stays(faces: tuple[int, ...]) -> None:
    assert field(rolled(at("20 20 20", "1:crown*1 2:crown*1"), *faces), "banker") == "banker 0"


# --- the Banker's means ---


def test_an_unlimited_bank_owes() -> None:
    """“the Banker's chips may go below zero; the bank passes to the next seat whatever its chips”."""
    env = rolled(at("2 20 0 5", "1:crown*5 3:crown*5"), 0, 0, 5)
    assert chips(env) == [-18, 30, 0, 15]
    assert field(env, "banker") == "banker 0"
    assert env.agent_selection == "player_1"
    env = rolled(at("-20 20 0 5", "3:crown*5", banker=1), 1, 1, 1)
    assert field(env, "banker") == "banker 2"  # who has nothing
    assert env.agent_selection == "player_1"


def test_an_unlimited_bank_passes_to_a_seat_in_debt() -> None:
    assert field(rolled(at("40 -9 9", "2:crown*1"), 3, 3, 3), "banker") == "banker 1"


def test_a_limited_bank_collects_then_pays_in_betting_order_as_far_as_it_can() -> None:
    """“the Banker first collects all lost stakes, then pays with the chips it then has, seat by seat in betting order,
    each seat all that it is owed on all its designs, as far as the chips go, the last in part”."""
    bets = "2:crown*2 3:anchor*5 0:crown*3,club*1"
    env = rolled(at("20 4 20 20", bets, banker=1, bank="limited", bets="many"), 0, 0, 5)
    # collected: 5 from player_3; owed: 4 to player_2, 7 to player_0; 9 in the bank
    assert changes(env) == [5, -4, 4, -5]
    assert chips(env) == [25, 0, 24, 15]
    assert field(env, "banker") == "banker 2"
    bets = "1:anchor*2 2:crown*2 3:crown*1"  # what comes late in the order is collected before the first is paid
    env = rolled(at("1 20 20 20", bets, bank="limited"), 1, 1, 2)
    assert changes(env) == [-1, 4, -2, -1]


def test_a_limited_bank_that_has_nothing_left_pays_the_later_seats_nothing() -> None:
    env = rolled(at("3 20 20 20", "1:crown*2 2:crown*2 3:crown*2", bank="limited"), 0, 1, 2)
    assert changes(env) == [-3, 2, 1, 0]  # player_3 keeps its stake


@pytest.mark.parametrize(("held", "heir"), [("9 20 9", 1), ("0 20 9", 2), ("1 20 9", 2), ("0 0 9", 3), ("1 1 9", 3)])
def test_a_limited_bank_passes_to_the_next_seat_with_chips(held: str, heir: int) -> None:
    """“after settlement the bank passes on a triple and whenever the Banker has no chips left, once, to the next higher
    seat that has chips”: those that the settlement has left some."""
    bets = " ".join(f"{seat}:crown*1" for seat, count in enumerate(held.split(), 1) if count != "0")
    env = rolled(at(f"20 {held}", bets, bank="limited"), 4, 4, 4)
    assert field(env, "banker") == f"banker {heir}"


def test_a_ruined_banker_passes_the_bank_without_a_triple_and_once() -> None:
    env = rolled(at("2 0 20 20", "2:crown*5 3:club*1", bank="limited"), 0, 1, 2)
    assert chips(env) == [0, 0, 23, 19]
    assert field(env, "banker") == "banker 2"
    env = rolled(at("2 0 20 20", "2:crown*5 3:club*1", bank="limited"), 0, 0, 0)
    assert field(env, "banker") == "banker 2"  # a triple and a ruin at once


@pytest.mark.parametrize("faces", [(1, 2, 3), (4, 4, 4)])
def test_one_seat_with_all_the_chips_ends_a_limited_game(faces: tuple[int, ...]) -> None:
    """“one seat holding all the chips ends the game”; “at the end all seats are *terminated* together”."""
    env = rolled(at("57 2 1", "1:crown*2 2:crown*1", bank="limited"), *faces)
    assert changes(env) == [3, -2, -1]
    assert env.games.ending(0) == "all_chips"
    assert set(env.terminations.values()) == {True}
    assert set(env.truncations.values()) == {False}
    assert env.legal_moves() == []
    env = rolled(at("2 58 0", "1:crown*5", bank="limited"), 0, 1, 2)  # not the Banker's
    assert env.games.ending(0) == "all_chips"
    assert chips(env) == [0, 60, 0]


def test_one_seat_with_all_the_chips_does_not_end_an_unlimited_game() -> None:
    env = rolled(at("57 2 1", "1:crown*2 2:crown*1"), 1, 2, 3)
    assert not env.is_over()
    assert env.legal_moves() == ["roll"]


# --- ends ---


@both_banks
def test_the_game_ends_after_the_settlement_of_throw_number_rounds(bank: str) -> None:
    """“The game ends (terminated) after the settlement of throw number `rounds`”."""
    env = rolled(at("20 20", "1:crown*2", throws=99, bank=bank), 0, 0, 1)
    assert env.games.ending(0) == "rounds"
    assert set(env.terminations.values()) == {True}
    assert changes(env) == [-4, 4]
    assert not rolled(at("20 20", "1:crown*2", throws=98, bank=bank), 0, 0, 1).is_over()


def test_all_chips_on_the_last_throw() -> None:
    env = rolled(at("18 2", "1:crown*2", throws=99, bank="limited"), 1, 2, 3)
    assert env.games.ending(0) == "all_chips"


def test_max_plies_cuts_a_round_and_the_stakes_are_void() -> None:
    """“`max_plies` default 0; when it truncates in mid-round the bets on the table are void.”"""
    env = play(at("20 20 20", "1:crown*2", seat=2, plies=9, max_plies=10), "crown*5")
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert set(env.rewards.values()) == {0.0}
    assert chips(env) == [20, 20, 20]
    assert env.legal_moves() == []


# --- what is seen ---


def test_planes_from_the_seat_that_looks_to_its_left() -> None:
    """Rows are seats, the own one first; columns are designs."""
    env = at("5 300 -7 20", "3:crown*2,anchor*1 0:club*5", seat=1, banker=2, throws=3, bets="many", plies=17,
             max_plies=1017)  # fmt: skip
    for viewer in range(4):
        planes = env.observe(f"player_{viewer}")["observation"]
        order = [(viewer + k) % 4 for k in range(4)]
        stakes = {3: [2, 1, 0, 0, 0, 0], 0: [0, 0, 0, 0, 0, 5]}
        assert planes[0].tolist() == [stakes.get(seat, [0] * 6) for seat in order]
        assert planes[1].tolist() == [[0, 1, 1, 1, 0, 0]] * 4  # the dice 1 2 3
        held = [(5, 300, -7, 20)[seat] for seat in order]
        assert planes[2].tolist() == [[count // 128] * 6 for count in held]
        assert planes[3].tolist() == [[count % 128] * 6 for count in held]
        assert planes[4].tolist() == [[int(seat == 2)] * 6 for seat in order]
        assert planes[5].tolist() == [[int(seat == 1)] * 6 for seat in order]
        for plane, value in ((6, 0), (7, 97), (8, 1000 // 128), (9, 1000 % 128)):
            assert (planes[plane] == value).all()


def test_planes_of_dice_count_the_dice() -> None:
    env = rolled(at("20 20", "1:crown*1"), 4, 4, 0)
    assert env.observe("player_1")["observation"][1].tolist() == [[1, 0, 0, 0, 2, 0]] * 2
    fresh = begun(GAME)
    assert not fresh.state()[1].any()


def test_planes_of_numbers_too_large_stop_at_the_largest() -> None:
    env = at("100000 -100000", seat=None, max_stake=300, start_chips=1)
    planes = env.observe("player_0")["observation"]
    assert (planes[2, 0] == 127).all()
    assert (planes[3, 0] == 127).all()
    assert (planes[2, 1] == -128).all()
    assert (planes[3, 1] == 0).all()


def test_stakes_of_more_than_127_take_two_planes() -> None:
    """“Numbers in observations that may leave −128…127 … take two int8 planes, value // 128 and value mod 128”."""
    env = at("900 900", "1:heart*300", max_stake=300)
    planes = env.observe("player_1")["observation"]
    assert planes.shape == (11, 2, 6)
    assert planes[0, 0].tolist() == [0, 0, 300 % 128, 0, 0, 0]
    assert planes[10, 0].tolist() == [0, 0, 300 // 128, 0, 0, 0]
    assert parlour.make(GAME, max_stake=127).observation_space("player_0")["observation"].shape == (10, 4, 6)


# --- options ---


# --- players and events ---


def test_greedy_bets_the_least_and_bold_the_most() -> None:
    assert PLAYERS["bold"] is bold
    assert len(PLAYERS) == 1
    env = at("20 4 20", seat=1)
    assert greedy_moves(env) == {f"{design}*1" for design in DESIGNS}
    assert greedy_moves(env, "bold") == {f"{design}*4" for design in DESIGNS}
    env = at("20 4 20", seat=1, sit_out=True)
    assert greedy_moves(env) == {"done"}
    assert greedy_moves(env, "bold") == {f"{design}*4" for design in DESIGNS}
    env = at("20 8 20", "1:crown*3", seat=1, bets="many")
    assert greedy_moves(env) == {"done"}
    assert greedy_moves(env, "bold") == {f"{design}*5" for design in DESIGNS[1:]}


def counted(env: GameEnv, move: str, faces: tuple[int, ...] = ()) -> dict[str, int]:
    """The events of one ply."""
    env.set_dice([faces] if faces else [])
    return happened(env, move)


def test_events_of_betting() -> None:
    assert counted(at("20 20 20", seat=1), "crown*3") == {"bet": 1}
    assert counted(at("20 20 20", seat=1, sit_out=True), "done") == {"sit_out": 1}
    assert counted(at("20 20 20", "1:crown*1", seat=1, bets="many"), "done") == {}
    assert counted(at("20 20 20", "1:crown*1", seat=1, bets="many"), "crown*1") == {"bet": 1}


def test_events_of_a_throw() -> None:
    bets = "1:crown*1,anchor*2 2:heart*3"
    env = at("20 20 3 20", bets + " 3:-", bets="many", sit_out=True)
    assert counted(env, "roll", (0, 0, 1)) == {"double": 1, "single": 1, "unclaimed": 1, "broke": 1}
    env = at("3 20 20", "1:heart*5 2:club*1")
    assert counted(env, "roll", (2, 2, 2)) == {
        "triple": 1, "unclaimed": 1, "triples": 1, "bank_passed": 1, "broke": 1, "in_debt": 1,
    }  # fmt: skip
    env = at("3 20 20", "1:heart*5 2:club*1", bank="limited")
    assert counted(env, "roll", (2, 0, 5)) == {"single": 2, "short": 2, "bank_passed": 1, "broke": 1}
    assert counted(at("60 0 0"), "roll", (0, 1, 2)) == {"empty_cloth": 1}
