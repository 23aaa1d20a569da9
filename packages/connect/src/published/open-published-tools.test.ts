import { createMemoryComputer } from "@haft/computer/memory";
import { createRegistry, createSession, type Session } from "@haft/core";
import { describe, expect, it } from "vitest";
import { addToolSource } from "../tool-source.ts";
import {
  openPublishedTools,
  type PublishedTools,
  type PublishedToolsOptions,
} from "./open-published-tools.ts";
import {
  type FakeInput,
  type FakeTool,
  fail,
  startFakePlatform,
  succeed,
} from "./test-support/fake-platform.ts";

const weatherId = "a".repeat(24);
const bookingId = "b".repeat(24);
const gate = (): { open(): void; opened: Promise<void> } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { open: resolve, opened: promise };
};

function makeTools(heard: FakeInput[] = []): FakeTool[] {
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const answer = (version: string) =>
    async function* (input: FakeInput) {
      heard.push(input);
      yield ["status", { input_index: 0, event: "looking" }] as [string, unknown];
      yield succeed(`${version}: ${input.parameters.city}`);
    };
  return [
    {
      id: weatherId,
      name: "weather",
      versions: ["1.0.0", "2.0.0"].map((text) => ({ text, schema, run: answer(text) })),
    },
    {
      id: bookingId,
      name: "booking",
      versions: [
        {
          text: "1.0.0",
          run: async function* () {
            yield fail("ValueError", "no seat");
          },
        },
      ],
    },
  ];
}

interface Opened {
  readonly session: Session;
  readonly published: PublishedTools;
  readonly warnings: string[];
}

async function open(
  tools: readonly FakeTool[],
  states: PublishedToolsOptions["states"],
  options: Partial<PublishedToolsOptions> = {},
): Promise<Opened> {
  const { url } = await startFakePlatform(tools);
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const published = await openPublishedTools({
    platform: { url, apiKey: "key" },
    states,
    warn,
    ...options,
  });
  const registry = createRegistry();
  addToolSource(registry, published, warn);
  const session = createSession({
    registry,
    computer: createMemoryComputer(),
    rules: [{ permission: "*", pattern: "*", action: "allow" }],
  });
  return { session, published, warnings };
}

const names = (session: Session): string[] => session.tools().map(({ name }) => name);

