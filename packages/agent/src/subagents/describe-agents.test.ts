import { utf8Length } from "@haft/contract/internal";
import { expect, it } from "vitest";
import { describeAgents } from "./describe-agents.ts";
import { makeManifest } from "./test-support/open-test-agents.ts";

it("a list of agents has a line for each", () => {
  const agents = [makeManifest("a", { description: "One\n\n two." }), makeManifest("b")];
  expect(describeAgents(agents)).toBe("- a: One two.\n- b: The b.");
  expect(describeAgents([])).toBe("");
});

it("a list of very many agents stays short, and no character of it is cut in two", () => {
  const agents = Array.from({ length: 1_000 }, (_, at) =>
    makeManifest(`agent${at}`, { description: "😀".repeat(400) }),
  );
  const list = describeAgents(agents);
  expect(utf8Length(list)).toBeLessThan(8.5 * 1024);
  expect(list.isWellFormed()).toBe(true);
  expect(list).toContain("\n- agent40\n");
  expect(list).toMatch(/- and \d+ more. Pass an unknown subagent_type to list them all$/u);
});
