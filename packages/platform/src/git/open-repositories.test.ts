import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultSettings } from "../platform-settings.ts";
import { toGitEnvironment } from "./git-environment.ts";
import { createGit } from "./git-process.ts";
import { findGit } from "./git-program.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { type OpenRepositories, openRepositories } from "./open-repositories.ts";
import { writePushHooks } from "./push-hooks.ts";
import { makeWorkingTree, requireClient, runClient } from "./test-support/git-client.ts";
import { countGitProcesses } from "./test-support/git-processes.ts";
import { organization, startGitServer, type TestGitServer } from "./test-support/git-server.ts";
import { beginClone, beginPush } from "./test-support/half-request.ts";
import {
  sendPush,
  toCommit,
  toObject,
  toPack,
  toPushBody,
  toTree,
} from "./test-support/raw-push.ts";

let directory = "";

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "haft-git-"));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe("finding git", () => {
  it("says what to do when there is none, or an old one", async () => {
    await expect(findGit("")).rejects.toThrow(/^git was not found on the PATH\. Install git 2\.34/);
    const old = join(directory, "old");
    await mkdir(old);
    await writeFile(join(old, "git"), "#!/bin/sh\necho git version 2.20.1\n", { mode: 0o755 });
    await expect(findGit(old)).rejects.toThrow(/is git 2\.20\.1, which is too old\. Install/);
  });

  it("learns what its fsck complains of", async () => {
    const { complaints } = await findGit();
    expect(complaints).toEqual(expect.arrayContaining(["hasDotgit", "badFilemode", "nulInCommit"]));
    expect(complaints).not.toContain("extraHeaderEntry");
  });

  it("runs it without anything of the server's own environment", async () => {
    const environment = toGitEnvironment(await findGit(), { home: directory });
    const others = Object.keys(environment).filter((name) => !name.startsWith("GIT_"));
    expect(others.filter((name) => name !== "TMPDIR").toSorted()).toEqual([
      "HOME",
      "LC_ALL",
      "PATH",
      "SSH_ASKPASS",
    ]);
    expect(environment).toMatchObject({ HOME: directory, GIT_CONFIG_GLOBAL: "/dev/null" });
    const git = createGit(await findGit(), directory);
    const process = git.start(["config", "--get", "core.hooksPath"]);
    expect(await process.stdout.toArray()).toEqual([Buffer.from("/dev/null\n")]);
    await git.close();
  });

  it("refuses to take pushes where hooks can't run", async () => {
    const hooks = join(directory, "unrunnable");
    await mkdir(hooks);
    // As on a file system that is mounted so that nothing on it can be run.
    const umask = process.umask(0o111);
    try {
      await expect(writePushHooks(hooks)).rejects.toThrow(/could not be checked.*noexec/);
    } finally {
      process.umask(umask);
    }
  });
});

describe("repositories in a directory", () => {
  it("are created once, even by concurrent requests", async () => {
    const place = join(directory, "race");
    const opened = await Promise.all(Array.from({ length: 3 }, () => open(place)));
    const found = await Promise.all(
      opened.flatMap((repositories) =>
        Array.from({ length: 3 }, () => repositories.findBranch(organization, "main")),
      ),
    );
    expect(found.every((commit) => commit === undefined)).toBe(true);
    expect((await readdir(place)).toSorted()).toEqual([`${organization}.git`, "hooks"]);
    await Promise.all(opened.map((repositories) => repositories.close()));
  });

  it("run no hook and no program that their own configuration names", async () => {
    const place = join(directory, "hooked");
    const server = await startGitServer(place);
    try {
      await server.repositories.findBranch(organization, "main");
      const path = join(place, `${organization}.git`);
      const trap = join(directory, "trap");
      const script = `#!/bin/sh\ntouch ${trap}\nexit 0\n`;
      await mkdir(join(path, "hooks"), { recursive: true });
      for (const name of ["pre-receive", "update", "post-update", "reference-transaction"]) {
        await writeFile(join(path, "hooks", name), script, { mode: 0o755 });
      }
      expect((await push(server, "main")).text).toContain("ok refs/heads/main");
      await requireClient(directory, ["clone", "-q", server.remote, "hooked-clone"]);
      expect(await readdir(directory)).not.toContain("trap");
    } finally {
      await server.close();
    }
  });

  it("are tidied up when there are many packs", async () => {
    const place = join(directory, "tidy");
    const server = await startGitServer(place);
    try {
      for (const branch of ["a", "b", "c", "d"]) await push(server, branch);
      const path = join(place, `${organization}.git`);
      const countPacks = async (): Promise<number> =>
        (await readdir(join(path, "objects", "pack"))).filter((name) => name.endsWith(".pack"))
          .length;
      expect(await countPacks()).toBe(4);
      const git = createGit(await findGit(), place);
      createHousekeeping(git, 2).start(path);
      await expect.poll(countPacks).toBe(1);
      await git.close();
      await requireClient(path, ["fsck", "--strict"]);
    } finally {
      await server.close();
    }
  });
});

