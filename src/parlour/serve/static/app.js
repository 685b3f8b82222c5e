"use strict";
// Posts what is clicked, dragged or chosen with keys. The server interprets it and sends the new table.
const table = () => document.getElementById("table");
const base = () => document.getElementById("game").dataset.base;
let focused = null; // the area that had the keyboard focus before the table was replaced
let drag = null;

function post(action, values) {
  const { version, ply } = table().dataset;
  return htmx.ajax("POST", `${base()}/${action}`, { target: "#table", swap: "outerHTML", values: { version, ply, ...values } });
}

const click = (clicks) => post("click", { clicks });
const areas = () => [...document.querySelectorAll("#board .area")];
const areaAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-area]");

document.addEventListener("click", (event) => {
  const target = event.target.closest?.("[data-clicks]");
  if (target && !target.dataset.area) click(target.dataset.clicks);
});
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const text = document.getElementById(button.dataset.copy);
  text.select();
  try { await navigator.clipboard.writeText(text.value); } catch { document.execCommand("copy"); }
  button.textContent = "copied";
});
document.addEventListener("submit", (event) => {
  const { ask } = event.target.dataset;
  if (ask && !confirm(ask)) event.preventDefault();
});
document.addEventListener("submit", (event) => { // says why nothing happens while rules are compiled
  const button = event.submitter;
  if (button?.dataset.wait) button.waits = setTimeout(() => { button.dataset.words = button.textContent; button.textContent = button.dataset.wait; }, 1000);
});
addEventListener("pageshow", () => { // back from the game
  for (const button of document.querySelectorAll("[data-wait]")) { clearTimeout(button.waits); button.textContent = button.dataset.words ?? button.textContent; }
});
document.addEventListener("submit", (event) => { // a form that is so new that htmx has not processed it yet
  if (event.defaultPrevented || !event.target.hasAttribute("hx-post")) return;
  event.preventDefault();
  htmx.process(event.target);
  event.target.requestSubmit();
});
document.addEventListener("input", (event) => { // a player by name is meant as soon as one types it
  if (event.target.matches?.("[data-picks]")) event.target.closest("details").querySelector("[type=radio]").checked = true;
});
document.addEventListener("change", (event) => {
  if (event.target.matches?.("[data-choose]") && event.target.value) click(event.target.value);
});

// --- clicking and dragging areas of the board ---

document.addEventListener("pointerdown", (event) => {
  const area = event.target.closest?.("[data-area]");
  if (!area || event.button) return;
  carried = false;
  const piece = area.dataset.piece ? document.getElementById(area.dataset.piece) : null;
  drag = { area, piece, x: event.clientX, y: event.clientY, moved: false };
  if (area.hasPointerCapture?.(event.pointerId)) area.releasePointerCapture(event.pointerId);
});
document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const right = event.clientX - drag.x, down = event.clientY - drag.y;
  if (!drag.moved && Math.hypot(right, down) < 8) return;
  drag.moved = true;
  if (!drag.piece || !drag.area.matches(".can, .chosen")) return;
  const scale = drag.area.ownerSVGElement.getScreenCTM().a;
  drag.piece.classList.add("dragged");
  drag.piece.setAttribute("transform", `translate(${right / scale} ${down / scale}) ${upright(drag.piece)}`);
});
document.addEventListener("pointerup", (event) => {
  if (!drag) return;
  const { area, piece, moved } = drag;
  drag = null;
  piece?.setAttribute("transform", upright(piece));
  piece?.classList.remove("dragged");
  const end = areaAt(event);
  carried = moved;
  if (!end) return;
  if (!moved || end === area) click(area.dataset.clicks);
  else click(JSON.stringify([area.dataset.area, end.dataset.area]));
});
document.addEventListener("pointercancel", () => {
  drag?.piece?.setAttribute("transform", upright(drag.piece));
  drag = null;
});

// --- the board is turned for who plays from the other side; its letters and pieces stay upright ---

