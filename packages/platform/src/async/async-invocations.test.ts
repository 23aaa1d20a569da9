import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import type { InboxItem, InboxPage } from "../inbox/inbox-schemas.ts";
import { expectStatus } from "../serve/test-support/create-outsider.ts";
import { openPlatform, type TestPlatform } from "../serve/test-support/open-platform.ts";
import { nodeProject, pythonProject } from "../serve/test-support/tool-projects.ts";
import { newDatabase } from "../test-support/postgres.ts";
import type { AcceptedInvocations, AsyncInvocation } from "./async-schemas.ts";

// Does what the member `do` of its input says.
const code = `
const deeds = {
  greet: async ({ toolInput, sendStatusEvent }) => {
    sendStatusEvent("greeting");
    return "Hello " + toolInput.name;
  },
  sleep: async ({ sleep, step, sendStatusEvent }) => {
    console.log("before");
    const value = await step("random", () => Math.random());
    sendStatusEvent("tired");
    await sleep("50ms");
    console.log("after");
    const again = await step("random", () => Math.random());
    return { value, isNew: value !== again };
  },
  ask: async ({ ask, config, toolInput }) => {
    try {
      const answer = await ask({
        question: "Send " + config.TOKEN + "?",
        schema: { type: "object", properties: { yes: { type: "boolean" } }, required: ["yes"] },
        ...toolInput.options,
      });
      return { answer };
    } catch (error) {
      return { caught: error.name, message: error.message };
    }
  },
  several: async ({ ask, sleep }) => {
    const first = await Promise.race([
      ask({ question: "one?" }).then((answer) => ["one", answer]),
      ask({ question: "two?" }).then((answer) => ["two", answer]),
    ]);
    await sleep(1);
    return first;
  },
  diverge: async ({ sleep, step }) => {
    await step(globalThis.crypto.randomUUID(), () => 1);
    await sleep(1);
  },
  fail: async ({ step }) => {
    await step("failing", () => { throw new RangeError("too far"); });
  },
  wait: () => new Promise(() => setInterval(() => {}, 1000)),
};
export const runTool = (call) => deeds[call.toolInput.do](call);
`;

const pythonCode = `
import random
from amigo_tool_scaffold.waiting import AskTimeout, StepError, ask, sleep, step


async def run_tool(tool_input, metadata, config, conversation, send_status_event, user_variables):
    print("before")
    number = await step("random", random.random)
    await sleep("50ms")
    print("after")
    try:
        await step("failing", lambda: {}["missing"])
    except KeyError as error:
        caught = type(error).__name__
    try:
        answer = await ask("Go?", schema={"type": "boolean"}, **tool_input.get("options", {}))
    except AskTimeout:
        answer = "late"
    name = "again" if tool_input.get("same", True) else str(random.random())
    again = await step(name, random.random)
    if not tool_input.get("same", True):
        await sleep(1)
    return {"answer": answer, "caught": caught, "isNew": number != again}
`;

