// What the theme lacks for readers of the screen and for keys: levels of the sidebar's headings, focus on wide tables.
document.addEventListener("DOMContentLoaded", () => {
  for (const one of document.querySelectorAll(".caption[role=heading]")) one.ariaLevel = "2";
  for (const one of document.querySelectorAll(".table-wrapper, pre")) one.tabIndex = 0; // scrolled by keys too
});
// The menu of versions: filled from versions.json beside the versions' folders; hidden where there is none.
document.addEventListener("DOMContentLoaded", () => {
  const box = document.querySelector(".sidebar-versions");
  if (!box || location.protocol === "file:") return;
  const root = new URL(box.dataset.root, location.href);
  const here = root.pathname.split("/").filter(Boolean).pop();
  fetch(new URL("../versions.json", root))
    .then((answer) => (answer.ok ? answer.json() : []))
    .then((versions) => {
      if (!versions.includes(here)) return;
      const menu = box.querySelector("select");
      for (const version of versions) menu.add(new Option(version, version, false, version === here));
      menu.addEventListener("change", () => location.assign(new URL(`../${menu.value}/`, root)));
      box.hidden = false;
    })
    .catch(() => {});
});