const turned = () => document.getElementById("game")?.hasAttribute("data-turned");

function upright(shape) { // the half turn of a piece or a text in its own place, if the board is turned
  if (!turned()) return "";
  const box = shape.getBBox(), down = shape.matches(LETTERS) ? DIGIT_MIDDLE : box.y + box.height / 2;
  return `rotate(180 ${box.x + box.width / 2} ${down})`;
}

const PIECES = '[id*="-at-"], [id*="-die-"], .upright', LETTERS = '[fill="none"] > path[transform*="scale("]'; // strokes, scaled to their size
const DIGIT_MIDDLE = -4.5; // above the baseline, in strokes' own measure: words side by side keep one baseline
function keepUpright() {
  const shapes = `:is(#board, #film) :is(${PIECES}, text, ${LETTERS}:not(defs *, :is(${PIECES}) *))`;
  for (const shape of document.querySelectorAll(shapes)) {
    shape.dataset.placed ??= shape.getAttribute("transform") ?? "";
    shape.setAttribute("transform", `${shape.dataset.placed} ${upright(shape)}`);
  }
}

function flip() {
  document.getElementById("game").toggleAttribute("data-turned");
  keepUpright();
}
document.addEventListener("click", (event) => { if (event.target.id === "flip") flip(); });

// --- keys ---

function nearest(from, right, down) {
  const middle = (area) => { const box = area.getBBox(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [x, y] = middle(from);
  let best = null, lowest = Infinity;
  for (const area of areas()) {
    const [ax, ay] = middle(area), along = (ax - x) * right + (ay - y) * down, aside = Math.abs((ax - x) * down - (ay - y) * right);
    const cost = along + (right ? 2.2 : 0.8) * aside; // left and right stay in the row; up and down may leave the column
    if (area !== from && along > 1 && cost < lowest) { best = area; lowest = cost; }
  }
  return best;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const area = event.target.closest?.("[data-area]");
  if (area && event.key in ARROWS) {
    const next = nearest(area, ...ARROWS[event.key].map((step) => (turned() ? -step : step)));
    if (next) focusOn(next);
  } else if (area && (event.key === "Enter" || event.key === " ")) {
    click(area.dataset.clicks);
  } else if (event.key === "Escape" && table() && table().dataset.chosen !== "0") {
    click("[]");
  } else if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
    return;
  } else if (event.key === "u" || event.key === "h") {
    document.getElementById(event.key === "u" ? "undo" : "hint")?.click();
  } else if (event.key === "f") {
    document.getElementById("flip")?.click();
  } else if (event.key === "m") {
    document.getElementById("move")?.focus();
  } else if (event.key === "e") {
    document.getElementById("judge")?.click();
  } else if (table() && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    look(shown + (event.key === "ArrowLeft" ? -1 : 1));
  } else {
    return;
  }
  event.preventDefault();
});

function focusOn(area) {
  for (const each of areas()) each.setAttribute("tabindex", "-1");
  area.setAttribute("tabindex", "0");
  area.focus();
}

function prepare() { // Tab reaches one area; the arrow keys move on from there
  const all = areas();
  const before = focused && all.find((area) => area.id === focused);
  const first = before || all.find((area) => area.matches(".chosen, .can")) || all[0];
  first?.setAttribute("tabindex", "0");
  if (before) before.focus();
  if (turned()) keepUpright();
  const moves = document.getElementById("moves");
  if (moves) moves.scrollTop = moves.scrollHeight;
  follow();
}

document.addEventListener("htmx:beforeSwap", () => {
  const active = document.activeElement;
  focused = active?.dataset?.area ? active.id : active?.closest?.("#board, #buttons") ? focused : null;
});
document.addEventListener("htmx:afterSettle", prepare);
document.addEventListener("DOMContentLoaded", prepare);

// --- what happened: plies that are new are shown one after the other, and earlier positions can be looked at ---

