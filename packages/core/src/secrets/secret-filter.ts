import { isTokenCode } from "./find-runs.ts";
import {
  type FoundSecret,
  findSecrets,
  type KnownValues,
  maxKeyLength,
  separateSecrets,
} from "./find-secrets.ts";
import { followKeyBody } from "./key-body.ts";
import { maxTokenLength } from "./secret-shapes.ts";

/** Hides secrets in a text that comes in parts. */
export interface SecretFilter {
  /** What of the text so far can be shown. */
  write(part: string): string;
  /** The rest. */
  end(): string;
}

/** Makes a filter that shows, whatever the parts, what hiding in the whole text would show. */
export function createSecretFilter(
  known: KnownValues,
  handOut: (secret: FoundSecret, text: string) => string,
): SecretFilter {
  const spacedForms = [...known.forms.keys()].filter((form) => /\s/u.test(form));
  const maxFormLength = Math.max(0, ...Array.from(known.forms.keys(), (form) => form.length));
  // No secret is told by more than this, on either side of a place in it.
  const maxReach = Math.max(maxTokenLength, maxFormLength) + 512;
  // What was shown already is kept as far as it tells secrets that follow.
  let behind = "";
  let pending = "";
  let isFirst = true;
  let swallowed: Swallowed | undefined;

  const advance = (text: string, to: number): void => {
    const kept = Math.max(0, to - maxReach);
    isFirst &&= kept === 0;
    behind = text.slice(kept, to);
    pending = text.slice(to);
  };

  const swallow = (isWhole: boolean, { isKey, inLine }: Swallowed): boolean => {
    const text = behind + pending;
    const from = behind.length;
    const body = isKey
      ? followKeyBody(text, from, { isWhole, isInside: true, inLine })
      : followToken(text, from, isWhole);
    advance(text, body.end);
    swallowed = body.isOpen ? { isKey, inLine: body.inLine } : undefined;
    return body.isOpen;
  };

  const release = (isWhole: boolean): string => {
    if (swallowed !== undefined && swallow(isWhole, swallowed)) return "";
    const text = behind + pending;
    const from = behind.length;
    const found = findSecrets(text, known, isWhole).filter(({ start }) => isFirst || start > 0);
    let to = isWhole ? text.length : Math.max(from, decidedUntil(text));
    let shown = "";
    let at = from;
    for (const secret of separateSecrets(found, from)) {
      if (secret.start >= to) break;
      // More of a key than this does not change what it is called.
      if (secret.isOpen && text.length - secret.start < maxKeyLength + 128) {
        to = secret.start;
        break;
      }
      shown += text.slice(at, secret.start) + handOut(secret, text);
      at = secret.hiddenEnd;
      if (!isWhole && (secret.isOpen || (secret.kind === "token" && at === text.length))) {
        swallowed = { isKey: secret.kind === "key", inLine: secret.inLine };
        to = at;
        break;
      }
    }
    to = Math.max(at, to);
    shown += text.slice(at, to);
    advance(text, to);
    return shown;
  };

  // What a last word could become is not known, nor what a known value with spaces could.
  const decidedUntil = (text: string): number => {
    let word = text.length;
    while (word > 0 && text.charCodeAt(word - 1) > 32) word--;
    const decided = Math.max(word, text.length - maxReach);
    return Math.min(decided, ...spacedForms.map((form) => beginningOf(form, text)));
  };

  return {
    write: (part) => {
      pending += part;
      return release(false);
    },
    end: () => release(true),
  };
}

interface Swallowed {
  readonly isKey: boolean;
  readonly inLine: number;
}

function followToken(
  text: string,
  from: number,
  isWhole: boolean,
): { readonly end: number; readonly isOpen: boolean; readonly inLine: number } {
  let end = from;
  while (end < text.length && isTokenCode(text.charCodeAt(end))) end++;
  return { end, isOpen: end === text.length && !isWhole, inLine: 0 };
}

/** Where a text begins that ends the other and may become whole; the other's end if none does. */
function beginningOf(form: string, text: string): number {
  for (let at = Math.max(0, text.length - form.length + 1); at < text.length; at++) {
    if (text.charCodeAt(at) === form.charCodeAt(0) && form.startsWith(text.slice(at))) return at;
  }
  return text.length;
}
