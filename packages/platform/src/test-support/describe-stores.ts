import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { openStore } from "../store/open-store.ts";
import type { Store, StoreLocation } from "../store/store.ts";
import { newDatabase } from "./postgres.ts";

/** Makes stores for a test; all are closed when it has ended. */
export interface TestStores {
  /** An empty store. */
  open(): Promise<Store>;
  /** Where an empty store can be made, for tests that open it several times. */
  locate(): Promise<StoreLocation>;
}

/** Runs the same tests on SQLite and on a real PostgreSQL server. */
export function describeStores(name: string, define: (stores: TestStores) => void): void {
  describe(`${name} on SQLite`, () => {
    const directories: string[] = [];
    afterEach(() => {
      for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
    });
    define(useStores(async () => {
      const directory = mkdtempSync(join(tmpdir(), "haft-store-"));
      directories.push(directory);
      return { kind: "sqlite", path: join(directory, "haft.db") };
    }));
  });

  describe.skipIf(isMissing("pg_ctlcluster"))(`${name} on PostgreSQL`, () => {
    define(useStores(async () => ({ kind: "postgres", url: await newDatabase() })));
  });
}

function useStores(locate: () => Promise<StoreLocation>): TestStores {
  const opened: Store[] = [];
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  return {
    locate,
    open: async () => {
      const store = await openStore(await locate());
      opened.push(store);
      return store;
    },
  };
}
