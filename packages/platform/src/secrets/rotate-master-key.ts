import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../store/store.ts";
import { createSecretBox } from "./create-secret-box.ts";
import { type MasterKey, newMasterKey } from "./master-key.ts";
import { readMasterKeyFile, writeMasterKeyFile } from "./master-key-file.ts";
import { type MasterKeyLocation, openMasterKeys, readEnvironmentKeys } from "./master-keys.ts";
import { resealStore } from "./reseal-store.ts";
import { takeRotationLock } from "./rotation-lock.ts";
import { sealedValueReaders } from "./sealed-values.ts";

/** What to rotate, and how. */
export interface RotationOptions extends MasterKeyLocation {
  readonly store: Store;
  /**
   * How long what a server beside us has sealed with the old key may take until it is in the store.
   */
  readonly settleMs?: number;
  /** Told after every step, and waited for. */
  readonly report?: (step: RotationStep) => void | Promise<void>;
}

/** How far a rotation is. */
export type RotationStep = "key added" | "values sealed" | "old keys dropped";

/** What a rotation has done. */
export interface Rotation {
  /** The key that everything is sealed with now. */
  readonly keyId: string;
  readonly resealed: number;
  readonly dropped: number;
}

/**
 * Seals everything with a new master key and forgets the old ones; if the keys come from
 * `HAFT_MASTER_KEY`, with the first of them. Interrupted at any point nothing is lost: the old keys
 * go last, and it can be done again. Servers on the same data directory need not stop; those with
 * keys from the environment must have been started with both keys before.
 */
export async function rotateMasterKey(options: RotationOptions): Promise<Rotation> {
  const given = readEnvironmentKeys(options.environment);
  if (given !== undefined) {
    const resealed = await resealUntilClean(options, given[0]);
    return { keyId: given[0].id, resealed, dropped: 0 };
  }
  if (options.directory === undefined) {
    throw new Error("There is no master key to rotate: name the data directory.");
  }
  const lock = takeRotationLock(options.directory);
  try {
    return await rotateFile(options, options.directory);
  } finally {
    lock.release();
  }
}

const defaultSettleMs = 5_000;

async function rotateFile(options: RotationOptions, directory: string): Promise<Rotation> {
  const old = readMasterKeyFile(directory);
  const key = newMasterKey();
  writeMasterKeyFile(directory, [key, ...old]);
  const settled = sleep(options.settleMs ?? defaultSettleMs);
  await options.report?.("key added");
  let resealed = await resealUntilClean(options, key);
  await settled;
  for (;;) {
    resealed += await resealUntilClean(options, key);
    writeMasterKeyFile(directory, [key]);
    await options.report?.("old keys dropped");
    if (await isClean(options, key)) return { keyId: key.id, resealed, dropped: old.length };
    // Somebody was very slow to store what was sealed with an old key: not to be lost.
    writeMasterKeyFile(directory, [key, ...old]);
  }
}

async function resealUntilClean(options: RotationOptions, key: MasterKey): Promise<number> {
  const { store } = options;
  const box = createSecretBox(openMasterKeys(options));
  const report = async (): Promise<void> => options.report?.("values sealed");
  let total = 0;
  for (;;) {
    const { count, stuck } = await resealStore({ store, box, key, report });
    if (stuck.length > 0) throw stuckError(stuck);
    if (count === 0) return total;
    total += count;
  }
}

async function isClean({ store }: RotationOptions, key: MasterKey): Promise<boolean> {
  for (const read of sealedValueReaders) {
    const left = await read(store.db, key.id, { offset: 0, limit: 1 });
    if (left.length > 0) return false;
  }
  return true;
}

function stuckError(stuck: readonly string[]): Error {
  const some = stuck.slice(0, 5).join("; ");
  const rest = stuck.length > 5 ? ` and ${stuck.length - 5} more` : "";
  return new Error(
    `These values can't be opened with any key at hand: ${some}${rest}. Set or delete them, or put their key back, and rotate again. All keys were kept.`,
  );
}
