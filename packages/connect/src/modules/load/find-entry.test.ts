import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readPackage, readVersion } from "../source/find-package.ts";
import { findEntry } from "./find-entry.ts";

const plants: readonly (readonly [what: string, plant: (path: string) => void])[] = [
  ["a pipe", (path) => void execFileSync("mkfifo", [path])],
  ["a link to an endless device", (path) => symlinkSync("/dev/zero", path)],
  ["a link to a file outside", (path) => symlinkSync("../outside.json", path)],
  [
    "a huge sparse file",
    (path) => {
      writeFileSync(path, "");
      truncateSync(path, 2 ** 40);
    },
  ],
  ["a directory", (path) => void mkdirSync(path)],
];

describe("the manifest of a module", () => {
  const makeModule = (): string => {
    const base = mkdtempSync(join(tmpdir(), "haft-entry-"));
    onTestFinished(() => rmSync(base, { recursive: true, force: true }));
    writeFileSync(join(base, "outside.json"), '{"version":"canary","exports":"./index.ts"}');
    mkdirSync(join(base, "module"));
    return join(base, "module");
  };

  it.each(plants)("is refused at once where it is %s", async (_what, plant) => {
    const script = makeModule();
    writeFileSync(join(script, "index.ts"), "");
    plant(join(script, "package.json"));
    await expect(findEntry(script, "m")).rejects.toThrow(
      /package\.json .*Replace it with a regular file\./u,
    );
    expect(readVersion(script)).toBeUndefined();
    expect(readPackage(script)).toEqual({});
    const python = makeModule();
    plant(join(python, "pyproject.toml"));
    await expect(findEntry(python, "m")).rejects.toThrow(
      /pyproject\.toml .*Replace it with a regular file\./u,
    );
  });
});
