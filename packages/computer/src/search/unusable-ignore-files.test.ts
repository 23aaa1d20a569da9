import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TextQuery } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { openScope } from "../test-support/open-scope.ts";

const plants: readonly (readonly [what: string, plant: (path: string) => void])[] = [
  ["a pipe", (path) => void execFileSync("mkfifo", [path])],
  [
    "a pipe behind links",
    (path) => {
      execFileSync("mkfifo", [`${path}.pipe`]);
      symlinkSync(`${path}.pipe`, `${path}.link`);
      symlinkSync(`${path}.link`, path);
    },
  ],
  ["an endless device", (path) => symlinkSync("/dev/zero", path)],
  ["an endless file of the kernel", (path) => symlinkSync("/proc/self/pagemap", path)],
  ["a huge sparse file", (path) => truncateSync(createEmpty(path), 2 ** 40)],
  ["a directory", (path) => void mkdirSync(path)],
  ["a link to itself", (path) => symlinkSync(path, path)],
];

function createEmpty(path: string): string {
  writeFileSync(path, "");
  return path;
}

const places = [
  ".gitignore",
  ".ignore",
  ".rgignore",
  "deep/.ignore",
  "deep/.git",
  ".git/info/exclude",
  "deep/er/.gitignore",
  "worktree/pointed/commondir",
];

describe("ignore files that can't be read to their end", () => {
  const open = (isRepository: boolean) => {
    const workspace = createDiskWorkspace({
      "a.txt": "needle",
      "deep/er/b.txt": "needle",
      "deep/ignored.log": "needle",
      "worktree/c.txt": "needle",
      "deep/.hidden/d.txt": "needle",
      // Somewhere a usable one holds on.
      "deep/plain/.ignore": "*.log\n",
      "deep/plain/e.log": "needle",
      "worktree/.git": "gitdir: ./pointed\n",
    });
    if (isRepository) mkdirSync(join(workspace.root, ".git/info"), { recursive: true });
    const { files } = openScope(workspace.computer);
    const query: TextQuery = {
      ...{ pattern: "needle", path: ".", literal: true, caseSensitive: true },
      ...{ limit: 100, lineLength: 100 },
    };
    const strip = (path: string): string => path.slice(workspace.root.length + 1);
    const ask = async (more: Partial<TextQuery> = {}): Promise<readonly string[]> =>
      (await files.findText({ ...query, ...more })).matches.map(({ path }) => strip(path));
    const list = async (): Promise<readonly string[]> =>
      (await files.findFiles({ directory: ".", pattern: "**", limit: 100 })).files.map(strip);
    return { ...workspace, ask, list };
  };
  const all = ["a.txt", "deep/er/b.txt", "deep/ignored.log", "worktree/c.txt"];

  it.each(plants)("delay no search if they are %s", async (what, plant) => {
    const planted = places.slice(what === "a pipe" ? 0 : -3).map((place) => {
      const opened = open(place.startsWith(".git/") || place.startsWith("worktree/"));
      mkdirSync(dirname(join(opened.root, place)), { recursive: true });
      plant(join(opened.root, place));
      return { place, ...opened };
    });
    await Promise.all(
      planted.map(async ({ place, ask, list }) => {
        const listed = await list();
        expect(listed, place).toEqual(expect.arrayContaining(all));
        expect(listed, place).not.toContain("deep/plain/e.log");
        expect(await ask(), place).toEqual(all);
        // By now an index may answer.
        expect(await ask({ path: "deep" }), place).toEqual(all.slice(1, 3));
      }),
    );
  });

  it("leave the other rules and hidden files as they are", async () => {
    const { root, ask } = open(true);
    writeFileSync(join(root, ".gitignore"), "*.log\n");
    execFileSync("mkfifo", [join(root, "deep/er/.gitignore")]);
    const kept = all.filter((path) => !path.endsWith(".log"));
    expect(await ask()).toEqual(kept);
    expect(await ask({ glob: "*.txt" })).toEqual(kept);
    expect(await ask({ glob: ".hidden/**" })).toEqual([]);
    expect(await ask({ glob: "deep/.hidden/*" })).toEqual(["deep/.hidden/d.txt"]);
    rmSync(join(root, "deep/er/.gitignore"));
    expect(await ask()).toEqual(kept);
  });
});
