import { isRandom } from "./is-random.ts";

/** A known value in one of the forms in which it may turn up. */
export interface KnownForm {
  readonly name: string;
  /** It is the value itself and not an encoding of it. */
  readonly isRaw: boolean;
}

/**
 * The texts that must not be shown, for values that are known by name: the values themselves and
 * their usual encodings. What is too short or too common to be a secret is left out, because hiding
 * it would make a riddle of every text.
 */
export function listKnownForms(
  known: Readonly<Record<string, string>>,
): ReadonlyMap<string, KnownForm> {
  const forms = new Map<string, KnownForm>();
  const add = (text: string, name: string, isRaw: boolean): void => {
    if (text.length >= minLength && !forms.has(text)) forms.set(text, { name, isRaw });
  };
  const secrets = Object.entries(known).filter(([, value]) => isWorthHiding(value));
  for (const [name, value] of secrets) add(value, name, true);
  for (const [name, value] of secrets) {
    for (const form of encode(value)) add(form, name, false);
  }
  return forms;
}

const minLength = 6;

function isWorthHiding(value: string): boolean {
  return value.length >= minLength && !common.has(value.toLowerCase()) && !/^\d{1,7}$/u.test(value);
}

const common = new Set([
  "127.0.0.1",
  "0.0.0.0",
  "default",
  "development",
  "disabled",
  "enabled",
  "example",
  "localhost",
  "password",
  "production",
  "secret",
  "staging",
  "undefined",
]);

function encode(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  const percent = encodeURIComponent(value.toWellFormed());
  const strict = percent.replace(/[!'()*]/gu, toPercent);
  const base64 = [0, 1, 2].map((offset) => base64Core(bytes, offset));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [
    JSON.stringify(value).slice(1, -1),
    percent,
    strict,
    percent.replace(/%../gu, (code) => code.toLowerCase()),
    strict.replaceAll("%20", "+"),
    ...base64,
    ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    hex,
    hex.toUpperCase(),
    ...keyLines(value),
  ];
}

function toPercent(mark: string): string {
  return `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
}

// What is encoded together with other text stands at one of three offsets. The characters that
// depend on the neighbours too are left out.
function base64Core(bytes: Uint8Array, offset: number): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const text = btoa("\0".repeat(offset) + binary);
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

// A key of many lines is also found where a search shows one of them.
function keyLines(value: string): string[] {
  if (!value.includes("\n")) return [];
  return value
    .split(/\r?\n/u)
    .filter((line) => line.length >= 40 && /^[\w+/=-]+$/u.test(line) && isRandom(line));
}
