"use strict";
// Replays recorded games. parlour.records.page makes the data and documents their format.
const at = (id) => document.getElementById(id);
let data, game, ply = 0, timer = null;

// Rebuilds texts. Each is stored as the differences of its token list from an earlier one: see changes() in page.py.
function expand(changes, tokens) {
  const lists = [];
  for (const [back, ...steps] of changes) {
    const list = (lists[lists.length - back] || []).slice();
    for (let k = 0; k < steps.length; k += 3) list.splice(steps[k], steps[k + 1], ...steps[k + 2]);
    lists.push(list);
  }
  return lists.map((list) => list.map((token) => tokens[token]).join(""));
}

// The data of long games are packed: JSON, deflated, in base64.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

function open(number) {
  stop();
  game = data.games[number];
  game.frames = game.frames || expand(game.pictures, game.tokens);
  game.texts = game.texts || expand(game.positions, game.tokens);
  at("title").textContent = game.title;
  at("about").textContent = game.about;
  at("slider").max = game.frames.length - 1;
  at("record").href = "data:application/json;charset=utf-8," + encodeURIComponent(game.record + "\n");
  const list = at("moves");
  list.replaceChildren(...game.moves.map((move, k) => {
    const item = document.createElement("li"), button = document.createElement("button"), number = document.createElement("span");
    number.className = "number";
    number.textContent = `${k + 1} `;
    button.append(number, move);
    button.title = game.seats[game.movers[k]] || "";
    button.tabIndex = -1; // Tab reaches the current move alone
    button.onclick = () => show(k + 1);
    item.append(button);
    return item;
  }));
  drawGraph();
  show(0);
}

function show(next) {
  ply = Math.max(0, Math.min(next, game.frames.length - 1));
  const thought = game.thoughts[ply], marks = thought && at("marks").checked ? thought.marks : "";
  at("board").innerHTML = game.frames[ply].replace("</svg>", `${marks}</svg>`);
  const picture = at("board").firstElementChild, status = game.titles[ply];
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", status);
  at("status").textContent = (ply ? `${ply}. ${game.moves[ply - 1]} — ` : "") + status;
  at("comment").textContent = game.comments[ply] || "";
  at("comment").hidden = !game.comments[ply];
  at("slider").value = ply;
  at("slider").setAttribute("aria-valuetext", ply ? `ply ${ply}: ${game.moves[ply - 1]}` : "start");
  at("position").value = game.texts[ply];
  const before = at("moves").querySelector("[aria-current]"), onMove = at("moves").contains(document.activeElement);
  before?.removeAttribute("aria-current");
  if (before) before.tabIndex = -1;
  const button = ply ? at("moves").children[ply - 1].firstChild : null;
  button?.setAttribute("aria-current", "true");
  if (button) button.tabIndex = 0;
  if (button && onMove) button.focus();
  if (button) at("moves").scrollTop = button.offsetTop - at("moves").offsetTop - 60;
  at("graph").querySelector("line.now")?.setAttribute("x1", ply);
  at("graph").querySelector("line.now")?.setAttribute("x2", ply);
  showThought(thought);
  if (ply === game.frames.length - 1) stop();
}

function showThought(thought) {
  at("thought").hidden = !game.thoughts.some(Boolean);
  at("thought-words").replaceChildren();
  if (!thought) return;
  const line = (text) => { const p = document.createElement("p"); p.textContent = text; at("thought-words").append(p); };
  if (thought.value !== null) line(`value ${thought.value.toFixed(2)} for ${game.seats[game.movers[ply]] || "the seat to act"}`);
  for (const [move, probability, value] of thought.actions) {
    const row = document.createElement("div"), name = document.createElement("span"), bar = document.createElement("meter"), number = document.createElement("span");
    row.className = "choice";
    name.textContent = move;
    bar.value = probability ?? 0;
    number.textContent = probability === null ? (value ?? 0).toFixed(2) : `${Math.round(100 * probability)} %`;
    row.append(name, bar, number);
    at("thought-words").append(row);
  }
  if (thought.line.length) line(`expected: ${thought.line.join(" ")}`);
}

function drawGraph() {
  const points = game.potentials.map((value, k) => (value === null ? null : [k, 1 - value])).filter(Boolean);
  const graph = at("graph"), last = game.frames.length - 1;
  graph.toggleAttribute("hidden", points.length < 2);
  at("graph-words").hidden = points.length < 2;
  if (points.length < 2) return;
  graph.setAttribute("viewBox", `0 -0.08 ${last} 2.16`);
  const stroke = 'vector-effect="non-scaling-stroke" fill="none"';
  graph.innerHTML = `<path d="M0 1H${last}" stroke="currentColor" stroke-opacity=".35" ${stroke}/>`
    + `<path d="M${points.map((point) => point.join(" ")).join("L")}" stroke="currentColor" stroke-width="2" ${stroke}/>`
    + `<line class="now" y1="-0.08" y2="2.08" stroke="var(--mark)" stroke-width="2" ${stroke}/>`;
  const words = `${game.judge}: up is good for ${game.seats[0]}, down for ${game.seats[1]}`;
  graph.setAttribute("aria-label", words);
  at("graph-words").textContent = words;
}

function stop() {
  clearInterval(timer);
  timer = null;
  at("play").textContent = "▶ play";
}

function play() {
  if (timer !== null) return stop();
  if (ply === game.frames.length - 1) show(0);
  at("play").textContent = "❚❚ pause";
  timer = setInterval(() => show(ply + 1), Number(at("speed").value));
}

at("first").onclick = () => show(0);
at("back").onclick = () => show(ply - 1);
at("on").onclick = () => show(ply + 1);
at("last").onclick = () => show(game.frames.length - 1);
at("play").onclick = play;
at("speed").onchange = () => { if (timer !== null) { stop(); play(); } };
at("slider").oninput = () => show(Number(at("slider").value));
at("marks").onchange = () => show(ply);
at("graph").onclick = (event) => {
  const box = at("graph").getBoundingClientRect();
  show(Math.round((event.clientX - box.left) / box.width * (game.frames.length - 1)));
};
at("copy").onclick = async () => {
  at("position").select();
  try { await navigator.clipboard.writeText(at("position").value); } catch { document.execCommand("copy"); }
  at("copy").textContent = "copied";
  setTimeout(() => { at("copy").textContent = "copy"; }, 1500);
};
addEventListener("keydown", (event) => {
  if (!game || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  const steps = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: game.frames.length - 1 };
  if (event.key in steps) show(steps[event.key]);
  else if (event.key === " " && event.target.tagName !== "BUTTON") play();
  else return;
  event.preventDefault();
});

// A link such as games.html#3 opens the third game.
function openLinked() {
  const number = Number(location.hash.slice(1)) - 1;
  at("games").value = data.games[number] ? number : 0;
  open(Number(at("games").value));
}

function begin(found) {
  data = found;
  at("games-label").hidden = data.games.length < 2;
  at("games").replaceChildren(...data.games.map((each, k) => new Option(each.label, k)));
  at("games").onchange = () => open(Number(at("games").value));
  addEventListener("hashchange", openLinked);
  openLinked();
}
const stored = at("data").textContent;
if ("packed" in at("data").dataset) unpacked(stored).then(begin);
else begin(JSON.parse(stored));