describe.each([
  { store: "SQLite", database: async () => undefined },
  ...(isMissing("pg_ctlcluster") ? [] : [{ store: "PostgreSQL", database: newDatabase }]),
])("asynchronous invocations on $store", ({ database }) => {
  let platform: TestPlatform;
  let toolId: string;
  beforeAll(async () => {
    const settings = {
      runner: { blankWorkers: 1 },
      async: { maxWaitDays: 2, maxActiveMs: 60_000 },
    };
    platform = await openPlatform({ database: await database(), settings });
    await platform.push(nodeProject("waiter", {}, code));
    toolId = await platform.createTool("waiter");
    const inserts = [{ name: "TOKEN", value: "s3cret-token", is_secret: true }];
    await platform.call("POST", `tool/${toolId}/envvar`, { body: { inserts } });
    await platform.publish(toolId, "waiter");
  }, 60_000);
  afterAll(() => platform?.close());

  const invokeAsync = async (
    input: object,
    headers: Readonly<Record<string, string>> = {},
    tool = toolId,
  ): Promise<string> => {
    const inputs = [{ input_parameters: input }];
    const answer = await platform.invoke({ id: tool }, inputs, {
      prefer: "respond-async",
      ...headers,
    });
    const { invocations } = expectStatus(answer, 202) as unknown as AcceptedInvocations;
    expect(answer.headers.get("location")).toBe(invocations[0]?.status_url);
    return invocations[0]?.id ?? "";
  };
  const readStatus = async (id: string, seconds = 0): Promise<AsyncInvocation> =>
    expectStatus(
      await platform.call<AsyncInvocation>(
        "GET",
        `tool/invocation/${id}/status?wait_seconds=${seconds}`,
      ),
      200,
    );
  const untilEnded = async (id: string): Promise<unknown> => {
    const { state, result } = await readStatus(id, 30);
    expect(state).toBe("ended");
    if (result === null || !result.succeeded) return result;
    return JSON.parse(
      result.output.startsWith("{") || result.output.startsWith("[")
        ? result.output
        : JSON.stringify(result.output),
    );
  };
  const findItem = async (id: string): Promise<InboxItem> => {
    let found: InboxItem | undefined;
    const look = async (): Promise<boolean> => {
      const { body } = await platform.call<InboxPage>("GET", "inbox");
      found = body.items.find(({ source }) => source.id === id);
      return found !== undefined;
    };
    await expect.poll(look, { timeout: 20_000 }).toBe(true);
    return found as unknown as InboxItem;
  };

  it("answers 202 with ids, and gives the result when it is asked for", async () => {
    const id = await invokeAsync({ do: "greet", name: "Ada" });
    expect(await untilEnded(id)).toBe("Hello Ada");
    expect((await platform.call("GET", `tool/invocation/${id}`)).body).toMatchObject({
      invocation_status: { succeeded: true, output: "Hello Ada" },
    });
  });

  it("continues after a sleep with the results of its steps", async () => {
    const id = await invokeAsync({ do: "sleep" });
    expect(await untilEnded(id)).toMatchObject({ isNew: true, value: expect.any(Number) });
    const logs = await platform.call("GET", `tool/invocation/${id}/logs`);
    expect(logs.body).toMatchObject({ stdout: { text: "before\nafter\n" } });
    const events = await platform.call("GET", `tool/invocation/${id}/events`);
    expect(events.text.match(/^event: \w+$/gmu)?.filter((line) => line !== "event: state")).toEqual(
      ["event: status", "event: result"],
    );
    const last = await platform.call("GET", `tool/invocation/${id}/events`, {
      headers: { "last-event-id": "5" },
    });
    expect(last.text).not.toContain("id: 5\n");
    expect(events.text.endsWith(last.text)).toBe(true);
  });

  it("asks in the inbox, checks the answer, and takes the first of several", async () => {
    const id = await invokeAsync({ do: "ask", note: "s3cret-token" });
    const item = await findItem(id);
    expect(item).toMatchObject({
      ...{ kind: "question", state: "waiting", tool_name: "waiter", tool_version: "1.0.0" },
      // Secrets are masked.
      question: expect.stringMatching(/^Send (?!s3cret)\S+\?$/u),
      arguments: { note: expect.not.stringContaining("s3cret") },
      source: { type: "invocation", id },
    });
    expect(await readStatus(id)).toMatchObject({
      state: "waiting",
      waiting_for: [{ kind: "question", inbox_id: item.id, until: item.deadline_at }],
    });
    const answer = (yes: unknown): ReturnType<TestPlatform["call"]> =>
      platform.call("POST", `inbox/${item.id}`, { body: { answer: { yes } } });
    const wrong = await answer("maybe");
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain("yes must be boolean");
    const answers = await Promise.all([answer(true), answer(true), answer(true)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.text).toContain(platform.userId);
    expect(await untilEnded(id)).toEqual({ answer: { yes: true } });
    const { body } = await platform.call<InboxItem>("GET", `inbox/${item.id}`);
    expect(body).toMatchObject({
      ...{ state: "answered", answered_by: platform.userId, answer: { yes: true } },
    });
    const audit = await platform.call("GET", `organization/audit?target=${item.id}`);
    expect(audit.text).toContain("inbox.answer");
  });

  it("lets the tool catch a deadline, and a question that can't be asked", async () => {
    const [late, far, bad] = await Promise.all([
      invokeAsync({ do: "ask", options: { deadline: "20ms" } }),
      invokeAsync({ do: "ask", options: { deadline: "3d" } }),
      invokeAsync({ do: "ask", options: { schema: { type: "nothing" } } }),
    ]);
    expect(await untilEnded(late)).toMatchObject({ caught: "AskTimeout" });
    expect(await untilEnded(far)).toMatchObject({
      ...{ caught: "InvalidWait", message: expect.stringContaining("2 days") },
    });
    expect(await untilEnded(bad)).toMatchObject({
      ...{ caught: "InvalidWait", message: expect.stringContaining("schema") },
    });
    const { body } = await platform.call<InboxPage>("GET", "inbox?state=expired");
    expect(body.items.filter(({ source }) => source.id === late)).toHaveLength(1);
  });

  it("repeats results in the order in which they arrived", async () => {
    const id = await invokeAsync({ do: "several" });
    await findItem(id);
    const { waiting_for } = await readStatus(id);
    const [one, two] = waiting_for.map(({ inbox_id }) => `inbox/${inbox_id}`) as [string, string];
    await platform.call("POST", two, { body: { answer: 2 } });
    await platform.call("POST", one, { body: { answer: 1 } });
    expect(await untilEnded(id)).toEqual(["two", 2]);
  });

  it("ends an invocation that calls other steps than were recorded, or throws", async () => {
    const [other, failing] = await Promise.all([
      invokeAsync({ do: "diverge" }),
      invokeAsync({ do: "fail" }),
    ]);
    expect(await untilEnded(other)).toMatchObject({
      ...{ succeeded: false, exception_type: "Diverged" },
      exception_message: expect.stringMatching(/call 1 was step .* this time .* called step/u),
    });
    expect(await untilEnded(failing)).toMatchObject({
      ...{ succeeded: false, exception_type: "RangeError", exception_message: "too far" },
    });
  });

  it("cancels what runs and what waits", async () => {
    const running = await invokeAsync({ do: "wait" });
    await expect.poll(async () => (await readStatus(running)).state).toBe("running");
    const waiting = await invokeAsync({ do: "ask" });
    const item = await findItem(waiting);
    for (const id of [running, waiting]) {
      expectStatus(await platform.call("POST", `tool/invocation/${id}/cancel`), 200);
      expect(await untilEnded(id)).toMatchObject({ exception_type: "Cancelled" });
    }
    const late = await platform.call("POST", `inbox/${item.id}`, {
      body: { answer: { yes: true } },
    });
    expect(late.status).toBe(409);
  });

  it("runs once for an idempotency key", async () => {
    const headers = { "idempotency-key": "once" };
    const first = await invokeAsync({ do: "sleep" }, headers);
    expect(await invokeAsync({ do: "sleep" }, headers)).toBe(first);
    const inputs = [{ input_parameters: { do: "sleep" } }];
    expect((await platform.invoke({ id: toolId }, inputs, headers)).status).toBe(422);
    await untilEnded(first);
  });

  it("refuses to wait in a synchronous invocation", async () => {
    const inputs = [{ do: "ask" }, { do: "sleep" }].map((input_parameters) => ({
      input_parameters,
    }));
    const { invocation_results } = expectStatus(await platform.invoke({ id: toolId }, inputs), 200);
    expect(invocation_results[0]).toMatchObject({
      output: expect.stringContaining("Prefer: respond-async"),
    });
    // Short sleeps hold the process.
    expect(invocation_results[1]).toMatchObject({ succeeded: true });
  });

  it("does the same in Python", async () => {
    await platform.push(pythonProject("snake", {}, pythonCode));
    const snake = await platform.createTool("snake");
    await platform.publish(snake, "snake");
    const startSnake = (input: object): Promise<string> => invokeAsync(input, {}, snake);
    const id = await startSnake({});
    const item = await findItem(id);
    await platform.call("POST", `inbox/${item.id}`, { body: { answer: true } });
    expect(await untilEnded(id)).toEqual({ answer: true, caught: "KeyError", isNew: true });
    const logs = await platform.call("GET", `tool/invocation/${id}/logs`);
    expect(logs.body).toMatchObject({ stdout: { text: "before\nafter\n" } });
    const [late, other] = await Promise.all([
      startSnake({ options: { deadline: "20ms" } }),
      startSnake({ options: { deadline: "20ms" }, same: false }),
    ]);
    expect(await untilEnded(late)).toMatchObject({ answer: "late" });
    expect(await untilEnded(other)).toMatchObject({ exception_type: "Diverged" });
    const inputs = [{ input_parameters: {} }];
    const { invocation_results } = expectStatus(await platform.invoke({ id: snake }, inputs), 200);
    expect(invocation_results[0]).toMatchObject({ exception_type: "MustBeAsynchronous" });
  });

  it("continues on its own version after that was replaced and deprecated", async () => {
    const id = await invokeAsync({ do: "ask" });
    const item = await findItem(id);
    await platform.push(nodeProject("waiter", {}, `export const runTool = () => "new";`));
    await platform.publish(toolId, "waiter", "patch");
    expectStatus(await platform.call("DELETE", `tool/${toolId}/version/1.0.0`), 204);
    await platform.call("POST", `inbox/${item.id}`, { body: { answer: { yes: false } } });
    expect(await untilEnded(id)).toEqual({ answer: { yes: false } });
  });
});
