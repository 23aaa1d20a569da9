import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";
import { startChatServer } from "./agent/test-support/chat-server.ts";

const edit = {
  call: "edit",
  arguments: { path: "a.txt", old_string: "one", new_string: "two" },
};

describe("haft agent", () => {
  it("lets a model use the tools until it is done", async () => {
    const { haft, directory } = createTestWorkspace({ "a.txt": "one\n" });
    const model = await startChatServer([edit, { text: "Changed it." }]);
    const ran = await haft(["agent", ...model.options, "--yes", "change", "it"]);
    expect(ran).toMatchObject({ exitCode: 0, stdout: "Changed it.\n" });
    expect(ran.stderr).toContain("• edit a.txt\n");
    expect(ran.stderr).toContain("\n  -one\n  +two\n");
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("two\n");
  });

  it("stops commands in the background when it ends, and says so", async () => {
    const { haft } = createTestWorkspace();
    const bash = { call: "bash", arguments: { command: "sleep 600", timeout_ms: 50 } };
    const model = await startChatServer([bash, { text: "It is running." }]);
    const ran = await haft(["agent", ...model.options, "--yes", "wait"]);
    expect(ran).toMatchObject({ exitCode: 0, stdout: "It is running.\n" });
    expect(ran.stderr).toMatch(
      /The background command cmd-\w+ was stopped because its session ended/u,
    );
  });

  it("succeeds even if a call was refused, and says how to allow it", async () => {
    const { haft, directory } = createTestWorkspace({ "a.txt": "one\n" });
    const model = await startChatServer([edit, { text: "I may not." }]);
    const ran = await haft(["agent", ...model.options, "change it"]);
    expect(ran).toMatchObject({ exitCode: 0, stdout: "I may not.\n" });
    expect(ran.stderr).toContain("[headless]\nhaft: to allow such calls, add --yes");
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("one\n");
  });

  it("prints events a line with --json, and ends at a limit with 3", async () => {
    const { haft } = createTestWorkspace({ "a.txt": "one\n" });
    const model = await startChatServer([{ call: "read", arguments: { path: "a.txt" } }]);
    const ran = await haft(["agent", ...model.options, "--json", "--max-steps", "1", "look"]);
    const events = ran.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ type: "turn-start", agent: "build" });
    expect(events.at(-1)).toMatchObject({ type: "turn-end", reason: "max-steps", steps: 1 });
    expect(ran.exitCode).toBe(3);
  });

  it("continues with a session by its name, and with the last one", async () => {
    const { haft } = createTestWorkspace();
    const model = await startChatServer([
      { text: "First." },
      { text: "Second." },
      { text: "Third." },
    ]);
    await haft(["agent", ...model.options, "--session", "mine", "begin here"]);
    await haft(["agent", ...model.options, "--session", "mine", "go on"]);
    const last = await haft(["agent", ...model.options, "--continue", "--quiet", "and on"]);
    expect(last).toMatchObject({ exitCode: 0, stdout: "Third.\n", stderr: "" });
    expect(model.requests[2]).toContain("begin here");
    expect(model.requests[2]).toContain("Second.");
  });

  it("puts what is piped in behind the prompt", async () => {
    const { haft } = createTestWorkspace();
    const model = await startChatServer([{ text: "Read it." }]);
    await haft(["agent", ...model.options, "sum up"], { input: "the input\n" });
    expect(model.requests[0]).toContain("sum up\\n\\nthe input");
  });

  it("says what is missing", async () => {
    const { haft } = createTestWorkspace();
    const environment = { HOME: "/nonexistent", HAFT_MODEL: "" };
    const none = await haft(["agent", "hello"], { environment });
    expect(none.exitCode).toBe(2);
    expect(none.stderr).toContain("--model PROVIDER/MODEL");
    const model = await startChatServer([]);
    const unknown = await haft(["agent", ...model.options, "--agent", "nobody", "hello"]);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain('There is no agent "nobody". Agents: ');
    expect((await haft(["agent", "--help"])).stdout).toContain("ANTHROPIC_API_KEY");
  });
});
