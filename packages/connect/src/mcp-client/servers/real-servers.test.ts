import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fixtureServer, programSettings, useServers } from "../test-support/use-servers.ts";

const require = createRequire(import.meta.url);

function installed(server: string, ...args: readonly string[]) {
  const manifest = require.resolve(`@modelcontextprotocol/${server}/package.json`);
  return programSettings(process.execPath, [join(dirname(manifest), "dist", "index.js"), ...args]);
}

describe("servers of other people's, in the sandbox", () => {
  it("lets the file system server read and write the workspace and nothing else", async () => {
    const place = useServers({ sandbox: "auto" });
    writeFileSync(join(place.root, "a.txt"), "hello");
    const outside = join(dirname(place.root), "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret.txt"), "hidden");
    const settings = installed("server-filesystem", place.root, outside);
    await place.add("files", settings);
    const { session } = await place.open();
    const call = (tool: string, args: Record<string, string>) =>
      session.call({ name: `mcp__files__${tool}`, arguments: args });
    expect(await call("read_text_file", { path: join(place.root, "a.txt") })).toMatchObject({
      type: "output",
      data: { content: "hello" },
    });
    const written = { path: join(place.root, "b.txt"), content: "made" };
    expect(await call("write_file", written)).toMatchObject({ type: "output" });
    expect(readFileSync(written.path, "utf8")).toBe("made");
    // The command line names this directory, so the server can read there, but not write.
    expect(await call("read_text_file", { path: join(outside, "secret.txt") })).toMatchObject({
      data: { content: "hidden" },
    });
    await place.computer.prepareShell();
    const isSandboxed = place.computer.shellIsolation === "sandbox";
    const attempt = await call("write_file", { path: join(outside, "c.txt"), content: "x" });
    expect(attempt.type).toBe(isSandboxed ? "error" : "output");
    expect(attempt.metadata.isolation).toBe(place.computer.shellIsolation);
  });

  it("removes rules that a server made, when it has ended, and says where they are", async () => {
    const place = useServers({ sandbox: "auto" });
    await place.computer.prepareShell();
    if (place.computer.shellIsolation !== "sandbox") return;
    await place.add("files", installed("server-filesystem", place.root));
    const { session, servers } = await place.open();
    const call = (tool: string, args: Record<string, string>) =>
      session.call({ name: `mcp__files__${tool}`, arguments: args });
    const rules = join(place.root, ".haft", "rules");
    await call("create_directory", { path: dirname(rules) });
    await call("write_file", { path: rules, content: "* * allow\n" });
    expect(existsSync(rules)).toBe(true);
    await servers.close();
    expect(existsSync(rules)).toBe(false);
    expect(place.warnings).toEqual([
      expect.stringMatching(/^MCP server files: .*rules was removed/u),
    ]);
  });

  it("works with the reference server's content, structured results and progress", async () => {
    const place = useServers({ sandbox: "auto" });
    const { tools } = await place.add("all", installed("server-everything", "stdio"));
    expect(tools.filter(({ fault }) => fault !== undefined)).toEqual([]);
    const { session } = await place.open();
    const call = (tool: string, args: Record<string, string | number | boolean>) =>
      session.call({ name: `mcp__all__${tool}`, arguments: args });
    expect(await call("echo", { message: "hi" })).toMatchObject({ data: "Echo: hi" });
    expect(await call("get-sum", { a: 2, b: 3 })).toMatchObject({
      data: "The sum of 2 and 3 is 5.",
    });
    expect(await call("get-structured-content", { location: "New York" })).toMatchObject({
      data: { temperature: expect.any(Number) },
    });
    expect(await call("get-tiny-image", {})).toMatchObject({
      data: { content: expect.arrayContaining([expect.objectContaining({ type: "image" })]) },
    });
    const steps: unknown[] = [];
    session.on("tool:progress", ({ progress }) => void steps.push(progress.done));
    const long = { duration: 0.4, steps: 4 };
    expect(await call("trigger-long-running-operation", long)).toMatchObject({ type: "output" });
    expect(steps.length).toBeGreaterThan(1);
  });

  it("speaks the newer era over a pipe without starting anything twice", async () => {
    const place = useServers();
    const log = join(place.root, "log");
    const script = fileURLToPath(new URL("../test-support/modern-server.ts", import.meta.url));
    const entry = await place.add("m", programSettings(process.execPath, [script, log]));
    expect(entry.legacy).toBe(false);
    expect(readFileSync(log, "utf8")).toBe("s");
    const { session } = await place.open();
    const count = (n: number) => session.call({ name: "mcp__m__count", arguments: { n } });
    expect(await Promise.all([count(1), count(3)])).toMatchObject([
      { data: [1] },
      { data: [1, 2, 3] },
    ]);
    expect(readFileSync(log, "utf8")).toBe("ss");
  });

  it("gives a server a home of its own and only the variables that it was given", async () => {
    const place = useServers({ sandbox: "auto" });
    await place.add("s", { ...fixtureServer("good"), env: { GIVEN: "yes" } });
    const { session } = await place.open();
    const result = await session.call({ name: "mcp__s__where", arguments: {} });
    expect(result.type === "output" && JSON.parse(String(result.data))).toEqual({
      home: join(place.store.directory, "homes", "s"),
      given: "yes",
      cwd: place.root,
    });
  });
});
