import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTestWorkspace, type Situation } from "../../test-support/run-haft.ts";
import { serveWire } from "../../test-support/wire/serve-wire.ts";
import {
  organization,
  reply,
  replyEvents,
  userId,
  type WireHandler,
  wireTool,
} from "../../test-support/wire/wire-platform.ts";

const { id } = wireTool("word_count");
const release = `refs/heads/releases/${organization}`;

const published: WireHandler = ({ method, path }, response) => {
  if (method !== "POST" || !path.endsWith("/version")) return false;
  return replyEvents(response, [
    ["progress", { state: "checking", message: "Checking the project." }],
    ["log", { line: "test passed\u001b[0m" }],
    ["progress", { state: "building", message: "Building it." }],
    ["progress", { state: "active", message: "Published." }],
    ["result", { new_version: "1.0.0" }],
  ]);
};

function git(directory: string, ...words: readonly string[]): string {
  const author = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
  return execFileSync("git", ["-C", directory, ...author, ...words], { encoding: "utf8" }).trim();
}

/** A repository with a project in `tools/word_count`, committed, and a platform without it. */
async function open(handle: WireHandler = published, manifest: object = {}) {
  const wire = await serveWire(handle);
  const { haft, directory } = createTestWorkspace();
  const project = join(directory, "tools", "word_count");
  mkdirSync(project, { recursive: true });
  const tool = { name: "word_count", description: "Counts words.", runtime: "node", ...manifest };
  writeFileSync(join(project, "tool.json"), JSON.stringify(tool));
  git(directory, "init", "-q", "-b", "main");
  git(directory, "add", ".");
  git(directory, "commit", "-q", "-m", "One.");
  const run = (args: readonly string[], situation: Situation = {}) =>
    haft(["tool", ...args, "--path", "tools/word_count"], {
      ...situation,
      environment: {
        PATH: process.env.PATH ?? "",
        ...wire.environment,
        ...situation.environment,
      },
    });
  const changes = () => wire.requests.filter(({ method }) => method !== "GET");
  return { ...wire, haft, run, directory, project, changes };
}

