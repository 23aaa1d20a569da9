import { fromKeyText, type MasterKey } from "./master-key.ts";
import { masterKeyPath, openMasterKeyFile, readMasterKeyFile } from "./master-key-file.ts";

/** The keys that a process seals and opens with. */
export interface MasterKeys {
  /** Where the keys come from, for messages to the operator. */
  readonly origin: string;
  /** The same without a path, for messages to any caller. */
  readonly name: string;
  /** Returns the sealing key. */
  current(): MasterKey;
  find(id: string): MasterKey | undefined;
  /** Returns the ids of all keys, as they are now. */
  ids(): readonly string[];
}

/** Where the master keys are. */
export interface MasterKeyLocation {
  /** The data directory, with `master.key`. */
  readonly directory?: string;
  /** `HAFT_MASTER_KEY` takes precedence over the file. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Requires an existing key, because the store already has sealed values. Default: false. */
  readonly isNeeded?: boolean;
}

/** Reads the keys from the environment or else the data directory, where one is created if needed. */
export function openMasterKeys(location: MasterKeyLocation): MasterKeys {
  const { directory, environment, isNeeded = false } = location;
  const given = readEnvironmentKeys(environment);
  if (given !== undefined) return fromEnvironment(given);
  if (directory === undefined) {
    throw new Error(
      `${variable} is not set and there is no data directory. Set it to the output of: openssl rand -base64 32`,
    );
  }
  if (isNeeded) readMasterKeyFile(directory);
  else openMasterKeyFile(directory);
  return fromFile(directory);
}

/** Reads the keys in `HAFT_MASTER_KEY`, the sealing key first. Returns `undefined` if it is not set. */
export function readEnvironmentKeys(
  environment: MasterKeyLocation["environment"],
): readonly [MasterKey, ...MasterKey[]] | undefined {
  const text = environment[variable]?.trim() ?? "";
  if (text === "") return undefined;
  const keys = text.split(",").map((part) => fromKeyText(part.trim()));
  const wrong = keys.indexOf(undefined);
  if (wrong >= 0) {
    throw new Error(
      `${variable} is malformed: key ${wrong + 1} of ${keys.length} is not 32 bytes in base64 or hexadecimal. Generate one with: openssl rand -base64 32`,
    );
  }
  return keys as [MasterKey, ...MasterKey[]];
}

const variable = "HAFT_MASTER_KEY";

function fromEnvironment(keys: readonly [MasterKey, ...MasterKey[]]): MasterKeys {
  return {
    origin: variable,
    name: variable,
    ids: () => keys.map(({ id }) => id),
    current: () => keys[0],
    find: (id) => keys.find((key) => key.id === id),
  };
}

function fromFile(directory: string): MasterKeys {
  // Keys that a rotation has removed stay known here, so that this process can open what it sealed.
  const known = new Map<string, MasterKey>();
  const read = (): MasterKey => {
    const keys = readMasterKeyFile(directory);
    for (const key of keys) known.set(key.id, key);
    return keys[0] as MasterKey;
  };
  read();
  return {
    origin: masterKeyPath(directory),
    name: "master.key",
    ids: () => readMasterKeyFile(directory).map(({ id }) => id),
    // Read every time, because another process may have started a rotation.
    current: read,
    find: (id) => {
      if (!known.has(id)) read();
      return known.get(id);
    },
  };
}
