import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type ProgramEnd, type ProgramRun, startProgram } from "./start-program.ts";

// What somebody does who has just cloned this: starts it, and types what it tells them to type.
describe("haft serve, for a newcomer", { timeout: 90_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), "haft-newcomer-"));
  const data = join(directory, "data");
  const environment = { HAFT_HOME: join(directory, "home"), HAFT_DATA: data, HOME: directory };
  const place = { directory, environment };
  let server: ProgramRun | undefined;
  afterAll(async () => {
    server?.child.kill("SIGKILL");
    await server?.ended;
    rmSync(directory, { recursive: true, force: true });
  });
  const haft = (...args: string[]): Promise<ProgramEnd> => startProgram(args, place).ended;
  const readKey = (): string =>
    JSON.parse(readFileSync(join(data, "credentials.json"), "utf8")).api_key;
  let first: string;

  it("says how to get in, once", async () => {
    server = startProgram(["serve", "--port", "0"], place);
    first = await server.printed(/Stop with Ctrl-C/u);
    expect(statSync(join(data, "credentials.json")).mode & 0o777).toBe(0o600);
    expect(first).toContain(readKey());
  });

  it("leads from nothing to a tool that is published and invoked, as it says", async () => {
    const commands = [...first.matchAll(/^ +npx haft (tool .*)$/gmu)].map(([, line = ""]) => line);
    expect(commands).toHaveLength(3);
    const ends: ProgramEnd[] = [];
    for (const command of commands) ends.push(await haft(...split(command)));
    expect(ends).toMatchObject(ends.map(() => ({ code: 0 })));
    expect(ends.at(-1)?.stdout).toBe("Hello, Ada!\n");
    const { stdout } = await haft("tool", "list", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ tools: [{ name: "greeter" }] });
  });

  it("stops when it is told to, and does not show the key again", async () => {
    server?.child.kill("SIGINT");
    const ended = await server?.ended;
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    server = startProgram(["serve", "--port", "0"], place);
    const greeting = await server.printed(/Stop with Ctrl-C/u);
    const key = readKey();
    expect(first).toContain(key);
    expect(greeting).not.toContain(key);
    const { code, stdout } = await haft("tool", "invoke", "greeter", '{"name": "Grace"}');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("Hello, Grace!") });
    server.child.kill("SIGTERM");
    expect(await server.ended).toMatchObject({ code: 0 });
  });

  it("refuses to answer without a database to share the work over", async () => {
    const { code, stderr } = await haft("serve", "--port", "0", "--role", "api");
    expect(code).not.toBe(0);
    expect(stderr).toContain("--database postgres://");
    expect(stderr).not.toContain("    at ");
  });
});

/** The words of a command line as a shell would see them. */
function split(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/gu)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}
