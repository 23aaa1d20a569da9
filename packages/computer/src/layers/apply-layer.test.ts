import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDiskComputer } from "../disk/disk-computer.ts";
import { procPinning } from "../disk/proc-pinning.ts";
import { makeRunScope } from "../test-support/run-scope.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { applyLayer } from "./apply-layer.ts";
import { lookAt, readLayer } from "./read-layer.ts";

// As long as the file in its place.
const secret = "key!";

function openPlace() {
  const base = makeTemporaryDirectory();
  const [root, upper, outside] = [join(base, "root"), join(base, "upper"), join(base, "outside")];
  for (const path of [join(root, "a/b"), upper, outside]) {
    mkdirSync(path, { recursive: true });
  }
  writeFileSync(join(root, "a/b/file"), "ours");
  writeFileSync(join(outside, "file"), secret);
  const computer = createDiskComputer({ workspace: root, stateDirectory: join(base, "state") });
  const scope = makeRunScope(computer);
  const context = {
    ...{ scope, roots: [root, upper], pinning: procPinning, flush: false },
    ...{ startedAt: 0n, base: () => undefined },
    kept: join(base, "kept"),
  };
  /** As a job would, which works on the workspace itself. */
  const swap = (): void => {
    renameSync(join(root, "a/b"), join(root, "a/old"));
    symlinkSync(outside, join(root, "a/b"));
  };
  return { root, upper, outside, context, swap };
}

describe.runIf(process.platform === "linux")("applyLayer", () => {
  it("takes nothing from behind a link that took the place of a directory", async () => {
    const { root, outside, context, swap } = openPlace();
    const path = join(root, "a/b/file");
    const change = { path, kind: "deleted", before: lookAt(path) } as const;
    swap();
    const applying = applyLayer(async () => [change], { ...context, startedAt: 2n ** 62n });
    await expect(applying).rejects.toMatchObject({ code: "conflict" });
    expect(readFileSync(join(outside, "file"), "utf8")).toBe(secret);
  });

  it("lists nothing behind such a link", async () => {
    const { root, upper, swap } = openPlace();
    mkdirSync(join(upper, "a/b"), { recursive: true });
    swap();
    const { changes } = await readLayer({
      path: root,
      upper,
      opaque: new Set([join(upper, "a/b")]),
      attributed: new Set(),
      closed: new Map(),
    });
    expect(changes.map(({ path, kind }) => [path, kind])).toEqual([
      [join(root, "a/b"), "deleted"],
      [join(root, "a/b"), "created"],
    ]);
  });
});
