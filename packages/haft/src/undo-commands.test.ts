import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../scripts/setup/system-packages.mjs";
import { openSession } from "./index.ts";
import { photograph } from "./test-support/photograph.ts";

const files: Readonly<Record<string, string>> = {
  "a.txt": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n",
  "src/b.ts": "export const b = 1;\n",
  "src/deep/c.ts": "export const c = 2;\n",
  "docs/d.md": "# d\n",
  "empty.txt": "",
};

function openPlace(rules: readonly string[] = []) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-undo-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const workspace = join(base, "workspace");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(workspace, path, ".."), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  writeFileSync(join(workspace, "bytes.bin"), Buffer.from([0, 255, 128, 10, 0]));
  writeFileSync(join(workspace, "run.sh"), "#!/bin/sh\n");
  chmodSync(join(workspace, "run.sh"), 0o750);
  symlinkSync("src/b.ts", join(workspace, "link"));
  mkdirSync(join(workspace, "hollow"));
  const state = join(base, "state");
  const session = openSession({ workspace, stateDirectory: state, sandbox: "required", rules });
  onTestFinished(() => session.close());
  const call = (name: string, args: object) =>
    session.call({ name, arguments: args as never, approved: true });
  return {
    workspace,
    state,
    session,
    bash: (command: string) => call("bash", { command }),
    undo: () => call("undo_edit", {}),
  };
}

