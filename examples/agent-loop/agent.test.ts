import { expect, it } from "vitest";
import { runNode } from "../support/run-node.ts";

it("mends the typo that the model finds", async () => {
  const { stdout } = await runNode(["examples/agent-loop/agent.ts"]);
  expect(stdout.trim().split("\n")).toEqual([
    'grep {"pattern":"wrold"}',
    'edit {"path":"greeting.txt","old_string":"wrold","new_string":"world"}',
    'read {"path":"greeting.txt"}',
    "I found the typo and fixed it.",
    "Hello, world!",
  ]);
});
