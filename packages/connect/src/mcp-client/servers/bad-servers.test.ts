import { ToolError } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { fixtureServer, useServers } from "../test-support/use-servers.ts";

async function failureOf(promise: Promise<unknown>): Promise<ToolError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (ToolError.isInstance(error)) return error;
  throw new Error(`It did not fail as tools fail: ${String(error)}`);
}

describe("a server that misbehaves", () => {
  it("is unavailable if it does not answer", async () => {
    const place = useServers({ timeoutMs: 500 });
    const error = await failureOf(place.add("s", fixtureServer("silent")));
    expect(error.code).toBe("unavailable");
    expect(error.message).toBe(
      "The MCP server s is not available: it did not answer within 0.5 seconds.",
    );
  });

  it("is unavailable if it dies at once, and its last words are told", async () => {
    const error = await failureOf(useServers().add("s", fixtureServer("dead")));
    expect(error.code).toBe("unavailable");
    expect(error.message).toContain("it ended with exit code 3; it wrote: no key was given");
  });

  it("is unavailable if its program is not there", async () => {
    const settings = { ...fixtureServer("good"), command: "there-is-no-such-program" };
    const error = await failureOf(useServers().add("s", settings));
    expect(error.code).toBe("unavailable");
    expect(error.message).toContain("there-is-no-such-program");
  });

  it("loses its connection to an endless line before that fills the memory", async () => {
    const before = process.memoryUsage().rss;
    const error = await failureOf(useServers().add("s", fixtureServer("endless-line")));
    expect(error.message).toContain("it sent a line of more than 16777216 bytes");
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  });

  it("loses its connection to a flood", async () => {
    const place = useServers();
    await place.add("s", fixtureServer("flooding"));
    const { session } = await place.open();
    const result = await session.call({ name: "mcp__s__echo", arguments: { text: "hi" } });
    expect(result).toMatchObject({
      error_text: expect.stringContaining("unsolicited messages per second"),
      metadata: { error_code: "unavailable" },
    });
  });

  it("loses only its own tools if their schemas are invalid", async () => {
    const place = useServers();
    await place.add("s", fixtureServer("lying"));
    const { session } = await place.open();
    const call = async (name: string) =>
      await session.call({ name: `mcp__s__${name}`, arguments: {} });
    expect(await call("right")).toMatchObject({ data: { n: 5 } });
    for (const name of ["wrong", "absent"]) {
      expect(await call(name)).toMatchObject({
        error_text: expect.stringContaining("does not match its output schema"),
        metadata: { error_code: "failed" },
      });
    }
    for (const name of ["rootless", "schemaless", "remote"]) {
      expect(await call(name)).toMatchObject({
        error_text: expect.stringContaining("can't be used: "),
        metadata: { error_code: "unavailable" },
      });
    }
    expect(await call("same_name")).toMatchObject({ data: "did same.name" });
    expect(place.warnings).toEqual([
      "MCP server s: left out, because another tool has the same id: same name",
      "MCP server s: tools without a name are left out",
    ]);
  });

  it("does not hold up the host with its schemas", async () => {
    const place = useServers();
    await place.add("s", fixtureServer("hostile"));
    const { session } = await place.open();
    const call = async (name: string, args = {}) =>
      await session.call({ name: `mcp__s__${name}`, arguments: args });
    const a = `${"a".repeat(50_000)}!`;
    // What can't be tried at all is left to the server.
    expect(await call("pattern_0", { a })).toMatchObject({ data: "did pattern_0" });
    for (const at of [1, 2, 3, 4, 5]) {
      expect(await call(`pattern_${at}`, { a })).toMatchObject({
        error_text: expect.stringContaining("a must match pattern"),
        metadata: { error_code: "invalid-arguments" },
      });
    }
    for (const name of ["doubling", "circle", "deep"]) {
      expect(await call(name, { a })).toMatchObject({
        error_text: expect.stringMatching(/can't be used: its schema .*(?:\$ref|nested)/u),
        metadata: { error_code: "unavailable" },
      });
    }
    expect(await call("deepest", { a })).toMatchObject({
      metadata: { error_code: "unknown-tool" },
    });
    expect(place.warnings).toEqual([
      "MCP server s: tools nested more than 200 levels deep are left out",
    ]);
    const nested = JSON.parse(`${'{"a":'.repeat(50)}{}${"}".repeat(50)}`);
    expect(await call("itself", nested)).toMatchObject({
      error_text: expect.stringMatching(/too large to check: .*#\/.* takes more steps/u),
      metadata: { error_code: "invalid-arguments" },
    });
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`${at}!`, 1]));
    expect(await call("names", wide)).toMatchObject({
      error_text: expect.stringContaining("takes more steps"),
    });
    expect(await call("gives_list")).toMatchObject({ type: "output" });
    for (const name of ["gives_text", "gives_itself"]) {
      expect(await call(name)).toMatchObject({
        error_text: expect.stringContaining("does not match its output schema"),
      });
    }
  });

  it("can't send terminal escape sequences", async () => {
    const place = useServers();
    await place.add("s", fixtureServer("controlling"));
    const { servers, session } = await place.open();
    const [tool] = servers.tools();
    expect(tool?.description).toBe("Plain red reversed.");
    expect(tool?.parameters.properties).toEqual({ a: { type: "string", description: "bold" } });
    const result = await session.call({ name: "mcp__s__shout", arguments: {} });
    expect(result).toMatchObject({ data: "over" });
  });

  it("can add at most 20,000 tools", async () => {
    const place = useServers();
    const entry = await place.add("s", fixtureServer("many"));
    expect(entry.tools).toHaveLength(20_000);
    const { session } = await place.open();
    const result = await session.call({ name: "mcp__s__tool_0", arguments: {} });
    expect(result).toMatchObject({ data: "did tool_0" });
    expect(place.warnings).toEqual([
      "MCP server s: it has more than 20000 tools; only the first 20000 are used",
    ]);
  });

  it.each(["endless-pages", "same-cursor"])("ends its list of tools with %s", async (manner) => {
    const place = useServers();
    const entry = await place.add("s", fixtureServer(manner));
    expect(entry.tools.map(({ name }) => name)).toContain("echo");
    const { session } = await place.open();
    const result = await session.call({ name: "mcp__s__echo", arguments: { text: "hi" } });
    expect(result).toMatchObject({ data: "hi" });
    expect(place.warnings.at(-1)).toBe(
      "MCP server s: its list of tools does not end; the tools received so far are used",
    );
  });
});
