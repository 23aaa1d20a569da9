import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import type { JsonValue } from "@haft/contract";
import { createRegistry, createSession, headlessHost, parseRule } from "@haft/core";
import { builtinTools } from "@haft/tools";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import type { ChildData } from "../subagents/child-data.ts";
import {
  call,
  calls,
  type ModelAnswer,
  type ModelRequest,
  say,
  startModelServer,
} from "../test-support/model-server/index.ts";
import { createWorkspaceAgents } from "./create-workspace-agents.ts";
import type { OpenAgentSession } from "./workspace-agents.ts";

interface OpenOptions {
  readonly files: Readonly<Record<string, string>>;
  readonly sandbox?: "off";
  /** Answers the request of the agent with this prompt, after so many of its answers. */
  answer(prompt: string, step: number): ModelAnswer | Promise<ModelAnswer>;
}

async function open({ files, sandbox, answer }: OpenOptions) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-isolated-")));
  const [root, state] = [join(base, "workspace"), join(base, "state")];
  mkdirSync(root);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(root, name), content, { mode: 0o755 });
  }
  const model = await startModelServer(({ messages }: ModelRequest) =>
    answer(messages[0]?.text ?? "", messages.filter(({ role }) => role === "assistant").length),
  );
  const computer = createDiskComputer({
    workspace: root,
    stateDirectory: state,
    ...(sandbox && { sandbox }),
  });
  const agents = createWorkspaceAgents({
    computer,
    stateDirectory: state,
    home: base,
    environment: { HAFT_MODEL: "openai/test", OPENAI_API_KEY: "key" },
    hasAgent: false,
    baseUrl: model.baseUrl("openai"),
    warn: () => {},
  });
  const registry = createRegistry([...builtinTools, ...agents.tools]);
  const rules = ["* * allow", "bash ./build allow"].map(parseRule);
  const session = createSession({ registry, computer, rules });
  const openSession: OpenAgentSession = (own) => createSession({ registry, computer, ...own });
  agents.adopt(session, { host: headlessHost, openSession });
  onTestFinished(async () => {
    await agents.close();
    await session.close();
    await model.close();
    rmSync(base, { recursive: true, force: true });
  });
  return {
    root,
    session,
    agents,
    read: (name: string) => readFileSync(join(root, name), "utf8"),
    call: (name: string, args: JsonValue) => session.call({ name, arguments: args }),
  };
}

const task = (prompt: string, more: Readonly<Record<string, JsonValue>> = {}) => ({
  subagent_type: "general",
  prompt,
  ...more,
});

