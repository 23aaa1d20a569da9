import { fromKeyText, type MasterKey } from "./master-key.ts";
import { masterKeyPath, openMasterKeyFile, readMasterKeyFile } from "./master-key-file.ts";

/** The keys that a process seals and opens with. */
export interface MasterKeys {
  /** Where they come from, for people. */
  readonly origin: string;
  /** The one that seals. */
  current(): MasterKey;
  find(id: string): MasterKey | undefined;
}

/** Where the keys are. */
export interface MasterKeyLocation {
  /** The data directory, with `master.key`. */
  readonly directory?: string;
  /** `HAFT_MASTER_KEY`, if it is there, goes before the file. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Finds the keys: in the environment, else in the data directory, where one is made if need be. */
export function openMasterKeys({ directory, environment }: MasterKeyLocation): MasterKeys {
  const given = readEnvironmentKeys(environment);
  if (given !== undefined) return fromEnvironment(given);
  if (directory === undefined) {
    throw new Error(
      `${variable} is not set and there is no data directory. Set it: openssl rand -base64 32`,
    );
  }
  openMasterKeyFile(directory);
  return fromFile(directory);
}

/** The keys in `HAFT_MASTER_KEY`, the one that seals first; `undefined` if it is not set. */
export function readEnvironmentKeys(
  environment: MasterKeyLocation["environment"],
): readonly [MasterKey, ...MasterKey[]] | undefined {
  const text = environment[variable]?.trim() ?? "";
  if (text === "") return undefined;
  const keys = text.split(",").map((part) => fromKeyText(part.trim()));
  const wrong = keys.indexOf(undefined);
  if (wrong >= 0) {
    throw new Error(
      `${variable} is malformed: key ${wrong + 1} of ${keys.length} is not 32 bytes in base64 or hexadecimal. Make one: openssl rand -base64 32`,
    );
  }
  return keys as [MasterKey, ...MasterKey[]];
}

const variable = "HAFT_MASTER_KEY";

function fromEnvironment(keys: readonly [MasterKey, ...MasterKey[]]): MasterKeys {
  return {
    origin: variable,
    current: () => keys[0],
    find: (id) => keys.find((key) => key.id === id),
  };
}

function fromFile(directory: string): MasterKeys {
  // Keys that a rotation has dropped stay known here: what this process sealed it can open.
  const known = new Map<string, MasterKey>();
  const read = (): MasterKey => {
    const keys = readMasterKeyFile(directory);
    for (const key of keys) known.set(key.id, key);
    return keys[0] as MasterKey;
  };
  read();
  return {
    origin: masterKeyPath(directory),
    // Read anew each time: another process may have begun a rotation.
    current: read,
    find: (id) => {
      if (!known.has(id)) read();
      return known.get(id);
    },
  };
}
