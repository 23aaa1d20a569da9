import { createServer } from "node:net";
import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { newDatabase } from "../test-support/postgres.ts";
import { openStore } from "./open-store.ts";

const password = "pass-90adf1";

describe.skipIf(isMissing("pg_ctlcluster"))("a PostgreSQL database that can't be used", () => {
  const ask = async (url: string, ...queries: string[]): Promise<void> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    for (const query of queries) await client.query(query);
    await client.end();
  };
  const change = (
    url: string,
    changes: Partial<Pick<URL, "pathname" | "username" | "port" | "hostname">>,
  ) => Object.assign(new URL(url), { password }, changes).href;
  const refusal = async (url: string): Promise<string> => {
    const error = await openStore({ kind: "postgres", url }).then(
      async (store) => {
        await store.close();
        return new Error("it was opened");
      },
      (thrown: Error) => thrown,
    );
    expect(`${error.message} ${error.stack}`).not.toContain(password);
    return error.message;
  };

  it("explains a refused sign-in", async () => {
    const url = await newDatabase();
    expect(await refusal(change(url, { username: "nobody" }))).toMatch(
      /^PostgreSQL refuses the sign-in to nobody@127\.0\.0\.1:\d+\/t\w+ .*Correct the user and password/u,
    );
  });

  it("explains a missing database", async () => {
    const url = await newDatabase();
    expect(await refusal(change(url, { pathname: "/nothing" }))).toMatch(
      /^The database of haft@.*\/nothing does not exist .*createdb/u,
    );
  });

  it("explains an unreachable server and an unknown host", async () => {
    const url = await newDatabase();
    expect(await refusal(change(url, { port: "1" }))).toMatch(
      /^Nothing answers at haft@127\.0\.0\.1:1\/.*Start PostgreSQL/u,
    );
    expect(await refusal(change(url, { hostname: "nowhere.invalid" }))).toMatch(
      /^The host of haft@nowhere\.invalid:.* is not known/u,
    );
  });

  it("explains missing permissions of the user", async () => {
    const url = await newDatabase();
    await ask(url, "create role limited login", "revoke create on schema public from public");
    expect(await refusal(change(url, { username: "limited" }))).toMatch(
      /^The user of limited@.* may not create or change tables .*GRANT CREATE/u,
    );
  });

  it("explains a read-only database", async () => {
    const url = await newDatabase();
    const name = new URL(url).pathname.slice(1);
    await ask(url, `alter database ${name} set default_transaction_read_only = on`);
    expect(await refusal(url)).toMatch(/is read-only .*default_transaction_read_only/u);
  });

  it("is written again by connections of the time when it was read-only", async () => {
    const url = await newDatabase();
    const name = new URL(url).pathname.slice(1);
    const store = await openStore({ kind: "postgres", url });
    onTestFinished(() => store.close());
    const write = async (value: string): Promise<unknown> =>
      store.db
        .insertInto("settings")
        .values({ name: value, value })
        .execute()
        .then(
          () => "written",
          ({ reason }: { reason: unknown }) => reason,
        );
    await ask(
      url,
      `alter database ${name} set default_transaction_read_only = on`,
      "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()",
    );
    await expect.poll(() => write("a")).toBe("read-only");
    // Several connections, none of which is closed from outside.
    await Promise.all(["b", "c", "d"].map(write));
    await ask(
      url,
      "set default_transaction_read_only = off",
      `alter database ${name} set default_transaction_read_only = off`,
    );
    await expect.poll(() => write("e")).toBe("written");
    expect(await Promise.all(["f", "g", "h"].map(write))).toEqual([
      "written",
      "written",
      "written",
    ]);
  });

  it("explains foreign tables and tables of a newer version", async () => {
    const url = await newDatabase();
    await ask(url, "create table users (name text)");
    expect(await refusal(url)).toMatch(/has tables of another application/u);
    const newer = await newDatabase();
    await (await openStore({ kind: "postgres", url: newer })).close();
    await ask(newer, "insert into kysely_migration values ('0099-future', '2030-01-01')");
    expect(await refusal(newer)).toMatch(
      /^haft@.* was written by a newer version of Haft: .*0099-future/u,
    );
  });

  it("explains a server that is starting up", async () => {
    // The bytes that PostgreSQL answers with while it recovers.
    const fields = "SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0";
    const answer = Buffer.alloc(5 + fields.length);
    answer.write("E", 0);
    answer.writeInt32BE(4 + fields.length, 1);
    answer.write(fields, 5);
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    expect(await refusal(`postgres://haft:${password}@127.0.0.1:${port}/haft`)).toMatch(
      /is starting up or shutting down .*Wait until it accepts connections/u,
    );
  });

  it("does not show an address that can't be parsed", async () => {
    expect(await refusal(`postgres://haft:${password}@[bad/haft`)).toMatch(
      /^The address in --database can't be read/u,
    );
  });
});
