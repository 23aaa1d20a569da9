import { basename, join } from "node:path";
import type { TestProject } from "vitest/node";
import { findBundle, ownProcessCache, root } from "./bundles.ts";
import { makeBundle } from "./make-bundle.ts";

// The scripts that our sources start with `besideFile`.
const scripts = [
  "agent/src/programs/program-guest.ts",
  "computer/src/broker/broker-host.ts",
  "computer/src/layered-computer/layer-host.ts",
  "computer/src/net/egress-bridge.ts",
  "computer/src/search/index-process/index-host.ts",
  "computer/src/shell/jobs/keeper-host.ts",
  "platform/src/runner/node-worker/node-worker.ts",
].map((path) => join(root, "packages", path));

/** Bundles the scripts of our own processes before the tests run. */
export async function setup(project: TestProject): Promise<void> {
  await bundleProcesses();
  project.onTestsRerun(bundleProcesses);
}

async function bundleProcesses(): Promise<void> {
  await Promise.all(
    scripts.map(async (script) => {
      const cache = ownProcessCache(script);
      if (findBundle(script, cache) !== undefined) return;
      try {
        await makeBundle(script, { cache, name: basename(script, ".ts") });
      } catch (error) {
        // A user who can't write here tests from the sources.
        const { code } = error as NodeJS.ErrnoException;
        if (code !== "EACCES" && code !== "EROFS") throw error;
      }
    }),
  );
}
