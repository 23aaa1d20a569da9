import { createScriptedHost, parseRule, type ScriptedHost } from "@haft/core";
import { generateText, isStepCount, type ModelMessage, streamText } from "ai";
import { describe, expect, it } from "vitest";
import { openAgent, type TestAgent } from "../formats/test-support/open-agent.ts";
import { toAiSdkTools, toToolApproval } from "./index.ts";
import { call, promptOf, scriptMock } from "./test-support/script-mock.ts";

/** A session that asks before it edits, and whom it would ask. */
function openAsking(rules: readonly string[] = []): [TestAgent, ScriptedHost] {
  const host = createScriptedHost({ ask: "reject" });
  return [openAgent({ host, rules: rules.map(parseRule) }), host];
}

const edit = call("e", "edit", { path: "a.txt", old_string: "beta", new_string: "delta" });
const stopWhen = isStepCount(5);

describe("approval", () => {
  async function runAsking(
    agent: TestAgent,
    approved: boolean,
  ): Promise<ReturnType<typeof promptOf>> {
    const tools = toAiSdkTools(agent.session);
    const toolApproval = toToolApproval(agent.session);
    const messages: ModelMessage[] = [{ role: "user", content: "Go." }];
    const calls = [edit, call("r", "read", { path: "a.txt" })];
    const asking = await generateText({
      model: scriptMock([calls]),
      tools,
      toolApproval,
      messages,
    });
    expect(asking.content.filter(({ type }) => type === "tool-approval-request")).toMatchObject([
      { toolCall: { toolCallId: "e" }, reason: "no rule allows edit" },
    ]);
    expect(agent.content("a.txt")).toBe("alpha\nbeta\n");
    messages.push(...asking.responseMessages, answer(asking.content, approved));
    const model = scriptMock(["Done."]);
    await generateText({ model, tools, toolApproval, messages, stopWhen });
    return promptOf(model, 0);
  }

  it("that a person gave runs the call without asking again", async () => {
    const [agent, host] = openAsking();
    const { outputs } = await runAsking(agent, true);
    expect(agent.content("a.txt")).toBe("alpha\ndelta\n");
    expect(outputs.get("e")).toMatchObject({ value: expect.stringContaining("+delta") });
    expect(host.asked).toEqual([]);
  });

  it("that a person gave holds in a stream too", async () => {
    const [{ session, content }, host] = openAsking();
    const tools = toAiSdkTools(session);
    const toolApproval = toToolApproval(session);
    const messages: ModelMessage[] = [{ role: "user", content: "Go." }];
    const asking = streamText({ model: scriptMock([[edit]]), tools, toolApproval, messages });
    messages.push(...(await asking.responseMessages), answer(await asking.content, true));
    const model = scriptMock(["Done."]);
    const resumed = streamText({ model, tools, toolApproval, messages, stopWhen });
    expect(await resumed.text).toBe("Done.");
    expect(content("a.txt")).toBe("alpha\ndelta\n");
    expect(host.asked).toEqual([]);
  });

  it("that a person refused runs nothing", async () => {
    const [agent] = openAsking();
    const { outputs } = await runAsking(agent, false);
    expect(agent.content("a.txt")).toBe("alpha\nbeta\n");
    expect(outputs.get("e")).toMatchObject({ type: "execution-denied", reason: "Not now." });
  });

  it("is denied with the reason where a rule denies", async () => {
    const [{ session, content }, host] = openAsking(["edit * deny"]);
    const model = scriptMock([[edit], "Done."]);
    const toolApproval = toToolApproval(session);
    const tools = toAiSdkTools(session);
    await generateText({ model, tools, toolApproval, prompt: "Go.", stopWhen });
    expect(promptOf(model, 1).outputs.get("e")).toMatchObject({
      type: "execution-denied",
      reason: expect.stringMatching(/^edit was refused by the session rule "edit \* deny"/u),
    });
    expect(content("a.txt")).toBe("alpha\nbeta\n");
    expect(host.asked).toEqual([]);
  });

  it("holds no yes over a rule that denies meanwhile", async () => {
    const [{ session, content }] = openAsking(["edit * deny"]);
    const request = { type: "tool-approval-request", approvalId: "p", toolCallId: "e" };
    const response = { type: "tool-approval-response", approvalId: "p", approved: true };
    const result = await toAiSdkTools(session).edit?.execute(JSON.parse(edit.input), {
      toolCallId: "e",
      messages: [
        { role: "assistant", content: [request] },
        { role: "tool", content: [response] },
      ],
    });
    expect(result).toMatchObject({ type: "error", metadata: { error_code: "denied" } });
    expect(content("a.txt")).toBe("alpha\nbeta\n");
  });

  it("lets arguments that don't fit be explained by the call", async () => {
    const [{ session }] = openAsking();
    const toolCall = { toolCallId: "1", toolName: "edit", input: { path: 5 } };
    expect(await toToolApproval(session)({ toolCall })).toBe("not-applicable");
  });

  it("says nothing of other people's tools", async () => {
    const toolCall = { toolCallId: "1", toolName: "weather", input: {} };
    expect(await toToolApproval(openAgent().session)({ toolCall })).toBeUndefined();
  });

  it("is asked of the session's host where the AI SDK does not ask", async () => {
    const [{ session, content }, host] = openAsking();
    const model = scriptMock([[edit], "Done."]);
    await generateText({ model, tools: toAiSdkTools(session), prompt: "Go.", stopWhen });
    expect(host.asked.map(({ callId }) => callId)).toEqual(["e"]);
    expect(promptOf(model, 1).outputs.get("e")).toMatchObject({ type: "error-text" });
    expect(content("a.txt")).toBe("alpha\nbeta\n");
  });

  it("of an earlier call does not hold for a later one with the same id", async () => {
    const [agent, host] = openAsking();
    await runAsking(agent, true);
    const tools = toAiSdkTools(agent.session);
    const request = { type: "tool-approval-request", approvalId: "p", toolCallId: "e" };
    const response = { type: "tool-approval-response", approvalId: "p", approved: true };
    await tools.edit?.execute(JSON.parse(edit.input), {
      toolCallId: "e",
      messages: [
        { role: "assistant", content: [request] },
        { role: "tool", content: [response] },
        { role: "user", content: "Again." },
      ],
    });
    expect(host.asked).toHaveLength(1);
  });
});

function answer(content: readonly { type: string }[], approved: boolean): ModelMessage {
  const requests = content.filter(({ type }) => type === "tool-approval-request");
  return {
    role: "tool",
    content: (requests as unknown as { approvalId: string }[]).map(({ approvalId }) => ({
      type: "tool-approval-response",
      approvalId,
      approved,
      ...(approved ? {} : { reason: "Not now." }),
    })),
  };
}
