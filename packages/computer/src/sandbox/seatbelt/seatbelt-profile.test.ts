import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../../test-support/temporary-directory.ts";
import { openSeatbelt } from "./open-seatbelt.ts";
import { type ProfileInput, writeSeatbeltProfile } from "./seatbelt-profile.ts";

const plain: ProfileInput = {
  readable: ["/r"],
  writable: ["/w"],
  guarded: {
    hidden: [
      { path: "/w/.env", type: "file" },
      { path: "/w/private", type: "directory", isDenied: true },
    ],
    unwritable: ["/w/docs"],
    unchangeable: ["/w/.git/config"],
    immovable: ["/w/.git"],
    places: [],
    others: [],
  },
  toolchains: ["/Users/me/.cargo"],
  scratch: "/state/sandbox/scratch-1",
  stateDirectory: "/state",
  egressSocket: undefined,
};

describe("writeSeatbeltProfile", () => {
  it("denies what it does not allow", () => {
    const profile = writeSeatbeltProfile(plain);
    expect(profile.split("\n").slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
    expect(profile).not.toMatch(/allow default|\(allow file-(?:read|write)\*\)|allow network\*/u);
  });

  it("allows reading readable directories, and also writing writable ones", () => {
    const profile = writeSeatbeltProfile(plain);
    expect(ruleWith(profile, "allow file-read*", '(literal "/")')).toContain('(subpath "/r")');
    expect(ruleWith(profile, "allow file-read*", '(literal "/")')).toContain('(subpath "/w")');
    expect(ruleWith(profile, "allow file-read*", '(literal "/")')).toContain(
      '(subpath "/Users/me/.cargo")',
    );
    expect(ruleWith(profile, "allow file-write*", '(subpath "/w")')).not.toContain('"/r"');
  });

  it("denies secret, protected and fixed paths after the allowed ones", () => {
    const profile = writeSeatbeltProfile(plain);
    const allowed = profile.indexOf('(allow file-write*\n  (subpath "/w")');
    expect(allowed).toBeGreaterThan(0);
    for (const [rule, place] of [
      ["(deny file-read-data file-write* file-link", '(subpath "/w/.env")'],
      ["(deny file-read* file-write* file-link", '(subpath "/w/private")'],
      ["(deny file-write*", '(subpath "/w/docs")\n  (subpath "/w/.git/config")'],
      ["(deny file-write-unlink file-write-create", '(literal "/w/.git")'],
      ["(deny file-read* file-write*", '(subpath "/state")'],
    ] as const) {
      expect(profile.indexOf(`${rule}\n  ${place}`)).toBeGreaterThan(allowed);
    }
    expect(profile.indexOf('(subpath "/state/sandbox/scratch-1")')).toBeGreaterThan(
      profile.indexOf('(subpath "/state")'),
    );
  });

  it("lets a program have its own directory among our state", () => {
    const profile = writeSeatbeltProfile({ ...plain, writable: ["/w", "/state/home"] });
    const denied = profile.indexOf('(deny file-read* file-write*\n  (subpath "/state")');
    for (const operation of ["read", "write"]) {
      const allowed = `(allow file-${operation}*\n  (subpath "/state/home")`;
      expect(profile.indexOf(allowed)).toBeGreaterThan(denied);
    }
  });

  it("denies names that do not exist yet", () => {
    const patterns = [...writeSeatbeltProfile(plain).matchAll(/\(regex #"([^"]*)"\)/gu)];
    const isDenied = (path: string): boolean =>
      patterns.some(([, pattern = ""]) => new RegExp(pattern, "u").test(path));
    for (const path of [
      "/w/.haft/rules",
      "/w/sub/.haft/settings.json",
      "/w/.GIT/Hooks/pre-commit",
      "/w/.git/modules/x/config",
      "/w/.vscode/tasks.json",
      "/w/.Cursor/mcp.json",
      "/w/sub/.devcontainer/x",
      "/w/opencode.jsonc",
      "/w/x.code-workspace",
    ]) {
      expect([path, isDenied(path)]).toEqual([path, true]);
    }
    for (const path of [
      "/w/.haft/notes",
      "/other/.haft/rules",
      "/wx/.haft/rules",
      "/w/.git",
      "/w/.git/HEAD",
      "/w/src/hooks/x",
    ]) {
      expect([path, isDenied(path)]).toEqual([path, false]);
    }
  });

  it("has no network, or only the run's own way out", () => {
    expect(writeSeatbeltProfile(plain)).toMatch(/\(deny network\*\)$/u);
    expect(writeSeatbeltProfile({ ...plain, egressSocket: "/tmp/e.sock" })).toMatch(
      /\(deny network\*\)\n\(allow network-outbound\n {2}\(literal "\/tmp\/e\.sock"\)\)$/u,
    );
  });

  it("is not led astray by names", () => {
    const root = '/w/"))(allow default)(\\';
    const profile = writeSeatbeltProfile({ ...plain, writable: [root] });
    expect(profile).toContain('(subpath "/w/\\"))(allow default)(\\\\")');
    const outsideStrings = profile.replaceAll(/"(?:[^"\\]|\\.)*"/gu, '""');
    expect(outsideStrings).not.toContain("allow default");
  });

  it("allows nothing everywhere just because nothing is named", () => {
    const nothing = {
      hidden: [],
      unwritable: [],
      unchangeable: [],
      immovable: [],
      places: [],
      others: [],
    };
    const profile = writeSeatbeltProfile({
      ...plain,
      readable: [],
      writable: [],
      guarded: nothing,
    });
    expect(profile).not.toMatch(/\((?:allow|deny) file-write\*\)/u);
  });
});

describe("openSeatbelt", () => {
  it("says that it is missing", () => {
    const place = { roots: [], home: undefined, stateDirectory: "/s", searchPath: undefined };
    expect(openSeatbelt(place, "/no/such/sandbox-exec")).toMatchObject({
      sandbox: undefined,
      reason: expect.stringContaining("/no/such/sandbox-exec"),
    });
  });

  it("makes a plan from the same description of a run", async () => {
    const base = makeTemporaryDirectory();
    const root = join(base, "work");
    mkdirSync(root);
    writeFileSync(join(root, ".env"), "");
    const place = {
      roots: [root],
      home: base,
      stateDirectory: join(base, "state"),
      searchPath: "",
    };
    const { sandbox } = openSeatbelt(place, process.execPath);
    const prepared = await sandbox?.prepare({
      run: { command: "true" },
      cwd: root,
      environment: { A: "b" },
      readable: [],
      writable: [root],
      limits: { cpuSeconds: 3 },
    });
    const { plan } = prepared ?? {};
    expect(plan).toMatchObject({ cwd: root, descriptors: [], endsTogether: false });
    expect(plan?.args.slice(0, 2)).toEqual([
      "-p",
      expect.stringContaining(`(subpath "${root}/.env")`),
    ]);
    expect(plan?.args.slice(-5)).toEqual([
      expect.stringContaining("ulimit -t 3"),
      "haft",
      "/bin/bash",
      "-c",
      "true",
    ]);
    expect(existsSync(plan?.environment.TMPDIR ?? "")).toBe(true);
    expect(await prepared?.settle()).toEqual([]);
    expect(existsSync(plan?.environment.TMPDIR ?? "")).toBe(false);
  });
});

function ruleWith(profile: string, rule: string, part: string): string {
  return profile.split("\n(").find((text) => text.startsWith(rule) && text.includes(part)) ?? "";
}
