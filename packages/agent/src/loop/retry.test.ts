import { APICallError } from "ai";
import { describe, expect, it } from "vitest";
import { retryDelay } from "./retry.ts";
import { eventsOf, openTestAgent } from "./test-support/open-test-agent.ts";
import { brokenConnection, linesOf, scriptModel } from "./test-support/script-model.ts";

function refusal(statusCode: number, responseHeaders: Record<string, string> = {}): APICallError {
  return new APICallError({
    message: `HTTP ${statusCode}`,
    url: "https://api.test/v1",
    requestBodyValues: {},
    statusCode,
    responseHeaders,
    responseBody: "",
  });
}

describe("a request that fails", () => {
  it("is retried when the provider says", async () => {
    const limited = { error: refusal(429, { "retry-after": "7" }) };
    const { prompt, events, waits } = openTestAgent(scriptModel([limited, { text: "Here." }]));
    expect(await prompt("Go.")).toMatchObject({ reason: "end", text: "Here.", steps: 1 });
    expect(waits).toEqual([7000]);
    expect(eventsOf(events, "retry")).toEqual([
      {
        type: "retry",
        attempt: 1,
        delay_ms: 7000,
        reason: expect.stringContaining("limits the rate"),
      },
    ]);
  });

  it("is retried four times by default, and then reported", async () => {
    const model = scriptModel(() => ({ error: refusal(503) }));
    const { prompt, waits, entries } = openTestAgent(model);
    expect(await prompt("Go.")).toMatchObject({
      reason: "error",
      error: expect.stringContaining("503"),
    });
    expect(model.requests).toHaveLength(5);
    expect(waits).toHaveLength(4);
    expect(entries().at(-1)).toMatchObject({ kind: "turn-end", reason: "error" });
  });

  it("is retried as often as configured", async () => {
    const model = scriptModel(() => ({ error: refusal(503) }));
    await openTestAgent(model, { limits: { retries: 0 } }).prompt("Go.");
    expect(model.requests).toHaveLength(1);
  });

  it("is not retried if that can't help, and the next turn continues", async () => {
    const model = scriptModel([{ error: refusal(401) }, { text: "Here." }]);
    const { prompt, waits } = openTestAgent(model);
    expect(await prompt("First.")).toMatchObject({ reason: "error" });
    expect(waits).toEqual([]);
    expect(await prompt("Second.")).toMatchObject({ reason: "end", text: "Here." });
    expect(linesOf(model.requests[1]).slice(1)).toEqual(["user: First.", "user: Second."]);
  });

  it.each([
    ["breaks", { drop: brokenConnection }],
    ["ends without an end", { finish: "error" }],
  ] as const)(
    "whose answer %s is made again as a whole, with nothing stored or run",
    async (_, how) => {
      const calls = [{ id: "c", name: "gone", input: {} }];
      const model = scriptModel([{ text: "Half", calls, ...how }, { text: "Whole." }]);
      const { prompt, events, entries } = openTestAgent(model);
      expect(await prompt("Go.")).toMatchObject({ reason: "end", text: "Whole." });
      expect(eventsOf(events, "retry")).toHaveLength(1);
      expect(eventsOf(events, "tool-call")).toEqual([]);
      expect(entries().map(({ kind }) => kind)).toEqual(["user", "assistant", "turn-end"]);
    },
  );

  it("is sent without its files from the next turn on, if they may be the cause", async () => {
    const model = scriptModel([{ error: refusal(400) }, { text: "Here." }]);
    const { agent, prompt, events } = openTestAgent(model);
    const picture = { type: "file", mediaType: "image/tiff", data: "aGk=" } as const;
    const words = { type: "text", text: "Which colour?" } as const;
    expect(await agent.prompt([words, picture])).toMatchObject({ reason: "error" });
    expect(await prompt("And now?")).toMatchObject({ reason: "end" });
    expect(linesOf(model.requests[0]).at(-1)).toBe("user: [file]");
    expect(linesOf(model.requests[1]).slice(1)).toEqual([
      "user: Which colour?",
      "user: [image/tiff, no longer shown]",
      "user: And now?",
    ]);
    expect(eventsOf(events, "warning")).toEqual([]);
  });

  it("is not retried once the turn is aborted", async () => {
    const controller = new AbortController();
    const model = scriptModel(() => ({ error: refusal(503) }));
    const { prompt } = openTestAgent(model, {
      wait: async (_, signal) => {
        controller.abort();
        signal.throwIfAborted();
      },
    });
    expect(await prompt("Go.", { signal: controller.signal })).toMatchObject({ reason: "aborted" });
    expect(model.requests).toHaveLength(1);
  });

  it("uses a real timer by default", async () => {
    const limited = { error: refusal(429, { "retry-after-ms": "1" }) };
    const model = scriptModel([limited, { text: "Here." }]);
    const { prompt } = openTestAgent(model, { wait: undefined as never });
    expect(await prompt("Go.")).toMatchObject({ reason: "end" });
  });
});

describe("a thread that is too long for the model", () => {
  const tooLong = new APICallError({
    message: "prompt is too long",
    url: "https://api.test/v1",
    requestBodyValues: {},
    statusCode: 400,
    responseBody: '{"error":{"code":"context_length_exceeded"}}',
    data: { error: { code: "context_length_exceeded" } },
  });

  it("is shortened and sent again", async () => {
    const model = scriptModel([{ text: "One." }, { error: tooLong }, { text: "Two." }]);
    const { prompt, events } = openTestAgent(model);
    await prompt(`First. ${"word ".repeat(500)}`);
    expect(await prompt("Second.")).toMatchObject({ reason: "end", text: "Two." });
    expect(linesOf(model.requests[2]).slice(1)).toEqual(["user: Second."]);
    expect(eventsOf(events, "warning")).toHaveLength(1);
  });

  it("is an error if nothing can be left out", async () => {
    const model = scriptModel(() => ({ error: tooLong }));
    const { prompt } = openTestAgent(model);
    expect(await prompt("Go.")).toMatchObject({
      reason: "error",
      error: expect.stringContaining("too long"),
    });
    expect(model.requests).toHaveLength(1);
  });
});

describe("the wait before another try", () => {
  it("doubles up to half a minute", () => {
    const delays = [1, 2, 3, 7, 20].map((attempt) => retryDelay(attempt, undefined, () => 1));
    expect(delays).toEqual([500, 1000, 2000, 30_000, 30_000]);
  });

  it("is randomized down to half as long", () => {
    expect(retryDelay(1, undefined, () => 0)).toBe(250);
  });

  it("is what the provider says, up to a minute", () => {
    expect([0, 7000, 3_600_000, -1].map((wished) => retryDelay(1, wished))).toEqual([
      0, 7000, 60_000, 0,
    ]);
  });
});