describe("openPublishedTools", () => {
  it("shows a tool of a spec as its version describes it, with the instruction behind", async () => {
    const { session } = await open(makeTools(), [
      { tool_id: weatherId, additional_instruction: "Ask for the city first." },
    ]);
    expect(names(session)).toEqual(["weather", "get_tool_call_status"]);
    expect(session.tools()[0]).toMatchObject({
      description: "About weather.\n\nAsk for the city first.",
      input_schema: { required: ["city"] },
    });
  });

  it("tells the model the form of the output", async () => {
    const [tool] = makeTools() as [FakeTool];
    const versions = tool.versions.map((each) => ({ ...each, output: { type: "number" } }));
    const { session } = await open([{ ...tool, versions }], [{ tool_id: weatherId }]);
    expect(session.tools()[0]?.description).toBe(
      'About weather.\n\nThe output matches this JSON Schema: {"type":"number"}',
    );
  });

  it("removes hidden characters from descriptions but not from listed values", async () => {
    const hidden = "a\u202eb";
    const properties = {
      city: { type: "string", description: hidden, enum: [hidden] },
      default: { type: "string", title: hidden },
    };
    const version = { text: "1.0.0", schema: { type: "object", properties } };
    const run = async function* () {
      yield succeed("");
    };
    const tool = { id: weatherId, name: "weather", versions: [{ ...version, run }] };
    const { session } = await open([tool], [{ tool_id: weatherId }]);
    expect(session.tools()[0]?.input_schema.properties).toMatchObject({
      city: { description: "ab", enum: [hidden] },
      default: { title: "ab" },
    });
  });

  it("invokes the version that matches the constraint", async () => {
    const heard: FakeInput[] = [];
    const spec = { tool_id: weatherId, version_constraint: "==1.0.0" };
    const { session } = await open(makeTools(heard), [spec]);
    expect(await session.call({ name: "weather", arguments: { city: "Bern" } })).toMatchObject({
      data: "1.0.0: Bern",
      metadata: { persistence: "persisted", isolation: "sandbox" },
    });
    expect(heard[0]?.body).toEqual({
      inputs: [
        {
          input_parameters: { city: "Bern" },
          invocation_mode: "regular",
          nonsensitive_user_variables: {},
          sensitive_user_variables: {},
        },
      ],
    });
  });

  // 004:126-128 and 178
  it.each([
    [undefined, "ephemeral"],
    ["persisted-preferred", "ephemeral"],
    ["ephemeral", "ephemeral"],
    ["persisted", "too-large"],
  ] as const)("keeps results as the spec says: %s with 5,001 characters is %s", async (...row) => {
    const [result_persistence, end] = row;
    const run = async function* () {
      yield succeed("x".repeat(5_001));
    };
    const tool = { id: weatherId, name: "weather", versions: [{ text: "1.0.0", run }] };
    const spec = { tool_id: weatherId, ...(result_persistence && { result_persistence }) };
    const { session } = await open([tool], [spec]);
    const { metadata } = await session.call({ name: "weather" });
    expect(metadata.error_code ?? metadata.persistence).toBe(end);
  });

  it("says what failed, and what the platform would not take", async () => {
    const { session } = await open(makeTools(), [{ tool_id: bookingId }, { tool_id: weatherId }]);
    expect(await session.call({ name: "booking" })).toMatchObject({
      error_text: "booking failed: ValueError: no seat",
      metadata: { error_code: "failed" },
    });
    expect(await session.call({ name: "weather", arguments: {} })).toMatchObject({
      metadata: { error_code: "invalid-arguments" },
    });
  });

  it("sends mode, variables and where the call comes from", async () => {
    const heard: FakeInput[] = [];
    const { session } = await open(makeTools(heard), [{ tool_id: weatherId }], {
      mode: "conversation-simulation",
      userVariables: { seat: "12" },
      sensitiveUserVariables: { token: "t" },
      conversation: () => ({
        userId: "u",
        conversationId: "c",
        interactionId: "i",
        stateMachine: ["graph", 3],
        round: 1,
        context: { language: "de" },
      }),
    });
    await session.call({ name: "weather", arguments: { city: "Bern" } });
    expect(heard[0]?.body).toMatchObject({
      inputs: [
        {
          invocation_mode: "conversation-simulation",
          nonsensitive_user_variables: { seat: "12" },
          sensitive_user_variables: { token: "t" },
        },
      ],
      conversation: { language: "de" },
      source: {
        type: "regular-conversation",
        user_id: "u",
        conversation_id: "c",
        interaction_id: "i",
        invocation_metadata: {
          type: "engage-user",
          current_state_machine_and_version: ["graph", 3],
          tool_call_round_index: 1,
        },
      },
    });
  });

  // 004:54-56
  it("names the user of the key in a conversation that names none", async () => {
    const heard: FakeInput[] = [];
    const { session } = await open(makeTools(heard), [{ tool_id: weatherId }], {
      conversation: () => ({
        conversationId: "c",
        interactionId: "i",
        stateMachine: ["graph", 1],
        round: 0,
      }),
    });
    await session.call({ name: "weather", arguments: { city: "Bern" } });
    expect(heard[0]?.body).toMatchObject({ source: { user_id: "user", conversation_id: "c" } });
  });

  it("has the tools of the present state only, from the next turn on", async () => {
    const { session, published } = await open(makeTools(), [
      {
        type: "action",
        name: "ask",
        action_tool_call_specs: [{ tool_id: weatherId }],
        exit_condition_tool_call_specs: [{ tool_id: bookingId }],
      },
      { type: "decision", name: "decide", tool_call_specs: [{ tool_id: bookingId }] },
    ]);
    expect(names(session)).toEqual(["weather", "get_tool_call_status"]);
    published.enterState("decide");
    // The turn goes on with what it began with.
    expect(await session.call({ name: "weather", arguments: { city: "Bern" } })).toMatchObject({
      data: "2.0.0: Bern",
    });
    expect(await session.call({ name: "booking" })).toMatchObject({
      metadata: { error_code: "not-available" },
    });
    session.startStep();
    expect(names(session)).toEqual(["get_tool_call_status", "booking"]);
    expect(await session.call({ name: "weather", arguments: { city: "Bern" } })).toMatchObject({
      metadata: { error_code: "unknown-tool" },
    });
    published.enterState("ask", "exit-condition");
    session.startStep();
    expect(names(session)).toContain("booking");
    expect(() => published.enterState("nowhere")).toThrow(/There is no state "nowhere"/u);
  });

  it("reports a filler once if a call takes long, and none otherwise", async () => {
    const { open: release, opened } = gate();
    const slow: FakeTool = {
      id: weatherId,
      name: "weather",
      versions: [
        {
          text: "1.0.0",
          run: async function* () {
            await opened;
            yield succeed("done");
          },
        },
      ],
    };
    const spec = {
      tool_id: weatherId,
      audio_fillers: ["Let me look…"],
      audio_filler_triggered_after: 0.01,
    };
    const { session } = await open([slow], [spec]);
    const fillers: unknown[] = [];
    session.on("tool:progress", ({ progress }) => {
      fillers.push(progress.filler);
      release();
    });
    await session.call({ name: "weather" });
    expect(fillers).toEqual(["Let me look…"]);

    const { session: quick } = await open(makeTools(), [
      { tool_id: weatherId, audio_fillers: ["Hm"], audio_filler_triggered_after: 60 },
    ]);
    const said: unknown[] = [];
    quick.on("tool:progress", ({ progress }) => said.push(progress));
    await quick.call({ name: "weather", arguments: { city: "Bern" } });
    expect(said).toEqual([{ message: "looking" }]);
  });

  it("reports the status of calls in every state", async () => {
    const { open: release, opened } = gate();
    const told = gate();
    const slow: FakeTool = {
      id: weatherId,
      name: "weather",
      versions: [
        {
          text: "1.0.0",
          run: async function* () {
            yield ["status", { input_index: 0, event: { step: 1 } }];
            await opened;
            yield succeed("done");
          },
        },
      ],
    };
    const { session } = await open([slow], [{ tool_id: weatherId }]);
    session.on("tool:progress", () => told.open());
    const running = session.call({ id: "one", name: "weather" });
    await told.opened;
    const ask = (id: string) =>
      session.call({ name: "get_tool_call_status", arguments: { tool_call_id: id } });
    expect(await ask("one")).toMatchObject({
      data: {
        calls: [{ tool: "weather", status: "in-progress", latest_status_event: { step: 1 } }],
      },
    });
    release();
    await running;
    expect(await session.call({ name: "get_tool_call_status" })).toMatchObject({
      data: { calls: [{ tool_call_id: "one", status: "succeeded" }] },
    });
    expect(await ask("two")).toMatchObject({ metadata: { error_code: "not-found" } });
  });

  // 004:109: system tools do not need to be listed in a state.
  it("hands the conversation over by forward_call in every state, if the host can", async () => {
    const asked: unknown[] = [];
    const { session, published } = await open(
      makeTools(),
      [
        { type: "action", name: "ask", action_tool_call_specs: [{ tool_id: weatherId }] },
        { type: "decision", name: "decide" },
      ],
      {
        forwardCall: async (request) => {
          asked.push(request);
          if (request.destination === "nobody") throw new Error("The line is busy.");
          return "Support takes over.";
        },
      },
    );
    published.enterState("decide");
    session.startStep();
    const forward = (destination: string) =>
      session.call({ name: "forward_call", arguments: { destination, reason: "asked for it" } });
    expect(await forward("support")).toMatchObject({ data: "Support takes over." });
    expect(await forward("nobody")).toMatchObject({ type: "error" });
    expect(asked[0]).toEqual({ destination: "support", reason: "asked for it" });
  });

  it("leaves out missing tools with a warning", async () => {
    const tools = makeTools();
    const gone = { id: "c".repeat(24), name: "old", deprecated: true, versions: [] };
    const { session, warnings } = await open(
      [...tools, gone],
      [
        { tool_id: weatherId, version_constraint: "==9.0.0" },
        { tool_id: gone.id },
        { tool_id: "d".repeat(24) },
        { tool_id: bookingId },
      ],
    );
    expect(names(session)).toEqual(["booking", "get_tool_call_status"]);
    expect(warnings).toEqual([
      "published: the tool old is deprecated, so it is left out.",
      `published: the tool ${"d".repeat(24)} does not exist, so it is left out.`,
      "published: weather has no version that matches ==9.0.0, so it is left out.",
    ]);
  });

  it("takes newer versions from the next turn on, and notices one that is gone", async () => {
    const tools = makeTools();
    const [weather] = tools as [FakeTool];
    const [first, second] = weather.versions as [FakeTool["versions"][0], FakeTool["versions"][0]];
    weather.versions = [first];
    const { session, published } = await open(tools, [{ tool_id: weatherId }]);
    weather.versions = [second];
    const ask = () => session.call({ name: "weather", arguments: { city: "Bern" } });
    expect(await ask()).toMatchObject({
      error_text: "The platform could not run this request: 1.0.0 is deprecated.",
      metadata: { error_code: "unavailable" },
    });
    await published.refresh();
    session.startStep();
    expect(await ask()).toMatchObject({ data: "2.0.0: Bern" });
  });

  it("explains an unreachable platform and a refused key", async () => {
    await expect(
      openPublishedTools({
        platform: { url: "http://127.0.0.1:1", apiKey: "key" },
        states: [],
        warn: () => {},
      }),
    ).rejects.toThrow(/no state|does not respond/u);
    const { url } = await startFakePlatform([]);
    await expect(
      openPublishedTools({
        platform: { url, apiKey: "other" },
        states: [{ tool_id: weatherId }],
        warn: () => {},
      }),
    ).rejects.toThrow("The platform refused this API key: Who?");
  });
});
