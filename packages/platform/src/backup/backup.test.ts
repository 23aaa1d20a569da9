import { execFileSync } from "node:child_process";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extract, pack } from "tar-stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { newId } from "../new-id.ts";
import { openStore } from "../store/open-store.ts";
import { isStoreInUse, restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "haft-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const author = ["-c", "user.name=A", "-c", "user.email=a@example.com"];

function git(directory: string, ...words: readonly string[]): string {
  return execFileSync("git", ["-C", directory, ...author, ...words], { encoding: "utf8" }).trim();
}

/** A data directory with two organizations, one of which has commits. */
async function makePlatform() {
  const folder = makeFolder();
  const directory = join(folder, "data");
  const [busy, idle] = [newId(), newId()];
  for (const organization of [busy, idle]) {
    const repository = join(directory, "repositories", `${organization}.git`);
    execFileSync("git", ["init", "-q", "--bare", "-b", "main", repository]);
  }
  const work = join(folder, "work");
  execFileSync("git", ["init", "-q", "-b", "main", work]);
  writeFileSync(join(work, "tool.json"), "{}");
  git(work, "add", ".");
  git(work, "commit", "-q", "-m", "One.");
  const remote = join(directory, "repositories", `${busy}.git`);
  git(work, "push", "-q", remote, "HEAD:refs/heads/main", `HEAD:refs/heads/releases/${busy}`);
  writeFileSync(join(directory, "master.key"), "the key", { mode: 0o600 });
  writeFileSync(join(directory, "credentials.json"), '{"url":"http://a.example"}', { mode: 0o600 });
  writeFileSync(join(directory, "settings.json"), "{}");
  const store = await openStore({ kind: "sqlite", path: join(directory, "haft.db") });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await store.close();
    isOpen = false;
  };
  onTestFinished(close);
  const add = (name: string) =>
    store.db.insertInto("organizations").values({ id: newId(), name, created_at: 1 }).execute();
  await add("acme");
  return {
    folder,
    directory,
    store,
    close,
    add,
    busy,
    idle,
    commit: git(work, "rev-parse", "HEAD"),
  };
}

async function namesIn(directory: string): Promise<readonly string[]> {
  const store = await openStore({ kind: "sqlite", path: join(directory, "haft.db") });
  const rows = await store.db.selectFrom("organizations").select("name").orderBy("name").execute();
  await store.close();
  return rows.map(({ name }) => name);
}

async function readTar(file: string): Promise<Map<string, Buffer>> {
  const entries = extract();
  createReadStream(file).pipe(entries);
  const found = new Map<string, Buffer>();
  for await (const entry of entries) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    found.set(entry.header.name, Buffer.concat(chunks));
  }
  return found;
}

async function writeTar(
  file: string,
  entries: Iterable<readonly [string, Buffer | { readonly linkTo: string }]>,
): Promise<void> {
  const tar = pack();
  for (const [name, content] of entries) {
    if (Buffer.isBuffer(content)) tar.entry({ name }, content);
    else tar.entry({ name, type: "symlink", linkname: content.linkTo });
  }
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  writeFileSync(file, Buffer.concat(chunks));
}

