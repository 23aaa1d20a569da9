import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { PathState } from "@haft/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { bytesOf, openScope } from "../test-support/open-scope.ts";
import { isRoot, mountSmallDisk, nobody } from "../test-support/privileges.ts";
import { runSource } from "../test-support/spawn-source.ts";
import { createDiskComputer } from "./disk-computer.ts";

const file = (text: string): PathState => ({ kind: "file", content: bytesOf(text) });
const absent: PathState = { kind: "absent" };

const open = (files: Readonly<Record<string, string>> = {}) => {
  const workspace = createDiskWorkspace(files);
  const { journal } = workspace.computer.openSession("s");
  const scope = openScope(workspace.computer, undefined, { journal });
  const read = (name: string): string => readFileSync(join(workspace.root, name), "utf8");
  return { ...workspace, ...scope, history: journal, read };
};

describe("changing several paths on disk", () => {
  it("keeps a link and replaces what it leads to, and removes a link itself", async () => {
    const { files, root, read } = open({ "real.txt": "old", "other.txt": "other" });
    symlinkSync("real.txt", join(root, "link"));
    symlinkSync("other.txt", join(root, "gone"));
    const { version } = await files.load("link");
    await files.change([
      { path: "link", to: file("new"), expect: version },
      { path: "gone", to: absent, expect: (await files.stat("gone")).version },
    ]);
    expect(readlinkSync(join(root, "link"))).toBe("real.txt");
    expect(read("real.txt")).toBe("new");
    expect(readdirSync(root).sort()).toEqual(["link", "other.txt", "real.txt"]);
  });

  it("treats two names of one file as one", async () => {
    const { files, root, read } = open({ "real.txt": "old" });
    symlinkSync("real.txt", join(root, "link"));
    const changing = files.change([
      { path: "link", to: file("1") },
      { path: "real.txt", to: file("2") },
    ]);
    await expect(changing).rejects.toMatchObject({ code: "invalid-arguments" });
    expect(read("real.txt")).toBe("old");
    expect(readdirSync(root).sort()).toEqual(["link", "real.txt"]);
  });

  it("makes links inside, and puts back one that led out, but makes no such link", async () => {
    const { files, root, outside, history } = open({ "a.txt": "a" });
    await files.change([{ path: "link", to: { kind: "link", target: "a.txt" } }]);
    expect(readlinkSync(join(root, "link"))).toBe("a.txt");
    symlinkSync(outside, join(root, "out"));
    await files.remove("out");
    const [past] = await history.latest(join(root, "out"));
    const to: PathState = { kind: "link", target: outside };
    for (const path of ["out", "other"]) {
      await expect(files.change([{ path, to }])).rejects.toMatchObject({ code: "out-of-scope" });
    }
    const forged = files.change([{ path: "other", to, undoes: past?.id ?? "" }]);
    await expect(forged).rejects.toMatchObject({ code: "out-of-scope" });
    await files.change([{ path: "out", to, undoes: past?.id ?? "" }]);
    expect(readlinkSync(join(root, "out"))).toBe(outside);
  });

  it("replaces only this name of a file", async () => {
    const { files, root, outside, read } = open({ "b.txt": "b" });
    writeFileSync(join(outside, "theirs"), "theirs");
    linkSync(join(outside, "theirs"), join(root, "a.txt"));
    await files.change([
      { path: "a.txt", to: file("mine") },
      { path: "b.txt", to: absent },
    ]);
    expect(readFileSync(join(outside, "theirs"), "utf8")).toBe("theirs");
    expect(read("a.txt")).toBe("mine");
  });

  it("undoes what was done when a later change fails, with mode and owner", async () => {
    const { files, root, read, history } = open({ "a.sh": "old", "d/b.txt": "b", "c.txt": "c" });
    chmodSync(join(root, "a.sh"), 0o751);
    if (isRoot) chownSync(join(root, "a.sh"), 1234, 5678);
    const before = statSync(join(root, "a.sh"));
    // That the directory is not empty shows only when it is to go, after all the others.
    const changing = files.change([
      { path: "a.sh", to: file("new") },
      { path: "x/y.txt", to: file("new"), parents: true },
      { path: "c.txt", to: absent },
      { path: "d", to: absent },
    ]);
    await expect(changing).rejects.toMatchObject({ code: "conflict" });
    expect(readdirSync(root).sort()).toEqual(["a.sh", "c.txt", "d"]);
    expect([read("a.sh"), read("c.txt")]).toEqual(["old", "c"]);
    const { mode, uid, gid } = statSync(join(root, "a.sh"));
    expect([mode, uid, gid]).toEqual([before.mode, before.uid, before.gid]);
    expect(await history.latest()).toEqual([]);
  });

  it("keeps what another process put in place of a change that is undone", async () => {
    const { computer, root } = createDiskWorkspace({ "a.txt": "a", "b.txt": "b" });
    const { files } = openScope(computer, undefined, {
      record: () => ({
        ids: [],
        done: () => {
          writeFileSync(join(root, "a.txt"), "theirs");
          throw new Error("no room");
        },
        dropped: () => {},
      }),
    });
    const changing = files.change([
      { path: "a.txt", to: file("new") },
      { path: "b.txt", to: file("new") },
    ]);
    await expect(changing).rejects.toMatchObject({
      code: "failed",
      message: `no room Some of the changes made before it could not be undone; check ${root}/a.txt.`,
    });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("theirs");
    expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("b");
  });

  it.each(["a.txt", "new.txt", "gone.txt"])(
    "does nothing if %s changes in the last moment",
    async (name) => {
      const { computer, root } = createDiskWorkspace({ "a.txt": "a", "gone.txt": "g" });
      const { files } = openScope(computer, undefined, {
        record: () => void writeFileSync(join(root, name), "theirs"),
      });
      const changing = files.change([
        { path: "a.txt", to: file("mine") },
        { path: "new.txt", to: file("mine") },
        { path: "gone.txt", to: absent },
      ]);
      await expect(changing).rejects.toMatchObject({ code: "conflict" });
      const found = readdirSync(root).map((entry) => readFileSync(join(root, entry), "utf8"));
      expect(found).not.toContain("mine");
      expect(readdirSync(root).filter((entry) => entry.endsWith(".tmp"))).toEqual([]);
    },
  );

  it("changes nothing where one directory may not be written to", async () => {
    const { root } = open({ "d/a.txt": "a", "e/b.txt": "b" });
    chmodSync(join(root, ".."), 0o777);
    for (const name of [".", "d"]) chmodSync(join(root, name), 0o777);
    for (const name of ["d/a.txt", "e/b.txt"]) chmodSync(join(root, name), 0o666);
    chmodSync(join(root, "e"), 0o555);
    onTestFinished(() => chmodSync(join(root, "e"), 0o755));
    const outcome = await runSource("attempt.ts", [root, "change", "d/a.txt", "e/b.txt"], nobody);
    expect(outcome).toMatchObject({
      code: "failed",
      message: expect.stringMatching(/EACCES.*e\/b\.txt/u),
    });
    expect(readFileSync(join(root, "d/a.txt"), "utf8")).toBe("a");
    expect(readdirSync(join(root, "d"))).toEqual(["a.txt"]);
  });

  it.skipIf(!isRoot)(
    "changes nothing when the disk is full (needs root to mount one)",
    async () => {
      const disk = mountSmallDisk(256);
      const root = join(disk, "workspace");
      mkdirSync(root);
      writeFileSync(join(root, "a.txt"), "old");
      const { stateDirectory } = createDiskWorkspace();
      const computer = createDiskComputer({ workspace: root, stateDirectory });
      const { journal } = computer.openSession("s");
      const { files, changed } = openScope(computer, undefined, { journal });
      const changing = files.change([
        { path: "a.txt", to: file("x".repeat(100_000)) },
        { path: "x/b.txt", to: file("x".repeat(200_000)), parents: true },
      ]);
      await expect(changing).rejects.toMatchObject({ code: "quota" });
      expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("old");
      expect(readdirSync(root)).toEqual(["a.txt"]);
      expect(changed).toEqual([]);
      expect(await journal.latest()).toEqual([]);
    },
  );

  it("refuses more than fits into memory", async () => {
    const { files } = open();
    const content = new Uint8Array(60 * 1024 * 1024);
    const changes = ["a", "b", "c", "d", "e"].map((path) => ({
      path,
      to: { kind: "file", content } as const,
    }));
    await expect(files.change(changes)).rejects.toMatchObject({ code: "too-large" });
    expect(await files.list(".")).toEqual([]);
  });
});