const STEP_MS = 380, THROW_MS = 450, MAX_FILM = 12;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const at = (id) => document.getElementById(id);
const last = () => Number(table().dataset.ply);
let seen = null; // the number of plies that the page has shown
let shown = null; // the ply that is looked at: the last one, unless the reader has stepped back
let reel = 0; // counts films, so that a new one ends the one before
let carried = false; // the latest ply was dragged, so it has been seen moving

async function answer(path) { // what the server says, or null: it may refuse, or be away
  try {
    const response = await fetch(`${base()}/${path}`);
    return response.ok ? await response.json() : null;
  } catch { return null; }
}

const plyOf = (number) => answer(`plies/${number}`);

function project(picture) { // lays a picture over the board
  const film = at("film");
  film.innerHTML = picture;
  film.hidden = false;
  if (turned()) keepUpright();
  return film.firstElementChild;
}

function endFilm() {
  reel += 1;
  at("film").hidden = true;
  at("film").replaceChildren();
}

const middle = (shape) => { const box = shape.getBBox(); return [box.x + box.width / 2, box.y + box.height / 2]; };
const inFilm = (picture, id) => (id ? picture.querySelector(`[id="${CSS.escape(id)}"]`) : null);

async function animate(before, ply, mine) { // one ply: dice tumble or a man slides, and what is captured leaves
  const picture = project(before), names = new Set(), target = document.createElement("div");
  target.innerHTML = ply.picture;
  for (const piece of target.querySelectorAll("[id]")) names.add(piece.id);
  const running = [], piece = ply.way.length > 1 ? inFilm(picture, ply.way[0].piece) : null;
  for (const other of picture.querySelectorAll('[id*="-at-"]')) {
    if (other !== piece && !names.has(other.id)) running.push(other.animate([{ opacity: 1 }, { opacity: 1, offset: 0.6 }, { opacity: 0 }], STEP_MS));
  }
  if (piece) {
    const [x, y] = middle(piece), after = target.firstElementChild, end = ply.way[ply.way.length - 1];
    after.setAttribute("class", "measured");
    at("film").append(after);
    const landed = inFilm(after, end.lands);
    if (landed) [end.x, end.y] = middle(landed);
    after.remove();
    const steps = ply.way.slice(1).map((place) => ({ transform: `translate(${place.x - x}px, ${place.y - y}px)` }));
    const sliding = document.createElementNS("http://www.w3.org/2000/svg", "g");
    sliding.append(piece.cloneNode(true));
    piece.setAttribute("visibility", "hidden"); // no style attributes: htmx would carry them to the new table, which the policy forbids
    picture.append(sliding);
    running.push(sliding.animate([{ transform: "translate(0, 0)" }, ...steps], { duration: STEP_MS, easing: "ease-in-out", fill: "forwards" }));
  }
  await Promise.all(running.map((one) => one.finished.catch(() => null)));
  if (mine !== reel) return;
  const after = project(ply.picture);
  if (!ply.thrown) return;
  const tumbling = [...after.querySelectorAll('[id*="-die-"]')].map((die) => {
    const [x, y] = middle(die);
    die.setAttribute("transform-origin", `${x} ${y}`);
    const turns = [{ transform: "translateY(-40px) rotate(-200deg) scale(1.2)", opacity: 0.4 }, { transform: "rotate(20deg)", offset: 0.7 }, { transform: "none" }];
    return die.animate(turns, { duration: THROW_MS, easing: "ease-out" }).finished.catch(() => null);
  });
  await Promise.all(tumbling);
}

async function follow() { // after a new table
  if (!table()) return;
  const from = seen, to = last();
  seen = shown = to;
  judge();
  mark();
  if (from === null || to <= from || to - from > MAX_FILM || still.matches || document.hidden) return;
  const first = from + (carried && to > from ? 1 : 0), mine = ++reel;
  carried = false;
  if (first >= to) return;
  const plies = await Promise.all(Array.from({ length: to - first + 1 }, (_, k) => plyOf(first + k)));
  for (let k = 1; k < plies.length && mine === reel; k += 1) {
    if (plies[k - 1] && plies[k]) await animate(plies[k - 1].picture, plies[k], mine);
  }
  if (mine === reel) endFilm();
}

