import { isPlainObject } from "@haft/contract/internal";
import { type JsonPath, withoutPaths } from "../json-path.ts";

/** How an invocation ended, as far as it is compared. */
export type EndedRun =
  | { readonly succeeded: true; readonly output: string }
  | { readonly succeeded: false; readonly error: string };

/** A place where two results differ. The path is empty for a whole text. Null: there is nothing. */
export interface ResultChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

const maxChanges = 5;
const maxCharacters = 200;
const leadCharacters = 40;

/**
 * Compares two results. JSON is compared as values, without those at ignored paths; other text must be
 * the same. Returns the first places where they differ, none if they don't.
 */
export function compareResults(
  before: EndedRun,
  after: EndedRun,
  ignored: readonly JsonPath[] = [],
): readonly ResultChange[] {
  const [one, other] = [toText(before), toText(after)];
  if (before.succeeded !== after.succeeded)
    return [{ path: "", before: clip(one), after: clip(other) }];
  if (one === other) return [];
  const [left, right] = [parse(before, one), parse(after, other)];
  if (left === undefined || right === undefined) return [compareTexts(one, other)];
  const changes: ResultChange[] = [];
  collect([withoutPaths(left, ignored), withoutPaths(right, ignored)], "", changes);
  return changes;
}

function toText(run: EndedRun): string {
  return run.succeeded ? run.output : run.error;
}

/** Only outputs are JSON. A number or a text on its own is compared as text. */
function parse({ succeeded }: EndedRun, text: string): unknown {
  if (!succeeded || !/^\s*[[{]/u.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function collect(
  [before, after]: readonly [unknown, unknown],
  path: string,
  changes: ResultChange[],
): void {
  if (changes.length >= maxChanges) return;
  const areBothLists = Array.isArray(before) && Array.isArray(after);
  if (areBothLists || (isPlainObject(before) && isPlainObject(after))) {
    const [one, other] = [before, after] as Readonly<Record<string, unknown>>[];
    for (const name of new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])) {
      const inner = path === "" ? name : `${path}.${name}`;
      collect([own(one, name), own(other, name)], inner, changes);
    }
    return;
  }
  const [left, right] = [JSON.stringify(before), JSON.stringify(after)];
  if (left === right) return;
  changes.push({ path, before: clip(left), after: clip(right) });
}

function own(fields: Readonly<Record<string, unknown>> | undefined, name: string): unknown {
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Shows both from shortly before the first difference. */
function compareTexts(before: string, after: string): ResultChange {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  const from = Math.max(0, start - leadCharacters);
  const lead = from > 0 ? "…" : "";
  return {
    path: "",
    before: clip(`${lead}${before.slice(from)}`),
    after: clip(`${lead}${after.slice(from)}`),
  };
}

function clip(text: string | undefined): string | null {
  if (text === undefined) return null;
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}
