import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../store/open-store.ts";
import { recoverOperations } from "../versions/recover-operations.ts";
import { openPublishBench } from "./test-support/publish-bench.ts";

const script = fileURLToPath(new URL("./test-support/publish-and-die.ts", import.meta.url));

describe("a server that is killed while it publishes", () => {
  it.each([
    ["checking", 0],
    ["building", 0],
    ["storing", 0],
    ["stored", 0],
    ["audited", 0],
    ["committed", 1],
  ])(
    "leaves the state before or after it: killed when %s, %i versions",
    async (moment, versions) => {
      const directory = mkdtempSync(join(tmpdir(), "haft-crash-"));
      onTestFinished(() => rmSync(directory, { recursive: true }));
      const path = join(directory, "haft.db");
      const store = await openStore({ kind: "sqlite", path });
      onTestFinished(() => store.close());
      const bench = await openPublishBench(store);
      const { signal, stderr } = spawnSync(
        process.execPath,
        ["--no-warnings", script, path, bench.organization, bench.toolId, moment],
        { encoding: "utf8" },
      );
      expect({ signal, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
      const rows = await store.db.selectFrom("tool_versions").selectAll().execute();
      expect(rows).toHaveLength(versions);
      expect(await store.db.selectFrom("audit").select("action").execute()).toHaveLength(versions);
      const ended = versions === 1;
      const operations = store.db.selectFrom("operations").selectAll().orderBy("id");
      expect((await operations.execute()).map((row) => row.ended_at !== null)).toEqual([ended]);
      if (!ended) await expect(bench.publish()).rejects.toMatchObject({ status: 409 });
      // As the next start does.
      await recoverOperations({ store, now: () => Date.now() }, async () => false);
      await bench.publisher.recover();
      expect(await operations.execute()).toMatchObject([{ state: ended ? "active" : "failed" }]);
      expect(await bench.publish()).toBe(ended ? "1.0.1" : "1.0.0");
    },
  );
});
