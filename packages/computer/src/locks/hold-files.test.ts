import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { runSource, spawnSource } from "../test-support/spawn-source.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { createFileHolds } from "./hold-files.ts";

const open = () => {
  const directory = join(makeTemporaryDirectory(), "locks");
  const hold = createFileHolds(directory);
  const controller = new AbortController();
  const locks = (): string[] => readdirSync(directory).filter((name) => !name.startsWith("."));
  return { directory, hold, controller, locks, holder: { signal: controller.signal } };
};

const holdElsewhere = async (
  directory: string,
  paths: readonly string[],
): Promise<ChildProcess> => {
  const child = await spawnSource("hold-forever.ts", [directory, ...paths]);
  onTestFinished(() => void child.kill("SIGKILL"));
  if (child.stdout) await once(child.stdout, "data");
  return child;
};

describe("holding files", () => {
  it("takes what is free at once and leaves nothing behind", () => {
    const { hold, holder, locks } = open();
    const release = hold(["/w/a", "/w/b", "/w/a"], holder);
    expect(release).toBeTypeOf("function");
    expect(locks()).toHaveLength(2);
    if (!(release instanceof Promise)) release();
    expect(locks()).toEqual([]);
  });

  it("keeps another process away until it lets go", { timeout: 30_000 }, async () => {
    const { directory, hold, holder } = open();
    const release = await hold(["/w/b"], holder);
    const child = await spawnSource("hold-forever.ts", [directory, "/w/a", "/w/b"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    let isHeld = false;
    const held = child.stdout === null ? undefined : once(child.stdout, "data");
    void held?.then(() => {
      isHeld = true;
    });
    // It takes /w/a and then waits for us.
    while (readdirSync(directory).filter((name) => !name.startsWith(".")).length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(isHeld).toBe(false);
    release();
    await held;
  });

  it("waits until it is told to stop", { timeout: 30_000 }, async () => {
    const { directory, hold, holder, controller, locks } = open();
    await holdElsewhere(directory, ["/w/b"]);
    const waiting = hold(["/w/a", "/w/b", "/w/c"], holder);
    expect(waiting).toBeInstanceOf(Promise);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect(locks()).toHaveLength(1);
  });

  it("continues when the process that held a file was killed", { timeout: 30_000 }, async () => {
    const { directory, hold, holder, locks } = open();
    const child = await holdElsewhere(directory, ["/w/a", "/w/b"]);
    child.kill("SIGKILL");
    await once(child, "close");
    const release = await hold(["/w/a"], holder);
    // It does not count that the other file is still marked as held.
    expect(locks()).toHaveLength(2);
    release();
    (await hold(["/w/b"], holder))();
    expect(locks()).toEqual([]);
  });

  it("gives the lock of a dead process to one of many waiters", { timeout: 60_000 }, async () => {
    const { root, stateDirectory } = createDiskWorkspace({ "count.txt": "0" });
    const directory = join(stateDirectory, "locks");
    const child = await holdElsewhere(directory, [join(root, "count.txt")]);
    child.kill("SIGKILL");
    await once(child, "close");
    const ends = await Promise.all(
      ["a", "b", "c"].map((name) => runSource("count-up.ts", [root, stateDirectory, name, "20"])),
    );
    expect(ends).toEqual([{ output: 20 }, { output: 20 }, { output: 20 }]);
    expect(readFileSync(join(root, "count.txt"), "utf8")).toBe("60");
  });

  it("loses no update of two processes", { timeout: 60_000 }, async () => {
    const { root, stateDirectory } = createDiskWorkspace({ "count.txt": "0" });
    const ends = await Promise.all(
      ["a", "b"].map((name) => runSource("count-up.ts", [root, stateDirectory, name, "200"])),
    );
    expect(ends).toEqual([{ output: 200 }, { output: 200 }]);
    expect(readFileSync(join(root, "count.txt"), "utf8")).toBe("400");
  });

  it("waits for a lock that does not say whose it is", async () => {
    const { directory, hold, holder, controller, locks } = open();
    (await hold(["/w/a"], holder))();
    const [lock = ""] = await lockNames(hold, holder, locks);
    writeFileSync(join(directory, lock), "");
    const waiting = hold(["/w/a"], holder);
    expect(waiting).toBeInstanceOf(Promise);
    controller.abort();
    await expect(waiting).rejects.toThrow();
  });

  it("comes back after its directory was removed", async () => {
    const { directory, hold, holder, locks } = open();
    (await hold(["/w/a"], holder))();
    rmSync(directory, { recursive: true });
    const release = hold(["/w/a"], holder);
    expect(locks()).toHaveLength(1);
    (await release)();
  });

  it("works without locks where they are not supported", async () => {
    const base = makeTemporaryDirectory();
    writeFileSync(join(base, "locks"), "");
    const hold = createFileHolds(join(base, "locks"));
    const release = hold(["/w/a"], { signal: new AbortController().signal });
    expect(release).toBeTypeOf("function");
    (await release)();
  });
});

async function lockNames(
  hold: ReturnType<typeof createFileHolds>,
  holder: { readonly signal: AbortSignal },
  locks: () => string[],
): Promise<string[]> {
  const release = await hold(["/w/a"], holder);
  const names = locks();
  release();
  return names;
}