async function look(number) { // at an earlier position
  if (!table()) return;
  const ply = Math.max(0, Math.min(number, last())), from = shown, mine = ++reel;
  shown = ply;
  mark();
  at("past").hidden = ply === last();
  if (ply === last()) { endFilm(); return; }
  const [found, before] = await Promise.all([plyOf(ply), ply === from + 1 && !still.matches ? plyOf(from) : null]);
  if (mine !== reel || !found) return;
  if (before) await animate(before.picture, found, mine);
  if (mine !== reel) return;
  project(found.picture);
  at("past").firstElementChild.textContent = [found.status, ...found.outcomes].join("; ");
}

function mark() { // Tab reaches one move, and ← → step on from there
  const wasOnMove = Boolean(document.activeElement?.dataset?.ply);
  for (const button of document.querySelectorAll("#moves [data-ply]")) {
    const current = Number(button.dataset.ply) === shown;
    button.removeAttribute("aria-current");
    if (current) button.setAttribute("aria-current", "true");
    button.tabIndex = current ? 0 : -1;
    if (current && wasOnMove) button.focus();
  }
  at("judged")?.querySelector("line.now")?.setAttribute("x1", shown);
  at("judged")?.querySelector("line.now")?.setAttribute("x2", shown);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button");
  if (button?.dataset.ply) look(Number(button.dataset.ply));
  else if (button?.id === "earlier") look(shown - 1);
  else if (button?.id === "later") look(shown + 1);
  else if (button?.id === "now") look(last());
  else if (button?.id === "analyse") { wantValues(true); look(0); }
  else if (button?.id === "judge") wantValues(!valuesWanted());
});

// --- whether the evaluation is seen is kept in this browser; at first it is not ---

const valuesWanted = () => { try { return localStorage.getItem("judge") === "on"; } catch { return false; } };
function wantValues(wanted) {
  try { localStorage.setItem("judge", wanted ? "on" : "off"); } catch { /* private windows keep nothing */ }
  judge();
}

let judging = 0;
async function judge() { // draws the bar and the graph, if the reader wants to see them
  const box = at("judged"), mine = ++judging;
  if (!box) return;
  at("judge").setAttribute("aria-pressed", valuesWanted());
  tellExact([], []);
  box.hidden = !valuesWanted();
  if (box.hidden) return;
  const note = box.querySelector(".note");
  note.textContent ||= "Thinking…";
  const judged = await answer("values");
  if (mine !== judging) return;
  if (!judged) { note.textContent = "The evaluation is not there now."; return; }
  const { by, seat, you, values, exact, complete } = judged;
  drawValues(at("judged"), values, you ? "you" : seat, `Expected result for ${you ? "you" : seat}, by ${by}: 1 is a win, −1 a loss.`);
  tellExact(values, exact);
  if (!complete) setTimeout(() => { if (mine === judging) judge(); }, 300);
}

function tellExact(values, exact) { // beside each ply what the position after it is worth, where a table knows it
  for (const button of document.querySelectorAll("#moves [data-ply]")) {
    button.querySelector(".exact")?.remove();
    const ply = Number(button.dataset.ply);
    if (!exact[ply]) continue;
    const shown = document.createElement("span");
    shown.className = "exact";
    shown.textContent = ` ${signed(values[ply], 4)}`;
    button.append(shown);
  }
}

function signed(value, digits) { // as parlour.support.signed does
  const size = Math.abs(value).toFixed(digits);
  return `${Number(size) ? (value < 0 ? "−" : "+") : ""}${size}`;
}

