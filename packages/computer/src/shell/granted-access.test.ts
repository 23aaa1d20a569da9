import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { compileRequirements, type Grant, type RequirementSet } from "@haft/contract";
import { intersectGrants } from "@haft/contract/internal";
import { describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { toGrantedAccess } from "./granted-access.ts";

describe("toGrantedAccess", () => {
  it("has the directories that are granted as a whole, and are there", () => {
    const { root, grant } = open();
    const places = toGrantedAccess(
      grant({ fs: { read: ["**", "missing/**", "*.md"], write: ["src/**", "docs/*.md"] } }),
    );
    expect(places).toEqual({ readable: [root], writable: [join(root, "src")], hosts: [] });
  });

  it("has no more of them than all bounds allow", () => {
    const { root, grant } = open();
    const bounded = intersectGrants([
      grant({ fs: { read: ["**"], write: ["**"] }, net: { hosts: ["*"] } }),
      grant({ fs: { read: ["src/**"] }, net: { hosts: ["*.example.com", "a.net"] } }),
    ]);
    expect(toGrantedAccess(bounded)).toEqual({
      readable: [join(root, "src")],
      writable: [],
      hosts: ["*.example.com", "a.net"],
    });
  });

  it("does not follow a link out of what is granted", () => {
    const { root, grant } = open();
    symlinkSync("/usr", join(root, "link"));
    expect(toGrantedAccess(grant({ fs: { read: ["link/**"] } })).readable).toEqual([]);
  });
});

function open(): { readonly root: string; grant(requirements: RequirementSet): Grant } {
  const root = makeTemporaryDirectory();
  for (const name of ["src", "docs"]) mkdirSync(join(root, name));
  return {
    root,
    grant: (requirements) => compileRequirements(requirements, { workspace: [root] }),
  };
}
