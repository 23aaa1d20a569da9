// A tool can replace these, so the originals are saved before it is loaded.
const { Function: CompiledFunction } = globalThis;
const { getOwnPropertySymbols, is, keys } = Object;
const { getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { stringify } = JSON;

/** What an object was like when it was recorded. */
export interface ObjectRecord {
  readonly target: object;
  readonly prototype: object | null;
  /** The number of all keys. `undefined` once it can't change. */
  count: number | undefined;
  /** The number of enumerable keys, and of symbols. */
  readonly enumerable: number;
  readonly symbols: number;
  /** The keys of the properties that can change. */
  readonly keys: readonly PropertyKey[];
  readonly descriptors: readonly PropertyDescriptor[];
  /** The entries of a map. */
  readonly entries: readonly (readonly [unknown, unknown])[] | undefined;
}

/** Returns the index of the first object from an index on that differs from its record, or -1. */
export type FindChanged = (from: number) => number;

/**
 * Compiles the comparison of some objects with their records. Properties that were added count if they
 * are enumerable or symbols: listing all keys would take most of the time. A loop over all keys takes ten times as
 * long, because V8 can't predict which property of which object it reads.
 */
export function compileComparison(
  records: readonly ObjectRecord[],
  sizeOf: (map: unknown) => number,
): FindChanged {
  const constants: unknown[] = [];
  const name = (value: unknown): string => `c${constants.push(value) - 1}`;
  const body = records.map((record, index) => {
    const target = name(record.target);
    const conditions = [
      `getPrototypeOf(${target}) !== ${name(record.prototype)}`,
      ...(record.count === undefined
        ? []
        : [
            `keys(${target}).length !== ${record.enumerable}`,
            `symbols(${target}).length !== ${record.symbols}`,
          ]),
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
    ...["k", "getPrototypeOf", "keys", "symbols", "sizeOf", "is", "hasAccessors"],
    `"use strict"; ${constants.map((_, index) => `const c${index} = k[${index}];`).join("")}
    return (from) => { switch (from) { ${body.join("\n")} } return -1; };`,
  );
  return make(
    ...[constants, getPrototypeOf, keys, getOwnPropertySymbols, sizeOf, is, hasAccessors],
  ) as FindChanged;
}

function hasAccessors(target: object, key: PropertyKey, wanted: PropertyDescriptor): boolean {
  const now = getOwnPropertyDescriptor(target, key);
  return now?.get === wanted.get && now?.set === wanted.set;
}
