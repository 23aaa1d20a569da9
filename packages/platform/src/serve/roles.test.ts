import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { newDatabase } from "../test-support/postgres.ts";
import type { PlatformRole } from "./open-execution-backend.ts";
import { startPlatform } from "./start-platform.ts";
import { expectStatus, type Outsider } from "./test-support/create-outsider.ts";
import { nodeProbe } from "./test-support/probe-tools.ts";
import { readSentEvents } from "./test-support/read-sent-events.ts";
import { type StartedServer, startServer } from "./test-support/start-server.ts";
import { nodeProject } from "./test-support/tool-projects.ts";

interface History {
  readonly tool_invocations: readonly {
    readonly inputs: { readonly text?: string; readonly do?: string };
    readonly invocation_status: {
      readonly succeeded: boolean;
      readonly exception_type?: string;
      readonly exception_message?: string;
    };
  }[];
}

const apiToken = "token-51fd7a";
const card = "card-7733-0912";
const ownTables = `select schemaname, tablename from pg_tables
  where schemaname not in ('pg_catalog', 'information_schema')`;

it.each(["api", "worker"] as const)("the role %s needs a database to share", async (role) => {
  const directory = join(tmpdir(), "haft-never-made");
  const options = { directory, role, port: 0, hostname: "127.0.0.1", version: "1.2.3" };
  await expect(startPlatform({ ...options, environment: {} })).rejects.toThrow(
    `--role ${role} requires PostgreSQL. Add --database postgres://user@host/name`,
  );
});

