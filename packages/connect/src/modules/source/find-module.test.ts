import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPlanFixture, type PlanFixture, writeFiles } from "../test-support/plan-fixture.ts";
import { greeterIn } from "../test-support/sample-modules.ts";

async function greet(fixture: PlanFixture, name = "greeter"): Promise<unknown> {
  const session = fixture.session(await fixture.open());
  return session.call({ name, arguments: { who: "you" } });
}

function git(directory: string, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  return execFileSync("git", [...identity, ...args], { cwd: directory, encoding: "utf8" });
}

function commit(repository: string, files: Readonly<Record<string, string>>): void {
  writeFiles(repository, files);
  git(repository, "add", ".");
  git(repository, "commit", "--quiet", "-m", "change");
}

describe("a module's source", () => {
  it("may be a file URL, or one file", async () => {
    const fixture = createPlanFixture(greeterIn("greeter"));
    const { directory } = fixture;
    writeFiles(directory, {
      "plan.yaml": `tools: [{ module: greeter, source: "file://${directory}/greeter" }]`,
    });
    expect(await greet(fixture)).toMatchObject({ data: "Hello, you!" });
    writeFiles(directory, {
      "plan.yaml": "tools: [{ module: greeter, source: ./greeter/src/index.ts }]",
    });
    expect(await greet(fixture)).toMatchObject({ data: "Hello, you!" });
  });

  it("may be a directory beside the plan by its name alone, and a package above it", async () => {
    const fixture = createPlanFixture({
      ...greeterIn("greeter"),
      ...greeterIn("node_modules/@org/other", "other"),
      "plan.yaml": `
tools:
  - { module: greeter, source: greeter }
  - { module: other, source: "@org/other@1.2.3" }
`,
    });
    const plan = await fixture.open();
    expect(plan.tools().map(({ id }) => id)).toEqual(["greeter", "other"]);
    expect(fixture.warnings).toEqual([]);
  });

  it("may be left out for an installed package; otherwise it is asked for", async () => {
    const fixture = createPlanFixture({
      ...greeterIn("node_modules/greeter"),
      "plan.yaml": "tools: [{ module: greeter }, { module: nowhere }, { module: '../x' }]",
    });
    expect(await greet(fixture)).toMatchObject({ data: "Hello, you!" });
    expect(fixture.warnings).toEqual([
      expect.stringMatching(
        /nowhere is left out\. .* Add its source, such as source: \.\/nowhere/u,
      ),
      expect.stringMatching(/\.\.\/x is left out\./u),
    ]);
  });
});

describe("a module from a repository", () => {
  it("comes from a branch, is kept for a day, and is fetched again on request", async () => {
    const fixture = createPlanFixture({});
    const { directory, warnings } = fixture;
    const repository = join(directory, "repository");
    writeFiles(directory, { "repository/README.md": "x" });
    git(repository, "init", "--quiet", "--initial-branch=main");
    commit(repository, greeterIn("packages/greeter"));
    writeFiles(directory, {
      "plan.yaml": `tools: [{ module: greeter, source: "git+file://${repository}@main#subdirectory=packages/greeter" }]`,
    });
    expect(await greet(fixture)).toMatchObject({ data: "Hello, you!" });
    const index = join(repository, "packages/greeter/src/index.ts");
    commit(repository, {
      "packages/greeter/src/index.ts": readFileSync(index, "utf8").replace("Hello", "Goodbye"),
    });
    expect(await greet(fixture)).toMatchObject({ data: "Hello, you!" });
    const fresh = fixture.session(await fixture.open({ refresh: true }));
    expect(await fresh.call({ name: "greeter", arguments: { who: "you" } })).toMatchObject({
      data: "Goodbye, you!",
    });
    expect(warnings).toEqual([]);
    // What is here is used where nothing newer can be had.
    git(directory, "-C", repository, "branch", "-m", "main", "gone");
    await fixture.open({ refresh: true });
    expect(warnings).toEqual([expect.stringMatching(/could not be fetched again/u)]);
  });

  it("comes from a commit, and runs nothing while it is fetched", async () => {
    const fixture = createPlanFixture({});
    const { directory } = fixture;
    const repository = join(directory, "repository");
    const marker = join(directory, "ran");
    writeFiles(directory, { "repository/README.md": "x" });
    git(repository, "init", "--quiet", "--initial-branch=main");
    commit(repository, greeterIn("."));
    const first = git(repository, "rev-parse", "HEAD").trim();
    commit(repository, { "src/index.ts": "export const mount = 5;" });
    writeFiles(directory, {
      "hooks/post-checkout": `#!/bin/sh\ntouch ${marker}\n`,
      gitconfig: `[core]\n\thooksPath = ${directory}/hooks\n`,
      "plan.yaml": `tools: [{ module: greeter, source: "git+file://${repository}@${first}" }]`,
    });
    const hook = join(directory, "hooks/post-checkout");
    chmodSync(hook, 0o755);
    for (const name of [
      "core.fsmonitor",
      "core.alternateRefsCommand",
      "uploadpack.packObjectsHook",
    ])
      git(repository, "config", name, hook);
    const environment = {
      ...process.env,
      GIT_CONFIG_GLOBAL: join(directory, "gitconfig"),
      // As where git itself has started us, in another repository.
      GIT_DIR: join(repository, ".git"),
      GIT_EXTERNAL_DIFF: hook,
    };
    const plan = await fixture.open({ environment });
    expect(fixture.warnings).toEqual([]);
    expect(plan.tools().map(({ id }) => id)).toEqual(["greeter"]);
    expect(existsSync(marker)).toBe(false);
  });

  it("gets the packages that it depends on, but for those of Haft itself", async () => {
    const fixture = createPlanFixture({
      "left/package.json": JSON.stringify({ name: "left", version: "1.0.0", main: "index.js" }),
      "left/index.js": "module.exports = 'from left';",
      "repository/package.json": JSON.stringify({
        type: "module",
        exports: "./index.js",
        dependencies: { left: "^1.0.0", "@haft/contract": "^99.0.0" },
      }),
      "repository/index.js": `
import left from "left";
export const mount = () => ({ name: "dependent", description: "d", execute: () => left });`,
    });
    const { directory } = fixture;
    const repository = join(directory, "repository");
    git(repository, "init", "--quiet", "--initial-branch=main");
    commit(repository, { "README.md": "x" });
    writeFiles(directory, {
      "plan.yaml": `tools: [{ module: dependent, source: "git+file://${repository}@main" }]`,
    });
    const parent = ["--transform", "s,^left,package,", "-czf", "-", "left"];
    const releases = new Map([["1.0.0", execFileSync("tar", parent, { cwd: directory })]]);
    const environment = npmAt(await serveRegistry("left", releases), directory);
    const session = fixture.session(await fixture.open({ environment }));
    expect(fixture.warnings).toEqual([]);
    expect(await session.call({ name: "dependent" })).toMatchObject({ data: "from left" });
  });

  it("causes one warning for a missing repository or branch, and leaves no files", async () => {
    const fixture = createPlanFixture({
      "plan.yaml": 'tools: [{ module: a, source: "git+file:///nowhere/at/all@main" }]',
    });
    await fixture.open();
    expect(fixture.warnings).toEqual([expect.stringMatching(/a is left out\. git failed: /u)]);
    const [kept = ""] = readdirSync(join(fixture.directory, "cache/git"));
    expect(readdirSync(join(fixture.directory, "cache/git", kept))).toEqual([]);
  });
});

