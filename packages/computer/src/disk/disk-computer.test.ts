import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { openScope, readText } from "../test-support/open-scope.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { createDiskComputer } from "./disk-computer.ts";

describe("createDiskComputer", () => {
  it("resolves its roots and says what the variables stand for", () => {
    const base = makeTemporaryDirectory();
    for (const name of ["one", "two", "data"]) mkdirSync(join(base, name));
    symlinkSync("one", join(base, "link"));
    const computer = createDiskComputer({
      workspace: [join(base, "link"), relative(process.cwd(), join(base, "two"))],
      home: base,
      userData: ["~/data"],
      stateDirectory: base,
    });
    expect(computer.roots).toEqual([join(base, "one"), join(base, "two")]);
    expect(computer.variables).toEqual({
      workspace: computer.roots,
      repository: [],
      "read-only": [],
      "ad-hoc": [],
      "user-data": [join(base, "data")],
      "allowed-hosts": [],
    });
    expect(computer.isolation).toBe("capability");
    expect(computer.home).toBe(base);
  });

  // 003:112
  it("opens the directories of files that a person has open beside the workspace", async () => {
    const base = makeTemporaryDirectory();
    for (const name of ["workspace", "open", "closed"]) {
      mkdirSync(join(base, name));
      writeFileSync(join(base, name, "a.txt"), name);
    }
    const workspace = join(base, "workspace");
    const adHoc = [join(base, "open")];
    const computer = createDiskComputer({ workspace, adHoc, stateDirectory: join(base, "state") });
    expect(computer.variables["ad-hoc"]).toEqual(adHoc);
    const { files } = openScope(computer, { fs: { read: ["{ad-hoc}/**"] } });
    expect(await readText(files, join(base, "open/a.txt"))).toBe("open");
    await expect(readText(files, join(base, "closed/a.txt"))).rejects.toMatchObject({
      code: "out-of-scope",
    });
  });

  it("takes paths in the user's own spelling of the workspace and home", async () => {
    const base = makeTemporaryDirectory();
    mkdirSync(join(base, "disk/home/project"), { recursive: true });
    writeFileSync(join(base, "disk/home/project/a.txt"), "text");
    symlinkSync("disk/home", join(base, "home"));
    symlinkSync("disk/home/project", join(base, "project"));
    const computer = createDiskComputer({
      workspace: join(base, "project"),
      home: join(base, "home"),
      stateDirectory: base,
    });
    const { files } = openScope(computer);
    for (const path of [
      join(base, "project/a.txt"),
      "~/project/a.txt",
      join(base, "home/project/a.txt"),
    ]) {
      expect(await readText(files, path)).toBe("text");
    }
  });

  it("knows two names of one file as one", () => {
    const base = makeTemporaryDirectory();
    mkdirSync(join(base, "real"));
    symlinkSync("real", join(base, "link"));
    const computer = createDiskComputer({ workspace: base, stateDirectory: base });
    expect(computer.identify("link/new.txt")).toBe(computer.identify("real/./new.txt"));
    expect(computer.resolve("link/new.txt")).toBe(join(base, "link/new.txt"));
  });

  it("shares its space with every other computer on this machine", () => {
    const base = makeTemporaryDirectory();
    const one = createDiskComputer({ workspace: base, stateDirectory: base });
    const two = createDiskComputer({ workspace: "/", stateDirectory: base });
    expect(one.space).toBe(two.space);
  });

  it("works with the whole disk for a workspace", async () => {
    const base = makeTemporaryDirectory();
    writeFileSync(join(base, "a.txt"), "text");
    const computer = createDiskComputer({ workspace: "/", stateDirectory: join(base, "state") });
    const { files } = openScope(computer);
    expect(computer.roots).toEqual(["/"]);
    expect(await readText(files, join(base, "a.txt").slice(1))).toBe("text");
    expect((await files.list("/")).map((entry) => entry.name)).toContain("etc");
    await expect(files.remove("/")).rejects.toMatchObject({ code: "denied" });
    await expect(files.write("/", "")).rejects.toMatchObject({ code: "failed" });
  });

  it("names a workspace that cannot be one, and the remedy", () => {
    const base = makeTemporaryDirectory();
    writeFileSync(join(base, "file"), "");
    expect(() => createDiskComputer({ workspace: join(base, "none") })).toThrow(
      `The workspace ${base}/none does not exist. Create it, or name another directory.`,
    );
    expect(() => createDiskComputer({ workspace: join(base, "file") })).toThrow("not a directory");
    expect(() => createDiskComputer({ workspace: [] })).toThrow("at least one directory");
  });
});
