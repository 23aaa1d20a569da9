/** Values that others can be looked up in, in time that depends on the value only. */
export interface ComparableSet {
  readonly scalars: Set<unknown>;
  /** Lists and objects as text, the names of each object in order. */
  readonly others: Set<string>;
  /** The longest of the texts; what is longer is not among them. */
  readonly maxLength: number;
}

type Spend = (steps: number) => void;

const stepsPerText = 4;

/** Makes a set of values. */
export function toComparableSet(values: readonly unknown[]): ComparableSet {
  const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null;
  const texts = values
    .filter((value) => !isScalar(value))
    .map((value) => toText(value, () => {}, Number.POSITIVE_INFINITY) as string);
  return {
    scalars: new Set(values.filter(isScalar)),
    others: new Set(texts),
    maxLength: texts.reduce((longest, { length }) => Math.max(longest, length), 0),
  };
}

/** Whether a value equals one of a set. */
export function compareValue(
  value: unknown,
  { scalars, others, maxLength }: ComparableSet,
  spend: Spend,
): boolean {
  if (typeof value !== "object" || value === null) return scalars.has(value);
  if (others.size === 0) return false;
  const text = toText(value, spend, maxLength);
  return text !== undefined && others.has(text);
}

/** The first two places of a list whose values are equal. */
export function findDuplicate(
  values: readonly unknown[],
  spend: Spend,
): readonly [number, number] | undefined {
  const scalars = new Map<unknown, number>();
  const others = new Map<unknown, number>();
  spend(stepsPerText * values.length);
  for (const [index, value] of values.entries()) {
    const isScalar = typeof value !== "object" || value === null;
    const known = isScalar ? scalars : others;
    const key = isScalar ? value : toText(value, spend, Number.POSITIVE_INFINITY);
    const earlier = known.get(key);
    if (earlier !== undefined) return [earlier, index];
    known.set(key, index);
  }
  return undefined;
}

/** Equal values have equal texts. A text longer than `maxLength` is not finished: `undefined`. */
function toText(value: unknown, spend: Spend, maxLength: number): string | undefined {
  const parts: string[] = [];
  let left = maxLength;
  const add = (text: string): boolean => {
    left -= text.length;
    spend(stepsPerText + (text.length >> 3));
    parts.push(text);
    return left >= 0;
  };
  const writeObject = (one: Readonly<Record<string, unknown>>): boolean => {
    const names = Object.keys(one);
    // To list those of a large object takes long.
    spend(16 * names.length);
    // Each takes at least five characters.
    if (5 * names.length > left) return false;
    spend(names.length * Math.log2(names.length + 1));
    return (
      add("{") &&
      names.sort().every((name) => write(name) && add(":") && write(one[name]) && add(",")) &&
      add("}")
    );
  };
  const write = (one: unknown): boolean => {
    if (Array.isArray(one)) {
      return add("[") && one.every((item) => write(item) && add(",")) && add("]");
    }
    if (typeof one === "object" && one !== null) return writeObject(one as never);
    if (typeof one === "string" && one.length > left) return false;
    return add(JSON.stringify(one) ?? "undefined");
  };
  return write(value) ? parts.join("") : undefined;
}