describe("a backup", () => {
  it("is taken while the platform runs, and restores everything", async () => {
    const { folder, directory, add, busy, idle, commit, close } = await makePlatform();
    const file = join(folder, "backup.tar");
    const summary = await writeBackup({ directory, file });
    expect(summary).toMatchObject({ repositories: 2, hasKey: true, bytes: statSync(file).size });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await add("later");
    await close();
    rmSync(directory, { recursive: true });

    const target = join(folder, "restored", "data");
    const restored = await restoreBackup({ file, directory: target });
    expect(restored).toMatchObject({ repositories: 2, hasKey: true, replaced: undefined });
    expect(readdirSync(target).sort()).toEqual([
      "credentials.json",
      "haft.db",
      "master.key",
      "repositories",
      "settings.json",
    ]);
    expect(await namesIn(target)).toEqual(["acme"]);
    expect(readFileSync(join(target, "master.key"), "utf8")).toBe("the key");
    for (const name of ["haft.db", "master.key", "credentials.json"]) {
      expect(statSync(join(target, name)).mode & 0o777).toBe(0o600);
    }
    expect(statSync(target).mode & 0o777).toBe(0o700);
    const repository = join(target, "repositories", `${busy}.git`);
    expect(git(repository, "rev-parse", `refs/heads/releases/${busy}`, "HEAD").split("\n")).toEqual(
      [commit, commit],
    );
    expect(git(repository, "fsck", "--strict")).toBe("");
    expect(readdirSync(join(target, "repositories"))).toEqual(
      [busy, idle].sort().map((id) => `${id}.git`),
    );
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("holds what was committed to the write-ahead log only, with a writer at work", async () => {
    const { folder, directory, add } = await makePlatform();
    let written = 0;
    let isDone = false;
    const writing = (async () => {
      while (!isDone) {
        await add(`org ${String(written).padStart(5, "0")}`);
        written += 1;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await expect.poll(() => written).toBeGreaterThan(5);
    const before = written;
    await writeBackup({ directory, file: join(folder, "b.tar") });
    isDone = true;
    await writing;
    const target = join(folder, "restored");
    await restoreBackup({ file: join(folder, "b.tar"), directory: target });
    const names = (await namesIn(target)).filter((name) => name.startsWith("org "));
    expect(names.length).toBeGreaterThanOrEqual(before);
    expect(names).toEqual(names.map((_, at) => `org ${String(at).padStart(5, "0")}`));
  });

  it("leaves the master key out if asked to", async () => {
    const { folder, directory } = await makePlatform();
    const file = join(folder, "b.tar");
    expect(await writeBackup({ directory, file, withoutKey: true })).toMatchObject({
      hasKey: false,
    });
    expect([...(await readTar(file)).keys()]).not.toContain("master.key");
    const target = join(folder, "restored");
    expect(await restoreBackup({ file, directory: target })).toMatchObject({ hasKey: false });
    expect(existsSync(join(target, "master.key"))).toBe(false);
  });

  it("replaces neither a file nor a directory's content unless told to", async () => {
    const { folder, directory, close } = await makePlatform();
    const file = join(folder, "b.tar");
    writeFileSync(file, "mine");
    await expect(writeBackup({ directory, file })).rejects.toThrow("already exists");
    expect(readFileSync(file, "utf8")).toBe("mine");
    await writeBackup({ directory, file, force: true });
    await expect(restoreBackup({ file, directory, force: true })).rejects.toThrow(
      `A platform is running on ${directory}. Stop it first.`,
    );
    await close();
    await expect(restoreBackup({ file, directory })).rejects.toThrow("is not empty");
    writeFileSync(join(directory, "note"), "old");
    const { replaced = "" } = await restoreBackup({ file, directory, force: true });
    expect(readFileSync(join(replaced, "note"), "utf8")).toBe("old");
    expect(existsSync(join(replaced, "haft.db"))).toBe(true);
    expect(await namesIn(directory)).toEqual(["acme"]);
  });

  it.each([
    ["no data directory", { directory: "nowhere" }, "is not a data directory"],
    ["nowhere to write", { file: "nowhere/b.tar" }, "There is no directory"],
  ])("is refused with %s", async (_, change, why) => {
    const { folder, directory } = await makePlatform();
    const wanted = { directory, file: "b.tar", ...change };
    const options = {
      directory: join(folder, wanted.directory.replace(`${folder}/`, "")),
      file: join(folder, wanted.file),
    };
    await expect(writeBackup(options)).rejects.toThrow(why);
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
  });
});

describe("restoring what is no whole backup", () => {
  async function makeBackup() {
    const { folder, directory } = await makePlatform();
    const file = join(folder, "b.tar");
    await writeBackup({ directory, file });
    const entries = await readTar(file);
    const manifest = JSON.parse(entries.get("manifest.json")?.toString("utf8") ?? "");
    const target = join(folder, "restored");
    const restore = async (): Promise<unknown> => restoreBackup({ file, directory: target });
    return { folder, file, entries, manifest, target, restore };
  }

  it.each([
    ["../outside", "is damaged"],
    ["/etc/outside", "is damaged"],
    ["repositories/../../outside", "is damaged"],
    ["config.json", "is damaged"],
  ])("refuses a manifest that names %s", async (path, why) => {
    const { file, entries, manifest, target, restore, folder } = await makeBackup();
    manifest.files[1].path = path;
    entries.set("manifest.json", Buffer.from(JSON.stringify(manifest)));
    await writeTar(file, entries);
    await expect(restore()).rejects.toThrow(why);
    expect(existsSync(target)).toBe(false);
    expect(existsSync(join(folder, "outside"))).toBe(false);
  });

  it("refuses what the manifest does not name, and links", async () => {
    const { file, entries, target, restore } = await makeBackup();
    await writeTar(file, [...entries, ["../outside", Buffer.from("x")]]);
    await expect(restore()).rejects.toThrow(
      'contains "../outside", which its manifest does not list',
    );
    entries.delete("master.key");
    await writeTar(file, [...entries, ["master.key", { linkTo: "/etc/passwd" }]]);
    await expect(restore()).rejects.toThrow(
      'contains "master.key", which its manifest does not list',
    );
    expect(existsSync(target)).toBe(false);
  });

  it("refuses a file that was changed, is missing or was cut", async () => {
    const { file, entries, target, restore } = await makeBackup();
    const whole = readFileSync(file);
    await writeTar(file, new Map(entries).set("master.key", Buffer.from("tHe key")));
    await expect(restore()).rejects.toThrow("master.key does not match its checksum");
    const fewer = new Map(entries);
    fewer.delete("haft.db");
    await writeTar(file, fewer);
    await expect(restore()).rejects.toThrow("haft.db is missing");
    writeFileSync(file, whole.subarray(0, whole.length / 2));
    await expect(restore()).rejects.toThrow(/damaged|missing|incomplete/u);
    expect(existsSync(target)).toBe(false);
  });

  it("refuses files that are not a backup or have a newer format", async () => {
    const { file, entries, manifest, restore } = await makeBackup();
    manifest.version = 2;
    entries.set("manifest.json", Buffer.from(JSON.stringify(manifest)));
    await writeTar(file, entries);
    await expect(restore()).rejects.toThrow("version 2");
    for (const content of ["", "no archive at all ".repeat(100)]) {
      writeFileSync(file, content);
      await expect(restore()).rejects.toThrow(/not a Haft backup/u);
    }
    await writeTar(file, [["a.txt", Buffer.from("x")]]);
    await expect(restore()).rejects.toThrow("not a Haft backup");
    rmSync(file);
    await expect(restore()).rejects.toThrow(`There is no file ${file}.`);
  });

  it("refuses a database of tables that it does not know", async () => {
    const { folder, directory, store } = await makePlatform();
    await store.db
      .insertInto("kysely_migration" as never)
      .values({ name: "9999-future", timestamp: "2099" } as never)
      .execute();
    const file = join(folder, "b.tar");
    await writeBackup({ directory, file });
    const restored = restoreBackup({ file, directory: join(folder, "restored") });
    await expect(restored).rejects.toThrow("can't be used by this Haft");
  });
});

describe("isStoreInUse", () => {
  it("knows whether somebody has the database open", async () => {
    const directory = makeFolder();
    mkdirSync(join(directory, "data"));
    const path = join(directory, "data", "haft.db");
    expect(isStoreInUse(path)).toBe(false);
    const store = await openStore({ kind: "sqlite", path });
    expect(isStoreInUse(path)).toBe(true);
    await store.close();
    expect(isStoreInUse(path)).toBe(false);
  });
});
