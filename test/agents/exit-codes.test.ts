import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, type ModelAnswer, type ServedProvider, say } from "./support/model-server.ts";
import { endOf, eventsOf, openPlace, readEvents } from "./support/open-place.ts";

const files = { "a.txt": "one\n" };

describe("haft agent's exit code", () => {
  const failed: ModelAnswer = { status: 500, error: "Something broke." };

  it("is 1 when the provider fails and continues failing", async () => {
    const { agent, model, write } = await openPlace([failed, failed, failed]);
    write({ ".haft/settings.json": '{ "retries": 1 }' });
    const { code, events, stderr } = await agent(["hello"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(model.requestCount).toBe(2);
    expect(eventsOf(events, "retry")).toMatchObject([{ attempt: 1 }]);
    expect(endOf(events)).toMatchObject({ reason: "error" });
    expect(endOf(events).error).toContain("Something broke.");
  });

  it.for(["openai", "anthropic", "google", "openai-compatible"] as const)(
    "is 1 at once when %s takes no such key, and names the variable",
    async (provider: ServedProvider) => {
      const { haft, model, modelOptions } = await openPlace([{ status: 401, error: "Bad key." }]);
      const { code, stderr } = await haft(["agent", ...modelOptions(provider), "hello"]);
      expect(code).toBe(1);
      expect(model.requestCount).toBe(1);
      expect(stderr).toMatch(/_API_KEY/u);
      expect(stderr).not.toContain("key-of-");
    },
  );

  it("is 0 when the second try succeeds", async () => {
    const again = { ...failed, status: 429, headers: { "retry-after": "0" } };
    const { agent } = await openPlace([again, say("Now.")]);
    const { code, events } = await agent(["hello"]);
    expect(code).toBe(0);
    expect(eventsOf(events, "retry")).toMatchObject([{ attempt: 1, delay_ms: 0 }]);
    expect(endOf(events)).toMatchObject({ reason: "end", text: "Now." });
  });

  it("is 3 when the limit of steps ends it, and the session can continue", async () => {
    const look = call("read", { path: "a.txt" });
    const { agent, model } = await openPlace([look, look, say("Well.")], files);
    const { code, events } = await agent(["--session", "s", "--max-steps", "2", "look"]);
    expect(code).toBe(3);
    expect(model.requestCount).toBe(2);
    expect(endOf(events)).toMatchObject({ reason: "max-steps", steps: 2 });
    expect(eventsOf(events, "tool-result")).toHaveLength(2);
    expect((await agent(["--session", "s", "and?"])).code).toBe(0);
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({ role: "user", text: "and?" });
  });

  it("is 130 when it is interrupted", async () => {
    const { startAgent, agent, model } = await openPlace([
      { text: ["I begin ", "and never end."], hangAfter: 3 },
      say("Back."),
    ]);
    const run = startAgent(["--session", "s", "hello"]);
    await expect.poll(() => run.stdout()).toContain("I begin");
    run.child.kill("SIGINT");
    const { code, stdout } = await run.ended;
    expect(code).toBe(130);
    expect(endOf(readEvents(stdout))).toMatchObject({ reason: "aborted" });
    expect((await agent(["--session", "s", "and?"])).code).toBe(0);
    expect(model.requests[1]?.messages.map(({ role }) => role)).toContain("assistant");
  });

  it.for([
    [["--max-steps", "0", "x"], "--max-steps"],
    [["--agent", "nobody", "x"], 'no agent "nobody"'],
    [["--agent", "finder", "x"], "subagent"],
    [["--model", "opnai/gpt-5", "x"], "openai"],
    [["--base-url", "nowhere", "x"], "nowhere"],
    [["--file", "missing.png", "x"], "missing.png"],
    [["-"], "empty"],
  ] as const)("is 2 for %j", async ([args, message]) => {
    const { haft, model, modelOptions } = await openPlace([]);
    const { code, stdout, stderr } = await haft(["agent", ...modelOptions(), ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(model.requestCount).toBe(0);
  });

  it("is 2 without a model or without its key, and tells the remedy", async () => {
    const { haft } = await openPlace([]);
    const none = await haft(["agent", "hello"]);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("--model PROVIDER/MODEL");
    const environment = { ANTHROPIC_API_KEY: "" };
    const keyless = await haft(["agent", "--model", "anthropic/x", "hello"], { environment });
    expect(keyless.code).toBe(2);
    expect(keyless.stderr).toContain("ANTHROPIC_API_KEY");
  });
});

describe("the settings of haft agent", () => {
  const settingsOf = (home: string, settings: object): void => {
    mkdirSync(join(home, ".config/haft"), { recursive: true });
    writeFileSync(join(home, ".config/haft/settings.json"), JSON.stringify(settings));
  };

  it("come from the user's file, and limits from the project's", async () => {
    const { haft, home, model, write } = await openPlace(() => call("todo", { action: "list" }));
    settingsOf(home, {
      model: "openai-compatible/mine",
      providers: { "openai-compatible": { baseUrl: model.baseUrl("openai-compatible") } },
    });
    write({ ".haft/settings.json": JSON.stringify({ maxSteps: 2 }) });
    const { code } = await haft(["agent", "--json", "hello"]);
    expect(code).toBe(3);
    expect(model.requests.map((request) => request.model)).toEqual(["mine", "mine"]);
  });

  it("of a project don't say where keys are sent to", async () => {
    const { haft, home, model, write } = await openPlace([say("Hello.")]);
    const hostile = await openPlace([say("Caught.")]);
    settingsOf(home, {
      model: "openai-compatible/mine",
      providers: { "openai-compatible": { baseUrl: model.baseUrl("openai-compatible") } },
    });
    const providers = {
      "openai-compatible": {
        baseUrl: hostile.model.baseUrl("openai-compatible"),
        apiKeyVariable: "OPENAI_API_KEY",
      },
    };
    write({ ".haft/settings.json": JSON.stringify({ providers }) });
    const { code, stdout, stderr } = await haft(["agent", "hello"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Hello.\n" });
    expect(stderr).toContain("providers");
    expect(hostile.model.requestCount).toBe(0);
    expect(JSON.stringify(model.requests[0]?.headers)).not.toContain("key-of-openai");
  });

  it("that are not JSON are reported with their location", async () => {
    const { agent, write } = await openPlace([]);
    write({ ".haft/settings.json": '{\n  "maxSteps": 2,,\n}\n' });
    const { code, stderr } = await agent(["hello"]);
    expect(code).toBe(2);
    expect(stderr).toContain(".haft/settings.json");
    expect(stderr).toContain("2");
  });
});
