import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import type { InboxItem, InboxPage } from "../inbox/inbox-schemas.ts";
import type { ScheduleWithRuns } from "../schedules/schedule-schemas.ts";
import { expectStatus, type Outsider } from "../serve/test-support/create-outsider.ts";
import { type StartedServer, startServer } from "../serve/test-support/start-server.ts";
import { nodeProject } from "../serve/test-support/tool-projects.ts";
import { openStore } from "../store/open-store.ts";
import { newDatabase } from "../test-support/postgres.ts";
import type { AcceptedInvocations, AsyncInvocation } from "./async-schemas.ts";

const waitingCount = 200;
const stepCount = 10;
const fewWorkers = 4;
const graceMs = 300;

/** A server outside of the platform that counts what reaches it, and can hold answers back. */
interface Counter {
  readonly host: string;
  count(path: string): number;
  /** Answers requests that match only when it is told to hold something else. */
  hold(pattern: RegExp | undefined): void;
  held(): number;
  close(): void;
}

async function openCounter(): Promise<Counter> {
  const counts = new Map<string, number>();
  let pattern: RegExp | undefined;
  let held: ServerResponse[] = [];
  const server = createServer(({ url = "" }, response) => {
    counts.set(url, (counts.get(url) ?? 0) + 1);
    // A sandbox with an open connection is not used again.
    response.setHeader("connection", "close");
    if (pattern?.test(url)) held.push(response);
    else response.end("counted");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: (path) => counts.get(path) ?? 0,
    hold: (next) => {
      pattern = next;
      held = [];
    },
    held: () => held.length,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const toCode = (host: string): string => `
const reach = async (path) => (await fetch("http://${host}/" + path)).text();
const deeds = {
  ask: async ({ toolInput: { key }, ask, step }) => {
    const answer = await ask({ question: key, schema: { type: "integer" } });
    await step("effect", () => reach("asked/" + key));
    return String(answer);
  },
  steps: async ({ toolInput: { key }, step }) => {
    const interrupted = [];
    for (let index = 0; index < ${stepCount}; index++) {
      try {
        await step("step " + index, () => reach("step/" + key + "/" + index));
      } catch (error) {
        if (error.name !== "StepInterrupted") throw error;
        interrupted.push(index);
      }
      if (index === key) await reach("gate/" + key);
    }
    return JSON.stringify(interrupted);
  },
  once: ({ toolInput: { key } }) => reach("once/" + key),
};
export const runTool = (call) => deeds[call.toolInput.do](call);
`;

describe.each([
  { store: "SQLite", locate: async () => undefined },
  ...(isMissing("pg_ctlcluster") ? [] : [{ store: "PostgreSQL", locate: newDatabase }]),
])("asynchronous invocations on $store, when the server is killed", { timeout: 300_000 }, (on) => {
  const directory = mkdtempSync(join(tmpdir(), "haft-async-crashes-"));
  let database: string | undefined;
  let counter: Counter;
  let server: StartedServer;
  let outsider: Outsider;
  let toolId: string;
  /** Sets how many sandboxes the next server may have. Each takes a fifth of a second to start. */
  const allowWorkers = (maxWorkers: number): void => {
    const settings = { runner: { blankWorkers: 0, maxWorkers } };
    writeFileSync(join(directory, "settings.json"), JSON.stringify(settings));
  };
  beforeAll(async () => {
    allowWorkers(fewWorkers);
    [database, counter] = await Promise.all([on.locate(), openCounter()]);
    server = await startServer({ directory, database, graceMs });
    outsider = server.enter();
    const { host } = counter;
    await outsider.push(nodeProject("counted", { allowedHosts: [host] }, toCode(host)));
    toolId = await outsider.createTool("counted");
    await outsider.publish(toolId, "counted");
  }, 60_000);
  afterAll(async () => {
    outsider?.close();
    await server?.kill();
    counter?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const restart = async (how: "kill" | "stop" = "kill"): Promise<void> => {
    await server[how]();
    server = await startServer({ directory, database, graceMs });
    outsider = outsider.at(server.url);
  };
  const accept = async (inputs: readonly object[]): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let at = 0; at < inputs.length; at += 10) {
      const some = inputs.slice(at, at + 10).map((input_parameters) => ({ input_parameters }));
      const answer = await outsider.invoke({ id: toolId }, some, { prefer: "respond-async" });
      const { invocations } = expectStatus(answer, 202) as unknown as AcceptedInvocations;
      ids.push(...invocations.map(({ id }) => id));
    }
    return ids;
  };
  const untilEnded = async (id: string): Promise<AsyncInvocation["result"]> => {
    for (;;) {
      const path = `tool/invocation/${id}/status?wait_seconds=10`;
      const { state, result } = expectStatus(
        await outsider.call<AsyncInvocation>("GET", path),
        200,
      );
      if (state === "ended") return result;
    }
  };
  const readInbox = async (): Promise<readonly InboxItem[]> => {
    const items: InboxItem[] = [];
    for (let token = ""; ; ) {
      const { body } = await outsider.call<InboxPage>("GET", `inbox?limit=100${token}`);
      items.push(...body.items);
      if (body.continuation_token === null) return items;
      token = `&continuation_token=${body.continuation_token}`;
    }
  };

  it(`runs each of ${waitingCount} waiting calls once, however often it is answered`, async () => {
    const keys = Array.from({ length: waitingCount }, (_, index) => `${index}`);
    const ids = await accept(keys.map((key) => ({ do: "ask", key })));
    await expect
      .poll(async () => (await readInbox()).length, { timeout: 60_000 })
      .toBe(waitingCount);
    await restart();
    const items = (await readInbox()).toSorted(() => Math.random() - 0.5);
    expect(items).toHaveLength(waitingCount);
    const statuses = new Map<string, number[]>();
    const answer = async ({ id }: InboxItem, value: number): Promise<void> => {
      const sent = outsider.call("POST", `inbox/${id}`, { body: { answer: value } });
      const status = await sent.then(
        (reply) => reply.status,
        () => 0,
      );
      statuses.set(id, [...(statuses.get(id) ?? []), status]);
    };
    // Killed again while half of the answers arrive.
    const early = items.slice(0, waitingCount / 2).map((item) => answer(item, 1));
    await Promise.race(early);
    await restart();
    await Promise.all(early);
    await Promise.all(items.flatMap((item) => [answer(item, 2), answer(item, 3)]));

    for (const taken of statuses.values()) {
      // One that was taken when the server died has no reply.
      expect(taken.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
      expect(taken.filter((status) => status === 409).length).toBeGreaterThanOrEqual(1);
    }
    const results = await Promise.all(ids.map(untilEnded));
    const faults = results.flatMap((result, index) => {
      const count = counter.count(`/asked/${keys[index]}`);
      const isSound = result?.succeeded
        ? count === 1 && /^[123]$/u.test(result.output)
        : // The server died while it had its effect, so it is not repeated.
          result?.exception_type === "StepInterrupted" && count <= 1;
      return isSound ? [] : [{ key: keys[index], count, result }];
    });
    expect(faults).toEqual([]);
    expect(results.filter((result) => result?.succeeded).length).toBeGreaterThan(waitingCount / 2);
  });

  it(`runs each of ${stepCount} steps once, whichever it is killed in or stopped after`, async () => {
    const keys = Array.from({ length: stepCount }, (_, index) => index);
    allowWorkers(stepCount);
    await restart();
    // The step of the same number as the invocation gets no answer.
    counter.hold(/^\/step\/(\d+)\/\1$/u);
    const ids = await accept(keys.map((key) => ({ do: "steps", key })));
    await expect.poll(() => counter.held(), { timeout: 90_000 }).toBe(stepCount);
    // Then it is stopped after that step.
    counter.hold(/^\/gate\//u);
    await restart();
    await expect.poll(() => counter.held(), { timeout: 90_000 }).toBe(stepCount);
    counter.hold(undefined);
    await restart("stop");

    const results = await Promise.all(ids.map(untilEnded));
    expect(results.map((result) => result?.succeeded && JSON.parse(result.output))).toEqual(
      keys.map((key) => [key]),
    );
    const counts = keys.flatMap((key) =>
      keys.map((index) => counter.count(`/step/${key}/${index}`)),
    );
    expect(counts).toEqual(counts.map(() => 1));
  });

  it("starts what was accepted, and ends what ran without steps as lost", async () => {
    const keys = Array.from({ length: 2 * stepCount }, (_, index) => index);
    counter.hold(/^\/once\//u);
    const ids = await accept(keys.map((key) => ({ do: "once", key })));
    await expect.poll(() => counter.held(), { timeout: 90_000 }).toBe(stepCount);
    counter.hold(undefined);
    allowWorkers(fewWorkers);
    await restart();
    const results = await Promise.all(ids.map(untilEnded));
    expect(keys.map((key) => counter.count(`/once/${key}`))).toEqual(keys.map(() => 1));
    const lost = results.filter((result) => !result?.succeeded);
    expect(lost).toHaveLength(stepCount);
    expect(lost[0]).toMatchObject({
      ...{
        exception_type: "WorkerDied",
        exception_message: expect.stringMatching(/not repeated/u),
      },
    });
  });

  it("runs schedules that missed their time once each", async () => {
    const names = Array.from({ length: stepCount }, (_, index) => `missed-${index}`);
    for (const name of names) {
      const body = { cron: "0 0 1 1 *", name, input: { do: "once", key: name } };
      expectStatus(await outsider.call("POST", `tool/${toolId}/schedule`, { body }), 201);
    }
    await server.kill();
    const path = join(directory, "haft.db");
    const store = await openStore(
      database === undefined ? { kind: "sqlite", path } : { kind: "postgres", url: database },
    );
    const next_at = Date.now() - 3_600_000;
    await store.db.updateTable("schedules").set({ next_at }).execute();
    await store.close();
    await restart("stop");
    const count = (): number[] => names.map((name) => counter.count(`/once/${name}`));
    await expect.poll(() => Math.max(...count())).toBe(1);
    // Killed again while they run.
    await restart();
    for (const name of names) {
      const read = async (): Promise<ScheduleWithRuns["runs"]> =>
        (await outsider.call<ScheduleWithRuns>("GET", `tool/schedule/${name}`)).body.runs;
      await expect.poll(async () => (await read())[0]?.succeeded).not.toBeNull();
      expect(await read()).toMatchObject([{ state: "started", missed: 1 }]);
    }
    expect(Math.max(...count())).toBe(1);
  });
});
