import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { chooseToolboxDirectory, findToolboxDirectories } from "./find-toolbox-directories.ts";

function makePlace() {
  const base = mkdtempSync(join(tmpdir(), "haft-toolbox-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return { workspace: join(base, "work"), home: join(base, "home") };
}

describe("findToolboxDirectories", () => {
  it("finds the workspace's and the user's, if they are there", () => {
    const place = makePlace();
    expect(findToolboxDirectories({}, place)).toEqual([]);
    const workspace = join(place.workspace, ".haft/toolbox");
    const user = join(place.home, ".config/haft/toolbox");
    mkdirSync(user, { recursive: true });
    expect(findToolboxDirectories({}, place)).toEqual([user]);
    mkdirSync(workspace, { recursive: true });
    expect(findToolboxDirectories({ HAFT_TOOLBOX: "" }, place)).toEqual([workspace, user]);
    const elsewhere = { XDG_CONFIG_HOME: join(place.home, "config") };
    expect(findToolboxDirectories(elsewhere, place)).toEqual([workspace]);
  });

  it("uses the named directories instead, even if they don't exist", () => {
    const place = makePlace();
    expect(findToolboxDirectories({ HAFT_TOOLBOX: "/a::tools:~/b" }, place)).toEqual([
      "/a",
      join(place.workspace, "tools"),
      join(place.home, "b"),
    ]);
  });
});

describe("chooseToolboxDirectory", () => {
  it("is where scripts are looked for first, or the user's", () => {
    const place = { ...makePlace(), isForUser: false };
    const { workspace, home } = place;
    expect(chooseToolboxDirectory({}, place)).toBe(join(workspace, ".haft/toolbox"));
    expect(chooseToolboxDirectory({ HAFT_TOOLBOX: "/a:/b" }, place)).toBe("/a");
    expect(chooseToolboxDirectory({ XDG_CONFIG_HOME: "x" }, { ...place, isForUser: true })).toBe(
      join(home, ".config/haft/toolbox"),
    );
  });
});
