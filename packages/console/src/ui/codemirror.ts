import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Opens a shadow root: there, styles are attached as objects, which the page's policy allows. */
export function openShadow(place: HTMLElement): ShadowRoot {
  return place.shadowRoot ?? place.attachShadow({ mode: "open" });
}

/** The look of editors, in the page's colours. */
export const theme = EditorView.theme({
  "&": { fontSize: "13px", backgroundColor: "var(--sunken)", color: "var(--text)", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--focus)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--quiet)", border: "none" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  ".cm-collapsedLines": { background: "var(--raised)", color: "var(--quiet)" },
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": { backgroundColor: "var(--bad-soft)" },
  "&.cm-merge-b .cm-changedLine, .cm-insertedLine": { backgroundColor: "var(--good-soft)" },
  "&.cm-merge-a .cm-changedText, .cm-deletedText": { background: "var(--bad-strong)" },
  "&.cm-merge-b .cm-changedText": { background: "var(--good-strong)" },
});

/** Colours of code. */
export const highlight = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.variableName)], color: "var(--code-name)" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--code-text)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
    { tag: [tags.keyword, tags.controlKeyword], color: "var(--accent)" },
    { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  ]),
);
