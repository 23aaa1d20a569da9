import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";

const run = promisify(execFile);

/** A PostgreSQL server of one test's own. */
export interface TestPostgres {
  /** Makes a new empty database and returns its URL. */
  newDatabase(): Promise<string>;
  /** Ends the server, and starts it again on the same data. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

let shared: Promise<TestPostgres> | undefined;

/** Makes a new empty database on the server that all tests of this process share, and returns its URL. */
export async function newDatabase(): Promise<string> {
  shared ??= startPostgres({ endsWithProcess: true });
  return (await shared).newDatabase();
}

/**
 * Starts a server on a free port, its data in a temporary directory. It flushes and vacuums nothing. With
 * `endsWithProcess` it ends when this process does, however that is.
 */
export async function startPostgres({ endsWithProcess = false } = {}): Promise<TestPostgres> {
  const programs = findPrograms();
  const directory = mkdtempSync(join(tmpdir(), "haft-postgres-"));
  const data = join(directory, "data");
  const port = await findFreePort();
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? await findUser() : undefined;
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  chmodSync(directory, 0o700);
  const options = { ...(user ?? {}), cwd: directory, env: { ...process.env, LC_ALL: "C" } };
  // Autovacuum would start a process for a database each second: it has no work in tests.
  const unneeded = "-c fsync=off -c full_page_writes=off -c autovacuum=off";
  const settings = `-p ${port} -h 127.0.0.1 -k ${directory} ${unneeded}`;
  await run(join(programs, "initdb"), ["-D", data, "-U", "haft", "-A", "trust", "-N"], options);
  const start = ["-D", data, "-w", "-l", join(directory, "log"), "-o", settings, "start"];
  const control = join(programs, "pg_ctl");
  await run(control, start, options);
  if (endsWithProcess) {
    const script = 'read -r line; "$1" -D "$2" -m immediate -w stop; rm -rf "$3"';
    const guard = spawn("sh", ["-c", script, "sh", control, data, directory], {
      ...options,
      cwd: "/",
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    guard.unref();
    // Its input ends with this process.
    (guard.stdin as Socket).unref();
  }
  const url = (database: string): string => `postgres://haft@127.0.0.1:${port}/${database}`;
  const halt = async (): Promise<void> => {
    await run(control, ["-D", data, "-m", "immediate", "-w", "stop"], options);
  };
  return {
    newDatabase: async () => {
      const name = `t${randomBytes(8).toString("hex")}`;
      const client = new Client({ connectionString: url("postgres") });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return url(name);
    },
    halt,
    resume: async () => void (await run(control, start, options)),
    stop: async () => {
      await halt();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function findPrograms(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => +b - +a) : [];
  const found = versions
    .map((version) => join(debian, version, "bin"))
    .find((each) => existsSync(join(each, "initdb")));
  if (found === undefined) {
    throw new Error("PostgreSQL is not installed. On Debian: apt-get install postgresql");
  }
  return found;
}

async function findUser(): Promise<{ readonly uid: number; readonly gid: number }> {
  const ask = async (option: string): Promise<number> =>
    Number((await run("id", [option, "postgres"])).stdout);
  return { uid: await ask("-u"), gid: await ask("-g") };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("No port is free.");
  return address.port;
}
