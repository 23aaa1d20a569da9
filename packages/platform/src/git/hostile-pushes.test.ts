import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { treeLimits } from "./check-trees.ts";
import {
  commitFiles,
  makeWorkingTree,
  requireClient,
  runClient,
} from "./test-support/git-client.ts";
import { organization, release } from "./test-support/git-server.ts";
import {
  noHash,
  type RawEntry,
  type RawObject,
  sendPush,
  toCommit,
  toObject,
  toPack,
  toPushBody,
  toRepetition,
  toTree,
} from "./test-support/raw-push.ts";
import { useGitServer } from "./test-support/use-git-server.ts";

const blob = toObject("blob", "some text\n");
const folder = toTree([{ mode: "100644", name: "inside", hash: blob.hash }]);
const file = (name: string | Buffer, mode = "100644"): RawEntry => ({
  mode,
  name,
  hash: blob.hash,
});
const ofTree = (...entries: RawEntry[]): readonly RawObject[] => {
  const tree = toTree(entries);
  return [toCommit(tree), tree, blob, folder];
};
const ofCommit = (headers: Parameters<typeof toCommit>[1]): readonly RawObject[] => {
  const tree = toTree([file("a")]);
  return [toCommit(tree, headers), tree, blob];
};
const ofFile = (name: string, content: string): readonly RawObject[] => {
  const own = toObject("blob", content);
  const tree = toTree([{ mode: "100644", name, hash: own.hash }]);
  return [toCommit(tree), tree, own];
};
const ofTag = (content: string): readonly RawObject[] => {
  const commit = ofTree(file("a"));
  return [toObject("tag", `object ${commit[0]?.hash}\ntype commit\n${content}`), ...commit];
};

// By the name that fsck has for it.
const complaints: Readonly<Record<string, readonly (readonly RawObject[])[]>> = {
  hasDotgit: [
    ofTree({ mode: "40000", name: ".git", hash: folder.hash }),
    ofTree({ mode: "40000", name: ".GIT", hash: folder.hash }),
    ofTree(file("git~1")),
    ofTree(file(".g\u200cit")),
    ofTree(file(".git ")),
    ofTree(file(".git::$INDEX_ALLOCATION")),
  ],
  hasDot: [ofTree({ mode: "40000", name: ".", hash: folder.hash })],
  hasDotdot: [ofTree({ mode: "40000", name: "..", hash: folder.hash })],
  fullPathname: [ofTree(file("a/b")), ofTree(file("/etc/passwd"))],
  duplicateEntries: [ofTree(file("a"), file("a"))],
  treeNotSorted: [ofTree(file("b"), file("a"))],
  zeroPaddedFilemode: [ofTree({ mode: "040000", name: "a", hash: folder.hash })],
  badFilemode: [ofTree(file("a", "100666")), ofTree(file("a", "100664"))],
  nullSha1: [ofTree({ mode: "160000", name: "a", hash: noHash })],
  gitmodulesSymlink: [ofTree(file(".gitmodules", "120000"))],
  gitattributesSymlink: [ofTree(file(".gitattributes", "120000"))],
  gitignoreSymlink: [ofTree(file(".gitignore", "120000"))],
  mailmapSymlink: [ofTree(file(".mailmap", "120000"))],
  gitmodulesUrl: [ofFile(".gitmodules", '[submodule "a"]\n\turl = -u./payload\n\tpath = a\n')],
  gitmodulesName: [ofFile(".gitmodules", '[submodule "../a"]\n\turl = https://e.org/a\n')],
  gitmodulesPath: [ofFile(".gitmodules", '[submodule "a"]\n\tpath = -a\n')],
  gitmodulesUpdate: [ofFile(".gitmodules", '[submodule "a"]\n\tupdate = !touch x\n')],
  gitmodulesParse: [ofFile(".gitmodules", '[submodule "a\n')],
  gitattributesLineLength: [ofFile(".gitattributes", `* ${"a".repeat(3_000)}\n`)],
  badEmail: [ofCommit({ author: "author Ada <ada 1700000000 +0000" })],
  missingEmail: [ofCommit({ author: "author Ada 1700000000 +0000" })],
  missingNameBeforeEmail: [ofCommit({ author: "author <a@b.c> 1700000000 +0000" })],
  missingSpaceBeforeEmail: [ofCommit({ author: "author Ada<a@b.c> 1700000000 +0000" })],
  missingSpaceBeforeDate: [ofCommit({ author: "author Ada <a@b.c>1700000000 +0000" })],
  badDate: [ofCommit({ author: "author Ada <a@b.c> today +0000" })],
  badDateOverflow: [ofCommit({ author: `author Ada <a@b.c> ${"9".repeat(30)} +0000` })],
  zeroPaddedDate: [ofCommit({ author: "author Ada <a@b.c> 01700000000 +0000" })],
  badTimezone: [ofCommit({ author: "author Ada <a@b.c> 1700000000 UTC" })],
  missingAuthor: [ofCommit({ author: "editor Ada <a@b.c> 1700000000 +0000" })],
  missingCommitter: [ofCommit({ committer: "editor Ada <a@b.c> 1700000000 +0000" })],
  multipleAuthors: [
    ofCommit({ committer: "author Ada <a@b.c> 1 +0000\ncommitter Ada <a@b.c> 1 +0000" }),
  ],
  nulInHeader: [ofCommit({ committer: "committer A\0da <a@b.c> 1 +0000" })],
  nulInCommit: [ofCommit({ message: "\nA message\0that goes on\n" })],
  unterminatedHeader: [[toObject("commit", `tree ${folder.hash}\nauthor Ada`), folder, blob]],
  missingTaggerEntry: [ofTag("tag v1\n\nNobody made it\n")],
  badTagName: [ofTag("tag a..b\ntagger Ada <a@b.c> 1 +0000\n\nA tag\n")],
};

