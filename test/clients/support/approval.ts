import { expect } from "vitest";
import { startScriptedModel } from "../model/scripted-model.ts";
import type { Agent } from "./agents/agent.ts";
import { prompt } from "./describe-agent.ts";
import type { Desk } from "./desk.ts";
import { createInstalled, removeYes } from "./install.ts";

/** Has the model make a call that needs approval, without `--yes`. Returns the text it got. */
export async function expectAsked(
  agent: Agent,
  prepare: (desk: Desk) => void = () => {},
): Promise<{ desk: Desk; text: string }> {
  const rule = ["--rule", "write ** ask"];
  const { desk } = await createInstalled(agent, "--dialect", "portable", ...rule);
  removeYes(agent, desk);
  prepare(desk);
  const given = { path: "asked.txt", content: "written" };
  const model = await startScriptedModel([{ name: agent.nameOf("write"), arguments: given }]);
  await prompt(agent, desk, model);
  expect(model.results).toHaveLength(1);
  return { desk, text: agent.unframe(model.results[0] ?? "") };
}
