import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import type { ApiReply, Route } from "../api/route.ts";
import { repositoryRoutes } from "./repository-routes.ts";
import { commitFiles, makeWorkingTree, requireClient } from "./test-support/git-client.ts";
import {
  organization,
  otherOrganization,
  release,
  toPrincipal,
} from "./test-support/git-server.ts";
import { useGitServer } from "./test-support/use-git-server.ts";

const ajv = new Ajv2020({ strict: false, useDefaults: true, validateFormats: false });

describe("looking into a repository", () => {
  const use = useGitServer();
  const commits: string[] = [];

  beforeAll(async () => {
    const { server, directory } = use();
    const work = join(directory, "work");
    commits.push(
      await makeWorkingTree(work, {
        "README.md": "Grüße\n",
        "tools/one.ts": "one\n".repeat(20),
        "tools/two.ts": "two\n",
        "old.txt": "will go\n",
        "logo.bin": Uint8Array.of(0, 200, 13, 10),
        "large.txt": "x".repeat(1024 * 1024 + 1),
      }),
    );
    await symlink("../../../etc/passwd", join(work, "tools/link"));
    await requireClient(work, ["rm", "--quiet", "old.txt"]);
    await requireClient(work, ["mv", "tools/one.ts", "tools/first.ts"]);
    commits.push(
      await commitFiles(
        work,
        {
          "tools/two.ts": "zwei\ndiff --git a/x b/x\n\rdiff --git a/y b/y\n",
          "logo.bin": Uint8Array.of(0, 1),
        },
        "Say it in German\n\nBecause we can.\nTwice.",
      ),
    );
    commits.push(await commitFiles(work, { "README.md": "Grüße!\n" }, "Greet louder"));
    await requireClient(work, ["tag", "-a", "v1", "-m", "One", commits[0] ?? ""]);
    await requireClient(work, [
      "push",
      "-q",
      server.remote,
      "main",
      "main:topic",
      `main:${release}`,
      "v1",
    ]);
  });

  it("lists branches by name, in pages", async () => {
    const first = await get("branches", { limit: 2 });
    expect(first).toEqual({
      branches: [
        { name: "main", commit: commits[2], updated_at: expect.stringMatching(/^20.*Z$/) },
        { name: release, commit: commits[2], updated_at: expect.any(String) },
      ],
      has_more: true,
      continuation_token: expect.any(String),
    });
    const second = await get("branches", {
      limit: 2,
      continuation_token: first.continuation_token,
    });
    expect(second).toMatchObject({
      branches: [{ name: "topic" }],
      has_more: false,
      continuation_token: null,
    });
  });

  it("lists commits, newest first, in pages that a later push does not shift", async () => {
    const { server, directory } = use();
    const first = await get("commits", { ref: "topic", limit: 1 });
    expect(first).toMatchObject({ commits: [{ hash: commits[2], subject: "Greet louder" }] });
    const work = join(directory, "work");
    await commitFiles(work, {}, "Nothing");
    await requireClient(work, ["push", "-q", server.remote, "main:topic"]);
    const second = await get("commits", {
      ref: "topic",
      limit: 1,
      continuation_token: first.continuation_token,
    });
    expect(second.commits).toEqual([
      {
        hash: commits[1],
        parents: [commits[0]],
        author: "Ada",
        email: "ada@example.com",
        date: expect.stringMatching(/^20.*Z$/),
        subject: "Say it in German",
        body: "Because we can.\nTwice.",
      },
    ]);
  });

  it("lists the commits that changed a path, even a deleted one", async () => {
    const { commits: found } = await get("commits", { path: "old.txt" });
    expect(found).toMatchObject([{ hash: commits[1] }, { hash: commits[0] }]);
    expect(await refuse("commits", { path: "never.txt" })).toMatchObject({
      status: 404,
      message: 'No commit has changed "never.txt". Check the path.',
    });
    // A wildcard is a name like any other.
    expect(await refuse("commits", { path: "*.md" })).toMatchObject({ status: 404 });
  });

  it("lists a folder with the kinds of its entries", async () => {
    const root = await get("tree", { ref: commits[1] });
    expect(root).toMatchObject({ commit: commits[1], path: "" });
    expect(root.entries).toContainEqual({
      name: "tools",
      path: "tools",
      type: "directory",
      mode: "040000",
      size: null,
    });
    const { entries } = await get("tree", { path: "tools/" });
    expect(entries).toEqual([
      { name: "first.ts", path: "tools/first.ts", type: "file", mode: "100644", size: 80 },
      { name: "link", path: "tools/link", type: "symlink", mode: "120000", size: 19 },
      { name: "two.ts", path: "tools/two.ts", type: "file", mode: "100644", size: 44 },
    ]);
  });

  it("shows text as text, other bytes in base64, and where a link points", async () => {
    expect(await get("file", { path: "README.md", ref: "v1" })).toEqual({
      commit: commits[0],
      path: "README.md",
      type: "file",
      mode: "100644",
      size: 8,
      encoding: "utf-8",
      content: "Grüße\n",
    });
    expect(await get("file", { path: "logo.bin", ref: "v1" })).toMatchObject({
      encoding: "base64",
      content: "AMgNCg==",
    });
    expect(await get("file", { path: "tools/link" })).toMatchObject({
      type: "symlink",
      content: "../../../etc/passwd",
    });
    expect(await refuse("file", { path: "tools/link/passwd" })).toMatchObject({ status: 404 });
    expect(await refuse("file", { path: "tools/link", raw: true })).toMatchObject({ status: 400 });
  });

  it("gives bytes as they are, and no more than it can show", async () => {
    const reply = await call("file", { path: "logo.bin", ref: "v1", raw: true });
    expect(reply.headers).toMatchObject({
      "content-type": "application/octet-stream",
      "x-content-type-options": "nosniff",
    });
    expect(Buffer.from(reply.body as Uint8Array)).toEqual(Buffer.from([0, 200, 13, 10]));
    expect(await refuse("file", { path: "large.txt" })).toMatchObject({
      status: 413,
      message: expect.stringContaining("raw=true"),
    });
    const large = await call("file", { path: "large.txt", raw: true });
    expect((large.body as Uint8Array).length).toBe(1024 * 1024 + 1);
  });

  it("compares commits file by file", async () => {
    const difference = await get("diff", { from: "v1", to: commits[1] });
    expect(difference).toMatchObject({ from: commits[0], to: commits[1], truncated: false });
    const files = difference.files as readonly Record<string, unknown>[];
    expect(files.map(({ patch, ...file }) => file)).toEqual([
      toFile("logo.bin", { additions: null, deletions: null }),
      toFile("old.txt", { status: "deleted", deletions: 1 }),
      toFile("tools/first.ts", { status: "renamed", previous_path: "tools/one.ts" }),
      toFile("tools/link", { status: "added", additions: 1 }),
      toFile("tools/two.ts", { additions: 3, deletions: 1 }),
    ]);
    expect(files[1]?.patch).toContain("\n-will go\n");
    expect(files[4]?.patch).toMatch(
      /^diff --git a\/tools\/two\.ts .*\n-two\n\+zwei\n\+diff --git/s,
    );
    expect(files[4]?.patch).toContain("+\rdiff --git a/y b/y");
  });

  it("compares a commit with what came before it, within a path", async () => {
    const own = await get("diff", { to: "v1", path: "tools" });
    expect(own).toMatchObject({
      from: null,
      files: [
        { path: "tools/one.ts", status: "added" },
        { path: "tools/two.ts", status: "added" },
      ],
    });
    const second = await get("diff", { to: commits[1], path: "old.txt" });
    expect(second).toMatchObject({ from: commits[0], files: [{ status: "deleted" }] });
  });

  it("cuts a long patch off and says so", async () => {
    const difference = await get("diff", { to: "v1", path: "large.txt" });
    expect(difference).toMatchObject({
      truncated: true,
      files: [{ path: "large.txt", truncated: true, additions: 1 }],
    });
  });

  it("keeps a link that became a file, and its neighbours, apart", async () => {
    const { server, directory } = use();
    const work = join(directory, "types");
    await makeWorkingTree(work, { "b.txt": "b\n" });
    await symlink("b.txt", join(work, "a"));
    await commitFiles(work, {});
    await requireClient(work, ["rm", "--quiet", "a"]);
    await commitFiles(work, { a: "a file\n", "b.txt": "c\n" });
    await requireClient(work, ["push", "--quiet", server.remote, "main:types"]);
    const { files } = await get("diff", { to: "types" });
    expect(files).toMatchObject([
      { path: "a", status: "type-changed", patch: expect.stringContaining("+a file") },
      { path: "b.txt", status: "modified", patch: expect.stringContaining("-b\n+c\n") },
    ]);
  });

  it.each([
    "nothing",
    "--all",
    "-n1",
    "main~1",
    "main^{tree}",
    "main:README.md",
    "HEAD@{1}",
    ":/Greet",
    "main..topic",
    "../x",
    "a b",
    "0".repeat(40),
  ])("has no branch, tag or commit %s", async (ref) => {
    for (const [route, query] of [
      ["commits", { ref }],
      ["tree", { ref }],
      ["file", { ref, path: "README.md" }],
      ["diff", { to: ref }],
    ] as const) {
      expect(await refuse(route, query)).toMatchObject({
        status: 404,
        message: expect.stringContaining(JSON.stringify(ref)),
      });
    }
  });

  it.each([
    ["tree", "nothing", 404],
    ["tree", "README.md", 404],
    ["tree", "../x", 400],
    ["file", "nothing", 404],
    ["file", "tools", 404],
    ["file", "tools/../README.md", 400],
    ["file", "a\u0000b", 400],
  ])("answers %s for the path %j with %i", async (route, path, status) => {
    const problem = await refuse(route, { path });
    expect(problem).toMatchObject({ status });
    expect(problem.message).toContain(JSON.stringify(path));
  });

  it("refuses a forged continuation token", async () => {
    for (const continuation_token of ["x", "-----", Buffer.from("1").toString("base64url")]) {
      expect(await refuse("commits", { continuation_token })).toMatchObject({ status: 400 });
    }
    const option = Buffer.from("0:--all").toString("base64url");
    expect(await refuse("commits", { continuation_token: option })).toMatchObject({ status: 404 });
  });

  it("finds nothing, and no fault, in an empty repository", async () => {
    const empty = async (name: string, query: object = {}): Promise<unknown> =>
      (await call(name, query, otherOrganization)).body;
    expect(await empty("branches")).toMatchObject({ branches: [], has_more: false });
    expect(await empty("commits")).toMatchObject({ commits: [], has_more: false });
    expect(await empty("commits", { ref: "main" })).toMatchObject({ commits: [] });
    expect(await empty("tree")).toEqual({ commit: null, path: "", entries: [] });
    expect(await empty("diff")).toEqual({ from: null, to: null, files: [], truncated: false });
    await expect(empty("commits", { ref: "topic" })).rejects.toMatchObject({ status: 404 });
    await expect(empty("file", { path: "README.md" })).rejects.toMatchObject({ status: 404 });
    await expect(empty("tree", { ref: commits[0] })).rejects.toMatchObject({ status: 404 });
  });

  it("stops when the caller has gone", async () => {
    const { repositories } = use().server;
    const gone = AbortSignal.abort();
    await expect(repositories.listBranches(organization, { limit: 1 }, gone)).rejects.toMatchObject(
      { name: "AbortError" },
    );
  });

  it("needs the same permission on every route", () => {
    const routes = repositoryRoutes(use().server.repositories);
    expect(routes.map((route) => "permission" in route && route.permission)).toEqual(
      routes.map(() => "Tool:AccessRepo"),
    );
  });

  /** Calls a route as the server would: with defaults, and an answer that is as it says. */
  async function call(name: string, query: object, from = organization): Promise<ApiReply> {
    const url = `/v1/:organization/tool/repository/${name}`;
    const routes = repositoryRoutes(use().server.repositories) as readonly Route[];
    const route = routes.find((candidate) => candidate.url === url);
    if (route === undefined) throw new Error(`There is no route ${url}.`);
    const filled = { ...query };
    ajv.compile(route.schema.querystring ?? {})(filled);
    const reply = await route.handle({
      principal: toPrincipal(from),
      params: { organization: from },
      query: filled,
      body: undefined,
      headers: {},
      signal: new AbortController().signal,
    });
    if (!Buffer.isBuffer(reply.body)) {
      const isAsSaid = ajv.compile(route.schema.response[200] ?? {});
      expect(isAsSaid(reply.body), JSON.stringify(isAsSaid.errors)).toBe(true);
    }
    return reply;
  }

  async function get(name: string, query: object): Promise<Record<string, unknown>> {
    return (await call(name, query)).body as Record<string, unknown>;
  }

  async function refuse(name: string, query: object): Promise<Error> {
    return await call(name, query).then(
      () => expect.fail("It was not refused."),
      (error: Error) => error,
    );
  }
});

function toFile(path: string, rest: object): object {
  return {
    path,
    previous_path: null,
    status: "modified",
    additions: 0,
    deletions: 0,
    truncated: false,
    ...rest,
  };
}
