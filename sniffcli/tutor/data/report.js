"use strict";
// Shows one decision at a time: arrows, buttons, the list, the graph, and the address (#g1-5).
for (const game of document.querySelectorAll("[data-game]")) {
  const moments = [...game.querySelectorAll(".moment")];
  const links = [...game.querySelectorAll("nav.moves a")];
  const dots = [...game.querySelectorAll(".dot")];
  let at = 0;
  const show = (number, follow) => {
    if (!moments.length) return;
    at = Math.max(0, Math.min(moments.length - 1, number));
    moments.forEach((one, k) => one.classList.toggle("shown", k === at));
    links.forEach((one, k) => one.setAttribute("aria-current", String(k === at)));
    dots.forEach((one) => one.classList.toggle("here", one.dataset.at === String(at)));
    const list = game.querySelector("nav.moves");
    const link = links[at];
    if (list && link) list.scrollTop = link.offsetTop - list.offsetTop - list.clientHeight / 2;
    if (follow) history.replaceState(null, "", "#" + moments[at].id);
  };
  const costly = (step) => {
    for (let k = at + step; k >= 0 && k < moments.length; k += step) {
      if (moments[k].dataset.costly) return show(k, true);
    }
  };
  links.forEach((one, k) => one.addEventListener("click", (event) => {
    event.preventDefault();
    show(k, true);
  }));
  dots.forEach((one) => one.addEventListener("click", () => show(Number(one.dataset.at), true)));
  const does = {
    first: () => show(0, true),
    back: () => show(at - 1, true),
    next: () => show(at + 1, true),
    last: () => show(moments.length - 1, true),
    worse: () => costly(1),
    worseback: () => costly(-1),
  };
  for (const button of game.querySelectorAll("button[data-do]")) {
    button.addEventListener("click", () => does[button.dataset.do]());
  }
  game.keys = (key) => {
    const asked = {
      ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last",
      j: "next", k: "back", n: "worse", p: "worseback",
    }[key];
    if (asked) does[asked]();
    return Boolean(asked);
  };
  const wanted = moments.findIndex((one) => "#" + one.id === location.hash);
  show(Math.max(0, wanted), false);
  game.here = wanted >= 0;
}
const games = [...document.querySelectorAll("[data-game]")];
let active = games.find((one) => one.here) || games[0];
for (const one of games) {
  one.addEventListener("pointerdown", () => { active = one; });
  one.addEventListener("focusin", () => { active = one; });
}
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !active) return;
  if (active.keys(event.key)) event.preventDefault();
});
