import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { createInvocationInsert } from "../history/invocation-table.ts";
import { sampleRow } from "../history/test-support/open-history.ts";
import { newDatabase } from "../test-support/postgres.ts";
import { openPlatformParts } from "./open-platform-parts.ts";
import type { Answer } from "./test-support/create-caller.ts";
import { expectStatus } from "./test-support/create-outsider.ts";
import { openPlatform, type TestPlatform } from "./test-support/open-platform.ts";
import { nodeProject } from "./test-support/tool-projects.ts";

const settings = { runner: { blankWorkers: 1 } };
const digestOf = (toolId: string): string =>
  `(select artifact_digest from tool_versions where tool_id = '${toolId}' limit 1)`;

describe.each(["SQLite", "PostgreSQL"])("a platform whose rows in %s are damaged", (kind) => {
  const isPostgres = kind === "PostgreSQL";
  if (isPostgres && isMissing("pg_ctlcluster")) return;
  let platform: TestPlatform;
  let ask: (query: string) => Promise<void>;
  let close: () => Promise<void>;
  let good: string;
  let bad: string;

  beforeAll(async () => {
    let database: string | undefined;
    if (isPostgres) {
      database = await newDatabase();
      const client = new Client({ connectionString: database });
      await client.connect();
      ask = async (query) => void (await client.query(query));
      close = () => client.end();
    }
    platform = await openPlatform({ settings, database });
    if (!isPostgres) {
      const file = new DatabaseSync(join(platform.directory, "haft.db"), { timeout: 5_000 });
      ask = async (query) => file.exec(query);
      close = async () => file.close();
    }
    const code = (name: string): string => `export const runTool = async () => "${name}";\n`;
    await platform.push({
      ...nodeProject("good", {}, code("good")),
      ...nodeProject("bad", { requiredEnvvars: ["CITY"] }, code("bad")),
    });
    [good, bad] = [await platform.createTool("good"), await platform.createTool("bad")];
    const inserts = [{ name: "CITY", value: "Berlin", is_secret: false }];
    await platform.call("POST", `tool/${bad}/envvar`, { body: { inserts } });
    await platform.publish(good, "good");
    await platform.publish(bad, "bad");
  }, 60_000);
  afterAll(async () => {
    await close?.();
    await platform?.close();
  });
  // Whatever is wrong with one row, everything else goes on.
  afterEach(async () => {
    const answer = expectStatus(await run(good), 200);
    expect(answer.invocation_results[0]?.output).toBe("good");
    expect(platform.logged.filter((line) => line.includes('"fault"'))).toEqual([]);
  });

  const run = (id: string, headers = {}) =>
    platform.invoke({ id }, [{ input_parameters: {} }], headers);
  const saying = ({ status, text }: Answer): string => `${status} ${text}`;
  /** Changes a column for the time of a test. */
  const change = async (place: { table: string; column: string; where: string }, value: string) => {
    const { table, column, where } = place;
    await ask(
      `create table if not exists kept as select ${column} as value from ${table} where ${where}`,
    );
    await ask(`update ${table} set ${column} = ${value} where ${where}`);
    return async () => {
      await ask(`update ${table} set ${column} = (select value from kept) where ${where}`);
      await ask("drop table kept");
    };
  };

  it.each(["'{'", "'null'", "'[]'", `'{"runtime":"cobol"}'`, "''"])(
    "names a version whose manifest is %s",
    async (text) => {
      const where = `tool_id = '${bad}'`;
      const undo = await change({ table: "tool_versions", column: "manifest", where }, text);
      expect(saying(await run(bad))).toMatch(
        /^500 .*The manifest of version 1\.0\.0 of the tool .*bad.* is damaged .*restore a backup/u,
      );
      await undo();
    },
  );

  it("runs no artifact that is missing, cut off or altered", async () => {
    const where = `digest = ${digestOf(bad)}`;
    const altered = isPostgres ? "content || '\\x20'::bytea" : "cast(content || ' ' as blob)";
    const cut = isPostgres ? "substring(content from 1 for 20)" : "substr(content, 1, 20)";
    const other = `(select content from artifacts where digest = ${digestOf(good)})`;
    for (const content of [altered, cut, other]) {
      const undo = await change({ table: "artifacts", column: "content", where }, content);
      const [result] = expectStatus(await run(bad), 200).invocation_results;
      expect(result?.succeeded).toBe(false);
      expect(result?.exception_message).toMatch(/digest is .*Publish the tool again/u);
      await undo();
    }
    const undo = await change({ table: "artifacts", column: "digest", where }, "'gone'");
    const [result] = expectStatus(await run(bad), 200).invocation_results;
    expect(result?.exception_message).toMatch(/There is no artifact .*Publish the tool again/u);
    await ask(`update artifacts set digest = ${digestOf(bad)} where digest = 'gone'`);
    await undo();
  });

  it("names a variable that can't be opened, which can be set again", async () => {
    const where = `tool_id = '${bad}'`;
    for (const value of [
      "'v1'",
      "substr(value, 1, 40)",
      "substr(value, 1, length(value) - 4)",
      "'v1.' || substr(value, 4, 16) || '.'",
    ]) {
      const undo = await change({ table: "tool_variables", column: "value", where }, value);
      expect(saying(await run(bad))).toMatch(/^500 .*tool-variable .*CITY.*Set it again/u);
      await undo();
    }
    const undo = await change(
      { table: "tool_variables", column: "value", where },
      "replace(value, substr(value, 4, 16), '0123456789abcdef')",
    );
    expect(saying(await run(bad))).toMatch(
      /^500 .*master key 0123456789abcdef, which this server/u,
    );
    await undo();
    await ask(`update tool_variables set value = 'x' where ${where}`);
    const updates = [{ name: "CITY", value: "Rome" }];
    const set = await platform.call("POST", `tool/${bad}/envvar`, { body: { updates } });
    expect(set.status).toBe(204);
    expect(expectStatus(await run(bad), 200).invocation_results[0]?.output).toBe("bad");
  });

  it("lists invocations beside one that is damaged", async () => {
    expectStatus(await run(bad), 200);
    const where = `tool_id = '${bad}' and succeeded = 1`;
    for (const [column, value] of [
      ["inputs", "'{'"],
      ["inputs", "'7'"],
      ["source_type", "'weird'"],
      ["source_metadata", "'{'"],
      ["created_at", "9000000000000000"],
      ["updated_at", "-9000000000000000"],
    ] as const) {
      await ask(`update invocations set ${column} = ${value} where ${where}`);
      const list = await platform.call<{ tool_invocations: { id: string }[] }>(
        "GET",
        `tool/invocation?tool_id=${bad}&tool_id=${good}`,
      );
      const rows = expectStatus(list, 200).tool_invocations;
      expect(rows.length).toBeGreaterThan(1);
      for (const { id } of rows.slice(0, 2)) {
        expect((await platform.call("GET", `tool/invocation/${id}`)).status).toBe(200);
      }
    }
    await ask(`update invocations set succeeded = 0, exception_stack_trace = '{' where ${where}`);
    expect((await platform.call("GET", `tool/invocation?tool_id=${bad}`)).status).toBe(200);
  });

  it("lists versions beside one that is damaged, and names it when it is needed", async () => {
    const where = `tool_id = '${bad}'`;
    const undo = await change({ table: "tool_versions", column: "input_schema", where }, "'['");
    expect((await platform.call("GET", `tool/${bad}/version`)).status).toBe(200);
    const publish = await platform.call("POST", `tool/${bad}/version`, {
      body: { project_path: "bad", bump_type: "minor" },
    });
    expect(saying(publish)).toMatch(/^500 .*The schema of version 1\.0\.0 is damaged/u);
    await undo();
    const names = { table: "tool_versions", column: "required_envvars", where };
    const again = await change(names, "'5'");
    expect((await platform.call("GET", `tool/${bad}/version`)).status).toBe(200);
    const remove = await platform.call("POST", `tool/${bad}/envvar`, {
      body: { deletes: [{ name: "CITY" }] },
    });
    expect(saying(remove)).toMatch(/^500 .*variables of version 1\.0\.0 is damaged/u);
    await again();
  });

  it("refuses only those whose role is damaged or missing", async () => {
    const role = { name: "invoker", permissions: ["Tool:InvokeTool"] };
    await platform.call("POST", "organization/role/", { body: role });
    const made = await platform.call<{ api_key: string }>("POST", "organization/api_key/", {
      body: { name: "one", duration: "P1D", role_name: "invoker" },
    });
    const token = made.body.api_key;
    expect(token).toEqual(expect.any(String));
    for (const value of ["'x'", "'{}'", "'null'", "'[1]'"]) {
      await ask(`update roles set permissions = ${value} where name = 'invoker'`);
      const refused = await platform.call("GET", "tool/", { token });
      expect(saying(refused)).toMatch(/^500 .*permissions is damaged/u);
      expect((await platform.call("GET", "organization/role/")).status).toBe(200);
    }
    await ask("delete from roles where name = 'invoker'");
    expect((await platform.call("GET", "tool/", { token })).status).toBe(401);
    expect((await platform.call("GET", "organization/api_key/")).status).toBe(200);
  });

  it("continues with audit, operations and answers that are damaged", async () => {
    await ask("update audit set detail = '{', created_at = 9000000000000000");
    expect((await platform.call("GET", "organization/audit")).status).toBe(200);
    await ask("update operations set state = 'weird', kind = 'weird', version = 'x'");
    expect((await platform.call("GET", `tool/${bad}/operation`)).status).toBe(200);
    const key = { "idempotency-key": "once" };
    expect((await run(good, key)).status).toBe(200);
    await ask("update idempotent_answers set headers = '{'");
    expect((await run(good, key)).status).toBe(200);
    await ask("update idempotent_answers set body = 'x'");
    expect(saying(await run(good, key))).toMatch(/^409 .*can no longer be read/u);
  });

  it("says that a tool is gone whose row is missing", async () => {
    await ask(`delete from tools where id = '${bad}'`);
    expect((await run(bad)).status).toBe(404);
    expect((await platform.call("GET", "tool/")).status).toBe(200);
    expect((await platform.call("GET", `tool/invocation?tool_id=${bad}`)).status).toBe(200);
  });
});

