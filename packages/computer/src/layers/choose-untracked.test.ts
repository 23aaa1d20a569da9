import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { chooseUntracked } from "./choose-untracked.ts";

describe("chooseUntracked", () => {
  it("chooses what .gitignore files name, and caches by their names", () => {
    const root = makeTemporaryDirectory();
    const put = (path: string, text = ""): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    put(".git/HEAD");
    put(".gitignore", "build/\n*.log\n!kept.log\n");
    put("src/.gitignore", "made.ts\n");
    // It is for searches, not for version control.
    put(".ignore", "vendored/\n");
    const untracked = [
      "build",
      "build/x",
      "a.log",
      "src/made.ts",
      ".eslintcache",
      "b/c.tsbuildinfo",
    ];
    const tracked = [
      "kept.log",
      "src/a.ts",
      "made.ts",
      "vendored/x",
      ".git/index",
      "new",
      "new/x.log",
    ];
    const paths = [...untracked, ...tracked];
    const changes = paths.map((path) => {
      if (path === "build" || path === "new") mkdirSync(join(root, path));
      else put(path);
      const source = join(root, path);
      const after = { stats: lstatSync(source, { bigint: true }), source };
      return { path: source, kind: "created" as const, before: undefined, after };
    });
    const chosen = chooseUntracked(changes, [root]);
    const names = (list: readonly { path: string }[]): string[] =>
      list.map(({ path }) => path.slice(root.length + 1));
    expect(names(chosen.untracked)).toEqual(untracked);
    expect(names(chosen.tracked)).toEqual(tracked);
  });
});