const refusals: readonly { what: string; sentence: string; objects: readonly RawObject[] }[] = [
  {
    what: "a newline in a name",
    sentence: "control character",
    objects: ofTree(file("a\nb")),
  },
  {
    what: "an escape in a name",
    sentence: "control character",
    objects: ofTree(file("\u001b[2J")),
  },
  {
    what: "a C1 control in a name",
    sentence: "control character",
    objects: ofTree(file("a\u009b")),
  },
  { what: "a backslash in a name", sentence: "backslash", objects: ofTree(file("a\\b")) },
  {
    what: "a name that is not UTF-8",
    sentence: "is not UTF-8",
    objects: ofTree(file(Buffer.from([0x61, 0xff]))),
  },
  {
    what: "a bad name for what has a good name elsewhere",
    sentence: "backslash",
    objects: ofTree(file("a"), file("b\\c")),
  },
  { what: "a path that is too long", sentence: "longer than 4096 bytes", objects: nested(100, 50) },
  {
    what: "folders in folders without end",
    sentence: "longer than 4096 bytes",
    objects: nested(4_000, 1),
  },
  {
    what: "a few folders that unfold into billions",
    sentence: "more than 100000",
    objects: unfolding(),
  },
  {
    what: "a small pack with an enormous file",
    sentence: '"zeros" has 20000000 bytes, more than the limit of 8000000',
    objects: ofFile("zeros", "\0".repeat(20_000_000)),
  },
];

