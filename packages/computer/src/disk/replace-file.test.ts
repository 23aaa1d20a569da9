import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { openScope } from "../test-support/open-scope.ts";
import { isRoot, mountSmallDisk, nobody } from "../test-support/privileges.ts";
import { runSource, spawnSource } from "../test-support/spawn-source.ts";
import { createDiskComputer } from "./disk-computer.ts";

const open = (files: Readonly<Record<string, string>> = {}) => {
  const workspace = createDiskWorkspace(files);
  return { ...workspace, ...openScope(workspace.computer) };
};

describe("writing to disk", () => {
  it("keeps the old file or the new one, whole, when it is killed", {
    timeout: 60_000,
  }, async () => {
    const { root } = open();
    const length = 300_000;
    const seen = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const times = 1 + (round % 3);
      const child = await spawnSource("write-forever.ts", [root, `${length}`, `${times}`]);
      if (child.stdout) await once(child.stdout, "data");
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 12));
      child.kill("SIGKILL");
      await once(child, "close");
      const content = readFileSync(join(root, "file.txt"), "utf8");
      expect(content).toBe((content[0] ?? "").repeat(length));
      seen.add(content[0] ?? "");
    }
    expect(seen.size).toBeGreaterThan(1);
    const others = readdirSync(root).filter((name) => name !== "file.txt");
    expect(others.every((name) => /^\.haft-[0-9a-f]{16}\.tmp$/u.test(name))).toBe(true);
  });

  it("clears away what killed writes left, once it is old", async () => {
    const { files, root } = open();
    const old = join(root, ".haft-0123456789abcdef.tmp");
    const recent = join(root, ".haft-fedcba9876543210.tmp");
    const other = join(root, ".haft-notes.tmp");
    for (const path of [old, recent, other]) writeFileSync(path, "");
    for (const path of [old, other]) utimesSync(path, 0, 0);
    await files.write("a.txt", "");
    expect([old, recent, other].map((path) => existsSync(path))).toEqual([false, true, true]);
  });

  it("shows a reader the old bytes or the new ones, never a mixture", async () => {
    const { files } = open({ "a.txt": "a".repeat(100_000) });
    const writing = (async () => {
      for (const letter of "bcdefghij") await files.write("a.txt", letter.repeat(100_000));
    })();
    let isDone = false;
    void writing.then(() => {
      isDone = true;
    });
    while (!isDone) {
      const bytes = await files.read("a.txt");
      expect(bytes).toHaveLength(100_000);
      expect(bytes.every((byte) => byte === bytes[0])).toBe(true);
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it("gives a new file the mode that the process is set to", async () => {
    const { files, root } = open();
    const mask = process.umask(0o027);
    onTestFinished(() => void process.umask(mask));
    await files.write("a.txt", "");
    expect(statSync(join(root, "a.txt")).mode & 0o777).toBe(0o640);
  });

  it("keeps every mode", async () => {
    const { files, root } = open({ "a.sh": "" });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 0o777 }), async (bits) => {
        const mode = bits | 0o600;
        chmodSync(join(root, "a.sh"), mode);
        await files.write("a.sh", "new");
        expect(statSync(join(root, "a.sh")).mode & 0o7777).toBe(mode);
      }),
      { numRuns: 20 },
    );
  });

  it.skipIf(!isRoot)("keeps the owner (needs root to have two)", async () => {
    const { files, root } = open({ "a.txt": "" });
    chownSync(join(root, "a.txt"), 1234, 5678);
    await files.write("a.txt", "new");
    expect(statSync(join(root, "a.txt"))).toMatchObject({ uid: 1234, gid: 5678 });
  });

  it("notices a change on disk between the look and the write", async () => {
    const { files, root, journal } = open({ "a.txt": "seen" });
    const { version } = await files.stat("a.txt");
    writeFileSync(join(root, "a.txt"), "else");
    await expect(files.write("a.txt", "mine", { expect: version })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("else");
    expect(journal).toEqual([]);
  });

  it.each(["a.txt", "new.txt"])("notices a change in the last moment: %s", async (name) => {
    const { computer, root } = createDiskWorkspace({ "a.txt": "seen" });
    const { files } = openScope(computer, undefined, {
      // The journal is told just before the change takes effect.
      record: () => void writeFileSync(join(root, name), "theirs"),
    });
    const known = name === "a.txt" ? (await files.stat(name)).version : "absent";
    await expect(files.write(name, "mine", { expect: known })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(readFileSync(join(root, name), "utf8")).toBe("theirs");
    expect(readdirSync(root).filter((entry) => entry.endsWith(".tmp"))).toEqual([]);
  });

  it("does not replace a file without write permission", async () => {
    const { root } = open({ "d/a.txt": "old" });
    chmodSync(join(root, ".."), 0o755);
    chmodSync(join(root, "d"), 0o777);
    chmodSync(join(root, "d/a.txt"), 0o444);
    expect(await runSource("attempt.ts", [root, "write", "d/a.txt"], nobody)).toMatchObject({
      code: "failed",
      message: expect.stringContaining("Permission denied (EACCES)"),
    });
    expect(readFileSync(join(root, "d/a.txt"), "utf8")).toBe("old");
    expect(readdirSync(join(root, "d"))).toEqual(["a.txt"]);
  });

  it("changes nothing in a directory without write permission", async () => {
    const { root } = open({ "d/a.txt": "old" });
    chmodSync(join(root, ".."), 0o755);
    chmodSync(join(root, "d/a.txt"), 0o666);
    chmodSync(join(root, "d"), 0o555);
    onTestFinished(() => chmodSync(join(root, "d"), 0o755));
    for (const [verb, path] of [
      ["write", "d/a.txt"],
      ["write", "d/new.txt"],
      ["remove", "d/a.txt"],
    ] as const) {
      expect(await runSource("attempt.ts", [root, verb, path], nobody)).toMatchObject({
        code: "failed",
        message: expect.stringContaining("EACCES"),
      });
    }
    expect(readFileSync(join(root, "d/a.txt"), "utf8")).toBe("old");
    expect(readdirSync(join(root, "d"))).toEqual(["a.txt"]);
  });

  it.skipIf(!isRoot)(
    "leaves the original when the disk is full (needs root to mount one)",
    async () => {
      const disk = mountSmallDisk(256);
      const root = join(disk, "workspace");
      mkdirSync(root);
      writeFileSync(join(root, "a.txt"), "old");
      const computer = createDiskComputer({ workspace: root, stateDirectory: join(disk, "state") });
      const { files, changed } = openScope(computer);
      for (const size of [600_000, 250_000]) {
        await expect(files.write("a.txt", "x".repeat(size))).rejects.toMatchObject({
          code: "quota",
          message: expect.stringContaining("No space left"),
          absolutePath: join(root, "a.txt"),
        });
        await expect(files.write("b.txt", "x".repeat(size))).rejects.toMatchObject({
          code: "quota",
        });
        writeFileSync(join(disk, "filler"), "x".repeat(50_000));
      }
      expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("old");
      expect(readdirSync(root)).toEqual(["a.txt"]);
      expect(changed).toEqual([]);
    },
  );

  it("protects the sessions of this computer, wherever they are", async () => {
    const { computer, stateDirectory } = createDiskWorkspace();
    const session = computer.openSession("s");
    const content = new TextEncoder().encode("TOKEN=1".repeat(1000));
    await session.journal.record([
      { callId: "c", path: "/x", before: { kind: "file", content }, after: { kind: "absent" } },
    ]);
    const sidecar = await session.sidecars.write("call", "output");
    const everything = { fs: { read: ["/**"], write: ["/**"] } };
    const { files } = openScope(computer, everything);
    expect(await files.read(sidecar)).toEqual(new TextEncoder().encode("output"));
    const blobs = join(session.directory, "blobs");
    const blob = join(blobs, readdirSync(blobs)[0] ?? "");
    await expect(files.read(blob)).rejects.toMatchObject({ code: "secret-file" });
    for (const path of [blob, sidecar, join(session.directory, "rules"), stateDirectory]) {
      await expect(files.write(path, "* * allow")).rejects.toMatchObject({ code: "denied" });
    }
  });
});
