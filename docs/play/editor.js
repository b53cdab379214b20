// The editor of the playground: an element with the surface of the text field that it replaces, on CodeMirror. `bash .ci/run web` bundles
// it. Where that did not run, or the file does not load, the text field stays.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yamlFrontmatter } from "@codemirror/lang-yaml";
import { HighlightStyle, Language, LanguageSupport, defineLanguageFacet, syntaxHighlighting } from "@codemirror/language";
import { forEachDiagnostic, nextDiagnostic, previousDiagnostic, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, Transaction } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { parser } from "@lezer/markdown";

// The colors are those of the page, so that they follow its scheme.
const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.heading, tags.strong], fontWeight: "bold" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.string, tags.monospace], color: "var(--good)" },
  { tag: [tags.link, tags.url, tags.labelName], color: "var(--note)" },
  { tag: [tags.keyword, tags.typeName, tags.bool, tags.number], color: "var(--warning)" },
  { tag: [tags.comment, tags.meta, tags.punctuation, tags.separator, tags.quote, tags.processingInstruction], color: "var(--quiet)" },
]);

const mark = (color) => ({ backgroundImage: "none", textDecoration: `underline wavy var(--${color})`, textDecorationSkipInk: "none" });
const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--soft)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", fontSize: ".875rem", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-gutters": { color: "var(--quiet)", backgroundColor: "var(--soft)", border: "none" },
  ".cm-specialChar": { color: "var(--error)" },
  ".cm-lintRange-error": mark("error"),
  ".cm-lintRange-warning": mark("warning"),
  ".cm-lintRange-info": mark("note"),
  ".cm-tooltip": { color: "var(--text)", backgroundColor: "var(--ground)", border: "1px solid var(--line)", maxWidth: "min(36rem, 90vw)" },
  ".cm-diagnostic": { fontFamily: "system-ui, sans-serif", whiteSpace: "pre-wrap", overflowWrap: "anywhere" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--error)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--note)" },
  ".cm-diagnosticAction": { font: "inherit", color: "var(--on-accent)", backgroundColor: "var(--accent)" },
});

const SEVERITIES = { error: "error", warning: "warning", note: "info" };

/// Applies the edit of the finding at the cursor.
function fix(view) {
  const { from, to } = view.state.selection.main;
  let action;
  forEachDiagnostic(view.state, (diagnostic, start, end) => {
    if (start <= to && end >= from) action ??= diagnostic.actions?.[0];
  });
  action?.apply();
  return Boolean(action);
}

/// Returns the position of a place within the text. A byte order mark has no column.
function position({ doc }, { line, utf16 }) {
  if (line > doc.lines) return doc.length;
  const { from, to } = doc.line(line);
  const mark = line === 1 && doc.sliceString(0, 1) === "\ufeff" ? 1 : 0;
  return Math.min(to, from + mark + utf16 - 1);
}

class SkillEditor extends HTMLElement {
  #writable = new Compartment();
  #view;

  constructor() {
    super();
    // In a shadow tree, CodeMirror needs no style element, which the policy of the page forbids.
    const root = this.attachShadow({ mode: "open" });
    this.#view = new EditorView({ parent: root, root, state: this.#state("") });
  }

  #state(doc) {
    const markdown = new LanguageSupport(new Language(defineLanguageFacet({}), parser, [], "markdown"));
    return EditorState.create({
      doc,
      extensions: [
        lineNumbers(),
        highlightSpecialChars(),
        history(),
        yamlFrontmatter({ content: markdown }),
        syntaxHighlighting(colors),
        theme,
        EditorState.tabSize.of(4),
        EditorView.contentAttributes.of({ "aria-label": "Text of the file", tabindex: "0", spellcheck: "false", autocorrect: "off", autocapitalize: "off" }),
        this.#writable.of([]),
        // No key for Tab: it leaves the editor.
        keymap.of([{ key: "F8", run: nextDiagnostic, shift: previousDiagnostic }, { key: "Mod-.", run: fix }, ...historyKeymap, ...defaultKeymap]),
        EditorView.updateListener.of(({ docChanged, transactions }) => {
          if (docChanged && transactions.some((one) => one.annotation(Transaction.userEvent))) this.dispatchEvent(new Event("input"));
        }),
      ],
    });
  }

  get value() { return this.#view.state.doc.toString(); }

  /// Replaces what differs, so that it can be undone.
  set value(text) {
    const now = this.value, next = text.replace(/\r\n?/g, "\n");
    let start = 0, end = 0;
    const shorter = Math.min(now.length, next.length);
    while (start < shorter && now[start] === next[start]) start++;
    while (end < shorter - start && now.at(-1 - end) === next.at(-1 - end)) end++;
    if (start < Math.max(now.length, next.length)) this.#view.dispatch({ changes: { from: start, to: now.length - end, insert: next.slice(start, next.length - end) } });
  }

  /// Shows another file: its changes are not those of the last one.
  open(text) { this.#view.setState(this.#state(text)); }

  set readOnly(is) { this.#view.dispatch({ effects: this.#writable.reconfigure(EditorState.readOnly.of(is)) }); }

  focus() { this.#view.focus(); }

  get selectionStart() { return this.#view.state.selection.main.from; }

  get selectionEnd() { return this.#view.state.selection.main.to; }

  setSelectionRange(anchor, head) {
    this.#view.dispatch({ selection: { anchor, head }, scrollIntoView: true });
  }

  /// Underlines findings. Each has `apply` if it has an edit.
  mark(findings) {
    const { state } = this.#view;
    const diagnostics = findings.map(({ range, severity, rule, message, apply }) => {
      const from = position(state, range.start);
      const actions = apply ? [{ name: "Fix", apply }] : [];
      return { from, to: Math.max(from, position(state, range.end)), severity: SEVERITIES[severity] ?? "info", source: rule, message, actions };
    });
    this.#view.dispatch(setDiagnostics(state, diagnostics));
  }
}

customElements.define("skill-editor", SkillEditor);
