import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, calls, say } from "./support/model-server.ts";
import { openPlace } from "./support/open-place.ts";
import { runAcpx } from "./support/run-acpx.ts";
import { speakAcp } from "./support/speak-acp.ts";

const exec = (more: readonly string[]): readonly string[] => [
  ...["--format", "json", ...more],
  ...["exec", "Go."],
];
const edit = call("edit", { path: "a.txt", old_string: "one", new_string: "two" });

describe("haft acp, driven by acpx", { timeout: 60_000 }, () => {
  it("answers in words, and edits and runs through the client with its approval", async () => {
    const place = await openPlace([edit, call("bash", { command: "echo hello" }), say("Done.")], {
      "a.txt": "one\n",
    });
    const { code, paramsOf, updatesOf, resultWith } = await runAcpx(place, {
      client: exec(["--approve-all"]),
    });
    expect(code).toBe(0);
    expect(resultWith("stopReason")).toBe("end_turn");
    expect(updatesOf("agent_message_chunk")).toMatchObject([{ content: { text: "Done." } }]);
    expect(place.read("a.txt")).toBe("two\n");
    const path = join(place.workspace, "a.txt");
    expect(paramsOf("session/request_permission")).toMatchObject([
      { toolCall: { kind: "edit" } },
      { toolCall: { kind: "execute" } },
    ]);
    expect(paramsOf("fs/write_text_file")).toMatchObject([{ path, content: "two\n" }]);
    expect(paramsOf("terminal/create")).toHaveLength(1);
    expect(updatesOf("tool_call")).toMatchObject([
      { kind: "edit", locations: [{ path }] },
      { kind: "execute" },
    ]);
    const completed = updatesOf("tool_call_update").filter(({ status }) => status === "completed");
    expect(completed).toMatchObject([
      { content: [{ type: "diff", path, oldText: "one\n", newText: "two\n" }] },
      { content: [{ type: "terminal" }] },
    ]);
    const modes = resultWith("modes") as { availableModes: { id: string }[] };
    expect(modes).toMatchObject({ currentModeId: "build" });
    expect(modes.availableModes.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["build", "plan"]),
    );
    expect(resultWith("agentCapabilities")).toMatchObject({ loadSession: true });
  });

  it("reports a refused call as failed, and the turn continues", async () => {
    const place = await openPlace([edit, say("Then not.")], { "a.txt": "one\n" });
    const { updatesOf, resultWith } = await runAcpx(place, { client: exec(["--deny-all"]) });
    expect(resultWith("stopReason")).toBe("end_turn");
    expect(updatesOf("tool_call_update").at(-1)).toMatchObject({ status: "failed" });
    expect(updatesOf("agent_message_chunk")).toMatchObject([{ content: { text: "Then not." } }]);
    expect(place.read("a.txt")).toBe("one\n");
    expect(place.model.requests[1]?.lastText).not.toBe("");
  });

  it("works on its own on request, with an MCP server of the client's", async () => {
    const place = await openPlace(
      [
        calls([...(edit.calls ?? []), ["bash", { command: "echo hello" }]]),
        call("tool_search", { query: "weigh elephants" }),
        call("mcp__zoo__weigh_elephants", { of: "Jumbo" }),
        say("Done."),
      ],
      { "a.txt": "one\n" },
    );
    const config = join(place.base, "mcp.json");
    const server = join(import.meta.dirname, "support/thirty-tools.mjs");
    const zoo = { name: "zoo", type: "stdio", command: process.execPath, args: [server], env: [] };
    writeFileSync(config, JSON.stringify({ mcpServers: [zoo] }));
    const { code, stderr, paramsOf, updatesOf } = await runAcpx(place, {
      client: exec(["--approve-all", "--mcp-config", config]),
      agent: ["--delegate", "none"],
    });
    expect(code, stderr).toBe(0);
    expect(paramsOf("fs/write_text_file")).toEqual([]);
    expect(paramsOf("terminal/create")).toEqual([]);
    expect(place.read("a.txt")).toBe("two\n");
    expect(place.model.requests[2]?.toolNames).toContain("mcp__zoo__weigh_elephants");
    expect(place.model.requests[3]?.lastText).toContain("of Jumbo: 5 tons");
    expect(updatesOf("tool_call_update").map(({ status }) => status)).not.toContain("failed");
    expect(existsSync(join(place.workspace, "a.txt"))).toBe(true);
  });

  it("says what is wrong with its options before it speaks", async () => {
    const place = await openPlace([]);
    const { code, stdout, stderr } = await place.haft(["acp", "--delegate", "some"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("--delegate");
  });
});

describe("haft acp after a restart", () => {
  it("loads a session with what was said and done in it, and continues", async () => {
    const place = await openPlace(
      [call("read", { path: "a.txt" }), say("It says one."), say("Still one.")],
      { "a.txt": "one\n" },
    );
    const prompt = (text: string): object[] => [{ type: "text", text }];
    const first = speakAcp(place);
    const here = { cwd: place.workspace, mcpServers: [] };
    await first.ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await first.ask("session/new", here);
    await first.ask("session/prompt", { sessionId, prompt: prompt("What does it say?") });
    expect(await first.end()).toBe(0);

    const second = speakAcp(place);
    await second.ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const elsewhere = second.ask("session/load", { ...here, cwd: dirname(here.cwd), sessionId });
    await expect(elsewhere).rejects.toThrow(/There is no session/u);
    const loaded = await second.ask("session/load", { ...here, sessionId });
    expect(loaded).toMatchObject({ modes: { currentModeId: "build" } });
    expect(second.updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual(
      expect.arrayContaining(["user_message_chunk", "tool_call", "agent_message_chunk"]),
    );
    expect(JSON.stringify(second.updates)).toContain("It says one.");
    const { stopReason } = await second.ask("session/prompt", {
      sessionId,
      prompt: prompt("And now?"),
    });
    expect(stopReason).toBe("end_turn");
    expect(place.model.requests[2]?.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(await second.end()).toBe(0);
    expect((await place.haft(["sessions", "list"])).stdout).toContain("What does it say?");
  });
});
