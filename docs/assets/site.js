// Filters for the tables of rules and runtimes, the comparison of two runtimes, and addresses of older versions. Without it, every table
// is complete.

/// Columns that get a list of their values.
const CHOICES = ["severity", "fix", "group", "kind", "bad YAML"];
/// Smallest number of rows that is worth a filter.
const LEAST = 20;
/// Smallest number of columns that do not fit next to each other on a phone.
const WIDE = 4;

const parameters = () => new URLSearchParams(location.search);

function remember(name, value) {
  const all = parameters();
  if (value) all.set(name, value);
  else all.delete(name);
  const query = all.toString();
  history.replaceState(null, "", `${location.pathname}${query ? `?${query}` : ""}${location.hash}`);
}

function element(tag, { text, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
}

/// Returns the values of a cell: `error, unusable` are two.
const values = (row, at) => row.cells[at].textContent.trim().split(", ");

/// Adds a text filter, lists of values and a count above a table.
function filter(table) {
  const rows = [...table.tBodies[0].rows];
  const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim());
  const count = element("output");
  const search = element("input", { type: "search", value: parameters().get("q") ?? "", autocomplete: "off" });
  const lists = heads.flatMap((head, at) => {
    if (!CHOICES.includes(head)) return [];
    const all = [...new Set(rows.flatMap((row) => values(row, at)))].sort();
    const list = element("select", {}, element("option", { value: "", text: "all" }));
    list.append(...all.filter(Boolean).map((value) => element("option", { text: value })));
    list.value = parameters().get(head) ?? "";
    if (list.selectedIndex < 0) list.value = "";
    return [{ head, at, list }];
  });
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const matches = words.every((word) => text.includes(word)) && lists.every(({ at, list }) => !list.value || values(row, at).includes(list.value));
      row.hidden = !matches;
      shown += matches ? 1 : 0;
    }
    count.textContent = `${shown} of ${rows.length}`;
    remember("q", search.value.trim());
    lists.forEach(({ head, list }) => remember(head, list.value));
  };
  const form = element("form", { className: "filters", onsubmit: (event) => event.preventDefault() });
  form.append(element("label", { text: "Filter " }, search));
  for (const { head, list } of lists) {
    form.append(element("label", { text: `${head} ` }, list));
    list.onchange = apply;
  }
  search.oninput = apply;
  form.append(count);
  count.setAttribute("aria-live", "polite");
  (table.closest(".md-typeset__scrollwrap") ?? table).before(form);
  apply();
}

/// Shows what differs between two runtimes. The facts come from the data of the site.
async function compare(place) {
  const { labels, runtimes } = await (await fetch(new URL("../compare.json", location))).json();
  const ids = Object.keys(runtimes).sort((a, b) => runtimes[a].title.localeCompare(runtimes[b].title));
  const chooser = (name, other) => {
    const list = element("select", {}, ...ids.map((id) => element("option", { value: id, text: runtimes[id].title })));
    const wanted = parameters().get(name);
    list.value = ids.includes(wanted) ? wanted : other;
    list.onchange = draw;
    return list;
  };
  const body = element("tbody"), count = element("output"), heads = [element("th", { scope: "col" }), element("th", { scope: "col" }), element("th", { scope: "col" })];
  const [a, b] = [chooser("a", "claude-code"), chooser("b", "codex")];
  function draw() {
    remember("a", a.value);
    remember("b", b.value);
    const [one, two] = [runtimes[a.value], runtimes[b.value]];
    heads[1].textContent = one.title;
    heads[2].textContent = two.title;
    const differing = labels.map((label, at) => [label, one.values[at], two.values[at]]).filter(([, x, y]) => x !== y);
    body.replaceChildren(...differing.map((cells) => element("tr", {}, ...cells.map((text) => marked(text)))));
    count.textContent = `${differing.length} of ${labels.length} facts differ`;
  }
  count.setAttribute("aria-live", "polite");
  place.replaceChildren(
    element("form", { className: "filters", onsubmit: (event) => event.preventDefault() }, element("label", { text: "First " }, a), element("label", { text: "Second " }, b), count),
    element("div", { className: "scroll" }, element("table", { tabIndex: 0 }, element("thead", {}, element("tr", {}, ...heads)), body)),
  );
  draw();
}

/// Returns a cell whose text in backticks is code.
function marked(text) {
  const parts = text.replaceAll("&lt;", "<").split(/`+/);
  return element("td", {}, ...parts.map((part, at) => at % 2 ? element("code", { text: part }) : part));
}

/// Leads an address of an older version to the page that has its content now: `/runtimes/#codex`, `/cli/#hook-install`.
function follow() {
  const wanted = location.hash.slice(1);
  if (!wanted || document.getElementById(wanted)) return;
  const slug = (text) => text.toLowerCase().replace(/[^\p{L}\p{N} -]/gu, "").replaceAll(" ", "-");
  const link = [...document.querySelectorAll("table td:first-child a")].find((link) => slug(link.textContent.trim()) === wanted);
  if (link) location.replace(link.href);
}

/// On a phone, a row of a wide table is a list: each cell has the title of its column.
function label(table) {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])].map((head) => head.textContent.trim());
  if (heads.length < WIDE) return;
  table.classList.add("wide");
  for (const row of table.tBodies[0]?.rows ?? []) {
    [...row.cells].slice(1).forEach((cell, at) => { if (cell.textContent.trim()) cell.dataset.label = heads[at + 1]; });
  }
}

/// What scrolls can be reached with the keyboard.
function reach() {
  for (const part of document.querySelectorAll("pre > code, .md-typeset__scrollwrap, .md-typeset__table")) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
  }
}

const page = () => {
  const place = document.getElementById("compare");
  if (place) compare(place);
  const tables = [...document.querySelectorAll("article table")].filter((table) => table.tBodies[0]?.rows.length >= LEAST);
  if (/\/(rules|runtimes)\/$/.test(location.pathname)) tables.slice(0, 1).forEach(filter);
  if (/\/(runtimes|cli)\/$/.test(location.pathname)) follow();
  document.querySelectorAll("article table").forEach(label);
  setTimeout(reach, 0);
};
document.readyState === "loading" ? addEventListener("DOMContentLoaded", page) : page();
