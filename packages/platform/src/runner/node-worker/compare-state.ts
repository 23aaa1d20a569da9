// A tool can replace these, so the originals are saved before it is loaded.
const { Function: CompiledFunction } = globalThis;
const { create, getOwnPropertySymbols, hasOwn, is, keys } = Object;
const { getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { stringify } = JSON;
// These are not stored like other objects.
const unusualObjects: readonly object[] = [globalThis, process.env];

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
 * are enumerable or symbols: listing all keys would take most of the time. Changes of accessors
 * that are not enumerable are left to `watchDefinitions`, unless they are deleted.
 *
 * The objects and values are constants of the compiled code, so V8 reads nothing at all: it drops a
 * comparison with the value that a property has, and drops the code when that changes. A loop over all keys takes a
 * hundred times as long.
 */
export function compileComparison(
  records: readonly ObjectRecord[],
  sizeOf: (map: unknown) => number,
): FindChanged {
  const constants: unknown[] = [];
  const name = (value: unknown): string => `c${constants.push(value) - 1}`;
  const body = records.map((record, index) => {
    makeFast(record.target);
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
        const { get, set, value, writable, enumerable } = record.descriptors[
          position
        ] as PropertyDescriptor;
        // Accessors and constants of what can't be extended are permanent.
        if (record.count === undefined && writable !== true) return [];
        const literal = typeof key === "string" ? stringify(key) : name(key);
        const now = `${target}[${literal}]`;
        if ((get ?? set) === undefined) {
          const isOdd = value === 0 || Number.isNaN(value);
          return isOdd ? [`!is(${now}, ${name(value)})`] : [`${now} !== ${name(value)}`];
        }
        if (!enumerable) return [`!hasOwn(${target}, ${literal})`];
        return [`!hasAccessors(${target}, ${literal}, ${name({ get, set })})`];
      }),
    ];
    return `case ${index}: if (${conditions.join("\n|| ")}) return ${index};`;
  });
  const make = CompiledFunction(
    ...["k", "getPrototypeOf", "keys", "symbols", "sizeOf", "is", "hasOwn", "hasAccessors"],
    `"use strict"; ${constants.map((_, index) => `const c${index} = k[${index}];`).join("")}
    return (from) => { switch (from) { ${body.join("\n")} } return -1; };`,
  );
  return make(
    ...[constants, getPrototypeOf, keys, getOwnPropertySymbols, sizeOf, is, hasOwn, hasAccessors],
  ) as FindChanged;
}

/**
 * Has V8 store the properties of an object at fixed places, as it does for prototypes. It keeps those of
 * large objects in tables, where it can't know that a property is unchanged.
 */
function makeFast(target: object): void {
  for (let index = 0; index < unusualObjects.length; index++) {
    if (target === unusualObjects[index]) return;
  }
  const heir: { readonly absentInHaft?: unknown } = create(target);
  for (let reads = 0; reads < 4; reads++) readAbsent(heir);
}

function readAbsent(heir: { readonly absentInHaft?: unknown }): unknown {
  return heir.absentInHaft;
}

/** Returns whether an object has the accessors that it had. */
export function hasSameAccessors({ target, keys, descriptors }: ObjectRecord): boolean {
  for (let index = 0; index < keys.length; index++) {
    const descriptor = descriptors[index] as PropertyDescriptor;
    if ((descriptor.get ?? descriptor.set) === undefined) continue;
    if (!hasAccessors(target, keys[index] as PropertyKey, descriptor)) return false;
  }
  return true;
}

function hasAccessors(target: object, key: PropertyKey, wanted: PropertyDescriptor): boolean {
  const now = getOwnPropertyDescriptor(target, key);
  return now?.get === wanted.get && now?.set === wanted.set;
}
