import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Judgement } from "@haft/core";
import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";

const check = (...args: string[]): string[] => ["permissions", "check", ...args];

describe("haft permissions check", () => {
  it.each<[string[], number, Partial<Judgement>]>([
    [["read", "path=a.txt"], 0, { action: "allow", layer: "default", rule: "read ** allow" }],
    [["write", "path=a.txt", "content=x"], 1, { action: "ask", layer: "none", rule: null }],
    [
      ["write", '{"path": "a.txt", "content": "x"}', "--rule", "write a.txt deny"],
      2,
      { action: "deny", layer: "session", rule: "write a.txt deny" },
    ],
    [
      ["write", "path=docs/a", "content=x"],
      0,
      { action: "allow", layer: "project", rule: "write docs/** allow" },
    ],
    [["read", "path=/etc/passwd"], 2, { action: "deny", layer: "capability", rule: null }],
    [["read", "paht=x"], 2, { action: "deny", layer: "arguments", rule: null }],
    [["reed"], 2, { action: "deny", layer: "arguments", rule: null }],
    [
      ["create_file", "path=docs/a", "content=x", "--dialect", "amp"],
      0,
      { layer: "project", rule: "write docs/** allow" },
    ],
  ])("judges %j with exit code %i", async (args, exitCode, judgement) => {
    const { haft } = createTestWorkspace({ ".haft/rules": "write docs/** allow\n", "a.txt": "" });
    const ran = await haft(check(...args, "--json"));
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.json()).toMatchObject(judgement);
    expect(Object.keys(ran.json<Judgement>())).toEqual(["action", "layer", "rule", "why"]);
  });

  it("says it to a person in one line", async () => {
    const { haft } = createTestWorkspace({ ".haft/rules": "write docs/** ask\n" });
    const { stdout } = await haft(check("write", "path=docs/a", "content=x"));
    expect(stdout).toMatch(/^ask {4}\(project rule "write docs\/\*\* ask"\)\n$/u);
    expect((await haft(check("write", "path=b", "content=x"))).stdout).toMatch(
      /^ask {4}\(no rule\) {2}no rule allows write\n$/u,
    );
  });

  it("runs nothing, records nothing and asks nobody", async () => {
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
    ['[{"name":"read","rules":"read a deny"}]', "Row 1: rules are texts"],
    ['[{"name":"read","rules":["read"]}]', "Row 1: "],
  ])("refuses the rows %s and names the fault", async (input, reason) => {
    const { exitCode, stderr, stdout } = await createTestWorkspace().haft(check("-"), { input });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
    expect(stdout).toBe("");
  });

  it("asks for a call where none is named", async () => {
    const { exitCode, stderr } = await createTestWorkspace().haft(check());
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Which call");
  });
});
