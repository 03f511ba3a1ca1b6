// Keyboard navigation, and the slider: everything works without it.
(() => {
  "use strict";
  const form = document.querySelector("form[data-place]");
  const rows = () => [...document.querySelectorAll("[data-row]")];
  let at = -1;
  let isGoing = false;

  const move = (step) => {
    const all = rows();
    if (all.length === 0) return;
    all[at]?.classList.remove("at");
    at = Math.min(Math.max(at + step, 0), all.length - 1);
    all[at].classList.add("at");
    all[at].scrollIntoView({ block: "nearest" });
    all[at].querySelector("a")?.focus({ preventScroll: true });
  };

  const stepEntry = (step) => {
    const slider = form?.elements.at;
    if (!slider) return;
    slider.value = Number(slider.value) + step;
    form.requestSubmit();
  };

  if (form) {
    const slider = form.elements.at;
    const shown = form.querySelector("output");
    slider.addEventListener("input", () => { shown.textContent = slider.value; });
    slider.addEventListener("change", () => form.requestSubmit());
    form.elements.branch.addEventListener("change", () => form.requestSubmit());
  }

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, textarea, select");
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (isGoing) {
      isGoing = false;
      const link = document.querySelector(`nav a[data-key="${CSS.escape(event.key)}"]`);
      if (link) { event.preventDefault(); link.click(); }
      return;
    }
    const keys = {
      j: () => move(1),
      k: () => move(-1),
      g: () => { isGoing = true; },
      "/": () => document.querySelector("[data-search]")?.focus(),
      "[": () => stepEntry(-1),
      "]": () => stepEntry(1),
    };
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
})();
