import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestCall } from "amigo_tool_scaffold";
import { type GreetingInput, runTool } from "../src/tool.ts";

test("greets by name, and says what it is doing", async () => {
  const call = createTestCall<GreetingInput>({ toolInput: { name: "Ada" } });
  assert.equal(await runTool(call), "Hello, Ada!");
  assert.deepEqual(call.statusEvents, ["Greeting Ada"]);
});

test("greets as often as it is asked to, with the user's own name", async () => {
  const call = createTestCall<GreetingInput>({
    toolInput: { name: "Ada", times: 2 },
    config: { GREETING: "Good day" },
    userVariables: { nickname: "Countess" },
  });
  assert.equal(await runTool(call), "Good day, Countess!\nGood day, Countess!");
});

test("says that it is a simulation", async () => {
  const call = createTestCall<GreetingInput>({
    toolInput: { name: "Ada" },
    metadata: { invocationMode: "conversation-simulation" },
  });
  assert.match(await runTool(call), /\(simulated\)$/);
});
