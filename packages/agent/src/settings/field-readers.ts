import type { JsonValue } from "@haft/contract";
import { nearestNames } from "@haft/core";

/** Where a value stands, and whom to tell if it is wrong. */
export interface FieldPlace {
  /** The names that lead to it. */
  readonly path: readonly string[];
  /** What is wrong with what stands there: it is left out, and the rest holds. */
  warn(path: readonly string[], problem: string): void;
}

/** Takes a value if it is what it has to be; else says so and takes nothing. */
export type FieldReader<Value> = (value: JsonValue, place: FieldPlace) => Value | undefined;

/** A text of a certain form. */
export function text(expected: string, form: RegExp): FieldReader<string> {
  return accept(expected, (value) => typeof value === "string" && form.test(value));
}

/** `true` or `false`. */
export const flag: FieldReader<boolean> = accept(
  "true or false",
  (value) => typeof value === "boolean",
);

/** A whole number in these bounds. */
export function wholeNumber(
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): FieldReader<number> {
  const upTo = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  return accept(`a whole number, ${upTo}`, (value) => {
    return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
  });
}

/** An amount, which may be nothing. */
export const amount: FieldReader<number> = accept(
  "a number, 0 or more",
  (value) => Number.isFinite(value) && (value as number) >= 0,
);

/** An object with certain fields. */
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
        at.warn(at.path, `is no setting${advise(name, Object.keys(known))}`);
      else assign(found, name, reader(given, at));
    }
    return found as Value;
  };
}

/** An object that must have certain fields to be of use. */
export function complete<Value extends object>(
  reader: FieldReader<Value>,
  required: readonly (keyof Value & string)[],
): FieldReader<Value> {
  return (value, place) => {
    const found = reader(value, place);
    const missing = required.filter((name) => found !== undefined && !Object.hasOwn(found, name));
    if (missing.length === 0) return found;
    place.warn(place.path, `has no ${missing.join(" and no ")}`);
    return undefined;
  };
}

/** An object whose fields have names of a certain form and are all of one kind. */
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
      else at.warn(at.path, `has to be named ${expected}`);
    }
    return found;
  };
}

function accept<Value>(expected: string, fits: (value: JsonValue) => boolean): FieldReader<Value> {
  return (value, place) => {
    if (fits(value)) return value as Value;
    place.warn(place.path, `has to be ${expected}`);
    return undefined;
  };
}

function toObject(
  value: JsonValue,
  place: FieldPlace,
): Readonly<Record<string, JsonValue>> | undefined {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, JsonValue>>;
  }
  place.warn(place.path, "has to be an object in braces");
  return undefined;
}

function assign(target: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined) target[name] = value;
}

function advise(name: string, known: readonly string[]): string {
  if (/key|token|secret|password/iu.test(name) && known.includes("apiKeyVariable")) {
    return ". Keys do not belong into files: put it into a variable, and name that in apiKeyVariable";
  }
  const [nearest] = nearestNames(name, known, 1);
  return nearest === undefined ? "" : `. Did you mean ${nearest}?`;
}