describe("a hostile push", () => {
  const use = useGitServer({ maxPushBytes: 8_000_000 });

  it.each(
    Object.entries(complaints).flatMap(([name, pushes]) =>
      pushes.map((objects, index) => [name, index, objects] as const),
    ),
  )("is refused for fsck's %s (%i)", async (name, _index, objects) => {
    const text = await push(objects);
    expect(text).toContain(`${name}:`);
    await expectNothing();
  });

  it.each(refusals)("is refused for $what", async ({ sentence, objects }) => {
    expect(await push(objects)).toContain(sentence);
    await expectNothing();
  });

  it("never has its control characters shown", async () => {
    const text = await push(ofTree(file("\u001b]0;owned\u0007")));
    expect(text).toContain(String.raw`\u001b]0;owned\u0007`);
    expect(text).not.toContain("\u001b");
  });

  it("is refused when its pack claims more than it holds", async () => {
    const objects = ofTree(file("a"));
    const after = objects[0]?.hash ?? "";
    const body = toPushBody({ name: "refs/heads/x", after }, toPack(objects, 0xffff_fff0));
    expect((await sendPush(use().server.remote, body)).text).toContain("ng refs/heads/x");
    await expectNothing();
  });

  it("is refused when it would unfold into gigabytes in memory", async () => {
    const zeros = toObject("blob", Buffer.alloc(0xff_ffff));
    const text = await push([...ofTree(file("a")), zeros, toRepetition(zeros, 64)]);
    expect(text).toContain("ng refs/heads/x unpacker error");
    await expectNothing();
  });

  it("is refused when objects are missing from it", async () => {
    const [commit] = ofTree(file("a"));
    if (commit === undefined) throw new Error("There is no commit.");
    expect(await push([commit])).toContain("ng refs/heads/x");
    await expectNothing();
  });

  it.each(["refs/notes/commits", "refs/replace/x", "refs/pull/1/head", "refs/x"])(
    "is refused for the reference %s",
    async (name) => {
      expect(await push(ofTree(file("a")), name)).toContain("only branches and tags");
      await expectNothing();
    },
  );

  it.each(["refs/heads/../x", "refs/heads/a b", "HEAD", "refs/heads/.x", "refs/heads/a.lock"])(
    "is refused for the name %s",
    async (name) => {
      expect(await push(ofTree(file("a")), name)).toMatch(/can't be the name|only branches/);
      await expectNothing();
    },
  );

  it("can't hide a reference behind a line separator", async () => {
    const name = `refs/heads/a\u2028\u2028${noHash}`;
    expect(await push(ofTree(file("a\\b")), name)).toContain("backslash");
    await expectNothing();
  });

  it.each(["releases/other", "releases", "Releases/x", `RELEASES/${organization}`])(
    "can't create the branch %s",
    async (branch) => {
      const text = await push(ofTree(file("a")), `refs/heads/${branch}`);
      expect(text).toContain(`only ${release} may start with "releases"`);
      await expectNothing();
    },
  );

  it("of an ordinary git is refused by the same checks", async () => {
    const { server, directory } = use();
    const work = join(directory, "windows");
    await makeWorkingTree(work, { "a\\b": "A name with a backslash" });
    const { code, stderr } = await runClient(work, ["push", server.remote, "main"]);
    expect(code).toBe(1);
    expect(stderr).toContain(String.raw`remote: The name "a\\b" contains a backslash.`);
    await expectNothing();
  });

  async function push(objects: readonly RawObject[], name = "refs/heads/x"): Promise<string> {
    const body = toPushBody({ name, after: objects[0]?.hash ?? "" }, toPack(objects));
    const { status, text } = await sendPush(use().server.remote, body);
    expect(status).toBe(200);
    return text;
  }

  async function expectNothing(): Promise<void> {
    const { server, repositories } = use();
    const path = join(repositories, `${organization}.git`);
    const { items } = await server.repositories.listBranches(organization, { limit: 10 });
    expect(items).toEqual([]);
    expect((await readdir(join(path, "objects"))).toSorted()).toEqual(["info", "pack"]);
    expect(await readdir(join(path, "objects", "pack"))).toEqual([]);
    expect(server.audited).toEqual([]);
    expect(server.failures).toEqual([]);
  }
});

describe("a branch that was pushed", () => {
  const use = useGitServer();

  it("may be rewound and deleted unless it is the one that publishes", async () => {
    const { server, directory } = use();
    const work = join(directory, "work");
    const first = await makeWorkingTree(work, { "a.txt": "1" });
    await commitFiles(work, { "a.txt": "2" });
    await requireClient(work, [
      "push",
      "-q",
      server.remote,
      "main",
      "main:topic",
      `main:${release}`,
    ]);
    await requireClient(work, ["push", "-q", "--force", server.remote, `${first}:topic`]);
    await requireClient(work, ["push", "-q", "--delete", server.remote, "topic", "main"]);
    const rewound = await runClient(work, [
      "push",
      "--force",
      server.remote,
      `${first}:${release}`,
    ]);
    expect(rewound.code).toBe(1);
    expect(rewound.stderr).toContain(`remote: ${release} can't be rewound`);
    const deleted = await runClient(work, ["push", "--delete", server.remote, release]);
    expect(deleted.code).toBe(1);
    expect(deleted.stderr).toContain(`remote: ${release} can't be deleted`);
    const { items } = await server.repositories.listBranches(organization, { limit: 10 });
    expect(items.map(({ name }) => name)).toEqual([release]);
  });

  it("may hold links and submodules, and as many files as are allowed", async () => {
    const { server } = use();
    const entries = Array.from({ length: treeLimits.entries / 100 - 1 }, (_, index) =>
      file(`f${String(index).padStart(5, "0")}`),
    );
    const many = toTree(entries);
    const tree = toTree([
      ...Array.from({ length: 99 }, (_, index) => ({
        mode: "40000",
        name: `d${String(index).padStart(2, "0")}`,
        hash: many.hash,
      })),
      { mode: "120000", name: "link", hash: blob.hash },
      { mode: "160000", name: "submodule", hash: blob.hash },
    ]);
    const commit = toCommit(tree);
    const pack = toPack([commit, tree, many, blob]);
    const body = toPushBody({ name: "refs/heads/many", after: commit.hash }, pack);
    expect((await sendPush(server.remote, body)).text).toContain("ok refs/heads/many");
  });
});

function nested(depth: number, nameLength: number): readonly RawObject[] {
  const trees: RawObject[] = [folder];
  for (let level = 0; level < depth; level += 1) {
    const hash = trees.at(-1)?.hash ?? "";
    trees.push(toTree([{ mode: "40000", name: "d".repeat(nameLength), hash }]));
  }
  const root = trees.at(-1);
  return [toCommit(root ?? folder), blob, ...trees];
}

function unfolding(): readonly RawObject[] {
  const trees: RawObject[] = [folder];
  for (let level = 0; level < 12; level += 1) {
    const hash = trees.at(-1)?.hash ?? "";
    trees.push(toTree([..."abcdefghij"].map((name) => ({ mode: "40000", name, hash }))));
  }
  return [toCommit(trees.at(-1) ?? folder), blob, ...trees];
}
