// A tool can replace these, so the originals are saved before it is loaded.
const { Function: CompiledFunction } = globalThis;
const { is } = Object;
const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { stringify } = JSON;

/** What an object was like when it was recorded. */
export interface ObjectRecord {
  readonly target: object;
  readonly prototype: object | null;
  /** The number of all keys. `undefined` once it can't change. */
  count: number | undefined;
  /** The keys of the properties that can change. */
  readonly keys: readonly PropertyKey[];
  readonly descriptors: readonly PropertyDescriptor[];
  /** The entries of a map. */
  readonly entries: readonly (readonly [unknown, unknown])[] | undefined;
}

/** Returns the index of the first object from an index on that differs from its record, or -1. */
export type FindChanged = (from: number) => number;

/**
 * Compiles the comparison of some objects with their records. A loop over all keys takes ten times as
 * long, because V8 can't predict which property of which object it reads.
 */
export function compileComparison(
  records: readonly ObjectRecord[],
  sizeOf: (map: unknown) => number,
): FindChanged {
  const constants: unknown[] = [];
  const name = (value: unknown): string => `k[${constants.push(value) - 1}]`;
  const body = records.map((record, index) => {
    const target = name(record.target);
    const conditions = [
      `getPrototypeOf(${target}) !== ${name(record.prototype)}`,
      ...(record.count === undefined ? [] : [`ownKeys(${target}).length !== ${record.count}`]),
      ...(record.entries === undefined ? [] : [`sizeOf(${target}) !== ${record.entries.length}`]),
      ...record.keys.flatMap((key, position) => {
        const { get, set, value } = record.descriptors[position] as PropertyDescriptor;
        const literal = typeof key === "string" ? stringify(key) : name(key);
        const now = `${target}[${literal}]`;
        if ((get ?? set) === undefined) {
          const isOdd = value === 0 || Number.isNaN(value);
          return isOdd ? [`!is(${now}, ${name(value)})`] : [`${now} !== ${name(value)}`];
        }
        // Accessors of what can't be extended are permanent.
        if (record.count === undefined) return [];
        return [`!hasAccessors(${target}, ${literal}, ${name({ get, set })})`];
      }),
    ];
    return `case ${index}: if (${conditions.join("\n|| ")}) return ${index};`;
  });
  const make = CompiledFunction(
    ...["k", "getPrototypeOf", "ownKeys", "sizeOf", "is", "hasAccessors"],
    `"use strict"; return (from) => { switch (from) { ${body.join("\n")} } return -1; };`,
  );
  return make(constants, getPrototypeOf, ownKeys, sizeOf, is, hasAccessors) as FindChanged;
}

function hasAccessors(target: object, key: PropertyKey, wanted: PropertyDescriptor): boolean {
  const now = getOwnPropertyDescriptor(target, key);
  return now?.get === wanted.get && now?.set === wanted.set;
}
