import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createAuthenticator } from "../auth/create-authenticator.ts";
import { createTestParts } from "../auth/test-support/create-test-parts.ts";
import { createTokens } from "../auth/tokens.ts";
import { openStore } from "../store/open-store.ts";
import type { Store, StoreLocation } from "../store/store.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { createApiKeys } from "./api-keys.ts";
import { bootstrap } from "./bootstrap.ts";
import { createAdministratorKey } from "./create-administrator-key.ts";
import { createOrganization, newAdministratorAccess } from "./create-organization.ts";
import { createCredentials, readCredentials, writeCredentials } from "./credentials-file.ts";
import { requireLocalPrincipal } from "./local-principal.ts";
import { createUserVariables } from "./user-variables.ts";

const run = promisify(execFile);
const url = "http://127.0.0.1:1";

describeStores("bootstrap", (stores) => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "haft-bootstrap-"));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const path = (): string => join(directory, "credentials.json");

  it("makes an organization, and tells its owner only how to get in", async () => {
    const parts = createTestParts(await stores.open());
    const { credentials, isFirst } = await bootstrap(parts, { directory, url });
    expect(isFirst).toBe(true);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(["credentials.json"]);
    expect(JSON.parse(readFileSync(path(), "utf8"))).toEqual(credentials);
    expect(Object.keys(credentials ?? {})).toEqual([
      "url",
      "organization",
      "user_id",
      "api_key_id",
      "api_key",
    ]);
    const principal = await createAuthenticator(parts).identify(`Bearer ${credentials?.api_key}`);
    expect(principal).toMatchObject({
      organization: credentials?.organization,
      userId: credentials?.user_id,
      keyId: credentials?.api_key_id,
    });
    expect(await names(parts.store)).toEqual(["default"]);
  });

  it("keeps everything but the address at later starts, and closes the file to others", async () => {
    const parts = createTestParts(await stores.open());
    const { credentials } = await bootstrap(parts, { directory, url });
    chmodSync(path(), 0o644);
    const again = await bootstrap(parts, { directory, url: "http://127.0.0.1:2" });
    expect(again).toEqual({
      credentials: { ...credentials, url: "http://127.0.0.1:2" },
      isFirst: false,
    });
    expect(readCredentials(directory)).toEqual(again.credentials);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(await names(parts.store)).toEqual(["default"]);
  });

  it("makes the organization that the file speaks of if it was interrupted", async () => {
    const parts = createTestParts(await stores.open());
    const planned = { url, ...newAdministratorAccess() };
    createCredentials(directory, planned);
    expect(await bootstrap(parts, { directory, url })).toEqual({
      credentials: planned,
      isFirst: true,
    });
    await createAuthenticator(parts).identify(`Bearer ${planned.api_key}`);
  });

  it("makes one organization when several processes start at once", async () => {
    const location = await stores.locate();
    const start = (port: number) => bootstrapInProcess(location, directory, port);
    const ends = await Promise.all([start(1), start(2), start(3)]);
    expect(ends.filter(({ isFirst }) => isFirst)).toHaveLength(1);
    const keys = new Set(ends.map(({ credentials }) => credentials?.api_key));
    expect(keys.size).toBe(1);
    expect(readCredentials(directory)?.api_key).toBe([...keys][0]);
    const store = await openStore(location);
    expect(await names(store)).toEqual(["default"]);
    await createAuthenticator(createTestParts(store)).identify(`Bearer ${[...keys][0]}`);
    await store.close();
  });

  it("makes one organization when processes with other directories start at once", async () => {
    const parts = createTestParts(await stores.open());
    const elsewhere = join(directory, "elsewhere");
    const ends = await Promise.all([
      bootstrap(parts, { directory, url }),
      bootstrap(parts, { directory: elsewhere, url }),
    ]);
    expect(await names(parts.store)).toEqual(["default"]);
    const first = ends.find(({ isFirst }) => isFirst);
    const other = ends.find(({ isFirst }) => !isFirst);
    expect(first?.credentials).toBeDefined();
    expect(other?.credentials).toBeUndefined();
    expect(other?.remedy).toMatch(/is not there\. Make a key: haft key create --data/);
    const files = [path(), join(elsewhere, "credentials.json")].filter((each) => existsSync(each));
    expect(files).toHaveLength(1);
  });

  it("starts without the file, and says how to make a key", async () => {
    const parts = createTestParts(await stores.open());
    await bootstrap(parts, { directory, url });
    rmSync(path());
    const { credentials, remedy } = await bootstrap(parts, { directory, url });
    expect(credentials).toBeUndefined();
    expect(remedy).toBe(`${path()} is not there. Make a key: haft key create --data ${directory}`);
    expect(existsSync(path())).toBe(false);

    const access = await createAdministratorKey(parts);
    await createAuthenticator(parts).identify(`Bearer ${access.api_key}`);
    writeCredentials(directory, { url, ...access });
    expect(await bootstrap(parts, { directory, url })).toEqual({
      credentials: { url, ...access },
      isFirst: false,
    });
  });

  it("does not touch a file whose key is not valid here, or that is something else", async () => {
    const parts = createTestParts(await stores.open());
    const { credentials } = await bootstrap(parts, { directory, url });
    if (credentials === undefined) return expect.unreachable();
    const other = { url: "http://elsewhere", ...newAdministratorAccess() };
    writeCredentials(directory, other);
    const stale = await bootstrap(parts, { directory, url });
    expect(stale.credentials).toBeUndefined();
    expect(stale.remedy).toMatch(/is not valid here, or no longer\. Make a key/);
    expect(readCredentials(directory)).toEqual(other);

    writeFileSync(path(), "{}");
    const foreign = await bootstrap(parts, { directory, url });
    expect(foreign.remedy).toMatch(/is not what Haft wrote there\. Move it away/);
    expect(readFileSync(path(), "utf8")).toBe("{}");

    writeCredentials(directory, credentials);
    const principal = await requireLocalPrincipal(parts);
    await createAdministratorKey(parts);
    await createApiKeys(parts).delete(principal, credentials.api_key_id);
    const deleted = await bootstrap(parts, { directory, url });
    expect(deleted.credentials).toBeUndefined();
  });

  it("refuses to write over something else when there is no organization yet", async () => {
    const parts = createTestParts(await stores.open());
    writeFileSync(path(), "mine");
    await expect(bootstrap(parts, { directory, url })).rejects.toThrow(/Move it away/);
    expect(readFileSync(path(), "utf8")).toBe("mine");
    expect(await names(parts.store)).toEqual([]);
  });

  it("names organizations once, and works on the one that is meant", async () => {
    const parts = createTestParts(await stores.open());
    await expect(requireLocalPrincipal(parts)).rejects.toThrow(/haft org create NAME/);
    const one = await createOrganization(parts, "  one ");
    const two = await createOrganization(parts, "two");
    await expect(createOrganization(parts, "one")).rejects.toMatchObject({
      status: 409,
      message: "There is an organization one already.",
    });
    for (const name of ["", "  ", "x".repeat(101), "a\0b"]) {
      await expect(createOrganization(parts, name)).rejects.toMatchObject({ status: 400 });
    }
    await createOrganization(parts, "😀".repeat(100));
    expect((await requireLocalPrincipal(parts, "one")).userId).toBe(one.user_id);
    expect((await requireLocalPrincipal(parts, two.organization)).userId).toBe(two.user_id);
    await expect(createAdministratorKey(parts)).rejects.toThrow(/several organizations.*one, two/);
    await expect(createAdministratorKey(parts, "three")).rejects.toThrow(/no organization three/);
  });

  it("keeps nothing in clear that is secret", async () => {
    const location = await stores.locate();
    const store = await openStore(location);
    const parts = createTestParts(store);
    const { credentials } = await bootstrap(parts, { directory, url });
    if (credentials === undefined) return expect.unreachable();
    const { organization, user_id: userId } = credentials;
    const principal = await requireLocalPrincipal(parts);
    const key = await createApiKeys(parts).create(principal, {
      name: "other",
      durationMs: 60_000,
      roleName: "DefaultAdministratorRole",
    });
    const variables = createUserVariables(parts);
    const upserts = [
      { name: "plain_one", value: "plainly-written-value", is_secret: false },
      { name: "secret_one", value: "correct-horse-battery", is_secret: true },
    ];
    await variables.modify(principal, userId, { upserts, deletes: [] });
    expect(await variables.read(organization, userId)).toEqual({
      plain: { plain_one: "plainly-written-value" },
      sensitive: { secret_one: "correct-horse-battery" },
    });
    const claims = { organization, userId, keyId: key.keyId, roleId: "r", expiresAt: 1 };
    const token = await createTokens(parts).sign(claims);
    const bytes = await readEverything(store, location);
    await store.close();
    // What is no secret is found, so that the search is known to work.
    expect(bytes.includes(organization)).toBe(true);
    expect(bytes.includes("secret_one")).toBe(true);
    for (const secret of [
      credentials.api_key,
      credentials.api_key.slice(5, 30),
      key.apiKey.slice(5, 30),
      "plainly-written-value",
      "correct-horse-battery",
      Buffer.from("correct-horse-battery").toString("base64url"),
      token,
    ]) {
      expect(bytes.includes(secret), secret).toBe(false);
    }
  });
});

