import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import type { Invocation } from "../history/invocation-schemas.ts";
import { expectStatus } from "../serve/test-support/create-outsider.ts";
import { openPlatform, type TestPlatform } from "../serve/test-support/open-platform.ts";
import { nodeProject } from "../serve/test-support/tool-projects.ts";
import { newDatabase } from "../test-support/postgres.ts";
import type { Schedule, ScheduleRun, ScheduleWithRuns } from "./schedule-schemas.ts";

const hourMs = 3_600_000;
const inputSchema = {
  type: "object",
  properties: { naps: { type: "boolean" }, note: { type: "string" } },
  additionalProperties: false,
};
const code = `
export const runTool = async ({ toolInput, sleep }) => {
  if (toolInput.naps) await sleep("90m");
  return "done";
};
`;

describe.each([
  { store: "SQLite", database: async () => undefined },
  ...(isMissing("pg_ctlcluster") ? [] : [{ store: "PostgreSQL", database: newDatabase }]),
])("schedules on $store", ({ store, database }) => {
  let at = Date.UTC(2026, 2, 28, 12);
  let location: string | undefined;
  let platform: TestPlatform;
  let toolId: string;
  const open = (directory?: string): Promise<TestPlatform> =>
    openPlatform({
      ...(directory !== undefined && { directory }),
      database: location,
      settings: { runner: { blankWorkers: 1 } },
      now: () => at,
    });
  beforeAll(async () => {
    location = await database();
    platform = await open();
    await platform.push(nodeProject("napper", { inputSchema }, code));
    toolId = await platform.createTool("napper");
    const inserts = [{ name: "TOKEN", value: "s3cret-token", is_secret: true }];
    await platform.call("POST", `tool/${toolId}/envvar`, { body: { inserts } });
    await platform.publish(toolId, "napper");
  }, 60_000);
  afterAll(() => platform?.close());

  const create = async (body: object, token = platform.key): Promise<Schedule> =>
    expectStatus(
      await platform.call<Schedule>("POST", `tool/${toolId}/schedule`, { body, token }),
      201,
    );
  const show = async (name: string): Promise<ScheduleWithRuns> =>
    expectStatus(await platform.call<ScheduleWithRuns>("GET", `tool/schedule/${name}`), 200);
  /** The runs of a schedule, the oldest first, once there are as many. */
  const untilRuns = async (name: string, count: number): Promise<readonly ScheduleRun[]> => {
    await expect.poll(async () => (await show(name)).runs.length).toBe(count);
    return (await show(name)).runs.toReversed();
  };
  const untilEnded = (name: string, count: number): Promise<void> =>
    expect
      .poll(async () => (await show(name)).runs.filter((each) => each.succeeded).length)
      .toBe(count);
  const moveTo = (moment: string): void => {
    at = Date.parse(moment);
  };
  const createKey = async (
    permissions: readonly string[],
  ): Promise<{ id: string; key: string }> => {
    const body = { name: null, duration: "P900D", permissions };
    const { api_key_id: id, api_key: key } = expectStatus(
      await platform.call<{ api_key_id: string; api_key: string }>("POST", "organization/api_key", {
        body,
      }),
      201,
    );
    return { id, key };
  };

  it("run a tool at their times, as their creator, with the change of the clocks", async () => {
    const created = await create({
      ...{ cron: "30 2 * * *", time_zone: "Europe/Berlin", input: { note: "with s3cret-token" } },
    });
    expect(created).toMatchObject({
      ...{ name: "napper", tool_name: "napper", version: "latest", missed: "run" },
      ...{ state: "active", user_id: platform.userId, next_time: "2026-03-29T01:00:00.000Z" },
      input: { note: expect.not.stringContaining("s3cret") },
    });
    moveTo("2026-03-29T01:00:01Z");
    const [run] = await untilRuns("napper", 1);
    expect(run).toMatchObject({ time: "2026-03-29T01:00:00.000Z", state: "started", missed: 0 });
    await untilEnded("napper", 1);
    const { body } = await platform.call<Invocation>(
      "GET",
      `tool/invocation/${run?.invocation_id}`,
    );
    expect(body).toMatchObject({
      invocation_source: { type: "schedule", user_id: platform.userId, schedule_id: created.id },
      invocation_status: { succeeded: true, output: "done" },
    });
    const found = await platform.call("GET", "tool/invocation?invocation_source_type=schedule");
    expect(found.text).toContain(body.id);
    expect((await show("napper")).next_time).toBe("2026-03-30T00:30:00.000Z");
  });

  it("run once for all missed times, or skip them, when a process runs again", async () => {
    await create({ cron: "0 6 * * *", name: "late" });
    await create({ cron: "0 6 * * *", name: "never", missed: "skip" });
    const { directory } = platform;
    await platform.platform.close();
    at += 3 * 24 * hourMs;
    const again = await open(directory);
    platform = { ...platform, ...again, close: platform.close, push: platform.push };
    const [late] = await untilRuns("late", 1);
    expect(late).toMatchObject({ state: "started", missed: 3, time: "2026-03-31T06:00:00.000Z" });
    const [never] = await untilRuns("never", 1);
    expect(never).toMatchObject({ state: "missed", missed: 3, invocation_id: null });
    await untilEnded("late", 1);
    for (const name of ["napper", "late", "never"]) {
      expectStatus(await platform.call("POST", `tool/schedule/${name}/pause`), 200);
    }
  });

  it("skip or queue a time at which the previous run has not ended", async () => {
    moveTo("2026-05-01T00:00:30Z");
    const naps = { cron: "0 * * * *", input: { naps: true } };
    await create({ ...naps, name: "skips" });
    await create({ ...naps, name: "queues", overlap: "queue" });
    const states = async (name: string, count: number): Promise<readonly string[]> =>
      (await untilRuns(name, count)).map(({ state }) => state);
    moveTo("2026-05-01T01:00:00Z");
    expect(await states("skips", 1)).toEqual(["started"]);
    expect(await states("queues", 1)).toEqual(["started"]);
    const asleep = async (): Promise<boolean> => {
      const runs = [...(await show("skips")).runs, ...(await show("queues")).runs];
      const all = await Promise.all(
        runs.map(({ invocation_id: id }) =>
          platform.call<{ state: string }>("GET", `tool/invocation/${id}/status`),
        ),
      );
      return all.every(({ body }) => body.state === "waiting");
    };
    await expect.poll(asleep).toBe(true);
    moveTo("2026-05-01T02:00:00Z");
    expect(await states("skips", 2)).toEqual(["started", "skipped"]);
    expect(await states("queues", 2)).toEqual(["started", "queued"]);
    expect((await platform.call("POST", "tool/schedule/skips/run")).status).toBe(409);
    // The naps are over.
    moveTo("2026-05-01T02:30:05Z");
    await expect.poll(() => states("queues", 2)).toEqual(["started", "started"]);
    await untilEnded("skips", 1);
    for (const name of ["skips", "queues"]) {
      expectStatus(await platform.call("DELETE", `tool/schedule/${name}`), 204);
      expect((await platform.call("GET", `tool/schedule/${name}`)).status).toBe(404);
    }
  });

  it("run as long as their creator may invoke the tool", async () => {
    const scoped = [`Tool:InvokeTool@tool:${toolId}`];
    const [creator, other] = [await createKey(scoped), await createKey([])];
    await create({ cron: "@hourly", name: "scoped", paused: true }, creator.key);
    const call = (method: string, path: string, token: string) =>
      platform.call(method, `tool/schedule/${path}`, { token });
    expect((await call("POST", "scoped/resume", creator.key)).status).toBe(200);
    const listed = await call("GET", "", creator.key);
    expect(listed.text).toContain('"scoped"');
    expect((await call("GET", "scoped", other.key)).status).toBe(403);
    const ran = expectStatus(await call("POST", "scoped/run", creator.key), 202);
    expect(ran).toMatchObject({ state: "started", time: null });
    await untilEnded("scoped", 1);
    const rotated = expectStatus(
      await platform.call<{ api_key_id: string }>(
        "POST",
        `organization/api_key/${creator.id}/rotate`,
        { body: {} },
      ),
      201,
    );
    expect((await show("scoped")).api_key_id).toBe(rotated.api_key_id);
    expectStatus(await platform.call("DELETE", `organization/api_key/${rotated.api_key_id}`), 200);
    moveTo("2026-05-01T03:00:00Z");
    const runs = await untilRuns("scoped", 2);
    expect(runs[1]).toMatchObject({
      ...{ state: "refused", invocation_id: null },
      detail: expect.stringContaining(`The API key ${rotated.api_key_id}`),
    });
    const audit = await platform.call("GET", "organization/audit");
    for (const action of ["schedule.create", "schedule.resume", "schedule.run"]) {
      expect(audit.text).toContain(action);
    }
  });

  it("are refused if they can't run", async () => {
    const attempt = async (body: object, tool = toolId): Promise<string> => {
      const { status, text } = await platform.call("POST", `tool/${tool}/schedule`, { body });
      return `${status} ${text}`;
    };
    const cron = "0 6 * * *";
    expect(await attempt({ cron: "0 6 * *" })).toMatch(/^422 .*body.*cron.*five fields/u);
    expect(await attempt({ cron: "0 0 30 2 *" })).toMatch(/^422 .*names no time that ever comes/u);
    expect(await attempt({ cron, time_zone: "Berlin" })).toMatch(/^422 .*time_zone/u);
    expect(await attempt({ cron }, "a".repeat(24))).toMatch(/^404 .*There is no tool/u);
    expect(await attempt({ cron, version: "9.9.9" })).toMatch(/^404 .*no version/u);
    expect(await attempt({ cron, input: { naps: "yes" } })).toMatch(
      /^400 .*"input does not match the tool's input schema: .*naps must be boolean/u,
    );
    expect(await attempt({ cron, name: "late" })).toMatch(/^409 .*Choose another name/u);
  });

  it.skipIf(store === "SQLite")("run each time in one of several processes", async () => {
    const names = Array.from({ length: 4 }, (_, index) => `shared-${index}`);
    for (const name of names) await create({ cron: "@hourly", name });
    const second = await open(platform.directory);
    try {
      for (const [index, moment] of ["04", "05"].entries()) {
        moveTo(`2026-05-01T${moment}:00:00Z`);
        for (const name of names) await untilRuns(name, index + 1);
      }
      for (const name of names) await untilEnded(name, 2);
    } finally {
      await second.platform.close();
    }
  });

  it("go on at their times, each once, when the clock was ahead and is set back", async () => {
    const started = at;
    const noon = Math.ceil(started / (24 * hourMs)) * 24 * hourMs + 12 * hourMs;
    at = noon - hourMs;
    await create({ cron: "0 12 * * *", name: "jumper" });
    at = noon + 1_000;
    await untilRuns("jumper", 1);
    // A step back over a time that has run.
    at = noon - 1_000;
    const next = async (): Promise<number> => Date.parse((await show("jumper")).next_time ?? "");
    await expect.poll(next).toBe(noon);
    at = noon + 2_000;
    await expect.poll(next).toBe(noon + 24 * hourMs);
    // Far ahead by mistake, and back.
    at = noon + 20 * 24 * hourMs + 1_000;
    await untilRuns("jumper", 2);
    at = noon + hourMs;
    await expect.poll(next).toBe(noon + 24 * hourMs);
    at = noon + 24 * hourMs + 1_000;
    const times = (await untilRuns("jumper", 3)).map(({ time }) => Date.parse(time ?? ""));
    expect(times).toEqual([0, 20, 1].map((days) => noon + days * 24 * hourMs));
    at = started;
  });

  it("are paused when their tool is deprecated", async () => {
    await create({ cron: "0 12 * * *", name: "paused" });
    expectStatus(await platform.call("DELETE", `tool/${toolId}`), 204);
    moveTo("2026-05-01T12:00:00Z");
    await untilRuns("paused", 1);
    expect(await show("paused")).toMatchObject({
      ...{ state: "paused", next_time: null },
      pause_reason: expect.stringContaining("is deprecated"),
      runs: [{ state: "refused" }],
    });
    expect((await platform.call("POST", "tool/schedule/paused/resume")).status).toBe(404);
  });
});
