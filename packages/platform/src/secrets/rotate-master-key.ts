import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../store/store.ts";
import { createSecretBox } from "./create-secret-box.ts";
import { type MasterKey, newMasterKey } from "./master-key.ts";
import { readMasterKeyFile, writeMasterKeyFile } from "./master-key-file.ts";
import { type MasterKeyLocation, openMasterKeys, readEnvironmentKeys } from "./master-keys.ts";
import { resealStore } from "./reseal-store.ts";
import { sealedValueReaders } from "./sealed-values.ts";
import { waitForKey } from "./wait-for-key.ts";

/** Options of a rotation. */
export interface RotationOptions extends MasterKeyLocation {
  readonly store: Store;
  /**
   * How long to wait for values that another process has sealed with the old key but not yet stored.
   * Default: 5 seconds.
   */
  readonly settleMs?: number;
  /** Called and awaited after every step. */
  readonly report?: (step: RotationStep) => void | Promise<void>;
}

/** A finished step of a rotation. */
export type RotationStep = "key added" | "values sealed" | "old keys dropped";

/** The outcome of a rotation. */
export interface Rotation {
  /** The id of the key that now seals everything. */
  readonly keyId: string;
  readonly resealed: number;
  readonly dropped: number;
}

/**
 * Seals everything with a new master key, then removes the old keys. If the keys come from
 * `HAFT_MASTER_KEY`, seals with the first of them instead. A rotation that is interrupted loses
 * nothing and can be run again, because the old keys go last. Servers on the same data directory keep
 * running; servers with keys from the environment must have been restarted with both keys.
 */
export async function rotateMasterKey(options: RotationOptions): Promise<Rotation> {
  const given = readEnvironmentKeys(options.environment);
  if (given !== undefined) {
    await waitForKey(options.store, given[0].id, { isFixed: true });
    const resealed = await resealUntilClean(options, given[0]);
    return { keyId: given[0].id, resealed, dropped: 0 };
  }
  if (options.directory === undefined) {
    throw new Error("There is no master key to rotate. Name the data directory with --data.");
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
  try {
    await waitForKey(options.store, key.id, { isFixed: false });
  } catch (error) {
    // The old key seals again. Values that were sealed with the new key can still be opened.
    writeMasterKeyFile(directory, [...old, key]);
    throw error;
  }
  let resealed = await resealUntilClean(options, key);
  await settled;
  for (;;) {
    resealed += await resealUntilClean(options, key);
    writeMasterKeyFile(directory, [key]);
    await options.report?.("old keys dropped");
    if (await isClean(options, key)) return { keyId: key.id, resealed, dropped: old.length };
    // A process stored a value late, sealed with an old key. Keep the old keys for another pass.
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

/**
 * Lets one rotation at a time work on a data directory. SQLite holds the lock, because Node has no
 * file locks of its own. The operating system releases it when the process ends.
 */
export function takeRotationLock(directory: string): { release(): void } {
  const lock = new DatabaseSync(join(directory, "master.lock"), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    throw new Error(
      `Another rotation of the master key is running in ${directory}. Wait until it ends.`,
      { cause: error },
    );
  }
  return { release: () => lock.close() };
}

function stuckError(stuck: readonly string[]): Error {
  const some = stuck.slice(0, 5).join("; ");
  const rest = stuck.length > 5 ? ` and ${stuck.length - 5} more` : "";
  return new Error(
    `These values can't be opened with any available key: ${some}${rest}. Set or delete them, or put their key back, then rotate again. All keys were kept.`,
  );
}
