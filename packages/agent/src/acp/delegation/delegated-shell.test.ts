import { readFileSync } from "node:fs";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import type { DiskComputer } from "@haft/computer";
import { parseRule } from "@haft/core";
import { describe, expect, it } from "vitest";
import { call, say } from "../../test-support/model-server/index.ts";
import { type Driven, type DriveOptions, drive, updatesOf } from "../test-support/drive.ts";
import { type Editor, openEditor } from "../test-support/editor.ts";
import {
  type ComputerDelegation,
  type DelegatedParts,
  delegateComputer,
} from "./delegate-computer.ts";

interface Running extends Driven {
  readonly editor: Editor;
  readonly sessionId: string;
}

async function run(args: object, more: DriveOptions = {}): Promise<Running> {
  const editor = openEditor();
  const { capabilities, equip } = editor;
  const script = [call("bash", args), say("Done.")];
  const rules = [parseRule("* * allow")];
  const driven = await drive({ script, rules, capabilities, equip, ...more });
  return { ...driven, editor, sessionId: await driven.newSession() };
}

function ended(updates: Driven["updates"]) {
  return updatesOf(updates, "tool_call_update").at(-1);
}

describe("commands that go through the client", () => {
  it("run in its terminal, which is shown from the start", async () => {
    const { prompt, sessionId, updates, editor, workspace } = await run({
      command: "pwd; echo oops >&2; exit 4",
    });
    await prompt(sessionId, "Go.");
    const content = [{ type: "terminal", terminalId: "terminal-1" }];
    expect(updatesOf(updates, "tool_call_update").slice(1)).toMatchObject([
      { content },
      { content, status: "completed", rawOutput: { output: `${workspace}\noops\n`, exit_code: 4 } },
    ]);
    expect(editor.log).toEqual(["run pwd; echo oops >&2; exit 4", "release"]);
  });

  it("are asked about although a sandbox would let them run", async () => {
    const rules = [parseRule("bash@sandbox * allow")];
    const { prompt, sessionId, asked } = await run({ command: "echo hi" }, { rules });
    await prompt(sessionId, "Go.");
    expect(asked).toHaveLength(1);
  });

  it("run locally if configured", async () => {
    const { prompt, sessionId, editor, updates } = await run(
      { command: "echo hi" },
      { delegate: "fs" },
    );
    await prompt(sessionId, "Go.");
    expect(editor.log).toEqual([]);
    expect(ended(updates)).toMatchObject({
      content: [{ type: "content", content: { type: "text", text: "```\nhi\n```" } }],
    });
  });

  it("are ended at the time limit, and keep their output", async () => {
    const { prompt, sessionId, editor, updates } = await run({
      command: "echo begun; exec sleep 60",
      timeout_ms: 500,
    });
    await prompt(sessionId, "Go.");
    expect(editor.log).toEqual(["run echo begun; exec sleep 60", "kill", "release"]);
    expect(ended(updates)).toMatchObject({
      status: "failed",
      rawOutput: { error: expect.stringContaining("after its time limit of 0.5 seconds") },
    });
  });

  it("are ended when the turn is cancelled", async () => {
    const { agent, prompt, sessionId, editor } = await run({ command: "exec sleep 60" });
    const turn = prompt(sessionId, "Go.");
    await expect.poll(() => editor.log).toHaveLength(1);
    await agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await turn).toBe("cancelled");
    await expect.poll(() => editor.log).toEqual(["run exec sleep 60", "kill", "release"]);
  });

  it("are not run if the client refuses or the directory is outside the workspace", async () => {
    const refused = await run({ command: "echo hi" });
    refused.editor.refusal = "Not here.";
    await refused.prompt(refused.sessionId, "Go.");
    expect(ended(refused.updates)).toMatchObject({
      status: "failed",
      rawOutput: { error: expect.stringContaining("The editor refused to run the command") },
    });
    for (const cwd of ["/", "none"]) {
      const elsewhere = await run({ command: "echo hi", cwd });
      await elsewhere.prompt(elsewhere.sessionId, "Go.");
      expect(ended(elsewhere.updates)).toMatchObject({ status: "failed" });
      expect(elsewhere.editor.log).toEqual([]);
    }
  });

  it("keep the whole of a long output beside the result", async () => {
    const { prompt, sessionId, updates } = await run({ command: "seq 1 200000" });
    await prompt(sessionId, "Go.");
    const { rawOutput = {} } = ended(updates) ?? {};
    const { output = "" } = rawOutput as { readonly output?: string };
    expect(output.startsWith("1\n2\n")).toBe(true);
    expect(output).toContain("199999\n200000\n");
    expect(output).toContain("bytes");
    expect(output.length).toBeLessThan(250_000);
  });

  it("find their files in the directory they started in", async () => {
    const { prompt, sessionId, workspace } = await run({ command: "echo here > made.txt" });
    await prompt(sessionId, "Go.");
    expect(readFileSync(join(workspace, "made.txt"), "utf8")).toBe("here\n");
  });

  it("get nothing from above the workspace, because that needs a sandbox", () => {
    const computer: Partial<DiskComputer> = {
      variables: { workspace: ["/r/a"], repository: ["/r"] },
    };
    const findRepository = (parts: DelegatedParts) => {
      const client = { capabilities: { terminal: true } };
      const delegation = { client, parts, paths: {}, traces: {} } as ComputerDelegation;
      return delegateComputer(computer as DiskComputer, delegation).variables.repository;
    };
    expect(findRepository("all")).toEqual([]);
    expect(findRepository("fs")).toEqual(["/r"]);
  });
});
