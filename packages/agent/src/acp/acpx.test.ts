import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { call, say } from "../test-support/model-server/index.ts";
import { updatesOf } from "./test-support/drive.ts";
import { openAcpx, type WireMessage } from "./test-support/run-acpx.ts";

const exec = ["--format", "json", "--approve-all", "exec", "Go."];

describe("acpx, a real client", { timeout: 60_000 }, () => {
  it("approves, reads, writes and runs for the agent", async () => {
    const { workspace, run } = await openAcpx([
      call("edit", { path: "a.txt", old_string: "one", new_string: "1" }),
      call("bash", { command: "echo hello; exit 3" }),
      say("Done."),
    ]);
    const path = join(workspace, "a.txt");
    writeFileSync(path, "one\ntwo\n");
    const { code, messages, updates } = await run(exec);
    expect(code).toBe(0);
    expect(readFileSync(path, "utf8")).toBe("1\ntwo\n");
    expect(paramsOf(messages, "session/request_permission")).toMatchObject([
      { toolCall: { title: "edit a.txt", kind: "edit" } },
      { toolCall: { title: "bash: echo hello; exit 3", kind: "execute" } },
    ]);
    expect(paramsOf(messages, "fs/read_text_file")[0]).toMatchObject({ path });
    expect(paramsOf(messages, "fs/write_text_file")).toMatchObject([{ path, content: "1\ntwo\n" }]);
    expect(paramsOf(messages, "terminal/create")).toMatchObject([
      { command: "bash", args: ["-c", "echo hello; exit 3"], cwd: workspace },
    ]);
    const terminalId = resultWith(messages, "terminalId");
    const ended = updatesOf(updates, "tool_call_update").filter(
      (one) => one.status === "completed",
    );
    expect(ended).toMatchObject([
      { content: [{ type: "diff", path, oldText: "one\ntwo\n", newText: "1\ntwo\n" }] },
      {
        content: [{ type: "terminal", terminalId }],
        rawOutput: { output: "hello\n", exit_code: 3 },
      },
    ]);
    expect(resultWith(messages, "stopReason")).toBe("end_turn");
  });

  it("denies a call, and the turn continues", async () => {
    const { workspace, run } = await openAcpx([
      call("write", { path: "a.txt", content: "a\n" }),
      call("bash", { command: "touch b.txt" }),
      say("Then not."),
    ]);
    const { messages, updates } = await run(["--format", "json", "--deny-all", "exec", "Go."]);
    expect(updatesOf(updates, "tool_call_update").map(({ status }) => status)).toEqual([
      "in_progress",
      "pending",
      "failed",
      "in_progress",
      "pending",
      "failed",
    ]);
    expect(updatesOf(updates, "agent_message_chunk")).toMatchObject([
      { content: { text: "Then not." } },
    ]);
    expect(resultWith(messages, "stopReason")).toBe("end_turn");
    expect(existsSync(join(workspace, "a.txt"))).toBe(false);
    expect(existsSync(join(workspace, "b.txt"))).toBe(false);
  });

  it("cancels the turn when it is interrupted", async () => {
    const { run, requestCount } = await openAcpx(() => ({ hang: true }));
    const { messages } = await run(exec, expect.poll(requestCount).toBe(1));
    expect(paramsOf(messages, "session/cancel")).toHaveLength(1);
    expect(resultWith(messages, "stopReason")).toBe("cancelled");
  });

  it("continues with a session in another process, and changes its mode", async () => {
    const { run } = await openAcpx([say("One."), say("Two.")]);
    const id = (await run(["sessions", "new"])).stdout.trim();
    // Otherwise the process that keeps the agent alive stays for a while.
    onTestFinished(async () => expect((await run(["sessions", "close"])).code).toBe(0));
    const { messages } = await run(["--format", "json", "--ttl", "30", "prompt", "First."]);
    expect(paramsOf(messages, "session/resume")).toMatchObject([{ sessionId: id }]);
    expect(resultWith(messages, "stopReason")).toBe("end_turn");
    expect((await run(["set-mode", "plan"])).stdout.trim()).toBe("mode set: plan");
    const unknown = await run(["set-mode", "none"]);
    expect(unknown.code).not.toBe(0);
    expect(unknown.stdout + unknown.stderr).toContain("build, plan");
  });
});

function paramsOf(messages: readonly WireMessage[], method: string): unknown[] {
  return messages.filter((message) => message.method === method).map(({ params }) => params);
}

// Both sides count their requests from 0 on: a result is known by what is in it.
function resultWith(messages: readonly WireMessage[], field: string): unknown {
  return messages.find(({ result }) => result?.[field] !== undefined)?.result?.[field];
}
