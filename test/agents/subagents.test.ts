import { describe, expect, it } from "vitest";
import { call, calls, say } from "./support/model-server.ts";
import { endOf, eventsOf, openPlace } from "./support/open-place.ts";
import { manifest, reviewer, script } from "./support/subagent-script.ts";

const files = { "a.txt": "one\n", ".haft/agents/reviewer.md": reviewer };
const review = { subagent_type: "reviewer", prompt: "Review a.txt." };

describe("task", () => {
  it("runs a subagent in its own session, with its tools and without the conversation", async () => {
    const { agent, model } = await openPlace(
      script({
        "You review": [call("read", { path: "a.txt" }), say("It says one.")],
        "": [call("task", review), say("The reviewer says so.")],
      }),
      files,
    );
    const { code, events, stderr } = await agent(["A secret of the talk."]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [parent, child, , after] = model.requests;
    expect(parent?.system).not.toContain("You review");
    expect(child?.system).toContain("You review what others wrote.");
    expect(child?.toolNames.toSorted()).toEqual(["grep", "read"]);
    expect(child?.messages).toEqual([{ role: "user", text: "Review a.txt." }]);
    expect(JSON.stringify(child?.body)).not.toContain("A secret of the talk.");
    expect(after?.lastText).toContain("It says one.");
    const told = eventsOf(events, "subagent");
    expect(told.map(({ agent: name }) => name)).toContain("reviewer");
    expect(told.map(({ event }) => event.type)).toEqual(
      expect.arrayContaining(["turn-start", "tool-call", "tool-result", "text", "turn-end"]),
    );
  });

  it("tells the model of a background task when it has ended", async () => {
    const { agent, model } = await openPlace(
      script({
        "You review": [say("It says one.")],
        "": [
          call("task", { ...review, background: true }),
          say("I wait for it."),
          say("Now I know."),
        ],
      }),
      files,
    );
    const { code, events } = await agent(["review it"]);
    expect(code).toBe(0);
    expect(endOf(events).text).toBe("Now I know.");
    const [begun] = eventsOf(events, "tool-result");
    expect(begun?.result).toMatchObject({ type: "output", data: { status: "running" } });
    expect(eventsOf(events, "notice")).toMatchObject([
      { text: expect.stringContaining("It says one.") },
    ]);
    expect(model.requests.at(-1)?.lastText).toContain("It says one.");
  });

  it("shows how a background task goes, on demand", async () => {
    let id = "";
    const { agent } = await openPlace(
      script({
        "You review": [say("It says one.")],
        "": [
          call("task", { ...review, background: true }),
          (request) => {
            id = /task-\w+/u.exec(request.lastText)?.[0] ?? "";
            return call("task_output", { task_id: id, wait: true });
          },
          say("Done."),
        ],
      }),
      files,
    );
    const { code, events } = await agent(["review it"]);
    expect(code).toBe(0);
    expect(eventsOf(events, "tool-result")[1]?.result).toMatchObject({
      type: "output",
      data: { task_id: id, status: "done", text: "It says one." },
    });
    expect(eventsOf(events, "notice")).toEqual([]);
  });

  it("names the subagents that there are where one is not known", async () => {
    const { agent, model } = await openPlace(
      [
        calls([
          ["task", { subagent_type: "reviewers", prompt: "Review." }],
          ["task", { subagent_type: "build", prompt: "Build." }],
        ]),
        say("Oh."),
      ],
      files,
    );
    const { code, events } = await agent(["review"]);
    expect(code).toBe(0);
    for (const { result } of eventsOf(events, "tool-result")) expect(result.type).toBe("error");
    const [unknown, primary] = model.requests[1]?.messages.at(-1)?.results ?? [];
    expect(unknown?.text).toContain('no subagent "reviewers"');
    for (const name of ["explore", "finder", "general", "kraken", "oracle", "reviewer"]) {
      expect(unknown?.text).toContain(name);
    }
    expect(primary?.text).toContain("can't be started");
  });

  it("asks a subagent's own model, and the parent's for those without", async () => {
    const { agent, model } = await openPlace(
      script({
        "You are another": [say("From another.")],
        "You review": [say("From the same.")],
        "": [
          calls([
            ["task", { subagent_type: "another", prompt: "Go." }],
            ["task", review],
          ]),
          say("Both."),
        ],
      }),
      {
        ...files,
        ".haft/agents/another.md": manifest("You are another.", {
          description: "Another.",
          model: "openai-compatible/another-model",
        }),
      },
    );
    expect((await agent(["go"])).code).toBe(0);
    const modelOf = (word: string): string | undefined =>
      model.requests.find(({ system }) => system.includes(word))?.model;
    expect(modelOf("You are another.")).toBe("another-model");
    expect(modelOf("You review")).toBe("scripted");
  });

  it("leaves out a manifest that can't be used and names it; the others stay", async () => {
    const { haft, model, modelOptions } = await openPlace([say("Hello.")], {
      ...files,
      ".haft/agents/variable.md": manifest("You read.", {
        description: "Reads.",
        requires: "{fs: {read: ['{workspce}/**']}}",
      }),
      ".haft/agents/broken.md": "---\ndescription: [\n---\nYou break.\n",
      ".haft/agents/bare.md": "You have no front matter.\n",
    });
    const { code, stderr, stdout } = await haft([
      "agent",
      "--trust-project",
      ...modelOptions(),
      "hello",
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Hello.\n" });
    expect(stderr).toMatch(/variable\.md.*\{workspce\}/u);
    expect(stderr).toContain("broken.md");
    expect(stderr).toContain("bare.md");
    const described = JSON.stringify(model.requests[0]?.body);
    expect(described).toContain("reviewer: Reviews a file.");
    expect(described).not.toContain("variable: ");
  });
});

describe("an untrusted workspace", () => {
  it("provides no subagents and only stricter limits, and tells the model what to do", async () => {
    const { haft, model, modelOptions } = await openPlace(
      [call("task", { subagent_type: "reviewer", prompt: "Review a.txt." }), say("So.")],
      { ...files, ".haft/settings.json": '{ "model": "openai/theirs", "maxSteps": 2 }' },
    );
    const { code, stderr } = await haft(["agent", ...modelOptions(), "--yes", "hello"]);
    expect(code).toBe(0);
    expect(stderr).toContain(
      "haft: Not trusted, so they have no effect: .haft/settings.json, .haft/agents/reviewer.md. Review them with: haft trust\n",
    );
    expect(JSON.stringify(model.requests[0]?.body)).not.toContain("Reviews a file.");
    expect(model.requests[1]?.lastText).toMatch(/reviewer\.md is not trusted yet/u);
  });

  it("provides its agents and settings after haft trust", async () => {
    const { haft, model, modelOptions } = await openPlace([say("Hello.")], files);
    expect((await haft(["trust", "--yes"])).code).toBe(0);
    const { code, stderr } = await haft(["agent", ...modelOptions(), "hello"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.stringify(model.requests[0]?.body)).toContain("reviewer: Reviews a file.");
  });
});

describe("agents that are tools", () => {
  it.for([
    ["finder", "You find code", ["read", "glob", "grep"]],
    ["oracle", "where others got stuck", ["read", "glob", "grep"]],
    ["librarian", "code works that lies elsewhere", ["repo_clone", "read", "grep"]],
    ["kraken", "You make one change over many files", ["edit", "write", "task"]],
  ] as const)("have %s called by its name", async ([name, prompt, tools]) => {
    const { agent, model } = await openPlace(
      script({
        [prompt]: [say("The answer.")],
        "": [call(name, { task: "Find the door." }), say("Thanks.")],
      }),
    );
    const { code, events } = await agent(["find it"]);
    expect(code).toBe(0);
    expect(eventsOf(events, "tool-result")).toMatchObject([
      { name, result: { type: "output", data: { agent: name, text: "The answer." } } },
    ]);
    const child = model.requests[1];
    expect(child?.messages).toEqual([{ role: "user", text: "Find the door." }]);
    expect(child?.toolNames).toEqual(expect.arrayContaining([...tools]));
    const mayWrite = child?.toolNames.includes("edit");
    expect(mayWrite).toBe(name === "kraken");
  });

  it("change ten files with kraken, and one undo takes all back", async () => {
    const names = Array.from({ length: 10 }, (_, at) => `part-${at}.txt`);
    const { agent, haft, read } = await openPlace(
      (request) => {
        const { system, messages } = request;
        const isFirst = messages.length === 1;
        if (system.includes("You make a given change")) {
          if (!isFirst) return say("Changed.");
          const path = /part-\d+\.txt/u.exec(request.lastText)?.[0];
          return call("edit", { path, old_string: "old", new_string: "new" });
        }
        if (system.includes("You make one change over many files")) {
          if (!isFirst) return say("All ten.");
          return calls(
            names.map((name) => [
              "task",
              { subagent_type: "kraken_worker", prompt: `Change ${name}.` },
            ]),
          );
        }
        return isFirst ? call("kraken", { task: "old becomes new" }) : say("Done.");
      },
      Object.fromEntries(names.map((name) => [name, "old\n"])),
    );
    const { code } = await agent(["--yes", "--session", "s", "rename it"]);
    expect(code).toBe(0);
    expect(names.map(read)).toEqual(names.map(() => "new\n"));
    const undone = await haft(["undo", "--session", "s"]);
    expect(undone.code).toBe(0);
    expect(names.map(read)).toEqual(names.map(() => "old\n"));
  });
});
