import type { FindAny } from "./find-any.ts";
import {
  type ContextSecret,
  findAssignedSecrets,
  findAwsSecrets,
  findBasicCredentials,
  findBearerToken,
  findUrlPasswords,
} from "./find-in-context.ts";
import { findRuns, isTokenCode } from "./find-runs.ts";
import { findKeyBodies } from "./key-body.ts";
import type { KnownForm } from "./known-forms.ts";
import { isStandIn, secretShapes } from "./secret-shapes.ts";

/** A secret, or a part of one, and where it stands. */
export interface FoundSecret {
  readonly start: number;
  /** The end of what tells it from others. */
  readonly end: number;
  /** The end of all that is hidden with it: a token may be longer than any should be. */
  readonly hiddenEnd: number;
  readonly name: string;
  /** A known value as such, another form or a part of one, a token, or a private key's body. */
  readonly kind: "value" | "form" | "token" | "key";
  /** The text ended before this surely did. */
  readonly isOpen: boolean;
  /** Of a key whose end is open: how many characters of its last line are there. */
  readonly inLine: number;
}

/** The values that are known, by the forms in which they turn up. */
export interface KnownValues {
  readonly forms: ReadonlyMap<string, KnownForm>;
  readonly find: FindAny;
}

/** The secrets in a text, each where it begins; they may overlap. */
export function findSecrets(text: string, known: KnownValues, isWhole: boolean): FoundSecret[] {
  const found = findKnownSecrets(text, known);
  if (text.length >= minShapeLength) addShapes(text, isWhole, found);
  return found;
}

/** The known values alone. */
export function findKnownSecrets(text: string, { forms, find }: KnownValues): FoundSecret[] {
  const found: FoundSecret[] = [];
  if (forms.size === 0) return found;
  for (let next = find(text, 0); next !== undefined; next = find(text, next.start + 1)) {
    const { start } = next;
    const end = start + next.text.length;
    const { name, isRaw } = forms.get(next.text) as KnownForm;
    const kind = isRaw ? "value" : "form";
    found.push({ start, end, hiddenEnd: end, name, kind, isOpen: false, inLine: 0 });
  }
  return found;
}

/**
 * Puts what was found in order from a place on and takes it apart where it overlaps, so that every
 * character of every secret is hidden and none of them twice.
 */
export function separateSecrets(found: readonly FoundSecret[], from: number): FoundSecret[] {
  const apart: FoundSecret[] = [];
  let covered = from;
  for (const secret of found.toSorted((a, b) => a.start - b.start || rank(a) - rank(b))) {
    if (secret.hiddenEnd <= covered && !secret.isOpen) continue;
    apart.push(secret.start >= covered ? secret : restOf(secret, covered));
    covered = Math.max(covered, secret.hiddenEnd);
  }
  return apart;
}

/** How much of a private key tells it from others. */
export const maxKeyLength = 8192;

// `a://b:cde@f` is the shortest.
const minShapeLength = 11;

// How far in front of its unbroken part a token may begin.
const maxStartDistance = 80;

function restOf(secret: FoundSecret, from: number): FoundSecret {
  const { kind, end, hiddenEnd } = secret;
  return {
    ...secret,
    start: from,
    end: Math.max(from, kind === "key" ? Math.min(hiddenEnd, from + maxKeyLength) : end),
    kind: kind === "value" ? "form" : kind,
  };
}

// By which name a secret goes that was found in several ways.
function rank({ name, kind }: FoundSecret): number {
  if (kind === "value" || kind === "form") return 0;
  return tokenNames.has(name) ? 1 : 2;
}

const tokenNames = new Set(secretShapes.map(({ name }) => name));

function addShapes(text: string, isWhole: boolean, found: FoundSecret[]): void {
  // The same for all that are in one row, however many begin there.
  const tail = { from: 0, to: 0 };
  const add = ({ name, start, end }: ContextSecret): void => {
    if (end < tail.from || end > tail.to) {
      tail.from = end;
      tail.to = endOfTail(text, end);
    }
    const hiddenEnd = tail.to;
    found.push({ start, end, hiddenEnd, name, kind: "token", isOpen: false, inLine: 0 });
  };
  findUrlPasswords(text, add);
  findBasicCredentials(text, add);
  findAssignedSecrets(text, add);
  for (const body of findKeyBodies(text, isWhole)) {
    const { start, end: hiddenEnd } = body;
    const end = Math.min(hiddenEnd, start + maxKeyLength);
    found.push({ ...body, end, hiddenEnd, name: "private-key", kind: "key" });
  }
  let scanned = 0;
  findRuns(text, (start, end) => {
    addTokens(text, { from: Math.max(scanned, start - maxStartDistance), to: end }, add);
    scanned = end;
    const bearer = findBearerToken(text, start);
    if (bearer !== undefined) add(bearer);
  });
}

/** Finds the tokens that begin between two places. */
function addTokens(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  add: (secret: ContextSecret) => void,
): void {
  const near = text.slice(from, to + maxBeginningLength);
  beginning.lastIndex = 0;
  for (let match = beginning.exec(near); match !== null; match = beginning.exec(near)) {
    const at = from + match.index;
    if (at >= to) return;
    // Whether one begins at a place must not depend on what was found before it.
    beginning.lastIndex = match.index + 1;
    if (!isLetterOrDigit(text.charCodeAt(at - 1))) addToken(text, at, add);
  }
}

function addToken(text: string, at: number, add: (secret: ContextSecret) => void): void {
  for (const { name, begins, pattern, fits } of secretShapes) {
    if (!begins.some((each) => text.startsWith(each, at))) continue;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) continue;
    const token = match[1] ?? match[0];
    if (isStandIn(token) || fits?.(token) === false) continue;
    const end = pattern.lastIndex;
    add({ name, start: end - token.length, end });
    if (name === "aws-key-id") for (const secret of findAwsSecrets(text, end)) add(secret);
    return;
  }
}

const beginnings = secretShapes.flatMap(({ begins }) => begins);
const maxBeginningLength = Math.max(...beginnings.map((begin) => begin.length));
const beginning = new RegExp(
  beginnings.map((begin) => begin.replaceAll(".", "\\.")).join("|"),
  "g",
);

function endOfTail(text: string, from: number): number {
  let at = from;
  while (at < text.length && isTokenCode(text.charCodeAt(at))) at++;
  return at;
}

function isLetterOrDigit(code: number): boolean {
  return isTokenCode(code) && code !== 45 && code !== 95;
}
