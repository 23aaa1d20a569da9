import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canPinThroughProc } from "../disk/proc-pinning.ts";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { openScope } from "../test-support/open-scope.ts";
import { swapDoor } from "../test-support/swap-door.ts";

describe("finding files on a disk", () => {
  const open = (files: Readonly<Record<string, string>>) => {
    const workspace = createDiskWorkspace(files);
    const { files: fs } = openScope(workspace.computer);
    const glob = async (pattern: string, directory = "."): Promise<readonly string[]> =>
      (await fs.findFiles({ directory, pattern, limit: 1000 })).files;
    return { ...workspace, fs, glob };
  };

  it("never follows a link out of the workspace", async () => {
    const { root, outside, glob } = open({ a: "" });
    writeFileSync(join(outside, "secret.txt"), "");
    symlinkSync(outside, join(root, "door"));
    symlinkSync(join(outside, "secret.txt"), join(root, "link.txt"));
    expect(await glob("**")).toEqual([join(root, "a")]);
    expect(await glob("door/*")).toEqual([]);
    await expect(glob("*", "door")).rejects.toMatchObject({ code: "out-of-scope" });
  });

  it("reports files where a link inside the workspace leads", async () => {
    const { root, glob } = open({ "src/a": "" });
    symlinkSync("src", join(root, "door"));
    expect(await glob("*", "door")).toEqual([join(root, "src/a")]);
    expect(await glob(`${root}/door/*`, "door")).toEqual([join(root, "src/a")]);
  });

  it("leaves out what sessions keep, whatever is granted", async () => {
    const { computer, stateDirectory } = createDiskWorkspace();
    mkdirSync(join(stateDirectory, "sessions"), { recursive: true });
    writeFileSync(join(stateDirectory, "sessions/blob"), "");
    const { files } = openScope(computer, { fs: { read: ["/**"] } });
    const query = { directory: stateDirectory, pattern: "**", limit: 10 };
    expect(await files.findFiles(query)).toEqual({ files: [], total: 0 });
  });

  it("stops when the call is to stop", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`d${index % 300}/f${index}`, ""]),
    );
    const { computer } = createDiskWorkspace(files);
    const controller = new AbortController();
    const { files: fs } = openScope(computer, undefined, { signal: controller.signal });
    const found = fs.findFiles({ directory: ".", pattern: "**", limit: 10 });
    controller.abort(new Error("enough"));
    await expect(found).rejects.toThrow("enough");
  });

  it.skipIf(!canPinThroughProc())(
    "never lists outside, however fast a directory is swapped for a link",
    async () => {
      const { root, outside, fs } = open({ "door/deep/in.txt": "" });
      mkdirSync(join(outside, "deep"));
      writeFileSync(join(outside, "out.txt"), "");
      writeFileSync(join(outside, "deep/out.txt"), "");
      symlinkSync(outside, join(root, "two"));
      await swapDoor(root);
      const seen = new Set<string>();
      // On a busy machine the other process may not get its turn for a while.
      const start = performance.now();
      while (performance.now() < start + (seen.size > 0 ? 700 : 20_000)) {
        const { files } = await fs.findFiles({ directory: ".", pattern: "**", limit: 100 });
        for (const path of files) seen.add(path.slice(path.lastIndexOf("/") + 1));
      }
      expect([...seen]).toEqual(["in.txt"]);
    },
  );
});
