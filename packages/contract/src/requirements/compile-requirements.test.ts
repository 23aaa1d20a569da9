import { describe, expect, it } from "vitest";
import { compileRequirements, intersectGrants, uniteGrants } from "./compile-requirements.ts";
import type { RequirementSet } from "./requirement-set.ts";

const variables = { workspace: ["/w", "/v"], "ad-hoc": [], "user-data": ["/data"] };
const compile = (requirements: RequirementSet) => compileRequirements(requirements, variables);

describe("compileRequirements on paths", () => {
  it("grants what is declared below every root, reading and writing apart", () => {
    const grant = compile({ fs: { read: ["{workspace}/**"], write: ["src/**"] } });
    expect(["/w", "/w/a", "/v/b/c"].every(grant.mayRead)).toBe(true);
    expect(["/", "/w-evil/a", "/data/x", "/etc/passwd"].some(grant.mayRead)).toBe(false);
    expect(["/w/src/a", "/v/src"].every(grant.mayWrite)).toBe(true);
    expect(["/w/a", "/w/srcs/a"].some(grant.mayWrite)).toBe(false);
  });

  it("grants no writing in a root that is read-only", () => {
    const places = { workspace: ["/w", "/lib"], "read-only": ["/lib"] };
    const grant = compileRequirements(
      { fs: { read: ["{workspace}/**"], write: ["{workspace}/**", "a", "{read-only}/**"] } },
      places,
    );
    expect(["/w/a", "/lib/a"].every(grant.mayRead)).toBe(true);
    expect(["/w/a", "/lib/a", "/lib/b"].map(grant.mayWrite)).toEqual([true, false, false]);
    expect(grant.places.write).not.toContain("/lib");
  });

  it("grants nothing where nothing is declared", () => {
    const grant = compile({});
    expect(grant.mayRead("/w/a")).toBe(false);
    expect(grant.mayWrite("/w/a")).toBe(false);
    expect(grant.mayReach("example.com")).toBe(false);
    expect(grant.mayRun(["ls"])).toBe(false);
    expect(grant.has("clipboard")).toBe(false);
  });

  it("grants nothing for a variable that expands to nothing", () => {
    const grant = compile({ fs: { read: ["{ad-hoc}/**", "{ad-hoc}"] } });
    expect(["", "/", "/**", "/w/a"].some(grant.mayRead)).toBe(false);
  });

  it("grants nothing for a relative pattern without a workspace", () => {
    const grant = compileRequirements({ fs: { read: ["**", "./**"] } }, { workspace: [] });
    expect(["", "/", "/a"].some(grant.mayRead)).toBe(false);
  });

  it("takes a root full of glob characters literally", () => {
    const root = "/w/[x]{a}*";
    const grant = compileRequirements(
      { fs: { read: ["{workspace}/**"], write: ["*.md"] } },
      { workspace: [root] },
    );
    expect(grant.mayRead(`${root}/a/b`)).toBe(true);
    expect(grant.mayWrite(`${root}/a.md`)).toBe(true);
    for (const other of ["/w/xaa/b", "/w/xa/b", "/w/x{a}/b", "/w/[x]{a}zz/b"]) {
      expect(grant.mayRead(other)).toBe(false);
    }
  });

  it("throws for an undefined variable, in paths and in hosts", () => {
    expect(() => compile({ fs: { read: ["{workspac}/**"] } })).toThrow(
      /undefined variable \{workspac\}\. Defined: ad-hoc, user-data, workspace\./u,
    );
    expect(() => compile({ fs: { write: ["{x}"] } })).toThrow(TypeError);
    expect(() => compile({ net: { hosts: ["{search-host}"] } })).toThrow(/\{search-host\}/u);
  });
});

describe("compileRequirements on hosts", () => {
  it.each<[string, string[], string[]]>([
    ["example.com", ["example.com", "EXAMPLE.com"], ["a.example.com", "example.com.evil.net"]],
    ["*.example.com", ["a.example.com", "a.b.Example.Com"], ["example.com", ".example.com"]],
    ["*.example.com", [], ["evil-example.com", "evilexample.com", "a.example.com.evil.net"]],
    ["*", ["anything.net", "10.0.0.1"], []],
  ])("compiles %s on label boundaries", (pattern, fitting, others) => {
    const grant = compile({ net: { hosts: [pattern] } });
    expect(fitting.filter((host) => !grant.mayReach(host))).toEqual([]);
    expect(others.filter(grant.mayReach)).toEqual([]);
  });

  it("expands variables", () => {
    const grant = compileRequirements(
      { net: { hosts: ["{search}"] } },
      { search: ["a.io", "b.io"] },
    );
    expect(["a.io", "b.io", "c.io"].map(grant.mayReach)).toEqual([true, true, false]);
  });

  it.each(["*example.com", "api.*.com", "*.*", "**", "*.", ""])("refuses %j", (pattern) => {
    expect(() => compile({ net: { hosts: [pattern] } })).toThrow(
      `Host pattern ${JSON.stringify(pattern)} is not valid`,
    );
  });
});

