import { describe, expect, it } from "vitest";
import { isMissing } from "../../../scripts/setup/system-packages.mjs";
import { type ScriptedModel, startScriptedModel } from "../model/scripted-model.ts";
import type { Agent, Dialect } from "./agents/agent.ts";
import type { Desk } from "./desk.ts";
import { createInstalled, followAdvice } from "./install.ts";
import { measuredCalls } from "./measured-calls.ts";
import { expectImage, expectOffered, expectStory, storyCalls } from "./story.ts";

/** Declares the tests that every agent passes. */
export function describeAgent(agent: Agent): void {
  const { nameOf, list, dialect } = agent;

  describe(agent.title, () => {
    it("knows us as installed", async () => {
      const { desk } = await createInstalled(agent);
      const { stdout, stderr } = await agent.run(desk, list.args);
      expect(`${stdout}${stderr}`).toMatch(list.shows);
    });

    it("offers our tools to its model, runs them and hands the results back", async () => {
      const { desk } = await createInstalled(agent, "--dialect", "portable");
      const model = await startScriptedModel(storyCalls(nameOf));
      await prompt(agent, desk, model);
      await expectOffered(model, desk, nameOf);
      expectStory(model, desk);
      expectImage(model);
    });

    it.each<Dialect>([...new Set<Dialect>([dialect, "portable"])])(
      "shows its model each result once and whole, as sessions cost says, in dialect %s",
      async (spoken) => {
        const given = spoken === dialect ? [] : ["--dialect", spoken];
        const { desk } = await createInstalled(agent, ...given);
        const calls = measuredCalls(spoken, nameOf);
        const model = await startScriptedModel(calls);
        await prompt(agent, desk, model);
        const shown = model.results.map(agent.unframe);
        expect(shown).toHaveLength(calls.length);
        const { calls: costs, cut } = await readCosts(desk);
        // Characters for characters.
        expect(shown.map((text) => text.length)).toEqual(costs.map((cost) => cost.characters));

        const [read = "", edit = "", grep = "", short = "", long = "", failed = ""] = shown;
        for (const whole of [read, grep]) {
          expect(whole.split("line 119 of the story")).toHaveLength(2);
        }
        // Not as JSON.
        expect(read).toMatch(/line 1 of the story\n.*line 2 of the story\n/u);
        expect(edit).toContain("story.txt");
        expect(desk.read("story.txt")).toContain("line 60, where it turns\n");
        expect(short).toContain("hello\n");
        expect(failed).toContain("wrong\n");
        expect(failed).toMatch(/^.*exit.?code:? 3\n/iu);
        // It was cut once, by us: begin, end and the file with the whole are there.
        expect(cut).toHaveLength(1);
        expect(long).toMatch(/[\n ]1\n2\n3\n/u);
        expect(long).toMatch(/\n59999\n60000\n/u);
        expect(long).toContain(cut[0]?.file);
      },
    );

    it("accepts the setting that switches its own tools off, and uses ours", async () => {
      const { desk, printed } = await createInstalled(agent);
      const calls = measuredCalls(dialect, nameOf).slice(0, 2);
      const before = await startScriptedModel([]);
      await prompt(agent, desk, before);
      expect(namesIn(before)).toEqual(expect.arrayContaining([...agent.ownTools]));

      followAdvice(agent, desk, printed);
      const model = await startScriptedModel(calls);
      await prompt(agent, desk, model);
      const offered = namesIn(model);
      expect(offered.filter((name) => agent.ownTools.includes(name))).toEqual([]);
      expect(offered).toContain(nameOf("undo_edit"));
      expect(model.results).toHaveLength(2);
      expect(desk.read("story.txt")).toContain("line 60, where it turns\n");
    });

    it.skipIf(isMissing("bwrap"))("hands its model the result of a program", async () => {
      const { desk } = await createInstalled(agent, "--code");
      const program = programs[dialect] ?? ownProgram;
      const name = nameOf(program.name);
      const model = await startScriptedModel([{ name, arguments: program.arguments }]);
      await prompt(agent, desk, model);
      expect(model.results.map(agent.unframe)).toEqual([expect.stringMatching(program.result)]);
      expect(namesIn(model)).not.toContain(nameOf("job_start"));
    });
  });
}

/** Gives the agent a prompt and checks that it ends well. */
export async function prompt(agent: Agent, desk: Desk, model: ScriptedModel): Promise<void> {
  const ran = await agent.prompt(desk, model);
  expect(ran, `${ran.stdout}${ran.stderr}`).toMatchObject({ exitCode: 0 });
}

function namesIn(model: ScriptedModel): string[] {
  return model.offered.map(({ name }) => name);
}

interface Program {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly result: RegExp;
}

const ownProgram: Program = {
  name: "run_code",
  arguments: { code: "return (await tools.read({ path: 'story.txt' })).total_lines + 1;" },
  result: /^result: 121$/u,
};
const programs: Partial<Record<Dialect, Program>> = {
  codex: {
    name: "exec",
    arguments: { input: "text((await tools.read({ path: 'story.txt' })).total_lines + 1);" },
    result: /^Script completed\nWall time [\d.]+ seconds\nOutput:\n\n121$/u,
  },
};

interface Costs {
  readonly calls: readonly { readonly tool: string; readonly characters: number }[];
  readonly cut: readonly { readonly file?: string }[];
}

async function readCosts(desk: Desk): Promise<Costs> {
  const listed = await desk.haft("sessions", "list", "--json");
  const [session] = JSON.parse(listed.stdout) as { name: string }[];
  const { stdout, stderr } = await desk.haft("sessions", "cost", session?.name ?? "", "--json");
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Costs;
}
