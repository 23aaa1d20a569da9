import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, calls, say } from "./support/model-server.ts";
import { endOf, eventsOf, openPlace, readEvents } from "./support/open-place.ts";

const edit = call("edit", { path: "a.txt", old_string: "one", new_string: "two" });
const files = { "a.txt": "one\n" };

describe("haft agent with one prompt", () => {
  it.for([
    ["openai", "responses", "key-of-openai"],
    ["anthropic", "anthropic", "key-of-anthropic"],
    ["google", "gemini", "key-of-google"],
    ["openai-compatible", "chat", undefined],
  ] as const)("works with a model of %s", async ([provider, format, key]) => {
    const place = await openPlace(
      [
        { reasoning: "Hm.", text: ["Let me ", "see."], ...call("read", { path: "a.txt" }) },
        edit,
        say(["All ", "done."]),
      ],
      files,
    );
    const args = ["agent", "--json", "--yes", ...place.modelOptions(provider), "change it"];
    const { code, stdout, stderr } = await place.haft(args);
    const events = readEvents(stdout);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(place.read("a.txt")).toBe("two\n");
    expect(endOf(events)).toMatchObject({
      reason: "end",
      text: "All done.",
      steps: 3,
      usage: { input_tokens: 30, output_tokens: 15 },
    });
    expect(eventsOf(events, "text").map(({ text }) => text)).toEqual([
      "Let me ",
      "see.",
      "All ",
      "done.",
    ]);
    expect(eventsOf(events, "reasoning").map(({ text }) => text)).toEqual(["Hm."]);
    expect(eventsOf(events, "turn-start")).toMatchObject([{ model: `${provider}/scripted` }]);
    const [first, , last] = place.model.requests;
    expect(first).toMatchObject({ format, model: "scripted", isStreamed: true });
    expect(JSON.stringify(first?.headers).includes(String(key))).toBe(key !== undefined);
    expect(first?.toolNames).toEqual(expect.arrayContaining(["read", "edit", "bash", "task"]));
    expect(last?.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
    ]);
  });

  it("answers on standard output, and tells the rest on standard error", async () => {
    const { haft, modelOptions } = await openPlace([edit, say("Done.")], files);
    const { code, stdout, stderr } = await haft(["agent", "--yes", ...modelOptions(), "change it"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Done.\n" });
    expect(stderr).toContain("-one");
  });

  it("succeeds even if calls were refused without a terminal", async () => {
    const { agent, model, read } = await openPlace([edit, say("I may not.")], files);
    const { code, events, stderr } = await agent(["change it"]);
    expect(code).toBe(0);
    expect(eventsOf(events, "tool-result")).toMatchObject([
      { name: "edit", result: { type: "error", metadata: { error_code: "headless" } } },
    ]);
    expect(endOf(events)).toMatchObject({ reason: "end", text: "I may not." });
    expect(model.requests[1]?.lastText).toContain("edit");
    expect(read("a.txt")).toBe("one\n");
    expect(stderr).toBe("");
  });

  it("does what a rule allows and nothing else", async () => {
    const { agent, workspace, read } = await openPlace(
      [calls([...(edit.calls ?? []), ["write", { path: "b.txt", content: "b" }]]), say("Done.")],
      files,
    );
    const { code, events } = await agent(["--rule", "edit a.txt allow", "change it"]);
    expect(code).toBe(0);
    expect(read("a.txt")).toBe("two\n");
    expect(existsSync(join(workspace, "b.txt"))).toBe(false);
    const results = eventsOf(events, "tool-result").map(({ result }) => result.type);
    expect(results.toSorted()).toEqual(["error", "output"]);
  });

  it("makes the calls of one answer at once, and gives all results in the next request", async () => {
    const meet = (own: string, other: string): string =>
      `touch ${own}; for i in $(seq 100); do [ -e ${other} ] && echo met && exit; sleep 0.1; done; exit 1`;
    const { agent, model } = await openPlace([
      calls([
        ["bash", { command: meet("x", "y") }],
        ["bash", { command: meet("y", "x") }],
      ]),
      say("Both met."),
    ]);
    const { code, events } = await agent(["--yes", "--sandbox", "off", "meet"]);
    expect(code).toBe(0);
    const shown = eventsOf(events, "tool-result").map(({ result }) => JSON.stringify(result));
    expect(shown).toEqual([expect.stringContaining("met"), expect.stringContaining("met")]);
    expect(model.requests[1]?.messages.at(-1)?.results).toHaveLength(2);
  });

  it("shows the model the tools by the names of another agent", async () => {
    const { agent, model, read } = await openPlace(
      [call("Edit", { file_path: "a.txt", old_string: "one", new_string: "two" }), say("Done.")],
      files,
    );
    const { code, events } = await agent(["--yes", "--dialect", "claude", "change it"]);
    expect(code).toBe(0);
    expect(model.requests[0]?.toolNames).toEqual(
      expect.arrayContaining(["Read", "Edit", "Bash", "Grep", "Task"]),
    );
    expect(model.requests[0]?.toolNames).not.toContain("read");
    expect(eventsOf(events, "tool-call")).toMatchObject([{ name: "Edit", tool: "edit" }]);
    expect(read("a.txt")).toBe("two\n");
  });

  it("shows the model Amp's names", async () => {
    const { agent, model } = await openPlace(
      [call("Read", { path: "a.txt" }), say("Seen.")],
      files,
    );
    const { code, events } = await agent(["--dialect", "amp", "look"]);
    expect(code).toBe(0);
    expect(model.requests[0]?.toolNames).toEqual(
      expect.arrayContaining(["Read", "edit_file", "create_file", "Bash", "finder", "oracle"]),
    );
    expect(eventsOf(events, "tool-result")).toMatchObject([{ result: { type: "output" } }]);
  });

  it("takes its prompt from standard input, or puts that behind it", async () => {
    const { haft, model, modelOptions } = await openPlace([say("One."), say("Two.")]);
    const input = "What is piped in: ünï ✓\n";
    const quiet = ["agent", "--quiet", ...modelOptions()];
    const [alone, behind] = [
      await haft([...quiet, "-"], { input }),
      await haft([...quiet, "Sum up:"], { input }),
    ];
    expect([alone.stdout, behind.stdout]).toEqual(["One.\n", "Two.\n"]);
    expect(model.requests[0]?.lastText).toBe("What is piped in: ünï ✓");
    expect(model.requests[1]?.lastText).toBe("Sum up:\n\nWhat is piped in: ünï ✓");
  });

  it("continues with a session by its name, which other commands know too", async () => {
    const { agent, haft, model } = await openPlace(
      [call("read", { path: "a.txt" }), say("It says one."), say("I said so.")],
      files,
    );
    expect((await agent(["--session", "mine", "what does it say?"])).code).toBe(0);
    const { code, events } = await agent(["--session", "mine", "are you sure?"]);
    expect(code).toBe(0);
    expect(eventsOf(events, "turn-start")).toMatchObject([{ session: "mine" }]);
    const talk = model.requests[2]?.messages;
    expect(talk?.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(talk?.[0]?.text).toBe("what does it say?");
    expect(talk?.[3]?.text).toBe("It says one.");
    const shown = await haft(["sessions", "show", "mine"]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain("are you sure?");
    expect(shown.stdout).toContain("I said so.");
    const replayed = await haft(["replay", "mine"]);
    expect(replayed.code).toBe(0);
    expect(replayed.stdout).toContain("read");
    expect((await haft(["sessions", "list"])).stdout).toContain("mine");
  });

  it("starts a new session each time otherwise", async () => {
    const { agent, model } = await openPlace([say("One."), say("Two.")]);
    const names = [await agent(["a"]), await agent(["b"])].map(
      ({ events }) => eventsOf(events, "turn-start")[0]?.session,
    );
    expect(new Set(names).size).toBe(2);
    expect(model.requests[1]?.messages).toHaveLength(1);
  });
});
