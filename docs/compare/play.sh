#!/bin/sh
# Plays every comparison of this folder anew, as the README names them, and the exploration of Agon:
#     docs/compare/play.sh [FOLDER]
# Rerun to resume. `python docs/compare/tables.py FOLDER` then prints the tables of the README.
set -eu
out=${1:-$(dirname "$0")}

compare() {
    folder=$1
    shift
    parlour compare "$@" --seed 1 --out "$out/$folder"
}

compare agon agon --players champion:2,expectimax:2,mcts:20 --skill champion:1,champion:2 --games 200
compare agon-deeper agon --variants classic,ring,bloody_queen --players champion:4 --skill none --games 100
compare swords_and_shields swords_and_shields --players champion:4,expectimax:3,mcts:100 \
    --skill champion:2,champion:4 --trace mcts:10,5 --games 200
compare acey_ducey acey_ducey --players champion,greedy,mcts:50 --skill greedy,champion --trace mcts:2,5 --games 200
compare royal_ur royal_ur --players champion,expectimax:2,mcts:50 --skill greedy,champion --trace mcts:2,5 --games 200
compare backgammon backgammon --players greedy,expectimax:2 --skill greedy,expectimax:2 --games 100
compare backgammon-champion backgammon --variants standard,nackgammon --players champion,greedy \
    --skill greedy,champion --games 100
compare checkers checkers --players champion:4,expectimax:4,mcts:100 --skill champion:2,champion:4 --trace mcts:10,5 \
    --games 200
compare crown_and_anchor crown_and_anchor --players bold,mcts:50 --skill mcts:10,mcts:100 --games 100

parlour explore agon --options geometry,entering,guard_goes,queen_goes,surround_loses,repetition \
    --goal undecided:min,skill:max,plies:100..200 --player mcts:20 --skill mcts:20,mcts:200 \
    --games 20 --final 200 --seed 1 --out "$out/agon-explored"