describe("compileRequirements on commands", () => {
  it("takes a command without arguments declared with any", () => {
    const grant = compile({ shell: [{ cmd: "ls" }] });
    expect(grant.mayRun(["ls"])).toBe(true);
    expect(grant.mayRun(["ls", "-l", "/"])).toBe(true);
    expect(grant.mayRun(["lsof"])).toBe(false);
    expect(grant.mayRun(["/bin/ls"])).toBe(false);
    expect(grant.mayRun([])).toBe(false);
  });

  it("takes declared arguments in order, as many as declared", () => {
    const grant = compile({
      shell: [{ cmd: "git", args: ["log", { prefix: "--max-count=" }, { wildcard: true }] }],
    });
    expect(grant.mayRun(["git", "log", "--max-count=5", "main"])).toBe(true);
    expect(grant.mayRun(["git", "log", "--max-count=", ""])).toBe(true);
    expect(grant.mayRun(["git", "log", "--max-count=5"])).toBe(false);
    expect(grant.mayRun(["git", "log", "--max-count=5", "main", "x"])).toBe(false);
    expect(grant.mayRun(["git", "logout", "--max-count=5", "main"])).toBe(false);
    expect(grant.mayRun(["git", "log", "-n5", "main"])).toBe(false);
  });

  it("allows any command for *, also with unknown words", () => {
    const grant = compile({ shell: [{ cmd: "*" }] });
    expect(grant.mayRun(["anything", "at", "all"])).toBe(true);
    expect(grant.mayRun([])).toBe(true);
    expect(compile({ shell: [{ cmd: "*", args: [] }] }).mayRun([])).toBe(false);
  });

  it("takes no arguments where none are declared", () => {
    const grant = compile({ shell: [{ cmd: "pwd", args: [] }] });
    expect(grant.mayRun(["pwd"])).toBe(true);
    expect(grant.mayRun(["pwd", "-P"])).toBe(false);
  });
});

describe("the places of a grant", () => {
  it("are the directories before anything special, and hosts and programs as declared", () => {
    const grant = compile({
      fs: { read: ["/w/src/**/*.ts", "/a{b,c}/x*/**", "/etc/hosts"], write: ["/**", "/\\[x\\]/*"] },
      net: { hosts: ["*.example.com"] },
      shell: [
        { cmd: "git", args: ["log"] },
        { cmd: "git", args: ["diff"] },
      ],
    });
    expect(grant.places).toEqual({
      read: ["/w/src", "/ab", "/ac", "/etc/hosts"],
      write: ["/", "/[x]"],
      hosts: ["*.example.com"],
      programs: ["git"],
    });
  });
});

describe("uniteGrants and intersectGrants", () => {
  const left = compile({
    fs: { read: ["a/**", "b/**"], write: ["a/**", "b/**"] },
    net: { hosts: ["a.io", "b.io"] },
    shell: [{ cmd: "a" }, { cmd: "b" }],
    capabilities: ["a", "b"],
  });
  const right = compile({
    fs: { read: ["b/**", "c/**"], write: ["b/**", "c/**"] },
    net: { hosts: ["b.io", "c.io"] },
    shell: [{ cmd: "b" }, { cmd: "c" }],
    capabilities: ["b", "c"],
  });
  const allowed = (grant: typeof left) => ({
    read: ["a", "b", "c", "d"].filter((name) => grant.mayRead(`/w/${name}/x`)).join(""),
    write: ["a", "b", "c", "d"].filter((name) => grant.mayWrite(`/w/${name}/x`)).join(""),
    reach: ["a", "b", "c", "d"].filter((name) => grant.mayReach(`${name}.io`)).join(""),
    run: ["a", "b", "c", "d"].filter((name) => grant.mayRun([name])).join(""),
    has: ["a", "b", "c", "d"].filter((name) => grant.has(name)).join(""),
  });
  const all = (names: string) => ({
    read: names,
    write: names,
    reach: names,
    run: names,
    has: names,
  });

  it("allow what one allows, and what all allow", () => {
    expect(allowed(uniteGrants([left, right]))).toEqual(all("abc"));
    expect(allowed(intersectGrants([left, right]))).toEqual(all("b"));
  });

  it("mention the programs of one, and those of all", () => {
    const any = compile({ shell: [{ cmd: "*" }] });
    const none = compile({});
    expect(uniteGrants([left, right]).places.programs).toEqual(["a", "b", "c"]);
    expect(intersectGrants([left, right]).places.programs).toEqual(["b"]);
    expect(intersectGrants([left, any]).places.programs).toEqual(["a", "b"]);
    expect(intersectGrants([any, any]).places.programs).toEqual(["*"]);
    expect(intersectGrants([any, none]).places.programs).toEqual([]);
  });

  it("leave a single grant as it is", () => {
    expect(allowed(uniteGrants([left]))).toEqual(all("ab"));
    expect(allowed(intersectGrants([left]))).toEqual(all("ab"));
  });

  it("allow nothing where there is no grant at all", () => {
    expect(allowed(uniteGrants([]))).toEqual(all(""));
    expect(allowed(intersectGrants([]))).toEqual(all(""));
  });
});
