import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool } from "@haft/contract";
import { amp, type Session } from "@haft/core";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { connectClient, ways } from "./test-support/connect-client.ts";
import { openServing } from "./test-support/open-serving.ts";
import { approving, createEcho as echo } from "./test-support/sample-tools.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const textOf = (result: { content: unknown }): string =>
  (result.content as { type: string; text?: string }[]).map(({ text }) => text ?? "").join("");

describe.each(ways)("serving over %s in the %s era", (carrier, era) => {
  const way = [carrier, era] as const;
  const connect = (options: Parameters<typeof openServing>[0] = {}, choice = {}) => {
    const serving = openServing(options);
    return connectClient(serving, way, choice).then((client) => ({ client, ...serving }));
  };

  it("says who it is and that its list may change", async () => {
    const { client } = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: "haft", version: "1.2.3" });
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true });
  });

  it("gives results as text that a person would write, and only once", async () => {
    const { client, workspace } = await connect({
      files: { "a.txt": "one\ntwo\n", "b/c.txt": "o\n" },
      host: { fallback: approving },
    });
    const use = async (name: string, args: Record<string, unknown>): Promise<string> => {
      const result = await client.callTool({ name, arguments: args });
      expect(result.structuredContent).toBeUndefined();
      return textOf(result);
    };
    expect(await use("read", { path: "a.txt" })).toBe("a.txt: 2 lines\n\n1: one\n2: two");
    const edit = { path: "a.txt", old_string: "two", new_string: "no" };
    expect(await use("edit", edit)).toMatch(/^a\.txt: 1 replacement\n\n.*-two\n\+no\n$/su);
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("one\nno\n");
    expect(await use("grep", { pattern: "o" })).toBe("a.txt\n1: one\n2: no\n\nb/c.txt\n1: o");
    expect(await use("bash", { command: "true" })).toBe("exit_code: 0\n\n(no output)");
    const { tools } = await client.listTools();
    expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
  });

  it("gives programs that ask for it structured results that fit their schemas", async () => {
    const { workspace, ...serving } = openServing({
      files: { "a.txt": "one\ntwo\n" },
      host: { fallback: approving },
    });
    const client = await connectClient({ ...serving, structured: true }, way);
    // From here on the client validates what comes back.
    await client.listTools();
    const read = await client.callTool({ name: "read", arguments: { path: "a.txt" } });
    expect(read).toMatchObject({
      content: [],
      structuredContent: { content: "1: one\n2: two", total_lines: 2 },
    });
    const edit = { path: "a.txt", old_string: "two", new_string: "2" };
    const { structuredContent } = await client.callTool({ name: "edit", arguments: edit });
    expect(structuredContent).toMatchObject({
      replacements: 1,
      changed_files: [join(workspace, "a.txt")],
    });
  });

  it("keeps the sessions of connections apart", async () => {
    const { session, ...serving } = openServing({ host: { fallback: approving } });
    const opened: string[] = [];
    const own = {
      ...serving,
      session: ({ name }: { readonly name: string }): Session => {
        const made = serving.openSession(`${name}-${opened.length}`);
        opened.push(made.name);
        return made;
      },
    };
    const clients = ["one", "two"].map((name) =>
      connectClient(own, way, { identity: { name, version: "1" } }),
    );
    const [one, two] = (await Promise.all(clients)) as [Client, Client];
    const write = (client: Client, path: string) =>
      client.callTool({ name: "write", arguments: { path, content: "x\n" } });
    await write(one, "one.txt");
    await write(two, "two.txt");
    await one.callTool({ name: "undo_edit", arguments: {} });
    expect(readdirSync(serving.workspace)).toEqual(["two.txt"]);
    const again = await one.callTool({ name: "undo_edit", arguments: {} });
    expect(textOf(again)).not.toContain("two.txt");
    expect(readdirSync(serving.workspace)).toEqual(["two.txt"]);
    expect(new Set(opened).size).toBe(2);
  });

  it("answers an unknown tool with a protocol error, and bad arguments with a result", async () => {
    const { client } = await connect({ files: { "a.txt": "" } });
    await expect(client.callTool({ name: "raed", arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("raed"),
    });
    const bad = await client.callTool({ name: "read", arguments: { path: "a.txt", offset: [] } });
    expect(bad.isError).toBe(true);
    expect(textOf(bad)).toContain("offset");
    const missing = await client.callTool({ name: "read", arguments: { path: "none.txt" } });
    expect(missing).toMatchObject({ isError: true, _meta: { error_code: "not-found" } });
  });

  it("sends a command's output as progress, in steps that increase", async () => {
    const { client } = await connect({ host: { fallback: approving } });
    const heard: { progress: number; message?: string | undefined }[] = [];
    const command = "echo one; sleep 0.2; echo two; sleep 0.2; echo three";
    const result = await client.callTool(
      { name: "bash", arguments: { command } },
      { onprogress: (progress) => heard.push(progress) },
    );
    expect(result.isError).not.toBe(true);
    // Lines that arrive together are reported by the last of them.
    const messages = heard
      .map(({ message }) => message)
      .filter((one) => one?.startsWith("running") !== true);
    expect(messages).toEqual(["one", "two", "three"].filter((line) => messages.includes(line)));
    expect(messages.at(-1)).toBe("three");
    const steps = heard.map(({ progress }) => progress);
    expect(steps).toEqual([...new Set(steps)].sort((one, other) => one - other));
  });

  it("stops a call that the client cancels", async () => {
    const { client, session } = await connect({ host: { fallback: approving } });
    const ended = new Promise<string | undefined>((resolve) => {
      session.on("tool:error", ({ result }) => resolve(result.metadata.error_code));
    });
    const started = new Promise((resolve) => void session.on("tool:progress", resolve));
    const stop = new AbortController();
    const command = "echo started; sleep 30; echo ended";
    const call = client.callTool(
      { name: "bash", arguments: { command } },
      { signal: stop.signal, onprogress: () => {} },
    );
    await started;
    stop.abort();
    await expect(call).rejects.toThrow();
    expect(await ended).toBe("cancelled");
  });

  it("stops the calls of a client that goes away", async () => {
    const { client, session } = await connect({ host: { fallback: approving } });
    const ended = new Promise<string | undefined>((resolve) => {
      session.on("tool:error", ({ result }) => resolve(result.metadata.error_code));
    });
    const started = new Promise((resolve) => void session.on("tool:progress", resolve));
    const command = "echo started; sleep 30";
    const call = client.callTool({ name: "bash", arguments: { command } }).catch(() => "gone");
    await started;
    await client.close();
    expect(await ended).toBe("cancelled");
    await call;
  });

  it("tells once of tools that came, and has them", async () => {
    const changes: string[][] = [];
    const onChanged = (_: unknown, tools: { name: string }[] | null): void => {
      changes.push((tools ?? []).map(({ name }) => name));
    };
    const { client, registry } = await connect(
      { host: { fallback: approving } },
      { listChanged: { tools: { onChanged, debounceMs: 0 } } },
    );
    await client.listTools();
    await expect
      .poll(async () => {
        if (registry.get("late_1") === undefined) {
          registry.add(echo("late_1"));
          registry.add(echo("late_2"));
        }
        return changes.at(-1);
      })
      .toEqual(expect.arrayContaining(["late_1", "late_2"]));
    expect(changes).toHaveLength(1);
    const result = await client.callTool({ name: "late_2", arguments: { text: "hello" } });
    expect(textOf(result)).toBe("hello");
    expect(result.structuredContent).toBeUndefined();
  });

  it("shows a tool that a search asked for", async () => {
    const changes: unknown[] = [];
    const { client } = await connect(
      {
        tools: ["weather_report", "invoice_book"].map((id) => echo(id, "module")),
        host: { fallback: approving },
        session: { maxDefinitionTokens: 1 },
      },
      { listChanged: { tools: { onChanged: (_: unknown, all: unknown) => changes.push(all) } } },
    );
    const before = (await client.listTools()).tools.map(({ name }) => name);
    expect(before).not.toContain("weather_report");
    // What is kept back can be called all the same.
    const kept = await client.callTool({ name: "invoice_book", arguments: { text: "x" } });
    expect(textOf(kept)).toBe("x");
    await client.callTool({ name: "tool_search", arguments: { query: "weather" } });
    await expect.poll(() => changes.length).toBeGreaterThan(0);
    const after = (await client.listTools()).tools;
    expect(after.find(({ name }) => name === "weather_report")?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      openWorldHint: true,
    });
    expect(after.map(({ name }) => name)).not.toContain("invoice_book");
  });
});

