import { expect, it } from "vitest";
import { runNode } from "../support/run-node.ts";

it("has a subagent of the project review a file, and mends it", async () => {
  const { stdout } = await runNode(["examples/agent/agent.ts"]);
  expect(stdout.trim().split("\n")).toEqual([
    "build calls task",
    "reviewer calls read",
    "read gives output",
    "reviewer: Line 1 subtracts where it should add.",
    "reviewer is done: end",
    "task gives output",
    "build calls edit",
    "edit gives output",
    "build: The reviewer found it, and I fixed it.",
    "build is done: end",
  ]);
});
