import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeTemporaryDirectory } from "../../test-support/temporary-directory.ts";
import { Quarantine } from "./quarantine.ts";

const memory = "/dev/shm";
const isElsewhere = existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev;

describe("Quarantine", () => {
  it.skipIf(!isElsewhere)("moves anything from another file system", () => {
    const directory = mkdtempSync(join(memory, "haft-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const made = join(directory, ".husky");
    mkdirSync(join(made, "a/b"), { recursive: true });
    writeFileSync(join(made, "a/file"), "kept");
    symlinkSync("nowhere", join(made, "link"));
    execFileSync("mkfifo", [join(made, "pipe")]);
    execFileSync("chmod", ["000", join(made, "a/b"), join(made, "a/file"), join(made, "a"), made]);
    const taken = new Quarantine(makeTemporaryDirectory()).take(made);
    expect(readFileSync(join(taken, "a/file"), "utf8")).toBe("kept");
    expect(lstatSync(join(taken, "link")).isSymbolicLink()).toBe(true);
    expect(readdirSync(directory)).toEqual([]);
  });

  it("takes what lies in a directory that can't be written", () => {
    const directory = makeTemporaryDirectory();
    mkdirSync(join(directory, "a/hooks"), { recursive: true });
    execFileSync("chmod", ["555", join(directory, "a/hooks"), join(directory, "a")]);
    const taken = new Quarantine(makeTemporaryDirectory()).take(join(directory, "a/hooks"));
    expect(lstatSync(taken).isDirectory()).toBe(true);
    expect(readdirSync(join(directory, "a"))).toEqual([]);
  });

  it("reads files only, and through no link", () => {
    const directory = makeTemporaryDirectory();
    writeFileSync(join(directory, "file"), "text");
    symlinkSync("file", join(directory, "link"));
    symlinkSync(directory, join(directory, "loop"));
    execFileSync("mkfifo", [join(directory, "pipe")]);
    const quarantine = new Quarantine(makeTemporaryDirectory());
    expect(["file", "link", "pipe"].map((name) => quarantine.read(join(directory, name)))).toEqual([
      "text",
      undefined,
      undefined,
    ]);
    expect(quarantine.read(join(directory, "loop/file"))).toBeUndefined();
  });
});
