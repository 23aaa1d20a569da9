import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { startPostgres, type TestPostgres } from "../test-support/postgres.ts";
import type { PlatformRole } from "./open-execution-backend.ts";
import type { Outsider } from "./test-support/create-outsider.ts";
import { type CountingTool, publishCounting } from "./test-support/probe-server.ts";
import { type StartedServer, startServer } from "./test-support/start-server.ts";

interface Ready {
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
  readonly reasons?: Readonly<Record<string, string>>;
}

const askReady = async (url: string): Promise<Ready> =>
  (await fetch(`${url}/readyz`)).json() as Promise<Ready>;
const untilReady = (url: string): Promise<void> =>
  vi.waitFor(async () => expect((await askReady(url)).status).toBe("ok"), {
    timeout: 30_000,
    interval: 100,
  });

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "haft-failures-"));
  // It starts quicker with less.
  const settings = { runner: { blankWorkers: 1 } };
  writeFileSync(join(directory, "settings.json"), JSON.stringify(settings));
  return directory;
}

/** Everything that changes something is refused, with the sentence. */
async function expectRefusals(outsider: Outsider, tool: CountingTool, sentence: RegExp) {
  const project = { project_path: "counting", bump_type: "minor" };
  const answers = [
    await outsider.invoke({ id: tool.id }, [{ input_parameters: { text: "refused" } }]),
    await outsider.invoke({ id: tool.id }, [{ input_parameters: { text: "refused" } }], {
      "idempotency-key": "one",
    }),
    await outsider.call("POST", `tool/${tool.id}/version`, { body: project }),
    await outsider.call("POST", "tool/", { body: { name: "another", description: "x", tags: {} } }),
  ];
  for (const { status, headers, text } of answers) {
    expect({ status, text, retryAfter: headers.get("retry-after") }).toEqual({
      status: 503,
      text: expect.stringMatching(sentence),
      retryAfter: "5",
    });
  }
}

describe.skipIf(isMissing("prlimit"))("a server whose disk is full", { timeout: 60_000 }, () => {
  const directory = makeDirectory();
  let server: StartedServer;
  let outsider: Outsider;
  let tool: CountingTool;
  beforeAll(async () => {
    server = await startServer({ directory });
    outsider = server.enter();
    tool = await publishCounting(outsider);
  }, 60_000);
  afterAll(async () => {
    outsider?.close();
    await server?.kill();
    rmSync(directory, { recursive: true, force: true });
  });

  /** No file of the server can grow beyond the log of the database, as if there was no room. */
  const limit = (size: number | "unlimited"): void => {
    execFileSync("prlimit", [`--pid=${server.child.pid}`, `--fsize=${size}:unlimited`]);
  };
  const fill = (): void => limit(statSync(join(directory, "haft.db-wal")).size);

  it("runs nothing more once a record could not be written, and says what ran", async () => {
    expect((await tool.run("first")).result?.output).toBe("first 1");
    fill();
    const unrecorded = await tool.run("unrecorded");
    expect(unrecorded).toMatchObject({
      status: 200,
      result: { succeeded: true, output: "unrecorded 2" },
    });
    expect(unrecorded.result?.warning).toMatch(/ran .*Do not repeat/u);
    const id = unrecorded.result?.invocation_id;
    expect(unrecorded.result?.warning).toContain(id);

    await expectRefusals(outsider, tool, /database.* operator has to|database failed/u);
    expect(await askReady(outsider.url)).toMatchObject({
      status: "unavailable",
      checks: { store: "failed", runner: "ok" },
      reasons: { store: expect.stringContaining("operator") },
    });
    expect((await tool.history()).map(({ text }) => text)).toEqual(["first"]);

    limit("unlimited");
    await untilReady(outsider.url);
    expect((await tool.run("after")).result?.output).toBe("after 3");
    const history = await tool.history();
    expect(history.map(({ text }) => text)).toEqual(["first", "unrecorded", "after"]);
    expect(history[1]?.id).toBe(id);
    expect(server.errors()).toContain("accepts no writes");
    expect(server.errors()).toContain("accepts writes again");
  });

  it("finds out by itself, before anything has run", async () => {
    fill();
    await expect
      .poll(async () => (await askReady(outsider.url)).status, { timeout: 10_000 })
      .toBe("unavailable");
    expect((await tool.run("never")).status).toBe(503);
    limit("unlimited");
    await untilReady(outsider.url);
    expect((await tool.history()).map(({ text }) => text)).not.toContain("never");
  });

  it.each([
    ["killed", () => server.kill()],
    ["stopped", () => server.stop()],
  ])("loses no record when it is %s meanwhile", async (how, end) => {
    fill();
    const { result } = await tool.run(how);
    expect(result?.invocation_id).toEqual(expect.any(String));
    await end();
    server = await startServer({ directory });
    const url = server.url;
    const found = await outsider
      .at(url)
      .call<{ id: string }>("GET", `tool/invocation/${result?.invocation_id}`);
    expect([found.status, found.text]).toEqual([200, expect.stringContaining(how)]);
    outsider = outsider.at(url);
    tool = { ...tool, run: (text) => runAt(outsider, tool.id, text) };
  });
});

