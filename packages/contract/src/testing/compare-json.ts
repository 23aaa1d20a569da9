/** Finds where a value changes when it goes through JSON. Returns `undefined` if it does not. */
export function findLossInJson(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  if (text === undefined) return `${typeof value} is not JSON`;
  return findDifference(value, JSON.parse(text), { partial: false });
}

/** Finds where a value lacks what is expected. Objects may have more properties, arrays no more items. */
export function findMissing(expected: unknown, actual: unknown): string | undefined {
  return findDifference(expected, actual, { partial: true });
}

interface Comparison {
  readonly partial: boolean;
  readonly path?: string;
}

function findDifference(left: unknown, right: unknown, how: Comparison): string | undefined {
  const path = how.path ?? "data";
  if (!isObject(left) || !isObject(right)) {
    return left === right ? undefined : `${path}: expected ${show(left)}, got ${show(right)}`;
  }
  if (Array.isArray(left) !== Array.isArray(right))
    return `${path}: one is an array, the other an object`;
  if (!Array.isArray(left) && !isPlain(left)) return `${path}: not a plain object`;
  const names = Object.keys(how.partial ? left : { ...right, ...left });
  if (Array.isArray(left) && Array.isArray(right) && left.length !== right.length) {
    return `${path}: expected ${left.length} items, got ${right.length}`;
  }
  for (const name of names) {
    const below = `${path}.${name}`;
    if (!Object.hasOwn(right, name)) return `${below}: expected ${show(left[name])}, got nothing`;
    const found = findDifference(left[name], right[name], { ...how, path: below });
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function show(value: unknown): string {
  return isObject(value) || typeof value === "string" ? JSON.stringify(value) : String(value);
}