describe("what is served, whatever the way", () => {
  const connect = async (options: Parameters<typeof openServing>[0] = {}) => {
    const serving = openServing(options);
    return { client: await connectClient(serving, ["stdio", "modern"]), ...serving };
  };

  it("lists tools with schemas and annotations, always in the same order", async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).slice(0, 3)).toEqual(["read", "write", "edit"]);
    expect((await client.listTools()).tools).toEqual(tools);
    for (const { name, title, description, inputSchema } of tools) {
      expect([name, title, description]).not.toContain(undefined);
      expect([name, inputSchema.type]).toEqual([name, "object"]);
    }
    const annotations = Object.fromEntries(tools.map((tool) => [tool.name, tool.annotations]));
    expect(annotations).toMatchObject({
      read: { readOnlyHint: true, openWorldHint: false },
      glob: { readOnlyHint: true, openWorldHint: false },
      grep: { readOnlyHint: true, openWorldHint: false },
      web_fetch: { readOnlyHint: true, openWorldHint: true },
      edit: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
      bash: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
      todo: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    });
  });

  it("gives an image as one", async () => {
    const { client } = await connect({ files: { "a.png": png } });
    await client.listTools();
    const result = await client.callTool({ name: "read", arguments: { path: "a.png" } });
    expect(result.content).toContainEqual({
      type: "image",
      data: png.toString("base64"),
      mimeType: "image/png",
    });
    expect(textOf(result)).not.toContain(png.toString("base64"));
  });

  it("lists no tool that asks a person unless the client shows forms", async () => {
    const names = async (choice: Parameters<typeof connectClient>[2]): Promise<string[]> => {
      const client = await connectClient(openServing(), ["stdio", "modern"], choice);
      return (await client.listTools()).tools.map(({ name }) => name);
    };
    expect(await names({})).not.toContain("question");
    expect(await names({ elicit: () => ({ action: "cancel" }) })).toContain("question");
  });

  it("says of a cut result where the whole of it is, which can be read", async () => {
    const { client } = await connect({ host: { fallback: approving } });
    await client.listTools();
    const command = "echo first; yes 0123456 | head -n 100000; echo last";
    const cut = await client.callTool({ name: "bash", arguments: { command } });
    const [, path] = /is in (\/\S+); read it/u.exec(textOf(cut)) ?? [];
    const rest = await client.callTool({ name: "read", arguments: { path, offset: 100_001 } });
    expect(textOf(rest)).toContain("100002: last");
  });

  it("cuts results to what the client shows its model, what matters first", async () => {
    const use = async (
      identity: { name: string; version: string } | undefined,
      _meta?: Record<string, unknown>,
    ): Promise<string> => {
      const serving = openServing({ host: { fallback: approving } });
      const choice = identity === undefined ? {} : { identity };
      const client = await connectClient(serving, ["stdio", "modern"], choice);
      const call = { name: "bash", arguments: { command: "seq 1 60000; exit 3" } };
      return textOf(await client.callTool({ ...call, ...(_meta && { _meta }) }));
    };
    const whole = await use(undefined);
    expect(whole).toMatch(/^exit_code: 3\n\n\[Truncated: .* is in (\/\S+); read/u);
    expect(whole).toMatch(/\n1\n2\n.*bytes left out here.*\n59999\n60000\n$/su);
    expect(whole.length).toBeLessThanOrEqual(30_720);
    expect(whole.length).toBeGreaterThan(29_000);
    const short = await use({ name: "codex-mcp-client", version: "0.166.0" });
    expect(short.length).toBeLessThanOrEqual(10_000);
    expect(short).toMatch(/^exit_code: 3\n.*\n60000\n$/su);
    const lines = (await use({ name: "opencode", version: "1.18.33" })).split("\n");
    expect(lines.length).toBeLessThanOrEqual(2_000);
    expect([lines[0], lines.at(-2)]).toEqual(["exit_code: 3", "60000"]);
    expect((await use(undefined, { "haft/maxBytes": 2_000 })).length).toBeLessThanOrEqual(2_000);
    await expect(use(undefined, { "haft/maxBytes": "x" })).rejects.toThrow("haft/maxBytes");
  });

  it("gives data that was cut as a whole, still as its schema says", async () => {
    const huge = defineTool({
      id: "huge",
      description: "Gives much.",
      parameters: { type: "object", properties: {} },
      output: {
        type: "object",
        properties: { items: { type: "array", items: { type: "string" } } },
        required: ["items"],
        additionalProperties: false,
      },
      requires: {},
      kind: "read",
      source: "builtin",
      execute: async () => ({ items: Array.from({ length: 20_000 }, (_, at) => `item ${at}`) }),
    });
    const serving = openServing({ tools: [huge], host: { fallback: approving } });
    const client = await connectClient({ ...serving, structured: true }, ["stdio", "modern"]);
    await client.listTools();
    const { structuredContent } = await client.callTool({ name: "huge", arguments: {} });
    expect(structuredContent).toMatchObject({ truncated: true, output_path: expect.anything() });
  });

  it("sends progress of a command that prints nothing", async () => {
    const { client, workspace } = await connect({ host: { fallback: approving } });
    const { promise: heard, resolve: hear } = Promise.withResolvers<string | undefined>();
    const command = "until test -e go; do sleep 0.05; done";
    const call = client.callTool(
      { name: "bash", arguments: { command } },
      { onprogress: ({ message }) => hear(message) },
    );
    expect(await heard).toMatch(/^running for \d+ s$/u);
    writeFileSync(join(workspace, "go"), "");
    expect(textOf(await call)).toBe("exit_code: 0\n\n(no output)");
  });

  it("gives a command's output with how it ended", async () => {
    const { client } = await connect({ host: { fallback: approving } });
    const bash = await client.callTool({ name: "bash", arguments: { command: "echo hi; exit 3" } });
    expect(textOf(bash)).toBe("exit_code: 3\n\nhi\n");
  });

  it("has no schema where a dialect says it in its own words, and then only the words", async () => {
    const serving = openServing({ files: { "a.txt": "one\n" }, session: { dialect: amp } });
    const client = await connectClient({ ...serving, structured: true }, ["stdio", "modern"]);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "Read")?.outputSchema).toBeUndefined();
    const result = await client.callTool({ name: "Read", arguments: { path: "a.txt" } });
    expect(textOf(result)).toContain("1: one");
  });

  it("lets rules hold that were stored meanwhile", async () => {
    const { client, workspace } = await connect({ files: { "a.txt": "one\n" } });
    const call = () => client.callTool({ name: "read", arguments: { path: "a.txt" } });
    expect((await call()).isError).not.toBe(true);
    mkdirSync(join(workspace, ".haft"));
    writeFileSync(join(workspace, ".haft/rules"), "read a.txt deny\n");
    await expect.poll(async () => (await call()).isError, { timeout: 5_000 }).toBe(true);
  });
});
