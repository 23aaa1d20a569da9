import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { call, calls, say } from "../test-support/model-server/index.ts";
import type { AcpOpen } from "./acp-backend.ts";
import { drive, updatesOf } from "./test-support/drive.ts";

const { session } = methods.agent;

describe("serveAcp", () => {
  it("reports its name and capabilities, and always uses version 1", async () => {
    const { agent } = await drive();
    for (const protocolVersion of [0, PROTOCOL_VERSION, 7]) {
      expect(await agent.request(methods.agent.initialize, { protocolVersion })).toEqual({
        protocolVersion: 1,
        agentInfo: { name: "haft", title: "Haft", version: "1.2.3" },
        authMethods: [],
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, audio: false, embeddedContext: true },
          mcpCapabilities: { http: true, sse: false },
          sessionCapabilities: { list: {}, resume: {}, close: {}, additionalDirectories: {} },
        },
      });
    }
  });

  it("opens a session with its modes and what the client passes on", async () => {
    const opened: AcpOpen[] = [];
    const { agent, workspace, state } = await drive({ onOpen: (open) => opened.push(open) });
    const answer = await agent.request(session.new, {
      cwd: workspace,
      additionalDirectories: [state],
      mcpServers: [
        { name: "a", command: "node", args: ["a.mjs"], env: [{ name: "K", value: "v" }] },
        { type: "http", name: "b", url: "http://b/", headers: [{ name: "H", value: "w" }] },
        { type: "sse", name: "c", url: "http://c/", headers: [] },
      ],
    });
    expect(answer.modes).toEqual({
      currentModeId: "build",
      availableModes: [
        { id: "build", name: "build", description: "The build agent." },
        { id: "plan", name: "plan", description: "The plan agent." },
      ],
    });
    expect(opened[0]).toMatchObject({
      cwd: workspace,
      directories: [state],
      session: undefined,
      mcpServers: [
        { type: "stdio", name: "a", command: "node", args: ["a.mjs"], env: { K: "v" } },
        { type: "http", name: "b", url: "http://b/", headers: { H: "w" } },
        { type: "sse", name: "c", url: "http://c/", headers: {} },
      ],
    });
  });

  it("refuses a session in a relative or missing directory", async () => {
    const { agent, workspace } = await drive();
    const open = (cwd: string, more: readonly string[] = []) =>
      agent.request(session.new, { cwd, mcpServers: [], additionalDirectories: [...more] });
    await expect(open("here")).rejects.toMatchObject({
      code: -32602,
      message: '"here" is not an absolute path. Use an absolute path.',
    });
    await expect(open(workspace, ["../b"])).rejects.toMatchObject({ code: -32602 });
    await expect(open(join(workspace, "none"))).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining("does not exist"),
    });
  });

  it("streams text, thoughts and calls with titles, kinds, locations and results", async () => {
    const script = [
      { ...calls([["read", { path: "a.txt", offset: 2 }]]), reasoning: "Hm.", text: "Let me see." },
      say(["It says ", "two."]),
    ];
    const { newSession, prompt, updates, workspace } = await drive({ script });
    writeFileSync(join(workspace, "a.txt"), "one\ntwo\n");
    expect(await prompt(await newSession(), "What does a.txt say?")).toBe("end_turn");
    const path = join(workspace, "a.txt");
    expect(updatesOf(updates, "agent_thought_chunk").map(({ content }) => content)).toEqual([
      { type: "text", text: "Hm." },
    ]);
    const said = updatesOf(updates, "agent_message_chunk").map(({ content }) => content);
    expect(said.map((one) => (one.type === "text" ? one.text : "")).join("")).toBe(
      "Let me see.It says two.",
    );
    const [started] = updatesOf(updates, "tool_call");
    expect(started).toMatchObject({
      title: "read a.txt",
      kind: "read",
      status: "pending",
      locations: [{ path, line: 2 }],
      rawInput: { path: "a.txt", offset: 2 },
    });
    const changes = updatesOf(updates, "tool_call_update");
    expect(changes.map(({ status }) => status)).toEqual(["in_progress", "completed"]);
    expect(changes.every(({ toolCallId }) => toolCallId === started?.toolCallId)).toBe(true);
    expect(changes.at(-1)).toMatchObject({
      content: [
        { type: "content", content: { type: "text", text: expect.stringContaining("two") } },
      ],
      rawOutput: { start_line: 2, total_lines: 2 },
      locations: [{ path, line: 2 }],
    });
    expect(updatesOf(updates, "session_info_update")).toMatchObject([
      { title: "What does a.txt say?" },
    ]);
  });

  it("shows an edit, a new file and an undo as diffs", async () => {
    const script = [
      call("edit", { path: "a.txt", old_string: "one", new_string: "1" }),
      call("write", { path: "new/b.txt", content: "b\n" }),
      call("undo_edit", { path: "a.txt" }),
      say("Done."),
    ];
    const { newSession, prompt, updates, workspace } = await drive({ script });
    writeFileSync(join(workspace, "a.txt"), "one\ntwo\n");
    await prompt(await newSession(), "Go.");
    const ends = updatesOf(updates, "tool_call_update").filter((one) => one.status === "completed");
    const path = join(workspace, "a.txt");
    expect(ends.map(({ content }) => content)).toEqual([
      [{ type: "diff", path, oldText: "one\ntwo\n", newText: "1\ntwo\n" }],
      [{ type: "diff", path: join(workspace, "new/b.txt"), oldText: null, newText: "b\n" }],
      [{ type: "diff", path, oldText: "1\ntwo\n", newText: "one\ntwo\n" }],
    ]);
    expect(ends[1]?.locations).toEqual([{ path: join(workspace, "new/b.txt") }]);
  });

  it("shows todos as the plan", async () => {
    const todos = [
      { id: "1", content: "First", status: "completed", priority: "high" },
      { id: "2", content: "Then", status: "in_progress" },
      { id: "3", content: "Not", status: "cancelled" },
    ];
    const { newSession, prompt, updates } = await drive({
      script: [call("todo", { todos }), say(".")],
    });
    await prompt(await newSession(), "Plan.");
    expect(updatesOf(updates, "plan")).toEqual([
      {
        sessionUpdate: "plan",
        entries: [
          { content: "First", status: "completed", priority: "high" },
          { content: "Then", status: "in_progress", priority: "medium" },
        ],
      },
    ]);
  });

  it("shows a session again when it is loaded, and nothing when it is resumed", async () => {
    const script = [
      { ...call("read", { path: "a.txt" }), text: "Look." },
      call("read", { path: "none.txt" }),
      say("Well."),
      say("More."),
    ];
    const first = await drive({ script });
    writeFileSync(join(first.workspace, "a.txt"), "one\n");
    const sessionId = await first.newSession();
    await first.prompt(sessionId, "Read.");
    await first.leave();

    const { agent, updates, prompt } = await drive({ state: first.state, script: [say("More.")] });
    const open = { sessionId, cwd: first.workspace, mcpServers: [] };
    expect(await agent.request(session.load, open)).toMatchObject({
      modes: { currentModeId: "build" },
    });
    expect(updates.map((update) => update.sessionUpdate)).toEqual([
      "user_message_chunk",
      "agent_message_chunk",
      "tool_call",
      "tool_call_update",
      "tool_call",
      "tool_call_update",
      "agent_message_chunk",
    ]);
    expect(updates).toMatchObject([
      { content: { text: "Read." } },
      { content: { text: "Look." } },
      { title: "read a.txt", kind: "read", rawInput: { path: "a.txt" } },
      { status: "completed", content: [{ content: { text: expect.stringContaining("one") } }] },
      { title: "read none.txt" },
      { status: "failed" },
      { content: { text: "Well." } },
    ]);
    updates.length = 0;
    await agent.request(session.resume, { sessionId, cwd: first.workspace });
    expect(updates).toEqual([]);
    expect(await prompt(sessionId, "And?")).toBe("end_turn");
    const { sessions } = await agent.request(session.list, { cwd: first.workspace });
    expect(sessions).toMatchObject([{ sessionId, cwd: first.workspace, title: "Read." }]);
    expect(await agent.request(session.list, { cwd: first.state })).toEqual({ sessions: [] });
    await expect(agent.request(session.list, { cursor: "x" })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it("changes the mode, reports changes, and lists the modes for an unknown one", async () => {
    const { agent, newSession, updates } = await drive();
    const sessionId = await newSession();
    await agent.request(session.setMode, { sessionId, modeId: "plan" });
    await expect
      .poll(() => updates)
      .toEqual([{ sessionUpdate: "current_mode_update", currentModeId: "plan" }]);
    await expect(
      agent.request(session.setMode, { sessionId, modeId: "none" }),
    ).rejects.toMatchObject({
      code: -32602,
      message: "There is no agent none. Modes: build, plan.",
    });
  });

  it("stops a turn that is cancelled, and continues with the next", async () => {
    const script = (_: unknown, index: number) => (index === 0 ? { hang: true } : say("Yes."));
    const { agent, newSession, prompt, requests } = await drive({ script });
    const sessionId = await newSession();
    const turn = prompt(sessionId, "Go.");
    await expect.poll(() => requests.length).toBe(1);
    await expect(prompt(sessionId, "And this.")).rejects.toMatchObject({
      code: -32600,
      message: expect.stringContaining("is busy. Wait until its turn ends"),
    });
    await agent.notify(session.cancel, { sessionId });
    expect(await turn).toBe("cancelled");
    expect(await prompt(sessionId, "Again.")).toBe("end_turn");
    await agent.notify(session.cancel, { sessionId: "nobody" });
    await agent.notify(session.cancel, { sessionId });
  });

  it("marks a call as failed if the turn is cancelled before its question is answered", async () => {
    const asking = Promise.withResolvers<void>();
    const { agent, newSession, prompt, updates, workspace } = await drive({
      script: [call("write", { path: "a.txt", content: "a" }), say("Never.")],
      rules: [],
      equip: (app) =>
        app.onNotification(
          "$/cancel_request",
          (params) => params,
          () => {},
        ),
      decide: () => {
        asking.resolve();
        return new Promise(() => {}) as never;
      },
    });
    const sessionId = await newSession();
    const turn = prompt(sessionId, "Go.");
    await asking.promise;
    await agent.notify(session.cancel, { sessionId });
    expect(await turn).toBe("cancelled");
    expect(updatesOf(updates, "tool_call_update").at(-1)).toMatchObject({ status: "failed" });
    expect(() => readFileSync(join(workspace, "a.txt"))).toThrow();
  });

  it("says why a model failed, and what stops a turn", async () => {
    const failing = await drive({ script: [{ status: 400, error: "No such model." }] });
    await expect(failing.prompt(await failing.newSession(), "Go.")).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining("No such model."),
    });
    let step = 0;
    const long = await drive({ script: () => call("read", { path: `${++step}.txt` }) });
    expect(await long.prompt(await long.newSession(), "Go.")).toBe("max_turn_requests");
    expect(updatesOf(long.updates, "agent_message_chunk").at(-1)).toMatchObject({
      content: { text: expect.stringContaining("10") },
    });
  });

  it("closes a session, and then refuses it as unknown", async () => {
    const { agent, newSession, prompt } = await drive({ script: () => ({ hang: true }) });
    const sessionId = await newSession();
    const turn = prompt(sessionId, "Go.");
    await agent.request(session.close, { sessionId });
    expect(await turn).toBe("cancelled");
    await expect(prompt(sessionId, "Go.")).rejects.toMatchObject({
      code: -32002,
      message: expect.stringContaining(sessionId),
      data: { sessionId },
    });
  });
});
