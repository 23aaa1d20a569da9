import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PathState } from "@haft/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { openScope } from "../test-support/open-scope.ts";
import { canPinThroughProc } from "./proc-pinning.ts";

// Exchanges `door` for the one or the other of two entries, as fast as it can. A write may have made
// a directory of that name in the instant when there was none.
const swapper = `
  const { renameSync, rmSync } = require("node:fs");
  process.chdir(process.argv[1]);
  const hang = (name) => {
    for (;;) {
      try {
        return renameSync(name, "door");
      } catch {
        try { rmSync("door", { recursive: true }); } catch {}
      }
    }
  };
  process.stdout.write("ready");
  for (;;) {
    renameSync("door", "one");
    hang("two");
    renameSync("door", "two");
    hang("one");
  }
`;

describe.skipIf(!canPinThroughProc())("a path that changes while it is used (needs /proc)", () => {
  const start = async (root: string): Promise<ChildProcess> => {
    const child = spawn(process.execPath, ["-e", swapper, root], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    if (child.stdout) await once(child.stdout, "data");
    return child;
  };
  const prepare = async (form: "link" | "directory") => {
    const { computer, root, outside } = createDiskWorkspace({ "inside/file": "inside" });
    writeFileSync(join(outside, "file"), "outside");
    if (form === "link") {
      symlinkSync("inside", join(root, "door"));
    } else {
      mkdirSync(join(root, "door"));
      writeFileSync(join(root, "door", "file"), "inside");
    }
    symlinkSync(outside, join(root, "two"));
    await start(root);
    return { root, outside, ...openScope(computer) };
  };

  it.each(["link", "directory"] as const)("is never read outside: %s", async (form) => {
    const { files } = await prepare(form);
    const outcomes = new Set<string>();
    const hasBoth = (): boolean => outcomes.has("inside") && outcomes.has("out-of-scope");
    // On a busy machine the other process may not get its turn for a while.
    const start = performance.now();
    while (performance.now() < start + (hasBoth() ? 500 : 20_000)) {
      const outcome = await files.read("door/file").then(
        (bytes) => new TextDecoder().decode(bytes),
        (error: { code: string }) => error.code,
      );
      outcomes.add(outcome);
      const loaded = await files.load("door/file").then(
        ({ content }) => new TextDecoder().decode(content),
        (error: { code: string }) => error.code,
      );
      outcomes.add(loaded);
    }
    // In the instant when nothing hangs in the door there is nothing to find.
    outcomes.delete("not-found");
    expect([...outcomes].sort()).toEqual(["inside", "out-of-scope"]);
  });

  it.each(["link", "directory"] as const)("is never changed outside: %s", async (form) => {
    const { files, outside } = await prepare(form);
    let done = 0;
    const to: PathState = { kind: "file", content: new Uint8Array(3) };
    const start = performance.now();
    for (let round = 0; performance.now() < start + (done > 0 ? 800 : 20_000); round++) {
      const attempts = [
        files.write("door/file", "mine"),
        files.write(`door/new-${round}`, "mine"),
        files.write(`door/made-${round}/file`, "mine", { parents: true }),
        files.remove("door/file"),
        files.change([
          { path: `door/one-${round}`, to },
          { path: `door/two-${round}/file`, to, parents: true },
          { path: "door/file", to },
        ]),
      ];
      for (const { status } of await Promise.allSettled(attempts))
        done += Number(status === "fulfilled");
    }
    expect(readdirSync(outside)).toEqual(["file"]);
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("outside");
    expect(done).toBeGreaterThan(0);
  });
});