async function names(store: Store): Promise<readonly string[]> {
  const rows = await store.db.selectFrom("organizations").select("name").execute();
  return rows.map(({ name }) => name);
}

/** The bytes of the database's files, or what PostgreSQL can tell of all its rows. */
async function readEverything(store: Store, location: StoreLocation): Promise<Buffer> {
  if (location.kind === "sqlite") {
    const directory = dirname(location.path);
    return Buffer.concat(readdirSync(directory).map((name) => readFileSync(join(directory, name))));
  }
  const tables = ["organizations", "users", "roles", "api_keys", "user_variables"];
  const texts: string[] = [];
  for (const table of [...tables, "audit", "settings"]) {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(store.db);
    texts.push(JSON.stringify(rows));
  }
  return Buffer.from(texts.join("\n"));
}

async function bootstrapInProcess(
  location: StoreLocation,
  directory: string,
  port: number,
): Promise<Awaited<ReturnType<typeof bootstrap>>> {
  const from = (file: string): string => JSON.stringify(import.meta.resolve(file));
  const source = `import { openStore } from ${from("../store/open-store.ts")};
    import { createAudit } from ${from("../operations/audit.ts")};
    import { bootstrap } from ${from("./bootstrap.ts")};
    const store = await openStore(${JSON.stringify(location)});
    const parts = { store, now: Date.now, audit: createAudit({ store, now: Date.now }) };
    const options = { directory: ${JSON.stringify(directory)}, url: "http://127.0.0.1:${port}" };
    process.stdout.write(JSON.stringify(await bootstrap(parts, options)));
    await store.close();`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", source]);
  return JSON.parse(stdout);
}