describe("a platform whose SQLite file is damaged in the middle", () => {
  const directory = mkdtempSync(join(tmpdir(), "haft-damaged-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it("says so where it meets the damage, and serves everything else", async () => {
    const marker = "marker-of-a-row-in-the-middle";
    writeFileSync(join(directory, "settings.json"), JSON.stringify(settings));
    const first = await openPlatform({ directory });
    const { organization } = first;
    await first.close();
    const { store } = await openPlatformParts({ directory, environment: {} });
    const rows = Array.from({ length: 300 }, (_, index) =>
      sampleRow({ org_id: organization, output: index === 150 ? marker : "x" }),
    );
    await createInvocationInsert(store)(store.db, rows);
    await store.close();
    const path = join(directory, "haft.db");
    const bytes = readFileSync(path);
    const page = Math.floor(bytes.indexOf(marker) / 4096) * 4096;
    expect(page).toBeGreaterThan(0);
    writeFileSync(path, bytes.fill(0xff, page, page + 4096));

    const platform = await openPlatform({ directory });
    const list = await platform.call("GET", "tool/invocation?limit=100&sort_by=duration_ms");
    const pages = [list];
    for (
      let token = 0;
      pages.length < 5;
      token = Number(
        (pages.at(-1)?.body as { continuation_token?: number })?.continuation_token ?? 0,
      )
    ) {
      pages.push(
        await platform.call("GET", `tool/invocation?limit=100&continuation_token=${token}`),
      );
    }
    const statuses = pages.map(({ status }) => status);
    expect(statuses).toContain(503);
    expect(statuses.every((status) => [200, 503].includes(status))).toBe(true);
    const told = pages.find(({ status }) => status === 503);
    expect(told?.text).toMatch(/database is damaged\. .*restore a backup/u);
    expect(told?.text).not.toContain(directory);
    expect(platform.logged.join("\n")).toContain("malformed");
    expect((await platform.call("GET", "tool/")).status).toBe(200);
    await platform.createTool("made_beside_the_damage");
    expect((await fetch(`${platform.url}/readyz`)).status).toBe(200);
    await platform.close();
  });

  it("says so of a number that is out of range", async () => {
    const platform = await openPlatform({ settings });
    await platform.createTool("one");
    const file = new DatabaseSync(join(platform.directory, "haft.db"), { timeout: 5_000 });
    file.exec("update tools set created_at = 9223372036854775807");
    file.close();
    const answer = await platform.call("GET", "tool/");
    expect([answer.status, answer.text]).toEqual([
      503,
      expect.stringContaining("The server's database is damaged. "),
    ]);
    await platform.close();
  });
});
