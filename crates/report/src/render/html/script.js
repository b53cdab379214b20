"use strict";
// Filters. Without scripts, the page shows everything.
const filters = document.getElementById("filters");
if (filters) {
  const search = document.getElementById("search");
  const problems = document.getElementById("problems");
  const matches = document.getElementById("matches");
  const findings = [...document.querySelectorAll("article.finding")];
  const rows = [...document.querySelectorAll("tbody tr")];
  const texts = new Map([...findings, ...rows].map((part) => [part, part.textContent.toLowerCase()]));
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (part) => words.every((word) => texts.get(part).includes(word));
    const severities = new Set([...filters.querySelectorAll("[name=severity]:checked")].map((box) => box.value));
    let shown = 0;
    for (const finding of findings) {
      finding.hidden = !(severities.has(finding.dataset.severity) && has(finding));
      shown += finding.hidden ? 0 : 1;
    }
    for (const row of rows) {
      row.hidden = !has(row) || (problems.checked && !("problem" in row.dataset));
    }
    matches.textContent = shown + " of " + findings.length + " findings";
  };
  filters.hidden = false;
  filters.addEventListener("input", apply);
  filters.addEventListener("submit", (event) => event.preventDefault());
  apply();
}
