import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultRules } from "@haft/core";
import { formatRule } from "@haft/core/internal";
import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";

interface ListedRule {
  readonly scope: string;
  readonly permission: string;
  readonly pattern: string;
  readonly action: string;
  readonly when?: string;
  readonly rule: string;
}

const write = (path: string): string[] => ["call", "write", `path=${path}`, "content=x"];

describe("haft permissions list", () => {
  it("shows every rule in force under who made it, and where there is none how to make one", async () => {
    const { haft, directory } = createTestWorkspace({ ".haft/rules": "write docs/** allow\n" });
    expect((await haft(["permissions"])).stdout).toContain(
      "  write docs/** allow    (not trusted, so it has no effect: haft trust)\n",
    );
    await haft(["trust", "--yes"]);
    const { stdout, exitCode } = await haft(["permissions", "--rule", "bash ls deny"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("  bash ls deny    (--rule, for this run)\n");
    expect(stdout).toContain(`Project, in ${directory}/.haft/rules\n  write docs/** allow\n`);
    for (const rule of defaultRules) expect(stdout).toContain(`  ${formatRule(rule)}\n`);
    expect((await createTestWorkspace().haft(["permissions", "list"])).stdout).toMatch(
      /^Project, .*\n {2}none; haft permissions add/mu,
    );
  });

  it("gives scripts each rule in its parts, in the order of the layers", async () => {
    const { haft } = createTestWorkspace({ ".haft/rules": "bash@sandbox make allow\n" });
    await haft(["permissions", "add", "write a deny", "--scope", "session"]);
    expect((await haft(["permissions", "list", "--json"])).json<ListedRule[]>()[1]).toMatchObject({
      trusted: false,
      rule: "bash@sandbox make allow",
    });
    await haft(["trust", "--yes"]);
    const { json } = await haft(["permissions", "list", "--json", "--rule", "read b ask"]);
    const listed = json<ListedRule[]>();
    expect(listed.slice(0, 3)).toEqual([
      { scope: "session", permission: "read", pattern: "b", action: "ask", rule: "read b ask" },
      { scope: "session", permission: "write", pattern: "a", action: "deny", rule: "write a deny" },
      {
        scope: "project",
        permission: "bash",
        pattern: "make",
        action: "allow",
        when: "sandbox",
        rule: "bash@sandbox make allow",
      },
    ]);
    expect(listed.slice(3).map(({ rule }) => rule)).toEqual(defaultRules.map(formatRule));
  });

  it("names the line of a rule that can't be read", async () => {
    const { haft } = createTestWorkspace({ ".haft/rules": "read ** allow\noops\n" });
    const { exitCode, stderr } = await haft(["permissions"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("line 2");
  });

  it.each([
    [["dance"], "list, add, remove, check, simulate, import"],
    [["list", "more"], "more"],
  ])("refuses %j", async (args, reason) => {
    const { exitCode, stderr } = await createTestWorkspace().haft(["permissions", ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
  });
});

describe("haft permissions add and remove", () => {
  it("stores a rule for the project, to be read and committed", async () => {
    const { haft, directory } = createTestWorkspace();
    const file = join(directory, ".haft", "rules");
    const added = await haft(["permissions", "add", "write docs/** allow"]);
    expect(added).toMatchObject({
      exitCode: 0,
      stdout: `Added to ${file}: write docs/** allow\n`,
    });
    expect(readFileSync(file, "utf8")).toBe("write docs/** allow\n");
    expect((await haft(write("docs/a.md"))).exitCode).toBe(0);
    const removed = await haft(["permissions", "remove", "write docs/** allow"]);
    expect(removed).toMatchObject({
      exitCode: 0,
      stdout: `Removed from ${file}: write docs/** allow\n`,
    });
    expect((await haft(write("docs/b.md"))).exitCode).not.toBe(0);
  });

  it("takes the rule as separate words too", async () => {
    const { haft, directory } = createTestWorkspace();
    await haft(["permissions", "add", "bash", "git", "log", "allow"]);
    await haft(["permissions", "add", "--", "bash", "git", "diff", "--stat", "allow"]);
    expect(readFileSync(join(directory, ".haft", "rules"), "utf8")).toBe(
      "bash git log allow\nbash git diff --stat allow\n",
    );
  });

  it("stores a rule for the session only, if told", async () => {
    const { haft, directory } = createTestWorkspace();
    await haft(["permissions", "add", "write a.txt allow", "--scope", "session"]);
    expect(existsSync(join(directory, ".haft"))).toBe(false);
    expect((await haft(write("a.txt"))).exitCode).toBe(0);
    expect((await haft([...write("a.txt"), "--session", "other"])).exitCode).not.toBe(0);
    const remove = ["permissions", "remove", "write a.txt allow"];
    expect((await haft(remove)).stderr).toContain("write a.txt allow (session)");
    expect((await haft([...remove, "--scope=session"])).exitCode).toBe(0);
  });

  it("reports existing and conflicting rules", async () => {
    const { haft } = createTestWorkspace();
    await haft(["permissions", "add", "write a deny"]);
    expect((await haft(["permissions", "add", "write  a   deny"])).stdout).toContain("Already in");
    expect((await haft(["permissions", "add", "write a allow"])).stdout).toContain(
      "There is also write a deny; the stricter of the two applies.",
    );
  });

  it("shows which of the session's calls a rule would have allowed", async () => {
    const { haft } = createTestWorkspace({ "a.txt": "one\n" });
    for (const path of ["docs/1", "docs/2", "src/1"]) await haft(write(path));
    await haft(["call", "read", "path=a.txt"]);
    const amp = ["--dialect", "amp", "path=docs/3", "content=x"];
    await haft(["call", "create_file", ...amp]);
    const { stdout } = await haft(["permissions", "add", "write docs/** allow"]);
    expect(stdout).toContain(
      "It would have allowed 3 of the 5 calls of this session that needed approval:\n",
    );
    expect(stdout).toContain('  write {"path":"docs/2","content":"x"}\n');
    expect(stdout).toContain('  create_file {"path":"docs/3","content":"x"}\n');
    const { json } = await haft(["permissions", "add", "write src/** allow", "--json"]);
    expect(json()).toMatchObject({
      scope: "project",
      rule: "write src/** allow",
      added: true,
      would_allow: { calls: 5, count: 1, examples: ['write {"path":"src/1","content":"x"}'] },
    });
    expect((await haft(["permissions", "add", "write none/** allow"])).stdout).toContain(
      "none of the 5 calls",
    );
  });

  it("fails for an unknown rule, and shows similar ones", async () => {
    const { haft } = createTestWorkspace({ ".haft/rules": "bash git log allow\n" });
    const { exitCode, stderr, stdout } = await haft([
      "permissions",
      "remove",
      "bash git lgo allow",
    ]);
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain('no rule "bash git lgo allow". Similar: bash git log allow.');
    const { json } = await haft(["permissions", "remove", "read x deny", "--json"]);
    expect(json()).toMatchObject({ removed: false });
  });

  it.each([
    [["add"], "needs the argument RULE"],
    [["add", "write src/**"], "PERMISSION PATTERN ACTION"],
    [["add", "write [z-a] allow"], "reversed range"],
    [["add", "write a allow", "--scope", "manifest"], "project, session"],
    [["remove", "write"], "PERMISSION PATTERN ACTION"],
  ])("refuses %j and stores nothing", async (args, reason) => {
    const { haft, directory } = createTestWorkspace();
    const { exitCode, stderr } = await haft(["permissions", ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
    expect(existsSync(join(directory, ".haft"))).toBe(false);
  });
});