describe("haft tool publish", () => {
  it("pushes the folder as it is, shows each step, and says which version it became", async () => {
    const { run, directory, project, repository, changes, gitCredential } = await open();
    writeFileSync(join(directory, "private.txt"), "not the tool's");
    writeFileSync(join(project, ".gitignore"), "node_modules\n");
    mkdirSync(join(project, "node_modules"));
    writeFileSync(join(project, "node_modules/x.js"), "");
    const ran = await run(["publish", "--push", "--candidate", "--bump", "minor"]);
    expect(ran).toMatchObject({
      exitCode: 0,
      stdout:
        "Published the candidate word_count 1.0.0. Make it the latest with: haft tool promote word_count 1.0.0\n",
    });
    expect(ran.stderr).toBe("✓ Checking the project.\n✓ Building it.\n");
    expect(git(repository(), "ls-tree", "-r", "--name-only", release).split("\n")).toEqual([
      "tools/word_count/.gitignore",
      "tools/word_count/tool.json",
    ]);
    expect(changes()).toMatchObject([
      {
        path: `/tool/${id}/version`,
        body: { project_path: "tools/word_count", bump_type: "minor", candidate: true },
      },
    ]);
    const [, credential = ""] = gitCredential()?.split(" ") ?? [];
    expect(Buffer.from(credential, "base64").toString()).toBe(`${organization}_${userId}:test-key`);
    // Neither the repository nor its settings know the key afterwards.
    expect(readFileSync(join(directory, ".git/config"), "utf8")).not.toContain("127.0.0.1");
  });

  it("shows what is printed with --verbose, and every event with --json", async () => {
    const { run } = await open();
    const verbose = await run(["publish", "--push", "--bump", "minor", "--verbose"]);
    expect(verbose.stderr).toContain("    test passed\\u{1b}[0m\n");
    const json = await run(["publish", "--bump", "minor", "--json"]);
    expect(
      json.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { event: "progress", data: { state: "checking", message: "Checking the project." } },
      { event: "log", data: "test passed\u001b[0m" },
      { event: "progress", data: { state: "building", message: "Building it." } },
      { event: "progress", data: { state: "active", message: "Published." } },
      { event: "result", data: { new_version: "1.0.0" } },
    ]);
  });

  it("warns when what is published is not what is here", async () => {
    const { run, project, directory } = await open();
    await run(["publish", "--push", "--bump", "minor"]);
    writeFileSync(join(project, "new.txt"), "x");
    const changed = await run(["publish", "--bump", "patch"]);
    expect(changed.stderr).toContain("1 file in ");
    expect(changed.stderr).toContain("changed since the last commit");
    git(directory, "add", ".");
    git(directory, "commit", "-q", "-m", "Two.");
    const ahead = await run(["publish", "--bump", "patch"]);
    expect(ahead.exitCode).toBe(0);
    expect(ahead.stderr).toContain(
      `HEAD is at ${git(directory, "rev-parse", "HEAD").slice(0, 10)}`,
    );
    expect((await run(["publish", "--bump", "patch", "--push"])).stderr).not.toContain("haft:");
  });

  it("fails with the step that failed and the reason", async () => {
    const { run } = await open(({ path }, response) =>
      path.endsWith("/version")
        ? replyEvents(response, [
            ["progress", { state: "checking", message: "Checking the project." }],
            ["progress", { state: "failed", message: "A test failed." }],
            ["error", { status: 400, detail: "A test failed: adds words." }],
          ])
        : false,
    );
    const ran = await run(["publish", "--push", "--bump", "minor"]);
    expect(ran).toMatchObject({ exitCode: 1, stdout: "" });
    expect(ran.stderr).toBe("✗ Checking the project.\nhaft: A test failed: adds words. [400]\n");
    const json = await run(["publish", "--bump", "minor", "--json"]);
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout.trim().split("\n").at(-1) ?? "")).toEqual({
      event: "error",
      data: { status: 400, detail: "A test failed: adds words." },
    });
  });

  it("creates the tool first if told to, or if a person agrees", async () => {
    const created: WireHandler = (request, response) =>
      request.method === "POST" && request.path === "/tool/"
        ? reply(response, 201, { id })
        : published(request, response);
    const { run, changes } = await open(created, { name: "fresh" });
    const words = ["publish", "--push", "--bump", "minor"];
    expect(await run(words)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("haft tool create fresh --description"),
    });
    expect(await run(words, { typed: ["n"] })).toMatchObject({ exitCode: 1 });
    expect(changes()).toEqual([]);
    expect(await run([...words, "--create"])).toMatchObject({
      exitCode: 0,
      stdout: "Published fresh 1.0.0.\n",
    });
    expect(changes()[0]?.body).toEqual({
      name: "fresh",
      description: "Counts words.",
      tags: {},
    });
    expect((await run(words, { typed: ["yes"] })).exitCode).toBe(0);
  });

  it.each([[[]], [["--json"]]])(
    "leaves no tool behind if the first publish of a new tool fails %j",
    async (options) => {
      const failing: WireHandler = ({ method, path }, response) => {
        if (method === "POST" && path === "/tool/") return reply(response, 201, { id });
        if (method === "DELETE") return reply(response, 204);
        return method === "POST" && reply(response, 400, { detail: "The tests failed." });
      };
      const { run, changes } = await open(failing, { name: "fresh" });
      const words = ["publish", "--push", "--bump", "minor", "--create", ...options];
      const { exitCode, stdout, stderr } = await run(words);
      expect([exitCode, stdout + stderr]).toEqual([
        1,
        expect.stringContaining("The tests failed."),
      ]);
      expect(changes().at(-1)).toMatchObject({ method: "DELETE", path: `/tool/${id}` });
      const existing = await open(failing);
      expect((await existing.run(words)).exitCode).toBe(1);
      expect(existing.changes().some(({ method }) => method === "DELETE")).toBe(false);
    },
  );

  it("adds to what is published already, and to nothing if it is the same", async () => {
    const { run, project, repository } = await open();
    const words = ["publish", "--push", "--bump", "minor"];
    await run(words);
    const first = git(repository(), "rev-parse", release);
    await run(words);
    expect(git(repository(), "rev-parse", release)).toBe(first);
    rmSync(join(project, "tool.json"));
    writeFileSync(join(project, "tool.json"), '{"name":"word_count","description":"Other."}');
    writeFileSync(join(project, "more.txt"), "x");
    await run(words);
    expect(git(repository(), "rev-parse", `${release}^`)).toBe(first);
    expect(git(repository(), "show", `${release}:tools/word_count/tool.json`)).toContain("Other.");
  });

  it("pushes a folder that is in no repository, and one that is a repository by itself", async () => {
    const wire = await serveWire(published);
    const tool = '{"name":"word_count","description":"Counts."}';
    const { haft, directory } = createTestWorkspace({ "counter/tool.json": tool });
    const environment = { PATH: process.env.PATH ?? "", ...wire.environment };
    const words = ["tool", "publish", "--push", "--bump", "minor", "--path", "counter"];
    const list = (): string => git(wire.repository(), "ls-tree", "-r", "--name-only", release);
    expect(await haft(words, { environment })).toMatchObject({ exitCode: 0 });
    expect(list()).toBe("counter/tool.json");
    git(join(directory, "counter"), "init", "-q");
    writeFileSync(join(directory, "counter/a.txt"), "a");
    expect(await haft(words, { environment })).toMatchObject({ exitCode: 0 });
    expect(list()).toBe("counter/a.txt\ncounter/tool.json");
  });

  it("works where git runs us itself, as in a hook", async () => {
    const { run, directory } = await open();
    const environment = { GIT_DIR: ".git", GIT_INDEX_FILE: ".git/index", GIT_WORK_TREE: "." };
    const ran = await run(["publish", "--push", "--bump", "minor"], { environment });
    expect(ran).toMatchObject({ exitCode: 0, stdout: "Published word_count 1.0.0.\n" });
    expect(git(directory, "status", "--porcelain")).toBe("");
  });

  it("says that nothing was pushed yet", async () => {
    const { run, changes } = await open();
    expect(await run(["publish", "--bump", "minor"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`HEAD:releases/${organization}`),
    });
    expect(changes()).toEqual([]);
  });

  it("says what git said when a push is refused", async () => {
    const { run, repository } = await open();
    writeFileSync(
      join(repository(), "hooks/pre-receive"),
      "#!/bin/sh\necho not today >&2; exit 1\n",
      {
        mode: 0o755,
      },
    );
    const ran = await run(["publish", "--push", "--bump", "minor"]);
    expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("not today") });
    expect(ran.stderr).not.toContain("test-key");
  });

  it.each([
    [["publish"], {}, "--bump KIND is required: major (breaks callers)"],
    [["publish", "--bump", "huge"], {}, "major, minor, patch"],
    [["publish", "--bump", "minor"], { name: undefined }, "tool.json has no name"],
    [["publish", "a", "b", "--bump", "minor"], {}, 'unexpected argument: "b"'],
  ] as const)("refuses %j with %j", async (words, manifest, why) => {
    const { run } = await open(published, manifest);
    expect(await run(words)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) });
  });

  it("requires a project in a repository", async () => {
    const wire = await serveWire();
    const { haft, directory } = createTestWorkspace({
      "a/tool.json": '{"name":"a"}',
      "b/x": "",
      "c/tool.json": "{",
      "d.e/tool.json": '{"name":"d"}',
    });
    const environment = { PATH: process.env.PATH ?? "", ...wire.environment };
    const publish = async (path: string): Promise<string> => {
      const words = ["tool", "publish", "--bump", "minor", "--path", path];
      const { exitCode, stderr } = await haft(words, { environment });
      expect(exitCode).toBe(2);
      return stderr;
    };
    expect(await publish("a")).toContain("is not in a git repository");
    expect(await publish("b")).toContain("has no tool.json");
    expect(await publish("c")).toContain("tool.json is not valid JSON");
    expect(await publish("nowhere")).toContain(`${directory}/nowhere is not a folder`);
    git(directory, "init", "-q");
    expect(await publish("d.e")).toContain('does not accept the folder name "d.e"');
  });
});

