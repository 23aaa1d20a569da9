import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes, type ToolResult } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";

describe("haft call", () => {
  it.each([
    [["path=a.txt", "limit=1"]],
    [['{"path": "a.txt", "limit": 1}']],
    [["path=a.txt", "limit:=1"]],
  ])("takes arguments as %j", async (args) => {
    const { haft } = createTestWorkspace({ "a.txt": "one\ntwo\n" });
    const { stdout, exitCode } = await haft(["call", "read", ...args]);
    expect({ stdout, exitCode }).toEqual({ stdout: "1: one\n", exitCode: 0 });
  });

  it("takes the common options before the command too", async () => {
    const { haft, directory } = createTestWorkspace({ "src/a.txt": "one\n" });
    const options = ["-C", `${directory}/src`, "--session=other", "--rule", "read ** allow"];
    const { stdout } = await haft([...options, "call", "read", "path=a.txt"]);
    expect(stdout).toBe("1: one\n");
  });

  it("takes arguments from standard input", async () => {
    const { haft } = createTestWorkspace({ "a.txt": "one\n" });
    const { stdout } = await haft(["call", "read", "-"], { input: '{"path":"a.txt"}' });
    expect(stdout).toBe("1: one\n");
  });

  it("prints exactly the envelope with --json", async () => {
    const { haft, directory } = createTestWorkspace({ "a.txt": "one\n" });
    const { json, stdout } = await haft(["call", "read", "path=a.txt", "--json"]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(json<ToolResult>()).toMatchObject({
      type: "output",
      data: { path: join(directory, "a.txt"), content: "1: one" },
      metadata: { isolation: "capability" },
    });
  });

  it.each([
    ["unknown-tool", ["reed"], "Did you mean read"],
    ["invalid-arguments", ["read", "{bad"], "not valid JSON"],
    ["invalid-arguments", ["read", "path:=5.5"], "path: expected string, got number 5.5"],
    ["invalid-arguments", ["read", "paht=a"], "did you mean path?"],
    ["not-found", ["read", "path=missing.txt"], "missing.txt"],
    ["out-of-scope", ["read", "path=/etc/passwd"], "/etc/passwd"],
    ["secret-file", ["read", "path=.env"], ".env"],
    ["headless", ["write", "path=new.txt", "content=x"], "this session is not interactive"],
    ["denied", ["read", "path=a.txt", "--rule", "read a.txt deny"], "read a.txt deny"],
  ] as const)("ends with the exit code of %s for %j", async (code, args, reason) => {
    const { haft } = createTestWorkspace({ "a.txt": "one\n", ".env": "KEY=1\n" });
    const ran = await haft(["call", ...args, "--json"]);
    const result = ran.json<ToolResult>();
    expect(result).toMatchObject({ type: "error", metadata: { error_code: code } });
    expect(result.type === "error" && result.error_text).toContain(reason);
    expect(ran.exitCode).toBe(errorCodes[code].exitCode);
    expect(ran.stderr).toBe("");
  });

  it("tells a person what went wrong on standard error only", async () => {
    const { stdout, stderr } = await createTestWorkspace().haft(["call", "read", "path=nope"]);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^haft: No such file or directory: .*nope.* \[not-found\]\n$/u);
  });

  it.each([
    ["a name and a parameter", ["view", "file_path=src/a.ts"], /^haft: .*view.*read.*\n/u],
    ["a path", ["read", "path=@src/a.ts"], /^haft: path "@src\/a.ts" was read as .*\n$/u],
    ["a search", ["grep", "pattern=/ONE/i"], /^haft: .*\/ONE\/i was read as ONE, ignoring case/u],
    ["a glob that finds nothing", ["glob", "pattern=*.ts"], /\*\*\/\*\.ts matches 1 file\.\n$/u],
  ])("tells a person how %s was read, on standard error", async (_, args, note) => {
    const { haft } = createTestWorkspace({ "src/a.ts": "one\n" });
    const { exitCode, stdout, stderr } = await haft(["call", ...args]);
    expect(exitCode).toBe(0);
    expect(stdout).not.toMatch(note);
    expect(stderr).toMatch(note);
  });

  it("writes when told yes in advance", async () => {
    const { haft, directory } = createTestWorkspace();
    const { exitCode } = await haft(["call", "write", "--yes", "path=new.txt", "content=x"]);
    expect(exitCode).toBe(0);
    expect(readFileSync(join(directory, "new.txt"), "utf8")).toBe("x\n");
  });

  it("does not override a denial with --yes", async () => {
    const { haft, directory } = createTestWorkspace();
    const deny = ["--rule", "write ** deny"];
    const { exitCode } = await haft(["call", "write", "--yes", ...deny, "path=n", "content=x"]);
    expect(exitCode).toBe(errorCodes.denied.exitCode);
    expect(existsSync(join(directory, "n"))).toBe(false);
  });

  it("asks in the terminal until the answer is valid", async () => {
    const { haft, directory } = createTestWorkspace();
    const args = ["call", "write", "path=new.txt", "content=x"];
    const { exitCode, stderr } = await haft(args, { typed: ["what?", "y"] });
    expect(exitCode).toBe(0);
    expect(stderr).toContain("Please answer");
    expect(existsSync(join(directory, "new.txt"))).toBe(true);
  });

  it("does nothing when the person says no", async () => {
    const { haft, directory } = createTestWorkspace();
    const args = ["call", "write", "path=new.txt", "content=x"];
    const { exitCode } = await haft(args, { typed: ["n"] });
    expect(exitCode).toBe(errorCodes["rejected-by-user"].exitCode);
    expect(existsSync(join(directory, "new.txt"))).toBe(false);
  });

  it("remembers an always, for exactly what was approved", async () => {
    const { haft, directory } = createTestWorkspace();
    const write = (path: string) => ["call", "write", `path=${path}`, "content=x"];
    const asked = await haft(write("a.txt"), { typed: ["p"] });
    expect(asked.stderr).toContain("write a.txt allow");
    expect(readFileSync(join(directory, ".haft", "rules"), "utf8")).toContain("write a.txt allow");
    expect((await haft(write("a.txt"))).exitCode).toBe(0);
    expect((await haft(write("b.txt"))).exitCode).toBe(errorCodes.headless.exitCode);
  });

  it("stores the rule that the person made of the proposed one", async () => {
    const { haft, directory } = createTestWorkspace();
    const write = (path: string) => ["call", "write", `path=${path}`, "content=x"];
    const typed = ["e", "write docs allow oops", "write docs/** allow", "p"];
    expect((await haft(write("docs/a.txt"), { typed })).exitCode).toBe(0);
    expect(readFileSync(join(directory, ".haft", "rules"), "utf8")).toBe("write docs/** allow\n");
    expect((await haft(write("docs/b.txt"))).exitCode).toBe(0);
  });

  it("shows what an always would have allowed so far", async () => {
    const { haft } = createTestWorkspace();
    const write = ["call", "write", "path=a.txt", "content=x"];
    await haft(write);
    await haft(["call", "write", "path=b.txt", "content=x"]);
    const { stderr } = await haft(write, { typed: ["n"] });
    expect(stderr).toContain("would have allowed 1 of the 2 calls so far:");
  });

  it("names file and line of a rule that can't be read, and runs nothing", async () => {
    const { haft, directory } = createTestWorkspace({ ".haft/rules": "read ** allow\noops\n" });
    const { stderr, exitCode } = await haft(["call", "read", "path=.haft/rules"]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(join(directory, ".haft", "rules"));
    expect(stderr).toContain("2");
  });

  it("makes deceptive characters visible on a terminal and leaves them alone in a pipe", async () => {
    const { haft } = createTestWorkspace({ "a.txt": "\u001b[31mred \u202etxt\n" });
    const args = ["call", "read", "path=a.txt"];
    expect((await haft(args)).stdout).toContain("\u001b[31m");
    const shown = (await haft(args, { outputIsTerminal: true })).stdout;
    expect(shown).toContain("\\u{1b}[31mred \\u{202e}txt");
    const json = await haft([...args, "--json"], { outputIsTerminal: true });
    expect(json.stdout).not.toContain("\u202e");
    expect(json.json<{ data: { content: string } }>().data.content).toContain("\u202e");
  });

  it("keeps the session's todos between commands", async () => {
    const { haft } = createTestWorkspace();
    const todos = 'todos=[{"content":"ship it","status":"pending"}]';
    expect((await haft(["call", "todo", todos])).exitCode).toBe(0);
    expect((await haft(["call", "todo"])).stdout).toContain("ship it");
    expect((await haft(["call", "todo", "--session", "other"])).stdout).not.toContain("ship it");
  });

  it("still answers, with a warning, where nothing can be recorded", async () => {
    const { haft, state } = createTestWorkspace({ "a.txt": "one\n" });
    mkdirSync(state);
    writeFileSync(join(state, "recordings.db"), "this is no database, and long enough to tell");
    const { stdout, stderr, exitCode } = await haft(["call", "read", "path=a.txt"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "1: one\n", exitCode: 0 });
    expect(stderr).toContain("recordings.db");
  });

  it("is cancelled by the person's interrupt", async () => {
    const { haft } = createTestWorkspace({ "a.txt": "one\n" });
    const ran = await haft(["call", "read", "path=a.txt"], { signal: AbortSignal.abort() });
    expect(ran.exitCode).toBe(errorCodes.cancelled.exitCode);
  });

  it("prints Amp's envelope in its dialect, unless told otherwise (000:185-207)", async () => {
    const { haft } = createTestWorkspace({ "a.txt": "one\n" });
    const run = (...args: string[]) => haft(["call", ...args, "--json"]);
    const amp = ["--dialect", "amp"];
    expect((await run("Read", "path=a.txt", ...amp)).json()).toEqual({
      status: "done",
      result: "1: one",
    });
    expect((await run("Read", "path=.env", ...amp)).json()).toMatchObject({
      status: "error",
      error: { errorCode: "reading-secret-file" },
    });
    expect((await run("Read", "path=a.txt", ...amp, "--envelope", "haft")).json()).toMatchObject({
      type: "output",
    });
    expect((await run("read", "path=a.txt", "--envelope", "amp")).json()).toMatchObject({
      status: "done",
    });
    expect((await run("read", "path=a.txt", "--envelope", "none")).stderr).toContain(
      "--envelope is one of haft, amp",
    );
  });
});
