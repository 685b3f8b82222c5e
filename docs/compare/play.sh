#!/bin/sh
# Plays every comparison of this folder anew, and the exploration of Agon: docs/compare/play.sh [FOLDER]
# Rerun to resume. What is played is set by variables, such as
#     PLAYERS=champion,mcts:400 SKILL=mcts:100,mcts:1000 TRACE=mcts:50,5 GAMES=400 docs/compare/play.sh runs
# `python docs/compare/tables.py FOLDER` then prints the tables of the README.
set -eu
out=${1:-$(dirname "$0")}
players=${PLAYERS:-mcts:100,expectimax:2}
skill=${SKILL:-mcts:20,mcts:200}
trace=${TRACE:-mcts:10,5}
games=${GAMES:-200}
seed=${SEED:-1}

compare() {
    game=$1 own=$2
    parlour compare "$game" --players "$own" --skill "$skill" --trace "$trace" --games "$games" --seed "$seed" \
        --out "$out/$game"
}

compare agon "$players"
compare swords_and_shields "$players"
compare acey_ducey "$players"
compare checkers "$players"
compare crown_and_anchor "${CROWN_PLAYERS:-bold,mcts:50}"

parlour explore agon --options geometry,entering,guard_goes,queen_goes,surround_loses,repetition \
    --goal undecided:min,skill:max,plies:100..200 --player "${EXPLORER:-mcts:20}" --skill "$skill" \
    --games "${EXPLORE_GAMES:-20}" --final "$games" --seed "$seed" --out "$out/agon-explored"
