import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { restoreBackup } from "../backup/restore-backup.ts";
import { writeBackup } from "../backup/write-backup.ts";
import { takeDataLock } from "./data-lock.ts";
import { openLocalPlatform } from "./open-local-platform.ts";
import { openPlatformParts } from "./open-platform-parts.ts";
import { type StartedServer, startServer } from "./test-support/start-server.ts";

const directories: string[] = [];
const newDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "haft-refusals-"));
  directories.push(directory);
  return directory;
};
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** A data directory that was used, and whose database is whole in one file. */
async function useDirectory(): Promise<string> {
  const directory = newDirectory();
  const platform = await openLocalPlatform({ directory, database: undefined });
  await platform.createOrganization("acme");
  await platform.close();
  return directory;
}

const open = async (directory: string): Promise<void> => {
  const { store } = await openPlatformParts({ directory, environment: {} });
  await store.close();
};

describe("a data directory whose database", () => {
  let used: string;
  beforeAll(async () => {
    used = await useDirectory();
  });
  const copy = (): { directory: string; path: string } => {
    const directory = newDirectory();
    cpSync(used, directory, { recursive: true });
    return { directory, path: join(directory, "haft.db") };
  };

  it.each<[string, (path: string) => void]>([
    ["was removed", (path) => unlinkSync(path)],
    [
      "was removed, its log not",
      (path) => {
        unlinkSync(path);
        writeFileSync(`${path}-wal`, "x".repeat(5000));
      },
    ],
    ["was emptied", (path) => truncateSync(path)],
    [
      "is a new database",
      (path) => {
        unlinkSync(path);
        const database = new DatabaseSync(path);
        database.exec("create table one (x); drop table one");
        database.close();
      },
    ],
    [
      "is a link to nothing",
      (path) => {
        unlinkSync(path);
        symlinkSync("nowhere.db", path);
      },
    ],
  ])("%s is refused, and stays as it is", async (_, change) => {
    const { directory, path } = copy();
    change(path);
    const before = readdirSync(directory).sort();
    await expect(open(directory)).rejects.toThrow(
      new RegExp(`^${path} is missing or empty, but .*database.id shows .*haft restore FILE`, "u"),
    );
    expect(readdirSync(directory).sort()).toEqual(before);
  });

  it.each(["credentials.json", "repositories/a.git"])(
    "was removed is refused where only %s is left of it",
    async (trace) => {
      const directory = newDirectory();
      mkdirSync(join(directory, "repositories"));
      writeFileSync(join(directory, trace), "{}");
      await expect(open(directory)).rejects.toThrow(/haft\.db is missing or empty/u);
    },
  );

  it("was emptied is there again once a backup is restored, as the refusal says", async () => {
    const { directory, path } = copy();
    const file = join(newDirectory(), "backup.tar");
    await writeBackup({ directory, file });
    truncateSync(path);
    const lock = takeDataLock(directory);
    const restore = { directory, file, force: true };
    await expect(restoreBackup(restore)).rejects.toThrow(
      new RegExp(`Another Haft server is running on ${directory}: process ${process.pid}`, "u"),
    );
    lock.release();
    await restoreBackup(restore);
    await open(directory);
    truncateSync(path, 4096 * 3);
    await expect(writeBackup({ directory, file, force: true })).rejects.toThrow(
      `${path} is damaged or is not a database`,
    );
  });

  it("is not there yet is made, where settings and a key came first", async () => {
    const directory = newDirectory();
    writeFileSync(join(directory, "settings.json"), "{}");
    cpSync(join(used, "master.key"), join(directory, "master.key"));
    await open(directory);
    await open(directory);
  });

  it("was exchanged for that of another directory is refused", async () => {
    const other = await useDirectory();
    const { directory, path } = copy();
    cpSync(join(other, "haft.db"), path);
    cpSync(join(other, "master.key"), join(directory, "master.key"));
    await expect(open(directory)).rejects.toThrow(/is not the one that .* was used with/u);
    unlinkSync(join(directory, "database.id"));
    await open(directory);
  });

  it.each<[string, (path: string) => void, RegExp]>([
    [
      "is something else",
      (path) => writeFileSync(path, "not a database, but long enough\n".repeat(200)),
      /damaged or is not a database \(SQLite says: file is not a database\)/u,
    ],
    [
      "lost its first bytes",
      (path) => {
        const bytes = readFileSync(path);
        writeFileSync(path, bytes.fill(0, 0, 100));
      },
      /damaged or is not a database/u,
    ],
    [
      "was cut off",
      (path) => truncateSync(path, 4096 * 3),
      /damaged or is not a database \(SQLite says: .*malformed/u,
    ],
    [
      "has a broken first page",
      (path) => {
        const bytes = readFileSync(path);
        writeFileSync(path, bytes.fill(0xff, 100, 4096));
      },
      /damaged or is not a database/u,
    ],
    [
      "is a directory",
      (path) => {
        unlinkSync(path);
        mkdirSync(path);
      },
      /is a directory, not a database\. Move it away/u,
    ],
  ])("%s is refused with its path and what to do", async (_, change, sentence) => {
    const { directory, path } = copy();
    change(path);
    const refused = open(directory);
    await expect(refused).rejects.toThrow(sentence);
    await expect(refused).rejects.toThrow(path);
    if (!sentence.source.includes("directory")) {
      await expect(refused).rejects.toThrow(/haft restore FILE .*sqlite3 .* \.recover/u);
    }
  });

  it("was written by a newer version, or by another application, is refused unchanged", async () => {
    const newer = copy();
    const database = new DatabaseSync(newer.path);
    database.exec("insert into kysely_migration values ('0099-future', '2030-01-01')");
    database.close();
    await expect(open(newer.directory)).rejects.toThrow(
      `${newer.path} was written by a newer version of Haft: it has the migration 0099-future`,
    );
    const directory = newDirectory();
    const path = join(directory, "haft.db");
    const foreign = new DatabaseSync(path);
    foreign.exec("create table songs (title text)");
    await expect(open(directory)).rejects.toThrow(
      `${path} has tables of another application (songs)`,
    );
    const tables = foreign.prepare("select name from sqlite_master").all();
    expect(tables).toEqual([{ name: "songs" }]);
    foreign.close();
  });

  it("can't be written is refused with the name of its owner", async () => {
    const { directory, path } = copy();
    chmodSync(path, 0o400);
    if (process.getuid?.() !== 0) {
      await expect(open(directory)).rejects.toThrow(
        /can't be opened for writing .* mode 400; Haft runs as user/u,
      );
      return;
    }
    // Root may write everything but what is no file: a directory in place of the log.
    rmSync(`${path}-wal`, { force: true });
    mkdirSync(`${path}-wal`);
    await expect(open(directory)).rejects.toThrow(
      /can't be opened for writing .*belongs to user 0/u,
    );
  });

  it("has no id any more is refused, for its content was replaced", async () => {
    const { directory, path } = copy();
    const database = new DatabaseSync(path);
    database.exec("delete from settings");
    database.close();
    await expect(open(directory)).rejects.toThrow(/is not the one that .* was used with/u);
  });
});

describe("two servers on one data directory", { timeout: 60_000 }, () => {
  let directory: string;
  let server: StartedServer;
  beforeAll(async () => {
    directory = newDirectory();
    const settings = { runner: { blankWorkers: 0 } };
    writeFileSync(join(directory, "settings.json"), JSON.stringify(settings));
    server = await startServer({ directory });
  }, 60_000);
  afterAll(() => server?.kill());

  it("are refused, naming the one that runs, and nothing is changed by the second", async () => {
    const credentials = readFileSync(join(directory, "credentials.json"), "utf8");
    const link = join(newDirectory(), "link");
    symlinkSync(directory, link);
    for (const path of [directory, link]) {
      await expect(startServer({ directory: path })).rejects.toThrow(
        new RegExp(
          `Another Haft server is running on .*: process ${server.child.pid} on .*, since \\d{4}-`,
          "u",
        ),
      );
    }
    const database = "postgres://haft@127.0.0.1:1/none";
    await expect(startServer({ directory, database })).rejects.toThrow(/Another Haft server/u);
    expect(readFileSync(join(directory, "credentials.json"), "utf8")).toBe(credentials);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it("let commands work on the store beside the one that runs", async () => {
    const platform = await openLocalPlatform({ directory, database: undefined });
    await platform.createOrganization("beside");
    await platform.close();
  });

  it("are no obstacle once the first was killed", async () => {
    await server.kill();
    server = await startServer({ directory });
    expect(statSync(join(directory, "server.lock")).isFile()).toBe(true);
  });
});

describe("a master key", () => {
  it("that is not the store's is refused at the start, and none is made in its place", async () => {
    const directory = await useDirectory();
    const HAFT_MASTER_KEY = Buffer.alloc(32, 7).toString("base64");
    await expect(
      openPlatformParts({ directory, environment: { HAFT_MASTER_KEY } }),
    ).rejects.toThrow(
      /The master key in HAFT_MASTER_KEY \([0-9a-f]{16}\) is not the one .* sealed with \([0-9a-f]{16}\)\. Start every process/u,
    );
    renameSync(join(directory, "master.key"), join(directory, "kept"));
    await expect(open(directory)).rejects.toThrow(/master\.key is missing/u);
    expect(readdirSync(directory)).not.toContain("master.key");
    renameSync(join(directory, "kept"), join(directory, "master.key"));
    await open(directory);
  });
});
