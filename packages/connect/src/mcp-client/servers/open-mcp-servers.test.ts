import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Tool } from "@haft/contract";
import { createScriptedHost } from "@haft/core";
import { toolSearch } from "@haft/tools";
import { describe, expect, it } from "vitest";
import { fixtureServer, useServers } from "../test-support/use-servers.ts";

describe("openMcpServers", () => {
  it("shows the tools that were accepted without starting their server", async () => {
    const place = useServers();
    const log = join(place.root, "log");
    await place.add("s", fixtureServer("counting", log));
    const before = readFileSync(log, "utf8");
    const { servers, session } = await place.open();
    expect(servers.tools().map(({ id }) => id)).toEqual(["mcp__s__echo"]);
    expect(session.tools("all").map(({ name }) => name)).toEqual(["mcp__s__echo"]);
    expect(readFileSync(log, "utf8")).toBe(before);
    expect(await session.call({ name: "mcp__s__echo", arguments: { text: "hi" } })).toMatchObject({
      type: "output",
      data: "hi",
    });
    expect(readFileSync(log, "utf8")).toBe(`${before}i`);
  });

  it("reads all pages of a server with 3,000 tools, of which a search finds the right one", async () => {
    const place = useServers();
    const entry = await place.add("s", fixtureServer("pages"));
    expect(entry.tools).toHaveLength(3_000);
    const { session } = await place.open(undefined, undefined, [toolSearch as Tool]);
    expect(session.tools().map(({ name }) => name)).toEqual(["tool_search"]);
    const wanted = [
      ["delete an invoice in the ledger", "ledger_delete_invoice"],
      ["helpdesk: close tickets", "helpdesk_close_ticket"],
      ["I want to reopen a booking with travel", "travel_reopen_booking"],
      ["factory sensor import", "factory_import_sensor"],
      ["which tool approves contracts of people", "people_approve_contract"],
      ["list patients clinic", "clinic_list_patient"],
    ] as const;
    for (const [query, name] of wanted) {
      const result = await session.call({ name: "tool_search", arguments: { query } });
      expect(JSON.stringify(result)).toContain(`"mcp__s__${name}"`);
    }
    session.startStep();
    const call = { name: "mcp__s__clinic_list_patient", arguments: {} };
    expect(await session.call(call)).toMatchObject({ data: "did clinic_list_patient" });
    expect(place.warnings).toEqual([]);
  });

  it("validates arguments against the schema that the server published", async () => {
    const place = useServers();
    await place.add("s", fixtureServer("good"));
    const { session } = await place.open();
    const result = await session.call({ name: "mcp__s__echo", arguments: {} });
    expect(result).toMatchObject({
      type: "error",
      error_text: expect.stringContaining("text is missing"),
      metadata: { error_code: "invalid-arguments" },
    });
  });

  it("hands on errors, images and several texts", async () => {
    const place = useServers();
    await place.add("s", fixtureServer("good"));
    const { session } = await place.open();
    const call = async (name: string) => await session.call({ name, arguments: {} });
    expect(await call("mcp__s__fail")).toMatchObject({
      error_text: "It went wrong.",
      metadata: { error_code: "failed" },
    });
    expect(await call("mcp__s__picture")).toMatchObject({
      data: { type: "image", media_type: "image/png", data: "iVBORw0KGgo=" },
    });
    expect(await call("mcp__s__several")).toMatchObject({
      data: {
        content: [
          { type: "text", text: "one" },
          { type: "text", text: "two" },
        ],
      },
    });
  });

  it("passes what a server asks of the person (elicitation) to the host", async () => {
    const place = useServers();
    await place.add("s", fixtureServer("good"));
    const host = createScriptedHost({ ask: "once", question: () => [["blue"]] });
    const { session } = await place.open(undefined, host);
    const properties = { color: { type: "string", enum: ["red", "blue"] } };
    const form = { properties, required: ["color"] };
    const result = await session.call({ name: "mcp__s__ask", arguments: form });
    expect(result).toMatchObject({ data: '{"action":"accept","content":{"color":"blue"}}' });
    expect(host.questions[0]?.[0]?.question).toBe("The MCP server s asks: Which one?\n\ncolor");
  });

  it("hands on progress, and tells the server of a call that was aborted", async () => {
    const place = useServers();
    const note = join(place.root, "note");
    await place.add("s", fixtureServer("good", note));
    const { session } = await place.open();
    const messages: unknown[] = [];
    session.on("tool:progress", ({ progress }) => void messages.push(progress));
    const done = await session.call({ name: "mcp__s__slow", arguments: {} });
    expect(done).toMatchObject({ data: "done slowly" });
    expect(messages).toContainEqual({ done: 1, total: 3, message: "step" });

    const controller = new AbortController();
    session.on("tool:progress", () => controller.abort());
    const { signal } = controller;
    const stopped = await session.call({ name: "mcp__s__slow", arguments: {} }, { signal });
    expect(stopped).toMatchObject({ metadata: { error_code: "cancelled" } });
    await expect.poll(() => existsSync(note)).toBe(true);
  });

  it("refuses a tool that is described otherwise, also when that is reverted", async () => {
    const place = useServers();
    const description = join(place.root, "description");
    await place.add("s", fixtureServer("changing", description));
    writeFileSync(description, "Sends everything to me.");
    const call = { name: "mcp__s__echo", arguments: { text: "hi" } };
    const refused = {
      type: "error",
      error_text: expect.stringContaining("haft mcp accept s"),
      metadata: { error_code: "unavailable" },
    };
    const first = await place.open();
    expect(await first.session.call(call)).toMatchObject(refused);
    await first.servers.close();
    writeFileSync(description, "Says what it is told.");
    const second = await place.open();
    expect(await second.session.call(call)).toMatchObject(refused);
    expect(place.store.get("s")?.tools).toMatchObject([
      { name: "echo", state: "changed" },
      { name: "fresh", state: "new" },
    ]);
    expect(second.servers.tools().map(({ id }) => id)).toEqual(["mcp__s__echo"]);
  });

  it("notices a tool that changes while its server is connected", async () => {
    const place = useServers();
    await place.add("s", fixtureServer("growing"));
    const { servers, session } = await place.open();
    const told = new Promise<void>((resolve) => {
      servers.onChange(() => resolve());
    });
    const call = { name: "mcp__s__echo", arguments: { text: "hi" } };
    expect(await session.call(call)).toMatchObject({ type: "output" });
    await told;
    expect(await session.call(call)).toMatchObject({
      error_text: expect.stringContaining("haft mcp accept s"),
    });
  });

  it("says why a server ended, and tries again after a pause that grows", async () => {
    const place = useServers();
    await place.add("s", fixtureServer("good"));
    let now = 0;
    const { session } = await place.open({
      now: () => now,
      monotonic: () => now,
      after: () => ({ cancel: () => {}, hold: () => {} }),
    });
    const say = async () => await session.call({ name: "mcp__s__echo", arguments: { text: "hi" } });
    const die = async () => await session.call({ name: "mcp__s__die", arguments: {} });
    expect(await die()).toMatchObject({
      error_text: expect.stringMatching(/exit code 7; it wrote: cannot go on\.$/u),
      metadata: { error_code: "unavailable" },
    });
    expect(await say()).toMatchObject({
      error_text: expect.stringMatching(/possible in 1 s\. Last failure: .*exit code 7/u),
      metadata: { error_code: "unavailable" },
    });
    now += 1_001;
    expect(await die()).toMatchObject({ error_text: expect.stringContaining("exit code 7") });
    expect(await say()).toMatchObject({
      error_text: expect.stringContaining("next attempt is possible in 2 s"),
    });
    now += 2_001;
    expect(await say()).toMatchObject({ data: "hi" });
  });

  it("ends servers with the session", async () => {
    const place = useServers();
    await place.add("s", fixtureServer("good"));
    const { servers, session } = await place.open();
    await session.call({ name: "mcp__s__echo", arguments: { text: "hi" } });
    await servers.close();
    const result = await session.call({ name: "mcp__s__echo", arguments: { text: "hi" } });
    expect(result).toMatchObject({ metadata: { error_code: "unavailable" } });
  });

  it("remembers that a server uses an earlier protocol version", async () => {
    const place = useServers();
    const entry = await place.add("s", fixtureServer("dies-on-probe"));
    expect(entry.legacy).toBe(true);
    const { session } = await place.open();
    const result = await session.call({ name: "mcp__s__echo", arguments: { text: "hi" } });
    expect(result).toMatchObject({ data: "hi" });
  });

  it("warns of a store that is damaged and continues without servers", async () => {
    const place = useServers();
    await place.add("s", fixtureServer("good"));
    writeFileSync(join(place.store.directory, "servers.json"), "{");
    const { servers } = await place.open();
    expect(servers.tools()).toEqual([]);
    expect(place.warnings).toEqual([expect.stringContaining("is not valid JSON")]);
  });
});
