import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { commitFiles, makeWorkingTree, requireClient } from "./test-support/git-client.ts";
import { organization } from "./test-support/git-server.ts";
import {
  sendPush,
  toCommit,
  toObject,
  toPack,
  toPushBody,
  toTree,
} from "./test-support/raw-push.ts";
import { useGitServer } from "./test-support/use-git-server.ts";

describe("a project in a repository", () => {
  const use = useGitServer({ maxProjectBytes: 100_000 });
  let first = "";
  let second = "";

  beforeAll(async () => {
    const { server, directory } = use();
    const work = join(directory, "work");
    first = await makeWorkingTree(work, {
      "tools/one/tool.json": "{}",
      "tools/one/src/tool.ts": "export {};\n",
      "tools/one/src/ümlaut name.bin": Uint8Array.of(0, 255, 10, 13),
      "tools/one/empty.txt": "",
      "README.md": "not part of it",
      "large/a.bin": new Uint8Array(60_000),
      "large/b.bin": new Uint8Array(60_000),
    });
    await symlink("/etc/passwd", join(work, "tools/one/src/link.ts"));
    second = await commitFiles(work, { "tools/one/tool.json": '{"name":"one"}' });
    await requireClient(work, ["push", "--quiet", server.remote, "main"]);
  });

  it("is read as it is at the commit, byte by byte", async () => {
    const files = await read(first, "tools/one");
    expect([...files.keys()].toSorted()).toEqual([
      "empty.txt",
      "src/tool.ts",
      "src/ümlaut name.bin",
      "tool.json",
    ]);
    expect(files.get("src/ümlaut name.bin")).toEqual(Uint8Array.of(0, 255, 10, 13));
    expect(files.get("empty.txt")).toEqual(new Uint8Array());
    expect(Buffer.from(files.get("tool.json") ?? []).toString()).toBe("{}");
  });

  it("is found with slashes around its path", async () => {
    expect((await read(first, "/tools//one/")).has("tool.json")).toBe(true);
  });

  it("is refused for a symbolic link, by name", async () => {
    await expect(read(second, "tools/one")).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"src/link.ts" is a symbolic link'),
    });
  });

  it("is refused for a submodule, by name", async () => {
    const { server } = use();
    const blob = toObject("blob", "{}");
    const project = toTree([
      { mode: "100644", name: "tool.json", hash: blob.hash },
      { mode: "160000", name: "vendor", hash: first },
    ]);
    const root = toTree([{ mode: "40000", name: "project", hash: project.hash }]);
    const commit = toCommit(root);
    const pack = toPack([commit, root, project, blob]);
    const update = { name: "refs/heads/submodule", after: commit.hash };
    expect((await sendPush(server.remote, toPushBody(update, pack))).text).toContain("unpack ok");
    await expect(read(commit.hash, "project")).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"vendor" is a submodule'),
    });
  });

  it("is refused when its files are too many or too large", async () => {
    const { server } = use();
    await expect(read(first, "large")).rejects.toMatchObject({
      status: 400,
      message:
        'The folder "large" has 120000 bytes, more than the limit of 100000. Remove files that the tool does not need.',
    });
    const blob = toObject("blob", "");
    const many = toTree(
      Array.from({ length: 10_001 }, (_, index) => ({
        mode: "100644",
        name: String(index + 10_000),
        hash: blob.hash,
      })),
    );
    const commit = toCommit(many);
    const update = { name: "refs/heads/many", after: commit.hash };
    await sendPush(server.remote, toPushBody(update, toPack([commit, many, blob])));
    await expect(read(commit.hash, "")).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("more than 10000 files"),
    });
  });

  it.each(["nothing", "tools/one/tool.json", "tools/one/src/link.ts/passwd"])(
    "is not found at %s",
    async (path) => {
      await expect(read(second, path)).rejects.toMatchObject({
        status: 404,
        message: expect.stringContaining(JSON.stringify(path)),
      });
    },
  );

  it.each(["main", "HEAD", "0".repeat(40), `${"a".repeat(39)}\n`, "--help"])(
    "is not found at the commit %j",
    async (commit) => {
      await expect(read(commit, "tools/one")).rejects.toMatchObject({ status: 404 });
    },
  );

  it.each(["../other", "tools/../../x", "a\\b", "a\nb"])("can't have the path %j", async (path) => {
    await expect(read(first, path)).rejects.toMatchObject({ status: 400 });
  });

  it("is found by its branch, whose commits follow each other", async () => {
    const { repositories } = use().server;
    expect(await repositories.findBranch(organization, "main")).toBe(second);
    for (const name of ["other", "main~1", "-x", "../main", "main^{tree}", "", "@"]) {
      expect(await repositories.findBranch(organization, name)).toBeUndefined();
    }
    const isAncestor = (ancestor: string, commit: string): Promise<boolean> =>
      repositories.isAncestor(organization, { ancestor, commit });
    expect(await isAncestor(first, second)).toBe(true);
    expect(await isAncestor(second, second)).toBe(true);
    expect(await isAncestor(second, first)).toBe(false);
    expect(await isAncestor("a".repeat(40), first)).toBe(false);
    expect(await isAncestor("--all", first)).toBe(false);
  });

  it("is refused for an organization that is not an ID", async () => {
    const { repositories } = use().server;
    await expect(repositories.findBranch("../other", "main")).rejects.toMatchObject({
      status: 404,
    });
  });

  function read(commit: string, path: string): Promise<ReadonlyMap<string, Uint8Array>> {
    return use().server.repositories.readProject(organization, { commit, path });
  }
});
