// The theme: "auto" follows the machine, "light" and "dark" override it. The
// choice is kept in this browser. Loaded before the page is drawn, so that a
// chosen theme never flashes.
(() => {
  "use strict";
  const themes = ["auto", "light", "dark"];
  const root = document.documentElement;

  const stored = () => {
    try {
      const theme = localStorage.getItem("theme");
      return themes.includes(theme) ? theme : "auto";
    } catch {
      return "auto"; // storage is switched off
    }
  };

  const apply = (theme) => {
    if (theme === "auto") root.removeAttribute("data-theme");
    else root.setAttribute("data-theme", theme);
  };

  let theme = stored();
  apply(theme);

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-switch]");
    if (!button) return;
    const say = () => { button.textContent = "Theme: " + theme; };
    say();
    button.hidden = false;
    button.addEventListener("click", () => {
      theme = themes[(themes.indexOf(theme) + 1) % themes.length];
      apply(theme);
      say();
      try {
        localStorage.setItem("theme", theme);
      } catch {
        // it then lasts as long as the page
      }
    });
  });
})();
