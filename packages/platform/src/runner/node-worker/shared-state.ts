import { syncBuiltinESMExports } from "node:module";
// Not from `node:util`, which opens standard error as it is loaded.
import { isMap } from "node:util/types";
import {
  compileComparison,
  type FindChanged,
  hasSameAccessors,
  type ObjectRecord,
} from "./compare-state.ts";
import { watchLastingFunctions } from "./lasting-functions.ts";
import { watchDefinitions } from "./watch-definitions.ts";

// A tool can replace any of these, so the originals are saved before it is loaded.
const { defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;
const { getPrototypeOf, isExtensible, ownKeys, setPrototypeOf } = Reflect;
const { chdir, cwd, umask } = process;
const { clear: clearMap, entries: listEntries, set: setEntry } = Map.prototype;
const { has: hasSeen } = Set.prototype;
const mapSize = getOwnPropertyDescriptor(Map.prototype, "size")?.get as () => number;
const { call } = Function.prototype;
const sizeOf = call.bind(mapSize) as (map: unknown) => number;

/** The state that all invocations of a process share: globals, prototypes and Node's modules. */
export interface SharedState {
  /** Records a module of Node before a tool gets it. */
  add(name: string): void;
  /**
   * Makes the classes of Node non-extensible, so that restoring takes less time, and freezes functions
   * without members.
   */
  seal(): void;
  /** Reverts every change since the record was made. Returns false if that is not possible. */
  restore(): boolean;
}

/** The comparison of some records, by the number of the first. */
interface Comparison {
  readonly first: number;
  readonly findChanged: FindChanged;
}

/** Records all globals and what can be reached from them. */
export function recordSharedState(): SharedState {
  const records: ObjectRecord[] = [];
  const comparisons: Comparison[] = [];
  let compared = 0;
  const seen = new Set<unknown>([process.config, process.versions]);
  const plainFunctions: object[] = [];
  const added = new Set<string>();
  const directory = cwd();
  const mask = umask();
  const clearTimeline = bindClearTimeline();
  const { getBuiltinModule } = process;
  let hasLasting = false;
  // Whether a property may have been added to a recorded object that is not enumerable.
  let hasDefined = false;
  // Whether there may be globals of another realm, which are not watched.
  let hasOtherRealms = false;
  watchDefinitions((target) => {
    if (!hasDefined && call.call(hasSeen, seen, target)) hasDefined = true;
  });
  let isSealed = false;

  const record = (root: object): void => {
    const rest: unknown[] = [root];
    while (rest.length > 0) {
      const target = rest.pop();
      if (seen.has(target)) continue;
      if (!isRecordable(target)) {
        if (typeof target === "function") {
          seen.add(target);
          plainFunctions.push(target);
          if (isSealed) freezeFunction(target);
        }
        continue;
      }
      seen.add(target);
      const made = describe(target);
      records.push(made);
      if (isSealed) seal(made);
      rest.push(made.prototype);
      for (const key of listKeys(target)) rest.push(getOwnPropertyDescriptor(target, key)?.value);
      for (const entry of made.entries ?? []) rest.push(...entry);
    }
  };
  // Getters of a module lead to more of it, such as `fs.promises`.
  const recordAll = (module: object): void => {
    for (const key of listKeys(module)) {
      const getter = getOwnPropertyDescriptor(module, key)?.get;
      if (getter !== undefined) record(Object(getter.call(module)));
    }
    record(module);
  };
  const add = (name: string): void => {
    const bare = name.replace(/^node:/u, "");
    if (added.has(bare)) return;
    added.add(bare);
    if (bare === "vm" || bare === "repl") hasOtherRealms = true;
    const module = getBuiltinModule(bare) as object | undefined;
    if (module === undefined) return;
    const onCall = (): void => {
      hasLasting = true;
    };
    if (watchLastingFunctions(bare, module, onCall)) syncBuiltinESMExports();
    recordAll(module);
  };
  const compileNew = (): void => {
    for (; compared < records.length; compared += recordsPerComparison) {
      const some = records.slice(compared, compared + recordsPerComparison);
      comparisons.push({ first: compared, findChanged: compileComparison(some, sizeOf) });
    }
    compared = records.length;
  };
  /** Reverts objects with properties that the comparisons do not see. */
  const revertHidden = (): boolean => {
    for (let index = 0; index < records.length; index++) {
      const each = records[index] as ObjectRecord;
      if (each.count === undefined) continue;
      const isSame = ownKeys(each.target).length === each.count && hasSameAccessors(each);
      if (!isSame && !revert(each)) return false;
    }
    return true;
  };
  process.getBuiltinModule = ((name: string) => {
    if (typeof name === "string") add(name);
    return getBuiltinModule(name);
  }) as typeof getBuiltinModule;
  add("process");
  recordAll(globalThis);
  for (const stream of [process.stdin, process.stdout, process.stderr]) record(stream);
  return {
    add,
    seal: () => {
      isSealed = true;
      records.forEach(seal);
      plainFunctions.forEach(freezeFunction);
      // Before the tool runs, which could replace what compiles.
      compileNew();
    },
    restore: () => {
      if (hasLasting) return false;
      compileNew();
      // By index, because a tool may have replaced the iterators.
      let hasChanged = hasDefined || hasOtherRealms;
      for (let number = 0; number < comparisons.length; number++) {
        const { first, findChanged } = comparisons[number] as Comparison;
        for (let at = findChanged(0); at >= 0; at = findChanged(at + 1)) {
          hasChanged = true;
          if (!revert(records[first + at] as ObjectRecord)) return false;
        }
      }
      if (hasChanged && !revertHidden()) return false;
      hasDefined = false;
      if (cwd() !== directory) chdir(directory);
      umask(mask);
      clearTimeline();
      // `RegExp.$1` and its like hold the last match.
      /^/u.test("");
      return true;
    },
  };
}

// Tools and packages may extend these in place.
const extensibleClasses: readonly unknown[] = [
  ...[Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Date, Promise, RegExp],
  ...[Error, Map, Set, WeakMap, WeakSet, Buffer, ArrayBuffer],
  // Not in the types yet.
  Reflect.get(globalThis, "Iterator"),
];
// Reading one of these loads Node's HTTP client. It is there from the start if the tool has hosts.
// Otherwise a process in which a tool loaded it is not used again.
const lazyGlobals: readonly PropertyKey[] =
  Symbol.for("undici.globalDispatcher.1") in globalThis
    ? []
    : [
        ...["CloseEvent", "EventSource", "FormData", "Headers", "MessageEvent", "Request"],
        ...["Response", "WebSocket"],
      ];
const uncompared: readonly PropertyKey[] = [
  ...lazyGlobals,
  // These warn when they are read.
  ...["fips", "localStorage", "sessionStorage"],
  // Internals of streams, which change with every write.
  ...["_writableState", "_readableState"],
];
// Longer lists are constants of Node, or grow by themselves.
const maxListLength = 64;
// A larger function takes too long to optimize.
const recordsPerComparison = 16;
const plainKeys: readonly PropertyKey[] = ["name", "length", "prototype", "arguments", "caller"];

/** Whether a value is an object, or a function with members. Other functions are frozen. */
function isRecordable(value: unknown): value is object {
  if (typeof value === "object") {
    if (Array.isArray(value)) return value.length <= maxListLength;
    return value !== null && !ArrayBuffer.isView(value);
  }
  if (typeof value !== "function") return false;
  const { prototype } = value as { prototype?: object };
  if (prototype !== undefined && ownKeys(Object(prototype)).length > 1) return true;
  return ownKeys(value).some((key) => !plainKeys.includes(key));
}

function listKeys(target: object): readonly PropertyKey[] {
  return ownKeys(target).filter((key) => !uncompared.includes(key));
}

function describe(target: object): ObjectRecord {
  const keys: PropertyKey[] = [];
  const descriptors: PropertyDescriptor[] = [];
  for (const key of listKeys(target)) {
    const descriptor = getOwnPropertyDescriptor(target, key);
    if (descriptor === undefined || !(descriptor.configurable || descriptor.writable)) continue;
    keys.push(key);
    // Without a prototype, because a tool may add members to that of objects.
    descriptors.push(Object.assign(Object.create(null), descriptor));
  }
  return {
    target,
    prototype: getPrototypeOf(target),
    enumerable: Object.keys(target).length,
    symbols: Object.getOwnPropertySymbols(target).length,
    count: isExtensible(target) ? ownKeys(target).length : undefined,
    keys,
    descriptors,
    // Maps of Node have no iterator.
    entries: isMap(target) ? [...call.call(listEntries, target)] : undefined,
  };
}

/**
 * Makes a class of Node, or its prototype, non-extensible, and its accessors and constants permanent. Then
 * only its variables have to be compared. Methods can still be replaced and overridden.
 */
function seal(record: ObjectRecord): void {
  const { target } = record;
  const owner = typeof target === "function" ? target : getOwnConstructor(target);
  const isOpen = owner === undefined || extensibleClasses.includes(owner);
  if (isOpen && record.count !== undefined) return;
  for (const [index, { writable }] of record.descriptors.entries()) {
    const key = record.keys[index] as PropertyKey;
    if (writable !== true) defineProperty(target, key, { configurable: false });
  }
  Reflect.preventExtensions(target);
  record.count = undefined;
}

// There are thousands of them, so comparing them after each invocation would take too long.
function freezeFunction(target: object): void {
  Object.freeze(Reflect.get(target, "prototype"));
  Object.freeze(target);
}

function getOwnConstructor(target: object): unknown {
  const owner: unknown = getOwnPropertyDescriptor(target, "constructor")?.value;
  return typeof owner === "function" && owner.prototype === target ? owner : undefined;
}

function revert({ target, prototype, count, keys, descriptors, entries }: ObjectRecord): boolean {
  if (count !== undefined && !isExtensible(target)) return false;
  const now = ownKeys(target);
  for (let index = 0; count !== undefined && index < now.length; index++) {
    const key = now[index] as PropertyKey;
    // Permanent properties stay. More of them than before show in the count.
    if (!has(keys, key) && !has(uncompared, key)) deleteProperty(target, key);
  }
  if (count !== undefined && ownKeys(target).length > count) return false;
  for (let index = 0; index < keys.length; index++) {
    const descriptor = descriptors[index] as PropertyDescriptor;
    const isPermanent = count === undefined && descriptor.writable !== true;
    if (!isPermanent && !defineProperty(target, keys[index] as PropertyKey, descriptor))
      return false;
  }
  if (entries !== undefined) {
    call.call(clearMap, target);
    for (let index = 0; index < entries.length; index++) {
      call.call(setEntry, target, entries[index]?.[0], entries[index]?.[1]);
    }
  }
  return setPrototypeOf(target, prototype);
}

function has(keys: readonly PropertyKey[], key: PropertyKey): boolean {
  for (let index = 0; index < keys.length; index++) if (keys[index] === key) return true;
  return false;
}

function bindClearTimeline(): () => void {
  const { performance } = globalThis;
  const clearMarks = performance.clearMarks.bind(performance);
  const clearMeasures = performance.clearMeasures.bind(performance);
  const clearTimings = performance.clearResourceTimings.bind(performance);
  return () => {
    clearMarks();
    clearMeasures();
    clearTimings();
  };
}
