// Tooltips: whatever carries data-tip shows it when pointed at, focused or
// tapped; Escape closes it. One element serves the page, and listeners sit on
// the document, so that content that arrives later needs nothing.
(() => {
  "use strict";
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.id = "tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  let owner = null;

  const show = (target) => {
    if (owner === target) return;
    hide();
    owner = target;
    // The browser's own tooltip serves without scripts; two would be one too many.
    owner.removeAttribute("title");
    owner.querySelector(":scope > title")?.remove(); // of a drawing
    if (!tip.isConnected) document.body.append(tip);
    tip.textContent = owner.dataset.tip;
    tip.hidden = false;
    owner.setAttribute("aria-describedby", tip.id);
    place();
  };

  const hide = () => {
    if (!owner) return;
    owner.removeAttribute("aria-describedby");
    owner = null;
    tip.hidden = true;
  };

  // Above its owner, or below it where there is no room, and never off the page.
  const place = () => {
    const at = owner.getBoundingClientRect();
    const box = tip.getBoundingClientRect();
    const margin = 8;
    const width = document.documentElement.clientWidth;
    const left = Math.min(Math.max(margin, at.left + at.width / 2 - box.width / 2), width - box.width - margin);
    const above = at.top - box.height - margin;
    tip.style.left = Math.max(margin, left) + "px";
    tip.style.top = (above >= margin ? above : at.bottom + margin) + "px";
  };

  const tipped = (event) => event.target instanceof Element ? event.target.closest("[data-tip]") : null;

  document.addEventListener("pointerover", (event) => {
    const target = tipped(event);
    if (target) show(target);
    else if (owner !== document.activeElement) hide();
  });
  document.addEventListener("focusin", (event) => {
    const target = tipped(event);
    if (target) show(target);
    else hide();
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  // Focus scrolls its element into view, so a tooltip that closed on scrolling
  // would never be seen from the keyboard.
  document.addEventListener("scroll", () => { if (owner) place(); }, { capture: true, passive: true });
})();
