import { describe, expect, it } from "vitest";
import { call, calls, type ModelAnswer, type ModelRequest, say } from "./support/model-server.ts";
import { endOf, eventsOf, openPlace, type Place, readEvents } from "./support/open-place.ts";

const files = { "a.txt": "one\n", ".haft/settings.json": '{ "retries": 1 }' };
const look = call("read", { path: "a.txt" });

describe("a model that misbehaves", () => {
  it("is told that there is no such tool, and what there is", async () => {
    const { agent, model, goesOn } = await open([
      calls([["read_file_contents", { path: "a.txt" }], ["Reed"], ["__proto__"]]),
      say("Sorry."),
    ]);
    const { code, events } = await agent(["look"]);
    expect(code).toBe(0);
    expect(eventsOf(events, "tool-result")).toHaveLength(3);
    for (const { result } of eventsOf(events, "tool-result")) expect(result.type).toBe("error");
    expect(model.requests[1]?.lastText).toContain('"Reed"');
    expect(model.requests[1]?.lastText).toContain("Did you mean read?");
    await goesOn();
  });

  it("is told what is wrong with its arguments", async () => {
    const { agent, model, goesOn } = await open([
      calls([
        ["read", '{"path": '],
        ["read", "not at all"],
        ["read", "[1]"],
        ["read", "null"],
        ["read", ""],
        ["read", { line: 3 }],
        ["read", { path: "a.txt" }],
      ]),
      say("Sorry."),
    ]);
    const { code, events } = await agent(["look"]);
    expect(code).toBe(0);
    const types = eventsOf(events, "tool-result").map(({ result }) => result.type);
    expect(types.filter((type) => type === "output")).toHaveLength(1);
    expect(model.requests[1]?.messages.at(-1)?.results).toHaveLength(7);
    await goesOn();
  });

  it("is told that it goes round in circles, and stopped if it continues", async () => {
    const { agent, model, goesOn } = await open((request) =>
      isNext(request) ? say("Back.") : look,
    );
    const { code, events } = await agent(["look"]);
    expect(code).toBe(3);
    expect(endOf(events)).toMatchObject({ reason: "loop" });
    expect(eventsOf(events, "notice")).toHaveLength(1);
    expect(model.requestCount).toBeLessThan(10);
    await goesOn();
  });

  it("gets the results of 200 calls at once, each once and under its id", async () => {
    const many = Array.from({ length: 200 }, (_, at) => ({
      id: `id-${at}`,
      name: "read",
      arguments: { path: "a.txt", offset: 1, limit: at + 1 },
    }));
    const { agent, model, goesOn } = await open([calls(many), say("All read.")]);
    const { code, events } = await agent(["look"]);
    expect(code).toBe(0);
    expect(eventsOf(events, "tool-result")).toHaveLength(200);
    const results = model.requests[1]?.messages.at(-1)?.results ?? [];
    expect(results.map(({ callId }) => callId)).toEqual(many.map(({ id }) => id));
    await goesOn();
  });

  it("may answer nothing, and is then asked once more", async () => {
    const { agent, model, goesOn } = await open([{}, say("Here I am."), {}, {}]);
    const first = await agent(["--session", "s", "hello"]);
    expect(first.code).toBe(0);
    expect(endOf(first.events)).toMatchObject({ text: "Here I am.", steps: 2 });
    const second = await agent(["--session", "s", "hello"]);
    expect(second.code).toBe(0);
    expect(eventsOf(second.events, "warning")).toMatchObject([
      { message: expect.stringContaining("gave an empty answer twice") },
    ]);
    expect(model.requestCount).toBe(4);
    await goesOn();
  });

  it("that breaks off in the middle is asked again", async () => {
    const { agent, goesOn } = await open([
      { text: ["Half ", "of ", "it"], dropAfter: 3 },
      say("The whole of it."),
    ]);
    const { code, events } = await agent(["hello"]);
    expect(code).toBe(0);
    expect(eventsOf(events, "retry")).toHaveLength(1);
    expect(endOf(events)).toMatchObject({ reason: "end", text: "The whole of it." });
    await goesOn();
  });

  it.for(["openai", "anthropic", "google", "openai-compatible"] as const)(
    "of %s that does not get to an end is given up, and none of its calls is made",
    async (provider) => {
      const half: ModelAnswer = {
        text: ["Half ", "of ", "it ", "is ", "not ", "all."],
        ...call("write", { path: "b.txt", content: "b" }),
      };
      const { haft, modelOptions, model } = await open([
        { ...half, dropAfter: 4 },
        // Nothing is wrong with such a stream but that it is over.
        { ...half, endAfter: 4 },
        say("Back."),
      ]);
      const args = ["agent", "--json", "--yes", "--session", "s", ...modelOptions(provider)];
      const { code, stdout } = await haft([...args, "hello"]);
      const events = readEvents(stdout);
      expect(code).toBe(1);
      expect(endOf(events)).toMatchObject({ reason: "error" });
      expect(eventsOf(events, "tool-call")).toEqual([]);
      expect(model.requestCount).toBe(2);
      const after = await haft([...args, "and now?"]);
      expect(after.code).toBe(0);
      expect(endOf(readEvents(after.stdout)).text).toBe("Back.");
    },
  );

  it("that hangs is abandoned on request", async () => {
    const { startAgent, model, goesOn } = await open([{ hang: true }]);
    const run = startAgent(["--session", "s", "hello"]);
    await expect.poll(() => model.requestCount).toBe(1);
    run.child.kill("SIGINT");
    const { code, stdout } = await run.ended;
    expect(code).toBe(130);
    expect(endOf(readEvents(stdout))).toMatchObject({ reason: "aborted" });
    await goesOn();
  });

  it("may give a very long answer", async () => {
    const piece = "All work and no play. ".repeat(500);
    const { agent, goesOn } = await open([say(Array.from({ length: 300 }, () => piece))]);
    const { code, events } = await agent(["--session", "s", "write"]);
    expect(code).toBe(0);
    expect(endOf(events).text).toHaveLength(piece.length * 300);
    await goesOn();
  });

  it("may give all its calls one id", async () => {
    const same = { id: "same", name: "read", arguments: { path: "a.txt" } };
    const { agent, model, goesOn } = await open([
      calls([same, same]),
      calls([{ ...same, arguments: { path: "a.txt", limit: 1 } }]),
      say("Read."),
    ]);
    const { code, events } = await agent(["--session", "s", "look"]);
    expect(code).toBe(0);
    const ids = eventsOf(events, "tool-result").map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    const sent = model.requests[2]?.messages.flatMap(({ results = [] }) => results);
    expect(new Set(sent?.map(({ callId }) => callId))).toEqual(new Set(ids));
    await goesOn();
  });

  it("may send two megabytes as an argument", async () => {
    const content = "x".repeat(2_000_000);
    const { agent, read, goesOn } = await open([
      call("write", { path: "b.txt", content }),
      say("Written."),
    ]);
    const { code } = await agent(["--session", "s", "--yes", "write"]);
    expect(code).toBe(0);
    expect(read("b.txt").trimEnd()).toBe(content);
    await goesOn();
  });

  it("may think and say nothing but its thoughts", async () => {
    const { agent, goesOn } = await open([{ reasoning: "Hm." }, { reasoning: "Ah.", text: "So." }]);
    const { code, events } = await agent(["--session", "s", "think"]);
    expect(code).toBe(0);
    expect(eventsOf(events, "reasoning").map(({ text }) => text)).toEqual(["Hm.", "Ah."]);
    expect(endOf(events).text).toBe("So.");
    await goesOn();
  });

  it("may answer with something that is no stream at all", async () => {
    const { agent, goesOn } = await open([
      { status: 200, error: { message: "Welcome to the proxy." } },
      { status: 200, error: { message: "Welcome to the proxy." } },
    ]);
    const { code, events } = await agent(["--session", "s", "hello"]);
    expect(code).not.toBe(130);
    expect(endOf(events).reason).not.toBe("aborted");
    await goesOn();
  });
});