function drawValues(box, values, who, words) {
  const value = values[values.length - 1], width = Math.max(values.length - 1, 1);
  const points = values.map((each, k) => (each === null ? null : `${k} ${1 - each}`)).filter(Boolean);
  box.querySelector("meter").value = 50 + 50 * (value ?? 0);
  box.querySelector(".bar span").textContent = value === null ? "" : `${who} ${signed(value, 2)}`;
  const graph = box.querySelector(".graph");
  graph.setAttribute("viewBox", `0 -0.05 ${width} 2.1`);
  graph.setAttribute("aria-label", words);
  graph.innerHTML = `<path d="M0 1H${width}"/>${points.length > 1 ? `<path class="values" d="M${points.join("L")}"/>` : ""}<line class="now" y1="-0.05" y2="2.05" x1="${shown}" x2="${shown}"/>`;
  graph.onclick = (event) => {
    const place = graph.getBoundingClientRect();
    look(Math.round((event.clientX - place.left) / place.width * width));
  };
  box.querySelector(".note").textContent = words;
}

document.addEventListener("htmx:beforeSwap", (event) => { // the old picture stays until the new plies have been shown
  if (event.detail.target?.id === "table") { reel += 1; standing = still.matches ? null : at("board")?.innerHTML; }
});
let standing = null;
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id !== "table" || !standing || !table()) return;
  if (seen !== null && last() > seen && last() - seen <= MAX_FILM && !carried) project(standing);
  standing = null;
});

// --- problems: the server's errors are put above the board by htmx; here, what to say if there is no answer at all ---

const notice = (text) => { const shown = document.getElementById("notice"); if (shown) shown.textContent = text; };
document.addEventListener("htmx:sendError", () => notice("The server does not answer. What you have just done may not be played."));
document.addEventListener("htmx:afterSwap", (event) => { if (event.detail.target.id === "table") notice(""); });

// --- records: the files of a folder are listed here, and only the chosen file is sent; of a large one its beginning ---

const MAX_BYTES = 1_900_000; // the server accepts 2 MiB, including the rest of the form
const JOURNAL = "journal.jsonl";

async function shortened(file) {
  if (file.size <= MAX_BYTES || !/\.(jsonl|pdn)$/i.test(file.name)) return file;
  const bytes = new Uint8Array(await file.slice(0, MAX_BYTES).arrayBuffer()); // whole lines, in whichever encoding
  return new File([bytes.slice(0, bytes.lastIndexOf(10) + 1 || MAX_BYTES)], file.name);
}

async function send(form, file) {
  const files = new DataTransfer();
  files.items.add(await shortened(file));
  form.elements.file.files = files.files;
  form.requestSubmit();
}

function listFolder(form, files) {
  const found = document.getElementById("found"), paths = files.map((file) => file.webkitRelativePath.split("/"));
  const buttons = files.flatMap((file, k) => {
    const path = paths[k], isRun = file.name === JOURNAL;
    if (!/\.(jsonl|json|pdn)$/i.test(file.name) || file.name === "config.json") return [];
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = (isRun ? path.slice(0, -1) : path).slice(isRun && path.length === 2 ? 0 : 1).join("/");
    button.onclick = () => send(form, file);
    return [button];
  });
  buttons.sort((one, other) => one.textContent.localeCompare(other.textContent));
  found.replaceChildren(...(buttons.length ? buttons : ["This folder has no records and no runs."]));
}

document.addEventListener("DOMContentLoaded", () => {
  const folder = document.querySelector("[data-folder]");
  if (folder) folder.hidden = false; // without this script it would not work
});
document.addEventListener("change", async (event) => {
  const { target } = event;
  if (target.webkitdirectory) listFolder(target.form, [...target.files]);
  else if (target.name === "file" && target.files[0]?.size > MAX_BYTES) {
    const files = new DataTransfer();
    files.items.add(await shortened(target.files[0]));
    target.files = files.files;
  }
});

// --- the event stream: a version that the page already shows is not fetched again, so an unfinished choice stays ---

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  if (elt.id === "follow" && requestConfig.triggeringEvent?.detail?.data === table()?.dataset.version) event.preventDefault();
});