describe.skipIf(isMissing("pg_ctlcluster"))(
  "two API processes and two workers",
  {
    timeout: 60_000,
  },
  () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-roles-"));
    const environment = { HAFT_MASTER_KEY: randomBytes(32).toString("base64") };
    const servers: StartedServer[] = [];
    let database: string;
    let client: Client;
    let one: Outsider;
    let other: Outsider;
    let apis: StartedServer[];
    let workers: StartedServer[];
    let toolId: string;
    const start = async (role: PlatformRole, graceMs = 1_500): Promise<StartedServer> => {
      const server = await startServer({ directory, database, role, graceMs }, environment);
      servers.push(server);
      return server;
    };

    beforeAll(async () => {
      // Each of them starts quicker with less.
      const settings = { runner: { blankWorkers: 1 } };
      writeFileSync(join(directory, "settings.json"), JSON.stringify(settings));
      database = await newDatabase();
      client = new Client({ connectionString: database });
      await client.connect();
      const first = await start("api");
      // The worker that is stopped under load has to end its calls, however slow the machine is.
      const [second, ...started] = await Promise.all([
        start("api"),
        start("worker", 60_000),
        start("worker"),
      ]);
      workers = started;
      apis = [first, second];
      one = first.enter();
      other = second.enter();
      await one.push(nodeProbe("probe", { requiredSecretEnvvars: ["API_TOKEN"] }));
      toolId = await one.createTool("probe");
    }, 60_000);
    afterAll(async () => {
      for (const outsider of [one, other]) outsider?.close();
      await Promise.all(servers.map((server) => server.kill()));
      await client?.end();
      rmSync(directory, { recursive: true, force: true });
    });

    /** How much work a worker has begun and not ended. */
    const countBegun = async (): Promise<number> => {
      const { rows } = await client.query("select id from remote_work where owner is not null");
      return rows.length;
    };
    /** The tables in which a text stands. */
    const findText = async (text: string): Promise<string[]> => {
      const found: string[] = [];
      for (const { schemaname, tablename } of (await client.query(ownTables)).rows) {
        const place = `${schemaname}.${tablename}`;
        const { rows } = await client.query(
          `select 1 from ${place} as each where each::text like $1 limit 1`,
          [`%${text}%`],
        );
        if (rows.length > 0) found.push(String(tablename));
      }
      return found;
    };
    const readHistory = async (): Promise<History["tool_invocations"]> =>
      (await other.call<History>("GET", `tool/invocation?tool_id=${toolId}`)).body.tool_invocations;

    it("publish through one and invoke through the other", async () => {
      const inserts = [{ name: "API_TOKEN", value: apiToken, is_secret: true }];
      expect(
        (await other.call("POST", `tool/${toolId}/envvar`, { body: { inserts } })).status,
      ).toBe(204);
      expect(await one.publish(toolId, "probe")).toBe("1.0.0");
      const events = await other.call("GET", `tool/${toolId}/operation/events`);
      expect(readSentEvents(events.text).at(-1)).toEqual({
        event: "result",
        data: { new_version: "1.0.0" },
      });
      const input = { input_parameters: { do: "config" } };
      const [result] = expectStatus(
        await other.invoke({ id: toolId }, [input]),
        200,
      ).invocation_results;
      expect(JSON.parse(result?.output ?? "")).toEqual({ API_TOKEN: apiToken });
      const said = await other.invoke(
        { id: toolId },
        [{ input_parameters: { do: "say", text: "done" } }],
        { accept: "text/event-stream" },
      );
      expect(readSentEvents(said.text).map(({ event }) => event)).toEqual([
        ...["status", "status", "result"],
      ]);
      const updates = [{ name: "API_TOKEN", value: `${apiToken}-2` }];
      await one.call("POST", `tool/${toolId}/envvar`, { body: { updates } });
      const [changed] = expectStatus(
        await other.invoke({ id: toolId }, [input]),
        200,
      ).invocation_results;
      expect(JSON.parse(changed?.output ?? "")).toEqual({ API_TOKEN: `${apiToken}-2` });
    });

    it("are not joined by one with another master key", async () => {
      const other = { HAFT_MASTER_KEY: randomBytes(32).toString("base64") };
      const elsewhere = join(directory, "elsewhere");
      for (const [role, place] of [
        ["worker", elsewhere],
        ["api", directory],
      ] as const) {
        await expect(
          startServer({ directory: place, database, role, graceMs: 1_500 }, other),
        ).rejects.toThrow(/The master key in HAFT_MASTER_KEY .* is not the one/u);
      }
      await expect(
        startServer({ directory: elsewhere, database, role: "worker" }, { HAFT_MASTER_KEY: "" }),
      ).rejects.toThrow(/elsewhere\/master\.key is missing/u);
    });

    it("continue an asynchronous invocation whose API process was killed", async () => {
      const code = `export const runTool = async ({ step, ask }) => {
        await step("first", () => Math.random());
        const answer = await ask({ question: "Go on?" });
        const long = () => new Promise((resolve) => setTimeout(() => resolve("done"), answer));
        return step("long", long).catch((error) => error.name);
      };`;
      await one.push(nodeProject("durable", {}, code));
      const id = await one.createTool("durable");
      await one.publish(id, "durable");
      const path = `tool/${id}/version/latest/invoke`;
      const body = { inputs: [{ input_parameters: {}, invocation_mode: "regular" }] };
      const headers = { prefer: "respond-async" };
      const accepted = await one.call<{ invocations: [{ id: string }] }>("POST", path, {
        ...{ body, headers },
      });
      const [invocation] = expectStatus(accepted, 202).invocations;
      interface Inbox {
        readonly items: readonly { readonly id: string }[];
      }
      const readInbox = async () => (await other.call<Inbox>("GET", "inbox")).body.items;
      await expect.poll(readInbox, { timeout: 20_000 }).toHaveLength(1);
      const [item] = await readInbox();
      const [first] = apis;
      expectStatus(await one.call("POST", `inbox/${item?.id}`, { body: { answer: 3_000 } }), 200);
      const isLong = async (): Promise<boolean> => {
        const { rows } = await client.query("select name from invocation_steps");
        return rows.some(({ name }) => name === "long");
      };
      await expect.poll(isLong, { timeout: 20_000 }).toBe(true);
      await first?.kill();
      apis[0] = await start("api");
      one = one.at(apis[0].url);
      const status = `tool/invocation/${invocation.id}/status?wait_seconds=30`;
      const { text } = await other.call("GET", status);
      // The worker may have ended the step before another process noticed that the first one died.
      expect(text).toMatch(/"succeeded":true,"output":"(?:StepInterrupted|done)"/u);
    });

    it("lose nothing when a worker is stopped under load", async () => {
      const before = (await readHistory()).length;
      const texts = Array.from({ length: 60 }, (_, index) => `text ${index}`);
      const [leaving] = workers;
      let asked = 0;
      let stopped: Promise<number | null> | undefined;
      const lane = async (outsider: Outsider): Promise<string[]> => {
        const outputs: string[] = [];
        for (let text = texts[asked]; text !== undefined; text = texts[asked]) {
          asked += 1;
          if (asked === 20) stopped = leaving?.stop();
          const inputs = [{ input_parameters: { do: "say", text } }];
          const { invocation_results } = expectStatus(
            await outsider.invoke({ id: toolId }, inputs),
            200,
          );
          outputs.push(invocation_results[0]?.output ?? JSON.stringify(invocation_results[0]));
        }
        return outputs;
      };
      const outputs = await Promise.all([one, other, one, other, one, other].map(lane));
      expect(outputs.flat().sort()).toEqual(texts.toSorted());
      expect(await stopped).toBe(0);
      const recorded = (await readHistory()).slice(0, -before || undefined);
      expect(recorded.map(({ inputs }) => inputs.text).sort()).toEqual(texts.toSorted());
      expect(leaving?.errors()).toBe("");
    });

    it("tell and record what a worker had begun when it was killed, and don't repeat it", async () => {
      const before = (await readHistory()).length;
      const waiting = one.invoke({ id: toolId }, [
        { input_parameters: { do: "wait", ms: 60_000 }, sensitive_user_variables: { card } },
      ]);
      await expect.poll(countBegun).toBe(1);
      const publishing = other.call("POST", `tool/${toolId}/version`, {
        body: { project_path: "probe", bump_type: "minor" },
      });
      await expect.poll(countBegun).toBe(2);
      expect(await findText(card)).toEqual([]);
      await workers[1]?.kill();
      const [result] = expectStatus(await waiting, 200).invocation_results;
      expect(result).toMatchObject({
        ...{ succeeded: false, exception_type: "WorkerDied" },
        exception_message: expect.stringContaining("died"),
      });
      expect(await publishing).toMatchObject({
        status: 503,
        text: expect.stringContaining("died"),
      });
      workers.push(await start("worker"));
      const [lost, ...others] = await readHistory();
      expect(others).toHaveLength(before);
      expect(lost).toMatchObject({
        inputs: { do: "wait" },
        invocation_status: { succeeded: false, exception_type: "WorkerDied" },
      });
      expect(await other.publish(toolId, "probe", "patch")).toBe("1.0.1");
      const again = await one.invoke({ id: toolId }, [
        { input_parameters: { do: "say", text: "on" } },
      ]);
      expect(again.headers.get("x-tool-version")).toBe("1.0.1");
      expect(expectStatus(again, 200).invocation_results[0]?.output).toBe("on");
      expect(await countBegun()).toBe(0);
    });

    it("tell and record what takes longer than a worker that is stopped can wait", async () => {
      const [, , last] = workers;
      const waiting = one.invoke({ id: toolId }, [
        { input_parameters: { do: "wait", ms: 60_000 } },
      ]);
      await expect.poll(countBegun).toBe(1);
      const stopped = last?.stop();
      const [result] = expectStatus(await waiting, 200).invocation_results;
      expect(result).toMatchObject({
        ...{ succeeded: false, exception_type: "WorkerDied" },
        exception_message: expect.stringContaining("shut down"),
      });
      expect(await stopped).toBe(0);
      expect(last?.errors()).toBe("");
      expect((await readHistory())[0]?.invocation_status).toMatchObject({
        exception_message: result?.exception_message,
      });
    });

    it("refuse everything that needs a worker while there is none", async () => {
      const before = (await readHistory()).length;
      // Its end may have been noticed a moment ago, or not yet.
      await expect
        .poll(async () => (await fetch(`${one.url}/readyz`)).json())
        .toMatchObject({ checks: { store: "ok", workers: "failed" } });
      const inputs = [{ input_parameters: { do: "say", text: "nobody" } }];
      const project = { project_path: "probe", bump_type: "minor" };
      const answers = [
        await one.invoke({ id: toolId }, inputs),
        await one.call("POST", `tool/${toolId}/version`, { body: project }),
        await one.call("POST", "tool/test", {
          body: {
            ...{ commit_branch: "main", project_path: "probe" },
            inputs: [{ input_parameters: {}, invocation_mode: "regular" }],
          },
        }),
      ];
      for (const { status, headers, text } of answers) {
        expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
        expect(text).toContain("haft serve --role worker");
      }
      expect(await readHistory()).toHaveLength(before);
      // As if there was one that begins nothing.
      await client.query(
        "insert into processes (id, role, heartbeat_at) values ('silent', 'worker', 1)",
      );
      await expect.poll(async () => (await fetch(`${one.url}/readyz`)).status).toBe(200);
    });

    it("report and record work that no worker has begun when the requesting process is stopped", async () => {
      const [asked] = apis;
      const waiting = one.invoke({ id: toolId }, [
        { input_parameters: { do: "say", text: "never" } },
      ]);
      await expect.poll(() => findText(one.organization)).toContain("running_invocations");
      const stopped = asked?.stop();
      const [result] = expectStatus(await waiting, 200).invocation_results;
      expect(result).toMatchObject({ succeeded: false, exception_type: "WorkerDied" });
      expect(await stopped).toBe(0);
      expect(asked?.errors()).toBe("");
      expect((await readHistory())[0]).toMatchObject({
        inputs: { text: "never" },
        invocation_status: { succeeded: false, exception_message: result?.exception_message },
      });
    });

    it("don't start work of a killed process that is recorded as failed", async () => {
      const [, asked] = apis;
      const waiting = other.invoke({ id: toolId }, [
        { input_parameters: { do: "say", text: "never again" } },
      ]);
      waiting.catch(() => {});
      await client.query("update processes set heartbeat_at = 2 where id = 'silent'");
      await expect.poll(() => findText("never again")).toContain("running_invocations");
      await asked?.kill();
      await expect(waiting).rejects.toThrow();
      other = other.at((await start("api")).url);
      expect((await readHistory())[0]).toMatchObject({
        inputs: { text: "never again" },
        invocation_status: {
          ...{ succeeded: false, exception_type: "WorkerDied" },
          exception_message: expect.stringContaining("not repeated"),
        },
      });
      expect((await client.query("select id from remote_work")).rows).toEqual([]);
    });

    it("keep no secret in clear", async () => {
      expect(await findText("probe")).toContain("tools");
      for (const secret of [one.key, apiToken, card]) {
        expect({ secret, tables: await findText(secret) }).toEqual({
          secret,
          tables: [],
        });
      }
    });
  },
);