async function runAt(
  outsider: Outsider,
  id: string,
  text: string,
): ReturnType<CountingTool["run"]> {
  const answer = await outsider.invoke({ id }, [{ input_parameters: { text } }]);
  const retryAfter = answer.headers.get("retry-after");
  return { ...answer, retryAfter, result: answer.body?.invocation_results?.[0] };
}

describe.skipIf(isMissing("pg_ctlcluster"))(
  "servers whose PostgreSQL fails",
  { timeout: 90_000 },
  () => {
    const directory = makeDirectory();
    const servers: StartedServer[] = [];
    let postgres: TestPostgres;
    let database: string;
    let api: Outsider;
    let all: Outsider;
    let tool: CountingTool;
    const start = async (role: PlatformRole): Promise<StartedServer> => {
      const server = await startServer({ directory, database, role, graceMs: 1_500 });
      servers.push(server);
      return server;
    };
    const ask = async (...queries: string[]): Promise<void> => {
      const client = new Client({ connectionString: database });
      await client.connect();
      for (const query of queries) await client.query(query);
      await client.end();
    };
    const endConnections =
      "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()";

    beforeAll(async () => {
      postgres = await startPostgres();
      database = await postgres.newDatabase();
      await ask(`alter database ${new URL(database).pathname.slice(1)} set lock_timeout = '400ms'`);
      const first = await start("api");
      const [, second] = await Promise.all([start("worker"), start("all")]);
      api = first.enter();
      all = second?.enter() as Outsider;
      await untilReady(api.url);
      tool = await publishCounting(api);
    }, 60_000);
    afterAll(async () => {
      for (const outsider of [api, all]) outsider?.close();
      await Promise.all(servers.map((server) => server.kill()));
      await postgres?.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    it("refuse everything while it is stopped, and continue when it is there again", async () => {
      expect((await runAt(all, tool.id, "all before")).result?.succeeded).toBe(true);
      expect((await runAt(api, tool.id, "api before")).result?.succeeded).toBe(true);
      await postgres.halt();
      for (const outsider of [all, api]) {
        await expectRefusals(outsider, tool, /can't be reached/u);
        expect((await askReady(outsider.url)).checks.store).toBe("failed");
      }
      for (const { url } of servers) expect((await askReady(url)).status).toBe("unavailable");
      await postgres.resume();
      for (const { url } of servers) await untilReady(url);
      for (const [name, outsider] of Object.entries({ all, api })) {
        expect((await runAt(outsider, tool.id, `${name} after`)).result?.succeeded).toBe(true);
      }
      const texts = (await tool.history()).map(({ text }) => text);
      expect(texts).toEqual(["all before", "api before", "all after", "api after"]);
    });

    it("continue when their connections are ended", async () => {
      await ask(endConnections);
      for (const { url } of servers) await untilReady(url);
      expect((await runAt(api, tool.id, "ended")).result?.succeeded).toBe(true);
    });

    it("run nothing while it is read-only, which reading is not affected by", async () => {
      const name = new URL(database).pathname.slice(1);
      await ask(`alter database ${name} set default_transaction_read_only = on`, endConnections);
      for (const outsider of [all, api]) {
        await expect
          .poll(async () => (await askReady(outsider.url)).reasons?.store, { timeout: 15_000 })
          .toContain("read-only");
        await expectRefusals(outsider, tool, /read-only/u);
      }
      expect((await tool.history()).map(({ text }) => text)).not.toContain("refused");
      await ask(
        "set default_transaction_read_only = off",
        `alter database ${name} set default_transaction_read_only = off`,
        endConnections,
      );
      for (const { url } of servers) await untilReady(url);
      expect((await runAt(all, tool.id, "writable")).result?.succeeded).toBe(true);
    });

    it("say that a tool ran whose record waits for a lock, and write it later", async () => {
      const client = new Client({ connectionString: database });
      await client.connect();
      await client.query("begin");
      await client.query("lock table invocations in access exclusive mode");
      const { status, result } = await runAt(all, tool.id, "locked");
      expect([status, result?.succeeded]).toEqual([200, true]);
      expect(result?.warning).toContain("The tool ran");
      expect(await runAt(all, tool.id, "refused")).toMatchObject({
        status: 503,
        text: expect.stringContaining("locked"),
      });
      await client.query("rollback");
      await client.end();
      await untilReady(all.url);
      const texts = (await tool.history()).map(({ text }) => text);
      expect(texts.filter((text) => ["locked", "refused"].includes(text))).toEqual(["locked"]);
    });
  },
);
