import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Judgement } from "@haft/core";
import { describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { createTestWorkspace } from "../test-support/run-haft.ts";

const check = (...args: string[]): string[] => ["permissions", "check", ...args];

describe("haft permissions check", () => {
  it.each<[string[], number, Partial<Judgement>]>([
    [["read", "path=a.txt"], 0, { action: "allow", stage: "default", rule: "read ** allow" }],
    [["write", "path=a.txt", "content=x"], 1, { action: "ask", stage: "none", rule: null }],
    [
      ["write", '{"path": "a.txt", "content": "x"}', "--rule", "write a.txt deny"],
      2,
      { action: "deny", stage: "session", rule: "write a.txt deny" },
    ],
    [
      ["write", "path=docs/a", "content=x"],
      0,
      { action: "allow", stage: "project", rule: "write docs/** allow" },
    ],
    [["read", "path=/etc/passwd"], 2, { action: "deny", stage: "capability", rule: null }],
    [["read", "paht=x"], 2, { action: "deny", stage: "arguments", rule: null }],
    [["reed"], 2, { action: "deny", stage: "arguments", rule: null }],
    [
      ["create_file", "path=docs/a", "content=x", "--dialect", "amp"],
      0,
      { stage: "project", rule: "write docs/** allow" },
    ],
  ])("judges %j with exit code %i", async (args, exitCode, judgement) => {
    const { haft } = createTestWorkspace({ ".haft/rules": "write docs/** allow\n", "a.txt": "" });
    await haft(["trust", "--yes"]);
    const ran = await haft(check(...args, "--json"));
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.json()).toMatchObject(judgement);
    expect(Object.keys(ran.json<Judgement>())).toEqual([
      "action",
      "stage",
      "rule",
      "why",
      "remedy",
      "unchecked",
    ]);
  });

  it.each<[string[], Partial<Judgement>]>([
    [["read", "path=.env"], { stage: "files", why: expect.stringContaining("hold secrets") }],
    [["edit", "path=.env", "old_string=a", "new_string=b"], { stage: "files" }],
    [["grep", "path=.env", "pattern=a"], { stage: "files" }],
    [["move_file", "from=.env", "to=b"], { stage: "files" }],
    [
      ["write", "path=.git/hooks/pre-commit", "content=x"],
      { stage: "files", remedy: expect.stringContaining("spells out the exact path") },
    ],
    [["read", "path=out/passwd"], { stage: "files", why: expect.stringContaining("Out of scope") }],
    [["glob", "path=out", "pattern=*"], { stage: "files" }],
    [["write", "path=out/x", "content=x"], { stage: "files" }],
    [["read", "path=secret-link"], { stage: "files" }],
    [["web_fetch", "url=http://127.0.0.1:8080/"], { stage: "network" }],
    [["web_fetch", "url=http://0x7f.1/"], { stage: "network" }],
    [["web_fetch", "url=http://169.254.169.254/latest"], { stage: "network" }],
    [["web_fetch", "url=http://printer.local/"], { stage: "network" }],
    [
      ["web_fetch", "url=http://127.0.0.1:81/", "--allow-host", "127.0.0.1:80"],
      { stage: "network" },
    ],
    [["bash", "command=ls", "cwd=out", "--sandbox=off"], { stage: "shell" }],
    [["bash", "command=echo x > out/x", "--sandbox=off"], { stage: "capability" }],
    [
      ["bash", "command=echo x > linked-2/x", "--sandbox=off"],
      { stage: "session", rule: "fs.write closed/** deny" },
    ],
    [["read", "path=linked/x"], { stage: "session", rule: "fs.read private/** deny" }],
  ])("refuses %j, which the call itself is refused", async (args, judgement) => {
    const { haft, directory } = createTestWorkspace({ ".env": "A=b", "private/x": "" });
    symlinkSync("/etc", join(directory, "out"));
    symlinkSync(".env", join(directory, "secret-link"));
    symlinkSync("private", join(directory, "linked"));
    symlinkSync("closed", join(directory, "linked-2"));
    const rules = ["* * allow", "fs.read private/** deny", "fs.write closed/** deny"].flatMap(
      (rule) => ["--rule", rule],
    );
    const ran = await haft(check(...args, ...rules, "--json"));
    expect(ran.json()).toMatchObject({ action: "deny", ...judgement });
    expect(ran.exitCode).toBe(2);
    const called = await haft(["call", ...args, ...rules, "--yes", "--json"]);
    expect(called.exitCode).not.toBe(0);
    expect(called.stdout).toContain(ran.json<Judgement>().rule ?? ran.json<Judgement>().why);
  });

  it.each([
    [["read", "path=.env-directory"]],
    [["write", "path=.env", "content=x"]],
    [["delete_file", "path=out"]],
    [["write", "path=.git/hooks/x", "content=x", "--rule", "write .git/hooks/x allow"]],
    [["read", "path=missing"]],
  ])("allows %j, which no later check refuses", async (args) => {
    const { haft, directory } = createTestWorkspace({ ".env-directory/x": "" });
    symlinkSync("/etc", join(directory, "out"));
    const ran = await haft(check(...args, "--rule", "* * allow", "--json"));
    expect(ran.json()).toMatchObject({ action: "allow", unchecked: [] });
  });

  it("says what is known only when the call runs", async () => {
    const { haft } = createTestWorkspace();
    const named = check("web_fetch", "url=https://example.com/");
    expect((await haft([...named, "--json"])).json()).toMatchObject({
      action: "allow",
      unchecked: ["whether example.com has a public address, and where it redirects"],
    });
    expect((await haft(named)).stdout).toContain(
      "\n       Known only when the call runs: whether example.com has a public address",
    );
    const granted = check("web_fetch", "url=http://127.0.0.1:80/", "--allow-host", "127.0.0.1:80");
    expect((await haft([...granted, "--json"])).json()).toMatchObject({
      action: "allow",
      unchecked: ["where 127.0.0.1 redirects"],
    });
  });

  it("says it to a person in a line, and the remedy in the next", async () => {
    const { haft } = createTestWorkspace({ ".haft/rules": "write docs/** ask\n" });
    const { stdout } = await haft(check("write", "path=docs/a", "content=x"));
    expect(stdout).toMatch(
      /^ask {4}\(project rule "write docs\/\*\* ask"\)\n {7}To allow it, add the rule: write docs\/a allow\n$/u,
    );
    expect((await haft(check("write", "path=b", "content=x"))).stdout).toMatch(
      /^ask {4}\(no rule\) {2}no rule allows write\n {7}To allow it, add the rule: write b allow\n$/u,
    );
  });

  it("runs nothing, records nothing and does not prompt", async () => {
    const { haft, directory, state } = createTestWorkspace();
    const args = check("write", "path=a.txt", "content=x", "--rule", "write ** allow");
    expect((await haft(args, { typed: ["y"] })).exitCode).toBe(0);
    expect(existsSync(join(directory, "a.txt"))).toBe(false);
    expect(existsSync(state)).toBe(false);
    expect((await haft(check("write", "path=b", "content=x"), { typed: ["y"] })).exitCode).toBe(1);
  });

  it("takes arguments from standard input", async () => {
    const { haft } = createTestWorkspace();
    const input = '{"path": "a.txt", "content": "x"}';
    expect((await haft(check("write", "-"), { input })).exitCode).toBe(1);
  });

  it("judges hundreds of rows in their order, each with its own rules", async () => {
    const { haft } = createTestWorkspace();
    const rows = Array.from({ length: 600 }, (_, index) => ({
      name: "write",
      arguments:
        index % 2 === 0 ? { path: `a${index}`, content: "x" } : `{"path":"b","content":""}`,
      rules: index % 3 === 0 ? [`write a${index} allow`] : index % 3 === 1 ? ["write b deny"] : [],
    }));
    const { json, exitCode } = await haft(check("-"), { input: JSON.stringify(rows) });
    expect(exitCode).toBe(0);
    const expected = rows.map((_, index) => {
      if (index % 3 === 0) return index % 2 === 0 ? "allow" : "ask";
      return index % 3 === 1 && index % 2 === 1 ? "deny" : "ask";
    });
    expect(json<Judgement[]>().map(({ action }) => action)).toEqual(expected);
  });

  it("adds the rules of a row to those of the run", async () => {
    const { haft } = createTestWorkspace();
    const row = { name: "write", arguments: { path: "a", content: "" } };
    const input = JSON.stringify([row, { ...row, rules: ["write a deny"] }]);
    const { json } = await haft(check("-", "--json", "--rule", "write a allow"), { input });
    expect(json<Judgement[]>().map(({ action }) => action)).toEqual(["allow", "deny"]);
  });

  it.each([
    ["{", "not valid JSON"],
    ["{}", "JSON array"],
    ['[{"name":"read"},1]', "Row 2 is not an object"],
    ['[{"arguments":{}}]', "Row 1 has no name"],
    ['[{"name":"read","rule":"read a deny"}]', 'unknown field "rule"'],
    ['[{"name":"read","rules":"read a deny"}]', "Row 1: rules are strings"],
    ['[{"name":"read","rules":["read"]}]', "Row 1: "],
  ])("refuses the rows %s and names the fault", async (input, reason) => {
    const { exitCode, stderr, stdout } = await createTestWorkspace().haft(check("-"), { input });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
    expect(stdout).toBe("");
  });

  it.skipIf(process.platform !== "linux" || isMissing("bwrap"))(
    "says that a command is judged by what it changes",
    async () => {
      const { haft } = createTestWorkspace();
      const glob = ["bash", "command=wc -l *.ts", "--sandbox", "required"];
      const { exitCode, stdout } = await haft(check(...glob));
      expect(stdout).toMatch(
        /^allow {2}\(review of effects\) {2}it runs on a layer without network/u,
      );
      expect(stdout).toContain("Known only when the call runs: which files it changes.");
      expect(exitCode).toBe(0);
      expect((await haft(check(...glob, "--review", "words"))).exitCode).toBe(1);
      expect((await haft(check(...glob, "--review", "wrods"))).stderr).toContain(
        "--review is one of effects, words",
      );
    },
  );

  it("asks for a call where none is named", async () => {
    const { exitCode, stderr } = await createTestWorkspace().haft(check());
    expect(exitCode).toBe(2);
    expect(stderr).toContain("needs the argument TOOL");
  });
});