describe("haft tool test", () => {
  const result = { succeeded: true, output: "2", duration_ms: 3 };
  const tested: WireHandler = ({ path, body }, response) => {
    if (path !== "/tool/test") return false;
    const { inputs } = body as { inputs: readonly unknown[] };
    return reply(response, 200, { invocation_results: inputs.map(() => result) });
  };

  it("runs what is on this branch, pushed on demand", async () => {
    const { run, repository, directory, changes } = await open(tested);
    git(directory, "checkout", "-q", "-b", "feature/x");
    expect(await run(["test"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("The platform has no branch feature/x"),
    });
    const ran = await run(["test", "--push"]);
    expect(ran).toMatchObject({ exitCode: 0, stdout: "✓ input 1, 3 ms\n    2\n" });
    const pushed = git(repository(), "ls-tree", "-r", "--name-only", "refs/heads/try/word_count");
    expect(pushed).toBe("tools/word_count/tool.json");
    expect(changes()[0]?.body).toMatchObject({
      commit_branch: "try/word_count",
      project_path: "tools/word_count",
      inputs: [{ input_parameters: {}, invocation_mode: "regular" }],
      required_envvars: {},
      required_secret_envvars: {},
    });
  });

  it("passes on inputs and variables, and tells them from a platform's name", async () => {
    const { run, changes, url, apiKey, haft } = await open(tested);
    const words = [
      ...["test", "--push", "--input", '{"a": 1}', "--input", '{"a": 2}'],
      ...["--env", "REGION=eu", "--secret-env", "TOKEN=@MINE", "--json"],
    ];
    const environment = { MINE: "hush" };
    const ran = await run(words, { environment });
    expect(ran.json()).toEqual({ invocation_results: [result, result] });
    expect(changes()[0]?.body).toMatchObject({
      inputs: [{ input_parameters: { a: 1 } }, { input_parameters: { a: 2 } }],
      required_envvars: { REGION: "eu" },
      required_secret_envvars: { TOKEN: "hush" },
    });
    expect(`${ran.stdout}${ran.stderr}`).not.toContain("hush");
    const { directory } = createTestWorkspace();
    const own = { environment: { XDG_CONFIG_HOME: directory } };
    await haft(["env", "add", "work", "--url", url, "--api-key", apiKey], own);
    const named = await run(["test", "--push", "--env", "work", "--env", "A=b"], {
      environment: { ...own.environment, HAFT_URL: "", HAFT_API_KEY: "" },
    });
    expect(named.exitCode).toBe(0);
    expect(changes().at(-1)?.body).toMatchObject({ required_envvars: { A: "b" } });
  });

  it("fails with what failed", async () => {
    const failure = {
      succeeded: false,
      exception_type: "TypeError",
      exception_message: "no\u001b[1m",
      exception_stack_trace: ["at a", "at b"],
      duration_ms: 1,
    };
    const { run } = await open(({ path }, response) =>
      path === "/tool/test" ? reply(response, 200, { invocation_results: [failure] }) : false,
    );
    const ran = await run(["test", "--push"], { outputIsTerminal: true });
    expect(ran).toMatchObject({
      exitCode: 1,
      stdout: "✗ input 1, 1 ms\n    TypeError: no\\u{1b}[1m\n    at a\n    at b\n",
    });
  });
});

describe("haft tool init", () => {
  it.each(["node", "python"])(
    "makes a project for %s and says what comes next",
    async (runtime) => {
      const { haft, directory } = createTestWorkspace();
      const { exitCode, stdout } = await haft(["tool", "init", "greet", "--runtime", runtime]);
      expect(exitCode).toBe(0);
      expect(stdout).toContain("--push --create --bump minor");
      const manifest = JSON.parse(readFileSync(join(directory, "greet/tool.json"), "utf8"));
      expect(manifest).toMatchObject({ name: "greet", runtime });
      const source = runtime === "node" ? "src/tool.ts" : "src/tool.py";
      expect(existsSync(join(directory, "greet", source))).toBe(true);
      expect(existsSync(join(directory, "greet/test"))).toBe(true);
      expect(await haft(["tool", "init", "greet"])).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining("not empty"),
      });
    },
  );

  it("takes a folder that is empty, and answers programs", async () => {
    const { haft, directory } = createTestWorkspace();
    mkdirSync(join(directory, "greet"));
    const made = (await haft(["tool", "init", "greet", "--json"])).json<{ files: string[] }>();
    expect(made).toMatchObject({ name: "greet", runtime: "node", directory: `${directory}/greet` });
    expect(made.files).toContain("tool.json");
    expect(made.files.filter((path) => path.startsWith("node_modules"))).toEqual([]);
  });

  it("makes a project that npm tests at once, also after it installs another package", async () => {
    const { haft, directory } = createTestWorkspace({
      "other/package.json": '{"name": "other", "version": "1.0.0"}',
    });
    await haft(["tool", "init", "greet"]);
    const npm = (...words: string[]): string =>
      execFileSync("npm", [...words, "--install-links", "--offline", "--no-audit"], {
        cwd: join(directory, "greet"),
        encoding: "utf8",
      });
    expect(npm("test")).toMatch(/pass 3\n/u);
    npm("install", "../other");
    const installed = ["amigo_tool_scaffold/index.js", "other/package.json"];
    for (const path of installed) {
      expect(existsSync(join(directory, "greet/node_modules", path))).toBe(true);
    }
    // As in a fresh clone.
    rmSync(join(directory, "greet/node_modules"), { recursive: true });
    npm("ci");
    expect(npm("test")).toMatch(/pass 3\n/u);
  });

  it.each([
    [["init"], "needs the argument NAME"],
    [["init", "Bad-Name"], "lowercase letters, digits and _"],
    [["init", "../up"], "is not a valid tool name"],
    [["init", "a", "--runtime", "perl"], "node, python"],
  ])("refuses %j", async (words, why) => {
    const { haft } = createTestWorkspace();
    expect(await haft(["tool", ...words])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(why),
    });
  });
});
