import { createHash } from "node:crypto";
import { clipText } from "@haft/contract/internal";
import { toVisibleText } from "@haft/core/internal";
import { toIsoMoment } from "../iso-moment.ts";
import type { InboxItemRow } from "../store/schema.ts";
import type { LinkField, LinkForm } from "./link-form.ts";

const style = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: #f6f6f4; color: #1c1c1a; }
main { max-width: 40rem; margin: 2rem auto; padding: 1.5rem; background: #fff; border: 1px solid #ddd; }
h1 { font-size: 1.2rem; white-space: pre-wrap; overflow-wrap: anywhere; }
dt { font-weight: 600; } dd { margin: 0 0 .5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
label { display: block; margin: .75rem 0 .25rem; } input, select { font: inherit; width: 100%; padding: .4rem; box-sizing: border-box; }
button { font: inherit; padding: .5rem 1.25rem; margin: 1rem .5rem 0 0; cursor: pointer; }
.error { color: #a11; }
`;

/** Headers of a page: no scripts, nothing from elsewhere, and its address is passed to no other site. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

const maxShown = 4_000;

/** Writes the page that asks for an answer. */
export function toQuestionPage(item: InboxItemRow, form: LinkForm, problem?: string): string {
  const { tool_name, tool_version } = item;
  const rows = [
    ["Tool", tool_version === null ? tool_name : `${tool_name} ${tool_version}`],
    ["Arguments", clipText(item.arguments, maxShown)],
    ["Answer until", toIsoMoment(item.deadline_at)],
  ] as const;
  return toPage(`
<h1>${toHtml(clipText(item.question, maxShown))}</h1>
<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${toHtml(value)}</dd>`).join("")}</dl>
${problem === undefined ? "" : `<p class="error">${toHtml(problem)}</p>`}
<form method="post">${form.choices === undefined ? toFields(form) : toButtons(form)}</form>`);
}

/** Writes a page that says something. */
export function toMessagePage(title: string, text: string): string {
  return toPage(`<h1>${toHtml(title)}</h1><p>${toHtml(text)}</p>`);
}

function toButtons({ choices = [] }: LinkForm): string {
  return choices
    .map(({ label }, index) => `<button name="choice" value="${index}">${toHtml(label)}</button>`)
    .join("");
}

function toFields({ fields = [] }: LinkForm): string {
  return `${fields.map(toInput).join("")}<button>Send</button>`;
}

function toInput({ label, type, choices, isRequired }: LinkField, index: number): string {
  const id = `field${index}`;
  const attributes = `id="${id}" name="${id}"${isRequired ? " required" : ""}`;
  const options = choices.map(
    (choice, at) => `<option value="${at}">${toHtml(choice.label)}</option>`,
  );
  const input =
    type === "choice"
      ? `<select ${attributes}><option value=""></option>${options.join("")}</select>`
      : `<input ${attributes} ${type === "number" ? 'type="number" step="any"' : 'type="text"'}>`;
  return `<label for="${id}">${toHtml(label)}</label>${input}`;
}

function toPage(content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Haft: a question</title><style>${style}</style></head>
<body><main>${content}</main></body></html>
`;
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Makes text visible and escapes it. What asks may be written by others. */
function toHtml(text: string): string {
  return toVisibleText(text).replaceAll(/[&<>"']/gu, (character) => escapes[character] as string);
}