/** Waits until a command has written a file on its layer. */
async function untilWritten(path: string, state: string): Promise<void> {
  const layers = join(state, "layers");
  const isThere = (layer: string): boolean => existsSync(join(layers, layer, "0/upper", path));
  while (!(existsSync(layers) && readdirSync(layers).some(isThere))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const commands: readonly (readonly [command: string, kinds: string])[] = [
  ["echo new > new.txt", "created"],
  ["mkdir -p x/y/z && echo 1 > x/y/z/f && touch x/g", "created created"],
  ["mkdir -p x/y/z", "created"],
  ["sed -i s/two/TWO/ a.txt", "modified"],
  ["printf 'more\\n' >> a.txt", "modified"],
  [": > a.txt", "modified"],
  ["rm a.txt", "deleted"],
  ["rm -r src", "deleted deleted"],
  ["rm -r src && mkdir src && echo z > src/z", "deleted deleted created"],
  ["mv src/b.ts src/moved.ts", "renamed"],
  ["mv src lib", "renamed renamed"],
  ["chmod 600 a.txt", "mode"],
  ["chmod +x a.txt && echo x >> a.txt", "modified"],
  ["ln -sf a.txt link", "modified"],
  ["rm link && echo plain > link", "deleted created"],
  ["ln a.txt hard", "created"],
  ["rmdir hollow", "deleted"],
  ["printf '\\000\\001' >> bytes.bin", "modified"],
  ["tar cf all.tar src docs && rm -r docs && tar xf all.tar docs", "created"],
  ["rm -r src && echo file > src", "created deleted deleted"],
  ["rm a.txt && mkdir a.txt && echo in > a.txt/in", "created deleted"],
  ["chmod 700 src", "mode"],
  ["touch a.txt", ""],
  ["cat a.txt > /dev/null; exit 3", ""],
];

describe.skipIf(isMissing("bwrap"))("a command", { timeout: 60_000 }, () => {
  it("says what it changed", async () => {
    const { bash, undo } = openPlace();
    for (const [command, kinds] of commands) {
      const { metadata } = await bash(command);
      const told = metadata.changes?.map(({ kind }) => kind).sort() ?? [];
      expect(told.join(" "), command).toBe(kinds.split(" ").sort().join(" "));
      expect(metadata.reversible).toBe(true);
      if (told.length > 0) expect(await undo()).toMatchObject({ type: "output" });
    }
  });

  it("is undone in a repository as well", async () => {
    const { workspace, bash, undo } = openPlace();
    const git = (...args: string[]): string =>
      execFileSync("git", args, { cwd: workspace, encoding: "utf8" });
    git("init", "-q");
    git("add", "-A");
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "one");
    const before = git("status", "--short", "--branch");
    const { metadata } = await bash(
      "echo 2 >> a.txt && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm two",
    );
    expect(metadata.reversible).toBe(true);
    expect(git("log", "--format=%s")).toBe("two\none\n");
    expect(await undo()).toMatchObject({ type: "output" });
    expect(git("log", "--format=%s")).toBe("one\n");
    expect(git("status", "--short", "--branch")).toBe(before);
  });

  it("leaves files alone that it did not change", async () => {
    const { workspace, bash } = openPlace();
    const stamp = () => {
      const { ino, mtimeMs } = lstatSync(join(workspace, "src/b.ts"));
      return [ino, mtimeMs];
    };
    const before = stamp();
    await bash('python3 -c \'open("src/b.ts", "r+").close()\'; echo x > src/new');
    expect(stamp()).toEqual(before);
    const { mtimeMs } = lstatSync(join(workspace, "a.txt"));
    await bash("touch -d 2001-01-01 old.txt");
    expect(lstatSync(join(workspace, "old.txt")).mtime.getFullYear()).toBeLessThan(2002);
    expect(lstatSync(join(workspace, "a.txt")).mtimeMs).toBe(mtimeMs);
  });

  it("is merged with what somebody else changed meanwhile, or kept aside", async () => {
    const { workspace, state, bash } = openPlace();
    const path = join(workspace, "a.txt");
    const other = join(workspace, "src/b.ts");
    const flag = join(workspace, "flag");
    writeFileSync(flag, "wait");
    const running = bash(
      "sed -i s/one/ONE/ a.txt; echo mine > src/b.ts; until grep -q go flag; do sleep 0.1; done",
    );
    await untilWritten("src/b.ts", state);
    // What the files held is kept every 250 ms by a timer of this process, which comes before a later one.
    await new Promise((resolve) => setTimeout(resolve, 300));
    writeFileSync(path, readFileSync(path, "utf8").replace("eight", "EIGHT"));
    writeFileSync(other, "theirs\n");
    writeFileSync(flag, "go");
    const { metadata } = await running;
    expect(readFileSync(path, "utf8")).toBe("ONE\ntwo\nthree\nfour\nfive\nsix\nseven\nEIGHT\n");
    expect(readFileSync(other, "utf8")).toBe("theirs\n");
    const [kept = ""] = metadata.kept_at ?? [];
    expect(readFileSync(kept, "utf8")).toBe("mine\n");
    expect(metadata.reversible).toBe(false);
  });

  it("changes nothing if its call is cancelled, and says so", async () => {
    const { workspace, state, session } = openPlace();
    const before = photograph(workspace);
    const stop = new AbortController();
    const call = { name: "bash", arguments: { command: "echo x > new; rm a.txt; sleep 60" } };
    const running = session.call({ ...call, approved: true }, { signal: stop.signal });
    await untilWritten("new", state);
    stop.abort();
    const { metadata } = await running;
    expect(metadata.warnings?.join()).toContain("What it had changed was discarded");
    expect(photograph(workspace)).toEqual(before);
  });

  it("does not see what others have not applied yet", async () => {
    const { workspace, state } = openPlace();
    const count = Number(process.env.HAFT_PARALLEL_COMMANDS ?? 8);
    const flag = join(workspace, "flag");
    writeFileSync(flag, "wait");
    // In one session they could be run one after the other.
    const running = Array.from({ length: count }, (_, index) => {
      const session = openSession({
        ...{ workspace, stateDirectory: state, sandbox: "required", session: `s${index}` },
      });
      onTestFinished(() => session.close());
      const command = `echo > own-${index}; ls own-*; echo > looked-${index}; until grep -q go flag; do sleep 0.1; done`;
      return session.call({ name: "bash", arguments: { command }, approved: true });
    });
    for (const index of running.keys()) await untilWritten(`looked-${index}`, state);
    const isOwn = (name: string): boolean => name.startsWith("own-");
    expect(readdirSync(workspace).filter(isOwn)).toEqual([]);
    writeFileSync(flag, "go");
    for (const [index, result] of (await Promise.all(running)).entries()) {
      expect(result).toMatchObject({ data: { output: `own-${index}\n` } });
    }
    expect(readdirSync(workspace).filter(isOwn)).toHaveLength(count);
  });

  it("brings thousands of new files over at once, and takes them back", async () => {
    const { workspace, state, bash, undo } = openPlace();
    const before = photograph(workspace);
    const { metadata } = await bash(
      "mkdir -p out && cd out && seq 6000 | xargs -n 500 touch && echo 1 > ../small",
    );
    expect(readdirSync(join(workspace, "out"))).toHaveLength(6000);
    expect(metadata).toMatchObject({ reversible: true, changes_total: 6001 });
    expect(readdirSync(join(state, "layers"))).toEqual([]);
    expect(await undo()).toMatchObject({ type: "output" });
    expect(photograph(workspace)).toEqual(before);
  });

  it("is applied and undone if it leaves directories that their owner can't list", async () => {
    const { workspace, bash, undo } = openPlace();
    const before = photograph(workspace);
    const { metadata } = await bash(
      "mkdir -p shut/in; echo 1 > shut/in/f; chmod 000 shut/in; chmod 300 src; echo n > n",
    );
    expect(metadata).toMatchObject({ reversible: true });
    expect(readFileSync(join(workspace, "n"), "utf8")).toBe("n\n");
    expect(await undo()).toMatchObject({ type: "output" });
    expect(photograph(workspace)).toEqual(before);
  });

  it("keeps git's view of files that it did not change", async () => {
    const { workspace, bash } = openPlace();
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: workspace, encoding: "utf8" });
    git("init", "-q");
    git("add", "-A");
    await bash("echo more >> a.txt");
    expect(git("diff-files", "--name-only")).toBe("a.txt\n");
  });
});

describe.skipIf(isMissing("bwrap"))("a rule that denies writing", { timeout: 60_000 }, () => {
  it.each([
    "rm -r src",
    "rm -r src && echo x > src",
    "mv src lib",
    "python3 -c \"open('src/deep/c.ts', 'w').write('x')\"",
  ])("holds for: %s", async (command) => {
    const { workspace, bash } = openPlace(["write **/deep/** deny"]);
    const result = await bash(command);
    expect(readFileSync(join(workspace, "src/deep/c.ts"), "utf8")).toBe(files["src/deep/c.ts"]);
    expect(JSON.stringify(result)).toContain("a rule denies it");
  });
});