describe("a push that is cut off", () => {
  let server: TestGitServer;
  let place = "";
  const { start, rest, commit } = halves();

  beforeAll(async () => {
    place = join(directory, "cut");
    server = await startGitServer(place);
    await push(server, "main");
  });
  afterAll(() => server.close());

  it("by the client starts no git and leaves nothing behind", async () => {
    const half = beginPush(server.remote, start);
    await once(half, "socket");
    const before = await readdir(place);
    expect(await requireClient(directory, ["ls-remote", server.remote])).toContain("main");
    expect(await countGitProcesses(place)).toBe(0);
    half.destroy();
    await push(server, "beside");
    expect(await incoming(place)).toEqual([]);
    expect(await readdir(place)).toEqual(before);
    expect(server.failures).toEqual([]);
  });

  it("or a clone ends git's process too", async () => {
    const blob = toObject("blob", randomBytes(20_000_000));
    const tree = toTree([{ mode: "100644", name: "large", hash: blob.hash }]);
    const large = toCommit(tree);
    const update = { name: "refs/heads/large", after: large.hash };
    await sendPush(server.remote, toPushBody(update, toPack([large, tree, blob])));
    const clone = beginClone(server.remote, large.hash);
    await once(clone, "response");
    await expect.poll(() => countGitProcesses(place)).toBeGreaterThan(0);
    clone.destroy();
    await expect.poll(() => countGitProcesses(place)).toBe(0);
    expect(server.failures).toEqual([]);
  });

  it("may only be one of so many", async () => {
    const halfs = Array.from({ length: 16 }, () => beginPush(server.remote, start));
    await expect
      .poll(async () => (await runClient(directory, ["ls-remote", server.remote])).code)
      .not.toBe(0);
    for (const _ of ["once", "and again"]) {
      const refused = await runClient(directory, ["ls-remote", server.remote]);
      expect(refused.stderr).toContain("remote: Too many clones and pushes are under way.");
    }
    for (const half of halfs) half.destroy();
    await expect.poll(() => countGitProcesses(place)).toBe(0);
    await expect
      .poll(async () => (await runClient(directory, ["ls-remote", server.remote])).code)
      .toBe(0);
  });

  it("by a kill -9 of the server leaves a repository that is as it was", async () => {
    const own = join(directory, "killed");
    const first = await startProcess(own);
    await sendPush(first.remote, toPushBody({ name: "refs/heads/main", after: commit }, rest));
    const branches = await requireClient(directory, ["ls-remote", first.remote]);
    beginPush(first.remote, start);
    // As a git leaves it that is killed at its work.
    const left = join(own, `${organization}.git`, "objects", "tmp_objdir-incoming-abcdef");
    await mkdir(join(left, "pack"), { recursive: true });
    first.child.kill("SIGKILL");
    await expect.poll(() => countGitProcesses(own)).toBe(0);
    await requireClient(join(own, `${organization}.git`), ["fsck", "--strict"]);

    // The remains of the push are removed once no process can still be working on it.
    const old = new Date(Date.now() - 7_200_000);
    for (const name of await incoming(own)) {
      await utimes(join(own, `${organization}.git`, "objects", name), old, old);
    }
    const second = await startProcess(own);
    expect(await requireClient(directory, ["ls-remote", second.remote])).toBe(branches);
    expect(await incoming(own)).toEqual([]);
    const work = join(directory, "after");
    await makeWorkingTree(work, { "a.txt": "a" });
    await requireClient(work, ["push", "-q", second.remote, "main:after"]);
    second.child.kill("SIGKILL");
    await once(second.child, "close");
  });

  it("by closing the repositories ends at once, and nothing starts after it", async () => {
    await once(beginPush(server.remote, start), "socket");
    await server.repositories.close();
    expect(await countGitProcesses(place)).toBe(0);
    expect(await incoming(place)).toEqual([]);
    await expect(server.repositories.findBranch(organization, "main")).rejects.toMatchObject({
      status: 503,
    });
  });
});

/** A push of one branch, and the first half of another push. */
function halves(): { readonly start: Buffer; readonly rest: Buffer; readonly commit: string } {
  const blob = toObject("blob", "x".repeat(50_000));
  const tree = toTree([{ mode: "100644", name: "a", hash: blob.hash }]);
  const commit = toCommit(tree);
  const pack = toPack([commit, tree, blob]);
  const whole = toPushBody({ name: "refs/heads/half", after: commit.hash }, pack);
  return { start: whole.subarray(0, whole.length - 60), rest: pack, commit: commit.hash };
}

async function push(server: TestGitServer, branch: string): ReturnType<typeof sendPush> {
  const blob = toObject("blob", branch);
  const tree = toTree([{ mode: "100644", name: "a", hash: blob.hash }]);
  const commit = toCommit(tree);
  const update = { name: `refs/heads/${branch}`, after: commit.hash };
  return await sendPush(server.remote, toPushBody(update, toPack([commit, tree, blob])));
}

/** What git keeps apart of pushes that are under way. */
async function incoming(place: string): Promise<readonly string[]> {
  const names = await readdir(join(place, `${organization}.git`, "objects"));
  return names.filter((name) => name.includes("incoming"));
}

async function open(place: string): Promise<OpenRepositories> {
  return await openRepositories(
    { settings: defaultSettings, audit: { record: async () => {}, recordAlone: async () => {} } },
    { directory: place },
  );
}

async function startProcess(place: string): Promise<{
  readonly child: ReturnType<typeof spawn>;
  readonly remote: string;
}> {
  const script = fileURLToPath(new URL("./test-support/serve-repositories.ts", import.meta.url));
  const child = spawn(process.execPath, [script, place], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  return { child, remote: line.trim() };
}
