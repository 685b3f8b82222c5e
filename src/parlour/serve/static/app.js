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
document.addEventListener("submit", (event) => { // a form that is so new that htmx has not processed it yet
  if (event.defaultPrevented || !event.target.hasAttribute("hx-post")) return;
  event.preventDefault();
  htmx.process(event.target);
  event.target.requestSubmit();
});
document.addEventListener("change", (event) => {
  if (event.target.matches?.("[data-choose]") && event.target.value) click(event.target.value);
});

// --- clicking and dragging areas of the board ---

document.addEventListener("pointerdown", (event) => {
  const area = event.target.closest?.("[data-area]");
  if (!area || event.button) return;
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
  drag.piece.setAttribute("transform", `translate(${right / scale} ${down / scale})`);
});
document.addEventListener("pointerup", (event) => {
  if (!drag) return;
  const { area, piece, moved } = drag;
  drag = null;
  piece?.removeAttribute("transform");
  piece?.classList.remove("dragged");
  const end = areaAt(event);
  if (!end) return;
  if (!moved || end === area) click(area.dataset.clicks);
  else click(JSON.stringify([area.dataset.area, end.dataset.area]));
});
document.addEventListener("pointercancel", () => {
  drag?.piece?.removeAttribute("transform");
  drag = null;
});

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
    const next = nearest(area, ...ARROWS[event.key]);
    if (next) focusOn(next);
  } else if (area && (event.key === "Enter" || event.key === " ")) {
    click(area.dataset.clicks);
  } else if (event.key === "Escape" && table() && table().dataset.chosen !== "0") {
    click("[]");
  } else if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
    return;
  } else if (event.key === "u" || event.key === "h") {
    document.getElementById(event.key === "u" ? "undo" : "hint")?.click();
  } else if (event.key === "m") {
    document.getElementById("move")?.focus();
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
  const moves = document.getElementById("moves");
  if (moves) moves.scrollTop = moves.scrollHeight;
}

document.addEventListener("htmx:beforeSwap", () => {
  const active = document.activeElement;
  focused = active?.dataset?.area ? active.id : active?.closest?.("#board, #buttons") ? focused : null;
});
document.addEventListener("htmx:afterSettle", prepare);
document.addEventListener("DOMContentLoaded", prepare);

// --- records: the files of a folder are listed here, and only the chosen file is sent; of a large one its beginning ---

const MAX_BYTES = 1_900_000; // the server accepts 2 MiB, including the rest of the form
const JOURNAL = "journal.jsonl";

async function shortened(file) {
  if (file.size <= MAX_BYTES || !file.name.endsWith(".jsonl")) return file;
  const text = await file.slice(0, MAX_BYTES).text();
  return new File([text.slice(0, text.lastIndexOf("\n") + 1)], file.name);
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