describe("a module from npm", () => {
  it("is installed without running its scripts, and its version stays", async () => {
    const fixture = createPlanFixture({
      ...greeterIn("published"),
      "plan.yaml": "tools: [{ module: greeter, source: greeter }]",
    });
    const { directory } = fixture;
    const marker = join(directory, "ran");
    const manifest = JSON.parse(readFileSync(join(directory, "published/package.json"), "utf8"));
    const publish = (version: string): Buffer => {
      const scripts = { install: `touch ${marker}`, postinstall: `touch ${marker}` };
      writeFiles(directory, {
        "published/package.json": JSON.stringify({ ...manifest, version, scripts }),
      });
      const parent = ["--transform", "s,^published,package,", "-czf", "-", "published"];
      return execFileSync("tar", parent, { cwd: directory });
    };
    const releases = new Map([["1.0.0", publish("1.0.0")]]);
    const environment = npmAt(await serveRegistry("greeter", releases), directory);
    const first = await fixture.open({ environment });
    expect(fixture.warnings).toEqual([]);
    expect(first.tools().map(({ id }) => id)).toEqual(["greeter"]);
    expect(existsSync(marker)).toBe(false);
    const [kept = ""] = readdirSync(join(directory, "cache/npm"));
    const pinned = readFileSync(join(directory, "cache/npm", kept, "package.json"), "utf8");
    expect(JSON.parse(pinned).dependencies).toEqual({ greeter: "1.0.0" });
    // From here on the registry is offline.
    const offline = { ...environment, npm_config_registry: "http://127.0.0.1:1/" };
    await fixture.open({ environment: offline });
    expect(fixture.warnings).toEqual([]);
  });
});

function npmAt(registry: string, directory: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    npm_config_registry: registry,
    npm_config_cache: join(directory, "npm-cache"),
    npm_config_userconfig: join(directory, "npmrc"),
  };
}

async function serveRegistry(name: string, releases: ReadonlyMap<string, Buffer>): Promise<string> {
  const server: Server = createServer((request, response) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const release = releases.get(/-([\d.]+)\.tgz$/u.exec(request.url ?? "")?.[1] ?? "");
    if (release !== undefined) return void response.end(release);
    const versions = Object.fromEntries(
      [...releases.keys()].map((version) => [
        version,
        { name, version, dist: { tarball: `${base}/${name}/-/${name}-${version}.tgz` } },
      ]),
    );
    response.setHeader("content-type", "application/json");
    const latest = [...releases.keys()].at(-1);
    response.end(JSON.stringify({ name, "dist-tags": { latest }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
