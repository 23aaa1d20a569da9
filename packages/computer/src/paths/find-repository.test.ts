import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRoot, nobody } from "../test-support/privileges.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { findRepositories } from "./find-repository.ts";

/** A package in a directory that is a repository or not, and where home and state are. */
function makePackage(): { repository: string; root: string; home: string; stateDirectory: string } {
  const base = makeTemporaryDirectory();
  const repository = join(base, "repository");
  const root = join(repository, "packages/a");
  mkdirSync(root, { recursive: true });
  return { repository, root, home: join(base, "home"), stateDirectory: join(base, "state") };
}

describe("the repository around a workspace", () => {
  it("is the nearest directory above with a .git, also that of a worktree", () => {
    const { repository, root, ...wide } = makePackage();
    expect(findRepositories([root], wide)).toEqual([]);
    mkdirSync(join(repository, ".git"));
    expect(findRepositories([root, join(repository, "packages")], wide)).toEqual([repository]);
    writeFileSync(join(repository, "packages/.git"), "gitdir: elsewhere\n");
    expect(findRepositories([root], wide)).toEqual([join(repository, "packages")]);
  });

  it("is none for a workspace with a .git of its own", () => {
    const { repository, root, ...wide } = makePackage();
    for (const directory of [repository, root]) mkdirSync(join(directory, ".git"));
    expect(findRepositories([root, repository, "/"], wide)).toEqual([]);
  });

  it.each(["home", "stateDirectory"] as const)("is none that contains %s", (name) => {
    const { repository, root, ...wide } = makePackage();
    mkdirSync(join(repository, ".git"));
    expect(findRepositories([root], { ...wide, [name]: join(repository, "x") })).toEqual([]);
  });

  it.skipIf(!isRoot)("is none that another user made", () => {
    const { repository, root, ...wide } = makePackage();
    const { uid = 0, gid = 0 } = nobody;
    mkdirSync(join(repository, ".git"));
    chownSync(join(repository, ".git"), uid, gid);
    expect(findRepositories([root], wide)).toEqual([]);
    chownSync(join(repository, ".git"), 0, 0);
    chownSync(join(repository, "packages"), uid, gid);
    expect(findRepositories([root], wide)).toEqual([]);
    // A workspace and its repository may belong to somebody else than root.
    for (const path of [repository, join(repository, ".git"), root]) chownSync(path, uid, gid);
    expect(findRepositories([root], wide)).toEqual([repository]);
  });
});
