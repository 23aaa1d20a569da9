/** Where a value differs from what JSON makes of it; `undefined` if it survives unchanged. */
export function findLossInJson(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  if (text === undefined) return `${typeof value} is not JSON`;
  return findDifference(value, JSON.parse(text), { partial: false });
}

/** Where a value lacks what is expected; objects may have more properties, arrays no more items. */
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
    return left === right ? undefined : `${path}: ${show(left)} against ${show(right)}`;
  }
  if (Array.isArray(left) !== Array.isArray(right)) return `${path}: an array against an object`;
  if (!Array.isArray(left) && !isPlain(left)) return `${path}: not a plain object`;
  const names = Object.keys(how.partial ? left : { ...right, ...left });
  if (Array.isArray(left) && Array.isArray(right) && left.length !== right.length) {
    return `${path}: ${left.length} items against ${right.length}`;
  }
  for (const name of names) {
    const below = `${path}.${name}`;
    if (!Object.hasOwn(right, name)) return `${below}: ${show(left[name])} against nothing`;
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
