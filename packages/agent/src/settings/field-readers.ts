import type { JsonValue } from "@haft/contract";
import { nearestNames } from "@haft/core/internal";

/** The location of a value, and how to report a problem with it. */
export interface FieldContext {
  /** Field names from the root to the value. */
  readonly path: readonly string[];
  /** Reports a problem with a value, which is then ignored. */
  warn(path: readonly string[], problem: string): void;
}

/** Returns a value if it is valid. Otherwise reports the problem and returns `undefined`. */
export type FieldReader<Value> = (value: JsonValue, place: FieldContext) => Value | undefined;

/** Reads a string that matches a pattern. */
export function text(expected: string, form: RegExp): FieldReader<string> {
  return accept(expected, (value) => typeof value === "string" && form.test(value));
}

/** Reads a boolean. */
export const flag: FieldReader<boolean> = accept(
  "true or false",
  (value) => typeof value === "boolean",
);

/** Reads an integer within bounds. */
export function wholeNumber(
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): FieldReader<number> {
  const upTo = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  return accept(`a whole number, ${upTo}`, (value) => {
    return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
  });
}

/** Reads a number of at least 0. */
export const amount: FieldReader<number> = accept(
  "a number, 0 or more",
  (value) => Number.isFinite(value) && (value as number) >= 0,
);

/** Reads an object with known fields. */
export function fields<Value extends object>(
  readers: {
    readonly [Field in keyof Value]-?: FieldReader<NonNullable<Value[Field]>>;
  },
): FieldReader<Value> {
  const known = readers as Readonly<Record<string, FieldReader<unknown>>>;
  return (value, place) => {
    const object = toObject(value, place);
    if (object === undefined) return undefined;
    const found: Record<string, unknown> = {};
    for (const [name, given] of Object.entries(object)) {
      const at = { ...place, path: [...place.path, name] };
      const reader = Object.hasOwn(known, name) ? known[name] : undefined;
      if (reader === undefined)
        at.warn(at.path, `is not a setting${advise(name, Object.keys(known))}`);
      else assign(found, name, reader(given, at));
    }
    return found as Value;
  };
}

/** Reads an object with required fields. */
export function complete<Value extends object>(
  reader: FieldReader<Value>,
  required: readonly (keyof Value & string)[],
): FieldReader<Value> {
  return (value, place) => {
    const found = reader(value, place);
    const missing = required.filter((name) => found !== undefined && !Object.hasOwn(found, name));
    if (missing.length === 0) return found;
    place.warn(place.path, `is missing ${missing.join(" and ")}`);
    return undefined;
  };
}

/** Reads an object whose field names match a pattern and whose values are of one kind. */
export function namedBy<Value>(
  { expected, form }: { readonly expected: string; readonly form: RegExp },
  reader: FieldReader<Value>,
): FieldReader<Readonly<Record<string, Value>>> {
  return (value, place) => {
    const object = toObject(value, place);
    if (object === undefined) return undefined;
    const found: Record<string, Value> = {};
    for (const [name, given] of Object.entries(object)) {
      const at = { ...place, path: [...place.path, name] };
      if (form.test(name)) assign(found, name, reader(given, at));
      else at.warn(at.path, `must be named ${expected}`);
    }
    return found;
  };
}

function accept<Value>(expected: string, fits: (value: JsonValue) => boolean): FieldReader<Value> {
  return (value, place) => {
    if (fits(value)) return value as Value;
    place.warn(place.path, `must be ${expected}`);
    return undefined;
  };
}

function toObject(
  value: JsonValue,
  place: FieldContext,
): Readonly<Record<string, JsonValue>> | undefined {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, JsonValue>>;
  }
  place.warn(place.path, "must be an object in braces");
  return undefined;
}

function assign(target: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined) target[name] = value;
}

function advise(name: string, known: readonly string[]): string {
  if (/key|token|secret|password/iu.test(name) && known.includes("apiKeyVariable")) {
    return ". Do not put keys into files: put the key into an environment variable and name it in apiKeyVariable";
  }
  const [nearest] = nearestNames(name, known, 1);
  return nearest === undefined ? "" : `. Did you mean ${nearest}?`;
}
