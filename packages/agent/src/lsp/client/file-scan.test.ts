import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createFileScan } from "./file-scan.ts";

function makeTree(): string {
  const directory = mkdtempSync(join(tmpdir(), "haft-scan-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const name of ["src/deep", "node_modules/a", ".git"]) {
    mkdirSync(join(directory, name), { recursive: true });
    writeFileSync(join(directory, name, "a.ts"), "1");
  }
  return directory;
}

const isWatched = (name: string): boolean => name.endsWith(".ts");

it("tells what is new, changed and gone since the last look", async () => {
  const directory = makeTree();
  const scan = createFileScan({ directory, isWatched });
  expect(await scan()).toEqual([]);
  expect(await scan()).toEqual([]);
  writeFileSync(join(directory, "src/new.ts"), "");
  writeFileSync(join(directory, "src/new.md"), "");
  writeFileSync(join(directory, "node_modules/a/a.ts"), "other");
  writeFileSync(join(directory, "src/deep/a.ts"), "longer");
  expect(await scan()).toEqual(
    expect.arrayContaining([
      { path: join(directory, "src/new.ts"), type: 1 },
      { path: join(directory, "src/deep/a.ts"), type: 2 },
    ]),
  );
  renameSync(join(directory, "src"), join(directory, "lib"));
  const [first, second] = await Promise.all([scan(), scan()]);
  expect(first).toHaveLength(4);
  expect(first).toContainEqual({ path: join(directory, "src/new.ts"), type: 3 });
  expect(second).toEqual([]);
});

it("says nothing where there are more files than it looks at", async () => {
  const directory = makeTree();
  for (let index = 0; index < 20; index++) writeFileSync(join(directory, `f${index}.ts`), "");
  const scan = createFileScan({ directory, isWatched, limit: 10 });
  await scan();
  rmSync(join(directory, "src"), { recursive: true });
  expect(await scan()).toEqual([]);
});

it.each([
  ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
  ["a link to a device", (path: string) => symlinkSync("/dev/zero", path)],
])("refuses %s in the place of a file, which a server would wait for", async (_what, plant) => {
  const directory = makeTree();
  plant(join(directory, "src/deep/b.md"));
  const scan = createFileScan({ directory, isWatched });
  expect(await scan()).toEqual([]);
  plant(join(directory, "src/deep/b.ts"));
  await expect(scan()).rejects.toThrow("src/deep/b.ts is a pipe, a socket or a device");
  rmSync(join(directory, "src/deep/b.ts"));
  expect(await scan()).toEqual([]);
});