const next = "And then?";

function isNext({ lastText }: ModelRequest): boolean {
  return lastText.endsWith(next);
}

interface BadPlace extends Place {
  /** Checks that the session s takes another prompt, and that the model sees a talk that is in order. */
  goesOn(): Promise<void>;
}

async function open(script: Parameters<typeof openPlace>[0]): Promise<BadPlace> {
  const list = typeof script === "function" ? undefined : script;
  const answer = typeof script === "function" ? script : () => ({});
  let used = 0;
  const place = await openPlace((request, index) => {
    if (isNext(request)) return say("Back.");
    return list === undefined ? answer(request, index) : (list[used++] ?? say("(no more)"));
  }, files);
  const withSession: Place["agent"] = (args, situation) =>
    place.agent(args.includes("--session") ? args : ["--session", "s", ...args], situation);
  return {
    ...place,
    agent: withSession,
    goesOn: async () => {
      const { code, events, stderr } = await place.agent(["--session", "s", next]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(endOf(events)).toMatchObject({ reason: "end", text: "Back." });
      const { messages } = place.model.requests.at(-1) as ModelRequest;
      expect(messages[0]?.role).toBe("user");
      for (const [at, message] of messages.entries()) {
        const ids = message.calls?.map(({ id }) => id);
        if (ids === undefined) continue;
        expect(messages[at + 1]?.results?.map(({ callId }) => callId)).toEqual(ids);
      }
    },
  };
}
