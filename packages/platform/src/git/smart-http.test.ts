import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  commitFiles,
  makeWorkingTree,
  requireClient,
  runClient,
} from "./test-support/git-client.ts";
import { organization, otherOrganization, password, release } from "./test-support/git-server.ts";
import { sendPush, toCommit, toPack, toPushBody, toTree } from "./test-support/raw-push.ts";
import { useGitServer } from "./test-support/use-git-server.ts";

describe("an organization's git remote", () => {
  const use = useGitServer();

  it("can be cloned while it is empty", async () => {
    const { server, directory } = use();
    const { code, stderr } = await runClient(directory, ["clone", server.remote, "empty"]);
    expect(stderr).toContain("empty repository");
    expect(code).toBe(0);
    const head = await requireClient(join(directory, "empty"), ["symbolic-ref", "HEAD"]);
    expect(head).toBe("refs/heads/main");
  });

  it("is published from a branch that the first push creates, and is cloned with it", async () => {
    const { server, directory } = use();
    const work = join(directory, "work");
    const commit = await makeWorkingTree(work, { "my_tool/tool.json": "{}", "README.md": "Hello" });
    await requireClient(work, ["push", "--quiet", server.remote, `main:${release}`]);
    expect(await server.repositories.findBranch(organization, release)).toBe(commit);
    expect(await server.repositories.findBranch(organization, "main")).toBeUndefined();
    await requireClient(directory, ["clone", "--quiet", server.remote, "released"]);
    expect(await readFile(join(directory, "released", "README.md"), "utf8")).toBe("Hello");
    expect(server.audited).toEqual([
      {
        organization,
        action: "repository.push",
        target: organization,
        detail: {
          references: [{ name: `refs/heads/${release}`, before: "0".repeat(40), after: commit }],
        },
      },
    ]);
  });

  it("takes any other branch and tags, and has main checked out once there is one", async () => {
    const { server, directory } = use();
    const work = join(directory, "work");
    await requireClient(work, ["tag", "-a", "v1", "-m", "One"]);
    await requireClient(work, ["push", "--quiet", server.remote, "main", "main:topic/one", "v1"]);
    await requireClient(directory, ["clone", "--quiet", server.remote, "again"]);
    const again = join(directory, "again");
    expect(await requireClient(again, ["symbolic-ref", "HEAD"])).toBe("refs/heads/main");
    expect(await requireClient(again, ["tag", "--list"])).toBe("v1");
  });

  it.each(["tools", "repo.git"])("answers under the path %s too", async (path) => {
    const { server, directory } = use();
    const list = await requireClient(directory, ["ls-remote", `${server.remote}/${path}`]);
    expect(list).toContain(`refs/heads/${release}`);
  });

  it.each(["0", "1", "2"])("speaks version %s of the protocol", async (version) => {
    const { server, directory } = use();
    const place = `version-${version}`;
    await requireClient(directory, [
      "-c",
      `protocol.version=${version}`,
      "clone",
      "--quiet",
      server.remote,
      place,
    ]);
    const work = join(directory, place);
    await commitFiles(work, { "a.txt": version });
    await requireClient(work, [
      "-c",
      `protocol.version=${version}`,
      "push",
      "--quiet",
      "origin",
      `HEAD:version-${version}`,
    ]);
    await requireClient(work, ["-c", `protocol.version=${version}`, "fetch", "--quiet"]);
  });

  it("can be fetched from, and cloned without its history", async () => {
    const { server, directory } = use();
    const work = join(directory, "work");
    const commit = await commitFiles(work, { "second.txt": "2" });
    await requireClient(work, ["push", "--quiet", server.remote, "main"]);
    await requireClient(join(directory, "again"), ["pull", "--quiet"]);
    expect(await requireClient(join(directory, "again"), ["rev-parse", "HEAD"])).toBe(commit);
    await requireClient(directory, ["clone", "--quiet", "--depth=1", server.remote, "shallow"]);
    const shallow = join(directory, "shallow");
    expect(await requireClient(shallow, ["rev-list", "--count", "HEAD"])).toBe("1");
    await requireClient(shallow, ["fetch", "--quiet", "--unshallow"]);
    expect(await requireClient(shallow, ["rev-list", "--count", "HEAD"])).toBe("2");
  });

  it("takes a large push as a stream", async () => {
    const { server, directory } = use();
    const work = join(directory, "large");
    const content = randomBytes(30 * 1024 * 1024);
    await makeWorkingTree(work, { "large.bin": content });
    await requireClient(work, ["push", "--quiet", server.remote, "main:large"]);
    await requireClient(directory, [
      "clone",
      "--quiet",
      "--branch=large",
      "--single-branch",
      server.remote,
      "large-clone",
    ]);
    const cloned = await readFile(join(directory, "large-clone", "large.bin"));
    expect(cloned.equals(content)).toBe(true);
  });

  it("takes a body that is packed with gzip", async () => {
    const { server } = use();
    const tree = toTree([]);
    const commit = toCommit(tree);
    const body = toPushBody(
      { name: "refs/heads/zipped", after: commit.hash },
      toPack([tree, commit]),
    );
    const { status, text } = await sendPush(server.remote, gzipSync(body), {
      "content-encoding": "gzip",
    });
    expect(status).toBe(200);
    expect(text).toContain("unpack ok");
    expect(await server.repositories.findBranch(organization, "zipped")).toBe(commit.hash);
  });

  it.each([
    { what: "is not gzip", body: Buffer.from("plain"), encoding: "gzip", status: 400 },
    { what: "unfolds into too much", body: bomb(), encoding: "gzip", status: 413 },
    { what: "has an unknown encoding", body: Buffer.from("0000"), encoding: "br", status: 415 },
  ])("refuses a question whose body $what", async ({ body, encoding, status }) => {
    const { server } = use();
    const response = await fetch(`${server.origin}/v1/${organization}/tool/git/git-upload-pack`, {
      method: "POST",
      body: new Uint8Array(body),
      headers: {
        ...authorization(),
        "content-type": "application/x-git-upload-pack-request",
        "content-encoding": encoding,
      },
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ detail: expect.stringContaining("body") });
  });

  it("lets one of two pushes to the same branch win", async () => {
    const { server, directory } = use();
    const works = await Promise.all(
      ["first", "second"].map(async (name) => {
        const work = join(directory, `race-${name}`);
        await requireClient(directory, ["clone", "--quiet", "-b", "main", server.remote, work]);
        await commitFiles(work, { "race.txt": name });
        return work;
      }),
    );
    const results = await Promise.all(
      works.map((work) => runClient(work, ["push", "origin", "main"])),
    );
    expect(results.map(({ code }) => code).toSorted()).toEqual([0, 1]);
    const winner = works[results.findIndex(({ code }) => code === 0)] ?? "";
    expect(await server.repositories.findBranch(organization, "main")).toBe(
      await requireClient(winner, ["rev-parse", "HEAD"]),
    );
  });

  it("asks for a password, and tells a wrong one from a right one", async () => {
    const { server, directory } = use();
    const address = `${server.origin}/v1/${organization}/tool/git`;
    const nameless = await runClient(directory, ["ls-remote", address]);
    expect(nameless.stderr).toContain("could not read Username");
    const wrong = await runClient(directory, [
      "ls-remote",
      server.remote.replace(password, "wrong"),
    ]);
    expect(wrong.stderr).toContain("Authentication failed");
  });

  it("is not another organization's", async () => {
    const { server, directory } = use();
    const list = await requireClient(directory, ["ls-remote", server.remoteOf(otherOrganization)]);
    expect(list).toBe("");
    const commit = await server.repositories.findBranch(organization, "main");
    await expect(
      server.repositories.readProject(otherOrganization, { commit: commit ?? "", path: "my_tool" }),
    ).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    ["GET", "info/refs", 403],
    ["GET", "info/refs?service=git-upload-archive", 403],
    ["GET", "info/refs?service=--upload-pack", 403],
    ["GET", "HEAD", 403],
    ["GET", "objects/info/packs", 403],
    ["GET", "a/b/info/refs?service=git-upload-pack", 404],
    ["GET", "/info/refs?service=git-upload-pack", 404],
    ["GET", "..%2finfo/refs?service=git-upload-pack", 404],
    ["GET", "..%2f..%2f/etc/passwd", 404],
    ["GET", "%2fetc%2fpasswd", 404],
    ["GET", "-x/info/refs?service=git-upload-pack", 200],
    ["POST", "info/refs?service=git-upload-pack", 405],
    ["GET", "git-upload-pack", 405],
    ["POST", "git-upload-pack", 415],
    ["POST", "git-upload-archive", 404],
  ])("answers %s %s with %i", async (method, path, status) => {
    const { server } = use();
    const response = await fetch(`${server.origin}/v1/${organization}/tool/git/${path}`, {
      method,
      headers: authorization(),
    });
    expect(response.status).toBe(status);
    if (status === 200) return;
    expect(await response.json()).toEqual({ detail: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  it("tells git's user in plain words what is wrong", async () => {
    const { server, directory } = use();
    const { stderr } = await runClient(directory, ["ls-remote", `${server.remote}/a/b`]);
    expect(stderr).toContain("remote: Unknown path");
  });

  it("left nothing of it all behind but what was pushed", async () => {
    const { server, repositories } = use();
    expect(server.failures).toEqual([]);
    await requireClient(join(repositories, `${organization}.git`), ["fsck", "--strict"]);
  });
});

describe("a limit on pushes", () => {
  const use = useGitServer({ maxPushBytes: 1024 * 1024 });

  it("is reported for a larger push", async () => {
    const { server, directory } = use();
    const work = join(directory, "work");
    await makeWorkingTree(work, { "large.bin": randomBytes(3 * 1024 * 1024) });
    const { code, stderr } = await runClient(work, ["push", server.remote, "main"]);
    expect(code).toBe(1);
    expect(stderr).toContain("remote: fatal: pack exceeds maximum allowed size");
    expect(await server.repositories.findBranch(organization, "main")).toBeUndefined();
  });
});

function authorization(): Readonly<Record<string, string>> {
  const text = Buffer.from(`${organization}_user:${password}`).toString("base64");
  return { authorization: `Basic ${text}` };
}

function bomb(): Buffer {
  return gzipSync(Buffer.alloc(40 * 1024 * 1024));
}
