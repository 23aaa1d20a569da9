import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { describe, expect, it, vi } from "vitest";
import { call, say } from "../../test-support/model-server/index.ts";
import { drive, updatesOf } from "../test-support/drive.ts";

describe("/rewind over ACP", () => {
  it("is announced, lists turns, and goes back to before one", async () => {
    const { agent, workspace, updates, requests, newSession, prompt } = await drive({
      script: [call("write", { path: "a.txt", content: "a\n" }), say("Written."), say("Hello.")],
    });
    const id = await newSession();
    await vi.waitFor(() =>
      expect(updatesOf(updates, "available_commands_update")).toMatchObject([
        { availableCommands: [{ name: "rewind" }] },
      ]),
    );
    const ask = async (text: string): Promise<string> => {
      updates.length = 0;
      expect(await prompt(id, text)).toBe("end_turn");
      const chunks = updatesOf(updates, "agent_message_chunk");
      return chunks.map(({ content }) => (content.type === "text" ? content.text : "")).join("");
    };
    expect(await ask("/rewind")).toContain("no turns yet");
    await ask("Write a.");
    await ask("Say hello.");
    writeFileSync(join(workspace, "own.txt"), "mine\n");
    const asked = requests.length;
    expect(await ask("/rewind")).toMatch(
      /1 {2}\d\d:\d\d Write a\.\n {2}2 {2}\d\d:\d\d Say hello\./u,
    );
    expect(await ask("/rewind 2 files")).toContain("No files were changed since then");
    const told = await ask("/rewind 1 both");
    expect(told).toContain("a.txt, which the change had created");
    expect(existsSync(join(workspace, "a.txt"))).toBe(false);
    expect(existsSync(join(workspace, "own.txt"))).toBe(true);
    expect(requests.length).toBe(asked);
    const [, sessionId = ""] = /is session (\S+)\. Open it/u.exec(told) ?? [];
    updates.length = 0;
    const load = { sessionId, cwd: workspace, mcpServers: [] };
    await agent.request(methods.agent.session.load, load);
    expect(updatesOf(updates, "user_message_chunk")).toEqual([]);
  });
});
