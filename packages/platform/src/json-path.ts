import { isPlainObject } from "@haft/contract/internal";
import { Problem } from "./problem.ts";

/** The names and indexes that lead to a value in JSON. `*` is any of them. */
export type JsonPath = readonly string[];

const maxCharacters = 500;

/**
 * Parses a path such as `customer.orders.0.id`. A dot in a name is written `\.`. Throws a `Problem`
 * 400.
 */
export function parseJsonPath(text: string): JsonPath {
  const parts = text.match(/(?:\\.|[^.\\])+/gsu) ?? [];
  const path = parts.map((part) => part.replaceAll(/\\(.)/gsu, "$1"));
  const isWhole = parts.join(".") === text && text.length <= maxCharacters;
  if (isWhole && path.length > 0 && !path.includes("__proto__")) return path;
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  throw new Problem(
    400,
    `${JSON.stringify(shown)} is not a path. Write names and indexes with dots between them, such as customer.orders.0.id.`,
  );
}

/** Returns the value at a path without `*`; `undefined` if there is none. */
export function readAt(value: unknown, path: JsonPath): unknown {
  let found = value;
  for (const name of path) {
    if (Array.isArray(found)) found = found[Number(name)];
    else found = isPlainObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

/** Returns a copy with another value at a path. Objects that are missing are created. */
export function setAt(value: unknown, path: JsonPath, replacement: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return replacement;
  if (Array.isArray(value)) {
    const index = Number(name);
    if (!Number.isSafeInteger(index) || index < 0 || index > value.length) {
      throw new Problem(
        400,
        `${JSON.stringify(name)} is not an index of a list with ${value.length} items.`,
      );
    }
    return [
      ...value.slice(0, index),
      setAt(value[index], rest, replacement),
      ...value.slice(index + 1),
    ];
  }
  const fields = isPlainObject(value) ? value : {};
  const inner = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return { ...fields, [name]: setAt(inner, rest, replacement) };
}

/** Returns a copy without the values at these paths. */
export function withoutPaths(value: unknown, paths: readonly JsonPath[]): unknown {
  if (paths.length === 0) return value;
  const step = (each: unknown, name: string): unknown =>
    withoutPaths(
      each,
      findInner(paths, name).map((path) => path.slice(1)),
    );
  const isLeft = (name: string): boolean =>
    findInner(paths, name).every(({ length }) => length > 1);
  if (Array.isArray(value)) {
    // The others keep their indexes.
    return value.map((each, index) => (isLeft(`${index}`) ? step(each, `${index}`) : null));
  }
  if (!isPlainObject(value)) return value;
  const fields = Object.entries(value).filter(([name]) => isLeft(name));
  return Object.fromEntries(fields.map(([name, each]) => [name, step(each, name)]));
}

function findInner(paths: readonly JsonPath[], name: string): readonly JsonPath[] {
  return paths.filter(([first]) => first === name || first === "*");
}
