import { ToolError } from "@haft/contract";
import { hashText } from "../hash-text.ts";
import { type FoundSecret, maxKeyLength } from "./find-secrets.ts";
import { maxTokenLength } from "./secret-shapes.ts";

/** A file, or a directory for all below it, in which a secret was seen. */
export interface SecretLocation {
  readonly key: string;
  readonly tree: boolean;
}

/** Placeholders and the secrets they stand for. */
export interface Placeholders {
  /** What is shown instead of a secret. */
  handOut(secret: FoundSecret, text: string, places: readonly SecretLocation[]): string;
  /** Notes placeholders that a text itself holds, and that stand for nothing but themselves. */
  notice(text: string, places: readonly SecretLocation[]): void;
  /** A text with the secrets put back that were seen in these files, and in no others. */
  restore(text: string, files: readonly string[]): string;
}

/** Makes a memory of what was handed out. It forgets the oldest when there are very many. */
export function createPlaceholders(): Placeholders {
  const salt = Math.random().toString(36);
  const seen = new Map<string, Seen>();

  const remember = (placeholder: string, text: string, places: readonly SecretLocation[]): void => {
    if (places.length === 0 || text.length > maxRestoredLength) return;
    const entry = seen.get(placeholder) ?? { byPlace: new Map() };
    if (!seen.has(placeholder) && seen.size >= maxSeen) seen.delete(seen.keys().next().value ?? "");
    seen.set(placeholder, entry);
    for (const { key, tree } of places) {
      const place = tree ? `${key}/` : key;
      const known = entry.byPlace.get(place);
      if (known === undefined && entry.byPlace.size >= maxPlaces) continue;
      entry.byPlace.set(place, known === undefined || known === text ? text : ambiguous);
    }
  };

  return {
    handOut: ({ name, start, end, hiddenEnd, kind }, text, places) => {
      const own = text.slice(start, end);
      // A weak password could be guessed from a mark that everybody can work out.
      const mark = hashText(kind === "form" || weak.has(name) ? salt + own : own).slice(0, 6);
      const label = toLabel(name);
      const placeholder = kind === "value" ? `[secret:${label}]` : `[secret:${label}:${mark}]`;
      const whole = text.slice(start, hiddenEnd);
      if (kind !== "key" || plainKey.test(whole)) remember(placeholder, whole, places);
      return placeholder;
    },
    notice: (text, places) => {
      for (const [literal] of text.matchAll(anyPlaceholder)) remember(literal, literal, places);
    },
    restore: (text, files) =>
      text.replace(anyPlaceholder, (placeholder) => {
        const secret = seen.get(placeholder)?.byPlace;
        const found = secret && files.map((file) => lookUp(secret, file)).find(Boolean);
        if (found === undefined) throw notSeen(placeholder, files);
        if (found === ambiguous) throw unclear(placeholder, files);
        return found;
      }),
  };
}

/** Whether a text may hold a placeholder. */
export function mayHoldPlaceholder(text: string): boolean {
  // Six characters are searched for in another and faster way than all of it.
  return text.includes("[secre");
}

/** Whether data holds a placeholder, so that a part of it is not known. */
export function holdsPlaceholder(data: unknown): boolean {
  return (JSON.stringify(data) ?? "").search(anyPlaceholder) !== -1;
}

interface Seen {
  readonly byPlace: Map<string, string>;
}

const maxSeen = 1_000;
const maxPlaces = 200;
const maxRestoredLength = Math.max(maxKeyLength, maxTokenLength);
const ambiguous = "\0";
const weak = new Set(["url-password", "basic-credentials"]);
const anyPlaceholder = /\[secret:[\w.-]{1,64}(?::[0-9a-f]{6})?\]/gu;

// Lines that are numbered or quoted were not like that in the file.
const plainKey = /^[A-Za-z0-9+/=]+(?:(?:\r?\n[ \t]*|\\n)[A-Za-z0-9+/=]+)*$/u;

function lookUp(byPlace: ReadonlyMap<string, string>, file: string): string | undefined {
  const own = byPlace.get(file);
  if (own !== undefined) return own;
  for (const [place, secret] of byPlace) {
    if (place.endsWith("/") && file.startsWith(place)) return secret;
  }
  return undefined;
}

function toLabel(name: string): string {
  return name.replace(/[^\w.-]/gu, "_").slice(0, 64);
}

function notSeen(placeholder: string, files: readonly string[]): ToolError {
  const where = files.length === 0 ? "what is changed" : files.join(" or ");
  return new ToolError(
    "conflict",
    `${placeholder} stands for a secret that is hidden from you, and it was not seen in ${where} by this session, so it can't be put back. Read the file first and keep the placeholder where it stands, or leave that part of the file out of the change.`,
  );
}

function unclear(placeholder: string, files: readonly string[]): ToolError {
  return new ToolError(
    "conflict",
    `${placeholder} stands for more than one text in ${files.join(" or ")}, so it is not clear what to put back. Leave that part of the file out of the change.`,
  );
}