describe.skipIf(isMissing("bwrap"))("isolated subagents", () => {
  it("work in the background on a layer, with their own subagents, and are undone as one call", async () => {
    const {
      root,
      read,
      call: make,
    } = await open({
      files: { "a.txt": "one\n", "b.txt": "one\n", build: "cat a.txt b.txt >built.txt" },
      answer: (prompt, step) => {
        if (prompt === "inner") {
          return step === 0
            ? call("edit", { path: "b.txt", old_string: "one", new_string: "inner" })
            : say("Inner is done.");
        }
        return (
          [
            call("edit", { path: "a.txt", old_string: "one", new_string: "outer" }),
            call("task", task("inner")),
            call("bash", { command: "./build" }),
          ][step] ?? say(`Seen outside: ${read("a.txt")}${existsSync(join(root, "built.txt"))}`)
        );
      },
    });
    const begun = await make("task", task("outer", { background: true }));
    expect(begun).toMatchObject({ data: { isolation: "layer", status: "running" } });
    const { task_id } = (begun as { data: { task_id: string } }).data;
    const ended = await make("task_output", { task_id, wait: true });
    const names = ["a.txt", "b.txt", "built.txt"];
    expect(ended).toMatchObject({
      data: {
        status: "done",
        isolation: "layer",
        text: "Seen outside: one\nfalse",
        changed_files: names.map((name) => join(root, name)),
      },
    });
    expect(names.map(read)).toEqual(["outer\n", "inner\n", "outer\ninner\n"]);
    expect(await make("undo_edit", {})).toMatchObject({ type: "output" });
    expect([read("a.txt"), read("b.txt"), existsSync(join(root, "built.txt"))]).toEqual([
      "one\n",
      "one\n",
      false,
    ]);
  });

  it("have their changes applied if they are stopped", async () => {
    const controller = new AbortController();
    const { root, read, session, agents } = await open({
      files: { "a.txt": "one\n" },
      answer: (_, step) => {
        if (step === 0)
          return call("edit", { path: "a.txt", old_string: "one", new_string: "two" });
        controller.abort();
        return { hang: true };
      },
    });
    const request = { name: "task", arguments: task("Edit.", { isolation: "layer" }) };
    const stopped = await session.call(request, { signal: controller.signal });
    expect(stopped).toMatchObject({ metadata: { error_code: "cancelled" } });
    await agents.close();
    expect(read("a.txt")).toBe("two\n");
    expect(readdirSync(join(root, "../state/layers"))).toEqual([]);
  });

  it("lose nothing of 400 overlapping edits, and name every conflict", async () => {
    const agents = Array.from({ length: 8 }, (_, index) => `agent ${index}`);
    // All agents edit all files: in eight of them lines of their own, in two the same lines.
    const files = Array.from({ length: 10 }, (_, index) => `file-${index}.txt`);
    const isShared = (file: string): boolean => file >= "file-8";
    const lines = (file: string, agent: string): string[] =>
      Array.from({ length: 5 }, (_, index) =>
        isShared(file) ? `shared ${index}.` : `line ${index} of ${agent}.`,
      );
    const content = (file: string): string =>
      (isShared(file) ? lines(file, "") : agents.flatMap((agent) => lines(file, agent)))
        .map((line) => `${line}\nbetween\nbetween\n`)
        .join("");
    // None of them ends before all have made their edits.
    const allDone = Promise.withResolvers<void>();
    let done = 0;
    const mark = (line: string, agent: string): string => `${line} ${agent} was here.`;
    const {
      root,
      read,
      call: make,
    } = await open({
      files: Object.fromEntries(files.map((file) => [file, content(file)])),
      answer: async (agent, step) => {
        const file = files[step];
        if (file === undefined) {
          done++;
          if (done === agents.length) allDone.resolve();
          await allDone.promise;
          return say("Done.");
        }
        const edits = lines(file, agent).map((line) => {
          const change = { old_string: `${line}\n`, new_string: `${mark(line, agent)}\n` };
          return ["edit", { path: file, ...change }] as const;
        });
        return calls(edits);
      },
    });
    const results = await Promise.all(
      agents.map(async (agent) => {
        const result = await make("task", task(agent, { isolation: "layer" }));
        return (result as { data: ChildData }).data;
      }),
    );
    let [applied, kept] = [0, 0];
    for (const [index, agent] of agents.entries()) {
      const { isolation, conflicts = [], kept_at = "", notes = [] } = results[index] as ChildData;
      expect(isolation).toBe("layer");
      for (const file of files) {
        const path = join(root, file);
        const isConflict = conflicts.includes(path);
        const found = isConflict ? readFileSync(`${kept_at}${path}`, "utf8") : read(file);
        for (const line of lines(file, agent)) expect(found).toContain(mark(line, agent));
        if (isConflict) expect(notes.join("\n")).toContain(path);
        if (isConflict) kept += 5;
        else applied += 5;
      }
    }
    // The first one has the shared lines.
    expect([applied, kept]).toEqual([8 * 40 + 10, 7 * 10]);
  });
});

describe("isolation that is not available", () => {
  const files = { "a.txt": "one\n" };

  it("is an error if it was asked for, and a note otherwise", async () => {
    const { read, call: make } = await open({
      files,
      sandbox: "off",
      answer: (_, step) =>
        step === 0
          ? call("edit", { path: "a.txt", old_string: "one", new_string: "two" })
          : say("Done."),
    });
    expect(await make("task", task("Edit.", { isolation: "layer" }))).toMatchObject({
      error_text: expect.stringContaining("--sandbox=off"),
      metadata: { error_code: "unavailable" },
    });
    expect(read("a.txt")).toBe("one\n");
    const begun = await make("task", task("Edit.", { background: true }));
    const { task_id } = (begun as { data: { task_id: string } }).data;
    expect(await make("task_output", { task_id, wait: true })).toMatchObject({
      data: { isolation: "none", notes: [expect.stringContaining("--sandbox=off")] },
    });
    expect(read("a.txt")).toBe("two\n");
  });
});
