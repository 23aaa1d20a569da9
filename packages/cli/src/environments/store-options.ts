import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";
import { locateData } from "./data-directory.ts";
import type { LocalPlatform, OpenLocalPlatform, StoreLocation } from "./local-platform.ts";
import { optionText } from "./option-values.ts";

/** Returns the store that the options name. */
export function readStoreLocation(input: CommandInput, io: Io): StoreLocation {
  const database = optionText(input, "database");
  if (database !== undefined && !/^postgres(?:ql)?:\/\//u.test(database)) {
    // The value is not repeated: it may contain a password.
    throw new UsageError("--database takes the address of a PostgreSQL database, postgres://…");
  }
  return { directory: locateData(input, io), database };
}

/** Opens a store for the time of some work. */
export async function withStore<T>(
  open: OpenLocalPlatform,
  location: StoreLocation,
  work: (platform: LocalPlatform) => Promise<T>,
): Promise<T> {
  const platform = await open(location);
  try {
    return await work(platform);
  } finally {
    await platform.close();
  }
}
