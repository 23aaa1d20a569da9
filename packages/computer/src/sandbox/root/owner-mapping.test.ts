import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../../test-support/temporary-directory.ts";
import { canOthersRead, mapOwners } from "./owner-mapping.ts";

describe("mapOwners", () => {
  it("gives what is to be written in any case, and what is to be read only if it must", () => {
    const { base, make } = plant();
    const open = make("open", 0o755);
    const closed = make("closed", 0o700);
    const { shown, covered } = mapOwners([
      { path: open, how: "write" },
      { path: make("open/tool", 0o755), how: "read" },
      { path: make("closed/tool", 0o755), how: "read" },
      { path: make("closed/other", 0o700), how: "as-is" },
    ]);
    expect(shown.map(({ path, how }) => [path.slice(base.length), how])).toEqual([
      ["/open", "write"],
      ["/closed/tool", "read"],
      ["/closed/other", "as-is"],
    ]);
    expect(covered).toEqual([closed]);
  });

  it("covers the outermost directory that others do not get through, and no place itself", () => {
    const { make } = plant();
    const outer = make("outer", 0o700);
    make("outer/inner", 0o700);
    const root = make("outer/inner/root", 0o700);
    const nested = make("outer/inner/root/nested", 0o755);
    const { covered, shown } = mapOwners([
      { path: nested, how: "write" },
      { path: root, how: "write" },
      { path: root, how: "read" },
    ]);
    expect(covered).toEqual([outer]);
    expect(shown.map(({ path }) => path)).toEqual([root, nested]);
  });

  it("covers nothing where everybody gets through", () => {
    const { make } = plant();
    expect(mapOwners([{ path: make("open", 0o700), how: "write" }]).covered).toEqual([]);
  });
});

describe("canOthersRead", () => {
  it("looks at a place and all directories above it", () => {
    const { base, make } = plant();
    writeFileSync(join(base, "file"), "");
    chmodSync(join(base, "file"), 0o640);
    make("closed", 0o750);
    const answers = [
      [make("open", 0o755), true],
      [make("listed", 0o751), false],
      [make("closed/open", 0o755), false],
      [join(base, "file"), false],
    ] as const;
    for (const [path, expected] of answers)
      expect([path, canOthersRead(path)]).toEqual([path, expected]);
  });
});

function plant(): { readonly base: string; make(name: string, mode: number): string } {
  const base = makeTemporaryDirectory();
  chmodSync(base, 0o755);
  const make = (name: string, mode: number): string => {
    mkdirSync(join(base, name), { recursive: true });
    chmodSync(join(base, name), mode);
    return join(base, name);
  };
  return { base, make };
}
