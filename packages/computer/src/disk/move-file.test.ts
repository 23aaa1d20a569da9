import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { openScope } from "../test-support/open-scope.ts";
import { isRoot, mountSmallDisk } from "../test-support/privileges.ts";
import { createDiskComputer } from "./disk-computer.ts";

describe("moving on disk", () => {
  it("does not replace what appears at the target in the last moment", async () => {
    const { computer, root } = createDiskWorkspace({ "a.txt": "mine" });
    const { files } = openScope(computer, undefined, {
      record: () => void writeFileSync(join(root, "b.txt"), "theirs"),
    });
    await expect(files.move("a.txt", "b.txt")).rejects.toMatchObject({ code: "conflict" });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("mine");
    expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("theirs");
  });

  it("treats a dangling link at the target as existing", async () => {
    const { computer, root } = createDiskWorkspace({ "a.txt": "mine" });
    symlinkSync("nowhere", join(root, "b.txt"));
    const { files } = openScope(computer);
    await expect(files.move("a.txt", "b.txt")).rejects.toMatchObject({ code: "conflict" });
  });

  it("keeps the file itself, with mode and time", async () => {
    const { computer, root } = createDiskWorkspace({ "a.sh": "run" });
    chmodSync(join(root, "a.sh"), 0o751);
    const before = statSync(join(root, "a.sh"));
    await openScope(computer).files.move("a.sh", "b.sh");
    const after = statSync(join(root, "b.sh"));
    expect([after.ino, after.mode, after.mtimeMs]).toEqual([
      before.ino,
      before.mode,
      before.mtimeMs,
    ]);
  });

  it.skipIf(!isRoot)("moves to another disk (needs root to mount one)", async () => {
    const { root, stateDirectory } = createDiskWorkspace({ "a.sh": "run" });
    chmodSync(join(root, "a.sh"), 0o751);
    const disk = mountSmallDisk(64);
    mkdirSync(join(disk, "d"));
    const computer = createDiskComputer({ workspace: [root, disk], stateDirectory });
    const { files } = openScope(computer);
    await files.move("a.sh", join(disk, "d/b.sh"));
    expect(readFileSync(join(disk, "d/b.sh"), "utf8")).toBe("run");
    expect(statSync(join(disk, "d/b.sh")).mode & 0o777).toBe(0o751);
    await expect(files.stat("a.sh")).rejects.toMatchObject({ code: "not-found" });
    expect(await files.list(join(disk, "d"))).toEqual([{ name: "b.sh", kind: "file" }]);
  });
});
