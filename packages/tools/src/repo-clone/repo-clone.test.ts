import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createMemoryComputer } from "@haft/computer/memory";
import type { NetRequest, ProgramRun, Runtime } from "@haft/contract";
import { createTestRuntime, describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { type Files, openRuntime } from "../test-support/computers.ts";
import { startGitServer } from "../test-support/git-server.ts";
import { openCommands } from "../test-support/open-commands.ts";
import { repoClone } from "./repo-clone.ts";

const open = (files: Files = {}) => openCommands(repoClone, { files, allowHosts: ["127.0.0.1"] });

describe("repo_clone", () => {
  it("clones the newest commit of the default branch into a directory of its name", async () => {
    const { url, commit } = await startGitServer();
    const runtime = await open();
    const directory = `${runtime.root}/project`;
    expect(await repoClone.execute({ url }, runtime)).toEqual({
      directory,
      url,
      commit,
      branch: "main",
      files: 4,
      message: expect.stringMatching(
        /^Cloned .*its newest commit\. It was transferred unencrypted/u,
      ),
    });
    expect(readFileSync(`${directory}/src/a.ts`, "utf8")).toBe("export {};\n");
    expect(readFileSync(`${directory}/.git/shallow`, "utf8")).toBe(`${commit}\n`);
    expect(existsSync(`${directory}/.git/hooks`)).toBe(false);
  });

  it("clones a branch or a tag, and as much history as it is told", async () => {
    const { url, commit } = await startGitServer();
    const runtime = await open({ "vendor/.keep": "" });
    const other = await repoClone.execute({ url, ref: "other", directory: "vendor/x" }, runtime);
    expect(other).toMatchObject({ branch: "other", files: 1 });
    const tag = await repoClone.execute({ url, ref: "v1", directory: "y/z" }, runtime);
    expect(tag).toMatchObject({ commit: other.commit, files: 1 });
    expect(tag).not.toHaveProperty("branch");
    const deep = await repoClone.execute({ url, depth: 5, directory: "deep" }, runtime);
    expect(deep).toMatchObject({ commit, message: expect.stringContaining("last 5 commits") });
    expect(existsSync(`${runtime.root}/deep/.git/shallow`)).toBe(false);
  });

  it("clones an empty repository", async () => {
    const { url } = await startGitServer();
    const runtime = await open();
    const empty = url.replace("project", "empty");
    expect(await repoClone.execute({ url: empty }, runtime)).toMatchObject({
      commit: null,
      message: expect.stringContaining("it is empty"),
    });
  });

  it.each<[string, string, { ref?: string }, string, RegExp]>([
    ["a repository that is not there", "missing.git", {}, "not-found", /no repository/u],
    ["one that needs credentials", "private.git", {}, "not-found", /credentials/u],
    ["a branch that is not there", "project.git", { ref: "none" }, "not-found", /named none/u],
  ])("explains %s, and leaves nothing behind", async (_, name, ...[more, code, message]) => {
    const { url } = await startGitServer();
    const runtime = await open();
    const call = repoClone.execute({ url: url.replace("project.git", name), ...more }, runtime);
    await expect(call).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(readdirSync(runtime.root)).toEqual([]);
  });

  it("explains a host that can't be reached", async () => {
    const { url, port } = await startGitServer();
    const runtime = await open();
    const unreachable = url.replace(`:${port}`, ":1");
    await expect(repoClone.execute({ url: unreachable }, runtime)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("127.0.0.1"),
    });
  });

  it("follows a redirect to another repository, but to no other host or protocol", async () => {
    const { url, port, commit } = await startGitServer();
    const place = { allowHosts: ["127.0.0.1", "localhost"] };
    const runtime = await openCommands(repoClone, place);
    const clone = (target: string, directory: string) =>
      repoClone.execute(
        { url: `http://127.0.0.1:${port}/to/${encodeURIComponent(target)}`, directory },
        runtime,
      );
    expect(await clone(url, "a")).toMatchObject({ commit, url });
    const elsewhere = url.replace("127.0.0.1", "localhost");
    await expect(clone(elsewhere, "b")).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining(`Clone ${elsewhere} instead.`),
    });
    await expect(clone("file:///etc", "c")).rejects.toMatchObject({ code: expect.any(String) });
    await expect(clone(`http://127.0.0.1:${port}/page?`, "d")).rejects.toMatchObject({
      code: expect.any(String),
    });
    expect(readdirSync(runtime.root)).toEqual(["a"]);
  });

  it("puts it into an empty directory, but not over what is there", async () => {
    const { url } = await startGitServer();
    const runtime = await open({ "full/a": "mine", file: "mine" });
    for (const directory of ["full", "file"]) {
      await expect(repoClone.execute({ url, directory }, runtime)).rejects.toMatchObject({
        code: "conflict",
      });
    }
    await runtime.fs.remove("full/a");
    await repoClone.execute({ url, directory: "full" }, runtime);
    expect(existsSync(`${runtime.root}/full/old.txt`)).toBe(true);
  });

  it("keeps an empty directory that was there when it fails", async () => {
    const { url } = await startGitServer();
    const runtime = await open({ "kept/a": "" });
    await runtime.fs.remove("kept/a");
    const call = repoClone.execute({ url, ref: "none", directory: "kept" }, runtime);
    await expect(call).rejects.toMatchObject({ code: "not-found" });
    expect(readdirSync(`${runtime.root}/kept`)).toEqual([]);
  });

  it.each([
    ["climbs", "a/../../b", "invalid-arguments"],
    ["lies outside", "/etc/haft-test", "out-of-scope"],
    ["is protected", ".git", "denied"],
  ])("refuses a directory that %s", async (_, directory, code) => {
    const { url } = await startGitServer();
    const call = repoClone.execute({ url, directory }, await open());
    await expect(call).rejects.toMatchObject({ code });
  });

  it("refuses an address that gives no name for a directory", async () => {
    const call = repoClone.execute({ url: "https://example.com/a/-x" }, await open());
    await expect(call).rejects.toMatchObject({
      code: "invalid-arguments",
      message: expect.stringMatching(/^directory: /u),
    });
  });

  it.each(["-x", "--upload-pack=id", "a b", "a..b", "a:b", "a\nb", "a~1", "f".repeat(40)])(
    "refuses the ref %j",
    async (ref) => {
      const call = repoClone.execute({ url: "https://example.com/name", ref }, await open());
      await expect(call).rejects.toMatchObject({ code: "invalid-arguments" });
    },
  );

  it("lets git reach its host and write its directory only, and run nothing of its own", async () => {
    const ran: ProgramRun[] = [];
    const runtime = await open();
    const run = async (program: ProgramRun) => {
      ran.push(program);
      return runtime.shell.run(program);
    };
    const { url } = await startGitServer();
    await repoClone.execute({ url }, { ...runtime, shell: { ...runtime.shell, run } });
    const path = `${runtime.root}/project`;
    expect(ran[0]).toMatchObject({ cwd: path, writes: [path], hosts: ["127.0.0.1"] });
    expect(ran.slice(1)).toMatchObject([{ writes: [] }, { writes: [] }]);
    for (const later of ran.slice(1)) expect(later).not.toHaveProperty("hosts");
    expect(ran[0]?.argv.slice(-3)).toEqual(["--", url, "."]);
    expect(ran[0]?.environment).toMatchObject({
      GIT_ALLOW_PROTOCOL: "http",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_TERMINAL_PROMPT: "0",
    });
    expect(ran[0]?.argv).toEqual(
      expect.arrayContaining(["core.hooksPath=/dev/null", "credential.helper=", "--template="]),
    );
  });

  it("removes what git leaves when it is killed", async () => {
    const runtime = await open({ "kept/file": "" });
    const outside = `${runtime.root}/kept`;
    const run: Runtime["shell"]["run"] = async (program) => {
      if (program.argv[0] !== "git") return runtime.shell.run(program);
      mkdirSync(`${program.cwd}/.git/hooks`, { recursive: true });
      for (const name of [".git/config", "-x", "a"]) writeFileSync(`${program.cwd}/${name}`, "");
      symlinkSync(outside, `${program.cwd}/link`);
      return { exitCode: undefined, stdout: new Uint8Array(), stderr: "" };
    };
    const { url } = await startGitServer();
    const call = repoClone.execute({ url }, { ...runtime, shell: { ...runtime.shell, run } });
    await expect(call).rejects.toMatchObject({ code: "failed" });
    expect(readdirSync(runtime.root)).toEqual(["kept"]);
    expect(readdirSync(outside)).toEqual(["file"]);
  });

  it("says what it could not take away", async () => {
    const runtime = await open();
    const run: Runtime["shell"]["run"] = async ({ cwd = "", argv }) => {
      if (argv[0] === "git") await runtime.fs.write(`${cwd}/a`, "");
      return { exitCode: 1, stdout: new Uint8Array(), stderr: "fatal: odd" };
    };
    const { url } = await startGitServer();
    const call = repoClone.execute({ url }, { ...runtime, shell: { ...runtime.shell, run } });
    await expect(call).rejects.toMatchObject({
      message: `Could not clone ${url}. Check the address. git said: odd Parts of it are left in ${runtime.root}/project: remove them.`,
    });
  });

  it("clones in the sandbox, where there is one, through its way out", async () => {
    const { url, commit, asked } = await startGitServer();
    const place = { sandbox: "auto", allowHosts: ["127.0.0.1"] } as const;
    const runtime = await openCommands(repoClone, place);
    const project = await repoClone.execute({ url }, runtime);
    expect(project).toMatchObject({ commit, branch: "main", files: 4 });
    expect(readFileSync(`${runtime.root}/project/link/a.ts`, "utf8")).toBe("export {};\n");
    const before = asked.length;
    const missing = repoClone.execute({ url, ref: "none", directory: "x" }, runtime);
    await expect(missing).rejects.toMatchObject({ code: "not-found" });
    expect(asked.length).toBeGreaterThan(before);
    expect(readdirSync(runtime.root)).toEqual(["project"]);
  });

  it("refuses a private host that is not allowed", async () => {
    const { url, asked } = await startGitServer();
    const runtime = await openCommands(repoClone);
    await expect(repoClone.execute({ url }, runtime)).rejects.toMatchObject({
      code: "out-of-scope",
      message: expect.stringContaining("--allow-host"),
    });
    expect(asked).toEqual([]);
    expect(readdirSync(runtime.root)).toEqual([]);
  });

  it("names the host and the directory as what it touches", () => {
    const keys = repoClone.execution?.resourceKeys;
    expect(keys?.({ url: "https://Example.com:8443/a/name.git" })).toEqual([
      { type: "host", key: "example.com", mode: "read" },
      { key: "name", mode: "write", tree: true },
    ]);
    expect(keys?.({ url: "owner/name", directory: "x" })).toEqual([
      { type: "host", key: "github.com", mode: "read" },
      { key: "x", mode: "write", tree: true },
    ]);
    expect(keys?.({ url: "file:///etc" })).toEqual([{ key: ".", mode: "write", tree: true }]);
  });

  describeToolContract(repoClone, [
    {
      name: "a host that is not there",
      arguments: { url: "http://127.0.0.1:1/a.git", directory: "x", ref: "main", depth: 2 },
      runtime: () => open(),
      expect: { error: "unavailable" },
    },
    {
      name: "a repository",
      arguments: { url: "owner/name" },
      runtime: async () => {
        const runtime = await open();
        const stdout = new TextEncoder().encode(`${"a".repeat(40)}\nmain\n`);
        const run = async () => ({ exitCode: 0, stdout, stderr: "" });
        const net = {
          fetch: async ({ url }: NetRequest) => ({
            ...{ url, status: 200, headers: {}, truncated: false },
            body: new Uint8Array(),
          }),
        };
        return { ...runtime, net, shell: { ...runtime.shell, run } };
      },
      expect: { data: { url: "https://github.com/owner/name.git", branch: "main", files: 0 } },
    },
    {
      name: "an address with a password",
      arguments: { url: "https://user:password@example.com/a.git" },
      runtime: () => open(),
      expect: { error: "invalid-arguments" },
    },
    {
      name: "where nothing can be run",
      arguments: { url: "owner/name" },
      runtime: () => {
        const computer = createMemoryComputer();
        return openRuntime(computer, repoClone, { shell: createTestRuntime().shell });
      },
      expect: { error: "unavailable" },
    },
    { name: "no address", arguments: {}, expect: { error: "invalid-arguments" } },
  ]);
});
