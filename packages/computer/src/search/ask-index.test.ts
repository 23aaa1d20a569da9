import type { FoundText, TextQuery } from "@haft/contract";
import { compileRequirements } from "@haft/contract";
import { describe, expect, it } from "vitest";
import type { DiskCall } from "../disk/disk-call.ts";
import { portablePinning } from "../disk/portable-pinning.ts";
import { createPathPolicies } from "../paths/path-policy.ts";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { createDiskSearch } from "./disk-search.ts";
import { findText } from "./find-text.ts";

describe("finding text with an index", () => {
  const prepare = (found: FoundText | undefined, isDenied = (_path: string): boolean => false) => {
    const { root, stateDirectory } = createDiskWorkspace({ a: "foo", b: "foo", ".env": "foo" });
    const used: string[] = [];
    const scope = {
      callId: "",
      grant: compileRequirements({ fs: { read: [`${root}/**`] } }, {}),
      journal: { record: () => undefined, latest: async () => [] },
      changed: () => {},
      isDenied,
      isNamed: () => false,
      signal: new AbortController().signal,
    };
    const search = createDiskSearch(portablePinning, [root]);
    const indexes = {
      ...search.indexes,
      find: async () => found,
      noteUse: (directory: string) => void used.push(directory),
    };
    const call: DiskCall = {
      scope,
      policy: createPathPolicies({ roots: [root], stateDirectory })(scope),
      pinning: portablePinning,
      roots: [root],
      search: { ...search, indexes },
      flush: false,
    };
    const query: TextQuery = {
      path: root,
      pattern: "foo",
      literal: true,
      caseSensitive: true,
      limit: 1,
      lineLength: 80,
    };
    return { root, used, find: () => findText(query, call) };
  };
  const match = (path: string) => ({ path, line: 1, text: "foo" });

  it("gives what the index found", async () => {
    const found = { matches: [], isCut: true };
    const { used, find } = prepare(found);
    expect(await find()).toEqual(found);
    expect(used).toEqual([]);
  });

  it("asks ripgrep where the index can't say, and lets the workspace have one", async () => {
    const { root, used, find } = prepare(undefined);
    const { matches, isCut } = await find();
    expect([matches.length, isCut]).toEqual([1, true]);
    expect(used).toEqual([root]);
  });

  it("shows nothing of an index that the call may not see", async () => {
    const matches = ["/etc/passwd", "/w/.env"].map(match);
    expect(await prepare({ matches, isCut: false }).find()).toEqual({ matches: [], isCut: false });
    const denied = prepare({ matches: [], isCut: false }, (path) => path.endsWith("/a"));
    expect((await denied.find()).matches).toEqual([]);
  });

  it("asks ripgrep where what it may not show took the place of something else", async () => {
    const found = { matches: [match("/w/.env")], isCut: true };
    const { root, find } = prepare(found, (path) => path.endsWith("/a"));
    expect(await find()).toEqual({ matches: [match(`${root}/b`)], isCut: false });
  });
});
