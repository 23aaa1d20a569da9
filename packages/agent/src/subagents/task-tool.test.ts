import { createMemoryComputer } from "@haft/computer/memory";
import type { Tool } from "@haft/contract";
import { parseRule } from "@haft/core";
import { describe, expect, it } from "vitest";
import { linesOf, type ScriptedAnswer, scriptModel } from "../loop/test-support/script-model.ts";
import {
  makeManifest,
  openTestAgents,
  type TestAgentsOptions,
} from "./test-support/open-test-agents.ts";

const finder = makeManifest("finder", { tools: ["read", "grep"] });

function say(...answers: readonly (ScriptedAnswer | string)[]): Pick<TestAgentsOptions, "model"> {
  return {
    model: () =>
      scriptModel(
        answers.map((answer) => (typeof answer === "string" ? { text: answer } : answer)),
      ),
  };
}

function taskFor(subagent_type: string, more: Record<string, unknown> = {}) {
  return { name: "task", arguments: { subagent_type, prompt: "Find it.", ...more } };
}

const call = (name: string, input: unknown): ScriptedAnswer => ({
  calls: [{ id: `c-${name}`, name, input }],
});

describe("task", () => {
  it("starts a child that sees only the prompt and its own instructions", async () => {
    const model = scriptModel([{ text: "It is in a.ts." }]);
    const { session, sessions, open } = openTestAgents({ manifests: [finder], model: () => model });
    expect(await session.call(taskFor("finder"))).toMatchObject({
      type: "output",
      data: {
        agent: "finder",
        thread: sessions[0]?.id,
        text: "It is in a.ts.",
        steps: 1,
        reason: "end",
      },
    });
    expect(linesOf(model.requests[0])).toEqual(["system: Do it.", "user: Find it."]);
    expect(model.requests[0]?.tools?.map((tool) => tool.name)).toEqual(["read", "grep"]);
    expect(open()).toBe(0);
  });

  it("lists the agents for an unknown name", async () => {
    const hidden = makeManifest("helper", { isHidden: true });
    const primary = makeManifest("build", { mode: "primary" });
    const { session } = openTestAgents({ manifests: [finder, hidden, primary], ...say() });
    expect(await session.call(taskFor("findr"))).toMatchObject({
      error_text: 'There is no subagent "findr". Did you mean finder? Subagents: finder.',
      metadata: { error_code: "not-found" },
    });
    expect(await session.call(taskFor("build"))).toMatchObject({
      error_text: expect.stringContaining("is a primary agent and can't be started"),
      metadata: { error_code: "invalid-arguments" },
    });
  });

  it("spawns one that is hidden for those that know its name", async () => {
    const hidden = makeManifest("helper", { isHidden: true });
    const { session, subagents } = openTestAgents({ manifests: [hidden], ...say("Done.") });
    await subagents.load();
    expect(subagents.tools[0]?.description).not.toContain("helper");
    expect(await session.call(taskFor("helper"))).toMatchObject({ data: { text: "Done." } });
  });

  it("refuses an empty prompt", async () => {
    const { session } = openTestAgents({ manifests: [finder], ...say() });
    expect(await session.call(taskFor("finder", { prompt: " \n" }))).toMatchObject({
      metadata: { error_code: "invalid-arguments" },
    });
  });

  it("can be denied for some agents by a rule", async () => {
    const rules = ["* * allow", "task finder deny"].map(parseRule);
    const manifests = [finder, makeManifest("other")];
    const { session } = openTestAgents({ manifests, session: { rules }, ...say("Yes.") });
    expect(await session.call(taskFor("finder"))).toMatchObject({
      metadata: { error_code: "denied" },
    });
    expect(await session.call(taskFor("other"))).toMatchObject({ data: { text: "Yes." } });
  });

  it("is allowed unless a rule says otherwise", async () => {
    const { session } = openTestAgents({
      manifests: [finder],
      session: { rules: [] },
      ...say("Yes."),
    });
    expect(await session.call(taskFor("finder"))).toMatchObject({ data: { text: "Yes." } });
  });

  it("tells why a child ended before it was done", async () => {
    const limited = { ...finder, limits: { maxSteps: 1 } };
    const { session } = openTestAgents({
      manifests: [limited],
      ...say({ text: "So far.", ...call("grep", { pattern: "x" }) }),
    });
    expect(await session.call(taskFor("finder"))).toMatchObject({
      data: { text: "So far.", reason: "max-steps", error: expect.any(String) },
    });
  });

  it("fails where a child's model can't be asked", async () => {
    const failing = scriptModel(() => ({ error: new Error("no such model") }));
    const { session } = openTestAgents({ manifests: [finder], model: () => failing });
    expect(await session.call(taskFor("finder"))).toMatchObject({
      error_text: expect.stringMatching(/^The subagent finder gave no answer\. .*no such model/u),
      metadata: { error_code: "failed" },
    });
  });

  it("gives a child no more than its parent may do", async () => {
    const computer = createMemoryComputer({ files: { "a.txt": "alpha\n" } });
    const writer = makeManifest("writer", {
      rules: [parseRule("* * allow")],
      requires: { fs: { write: ["{workspace}/**"] } },
    });
    const write = call("write", { path: "a.txt", content: "beta\n" });
    const refused = async (session: TestAgentsOptions["session"]): Promise<string> => {
      const model = scriptModel([write, { text: "Tried." }]);
      const opened = openTestAgents({
        manifests: [writer],
        model: () => model,
        computer,
        session: session ?? {},
      });
      await opened.session.call(taskFor("writer"));
      return linesOf(model.requests[1]).at(-1) ?? "";
    };
    const denying = ["* * allow", "write ** deny"].map(parseRule);
    expect(await refused({ rules: denying })).toContain("write ** deny");
    // A parent that plans has no tool that writes: none of its children does either.
    const planning = { includeTools: ["read", "task"] };
    const rules = [parseRule("* * allow")];
    expect(await refused({ rules, mode: planning })).toMatch(/outside|scope|grant/u);
  });

  it("goes five deep, where an agent that spawns itself gets an error", async () => {
    const again = makeManifest("again");
    const models: ReturnType<typeof scriptModel>[] = [];
    const { session, sessions, open } = openTestAgents({
      manifests: [again],
      model: () => {
        const model = scriptModel([call("task", taskFor("again").arguments), { text: "Enough." }]);
        models.push(model);
        return model;
      },
    });
    expect(await session.call(taskFor("again"))).toMatchObject({ data: { text: "Enough." } });
    expect(sessions).toHaveLength(5);
    expect(linesOf(models[4]?.requests[1]).at(-1)).toContain(
      "subagents can be nested at most 5 deep",
    );
    expect(linesOf(models[3]?.requests[1]).at(-1)).toContain("Enough.");
    expect(open()).toBe(0);
  });

  it("stops a child, and its children, when its call is aborted", async () => {
    const started = Promise.withResolvers<void>();
    let stopped = 0;
    const wait: Tool = {
      id: "wait",
      description: "Waits.",
      parameters: { type: "object" },
      requires: {},
      kind: "other",
      source: "builtin",
      execute: (_, { signal }) => {
        started.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            stopped++;
            reject(signal.reason);
          });
        });
      },
    };
    const { session, open } = openTestAgents({
      manifests: [makeManifest("outer"), makeManifest("inner")],
      tools: [wait],
      model: (agent) =>
        scriptModel([
          agent === "outer" ? call("task", taskFor("inner").arguments) : call("wait", {}),
        ]),
    });
    const aborter = new AbortController();
    const running = session.call(taskFor("outer"), aborter);
    await started.promise;
    expect(open()).toBe(2);
    aborter.abort();
    expect(await running).toMatchObject({ metadata: { error_code: "cancelled" } });
    await expect.poll(open).toBe(0);
    expect(stopped).toBe(1);
  });

  it("names the files that a child changed", async () => {
    const computer = createMemoryComputer({ files: { "a.txt": "alpha\n" } });
    const { session } = openTestAgents({
      manifests: [makeManifest("writer")],
      computer,
      ...say(call("write", { path: "b.txt", content: "x" }), "Written."),
    });
    const path = `${computer.roots[0]}/b.txt`;
    expect(await session.call(taskFor("writer"))).toMatchObject({
      data: { changed_files: [path] },
      metadata: { track_files: [path] },
    });
  });

  it("describes the agents once they are read", async () => {
    const mine = makeManifest("mine", { isTool: true, description: "Mine  of\nall." });
    const { subagents } = openTestAgents({ manifests: [finder, mine], ...say() });
    const [task] = subagents.tools;
    expect(task?.description).not.toContain("finder");
    expect(subagents.tools.map(({ id }) => id)).not.toContain("mine");
    await subagents.load();
    await subagents.load();
    expect(task?.description).toMatch(
      /Subagents:\n- finder: The finder\.\n- mine: Mine of all\.$/u,
    );
    expect(subagents.tools.map(({ id }) => id)).toEqual([
      "task",
      "task_output",
      "task_stop",
      "finder",
      "oracle",
      "librarian",
      "kraken",
      "mine",
    ]);
    expect(subagents.tools[3]?.description).toBe("The finder.");
  });
});
