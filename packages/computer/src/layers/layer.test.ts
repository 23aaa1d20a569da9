import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { openNetwork } from "../shell/confine-run.ts";
import { openTestSandbox, type TestSandbox } from "../test-support/open-test-sandbox.ts";
import { createLayer, type Layer, removeLayer } from "./layer.ts";

describe.skipIf(isMissing("bwrap"))("a command on a layer", () => {
  let tested: TestSandbox;
  beforeAll(async () => {
    tested = await openTestSandbox();
  });
  afterAll(() => tested?.close());

  const layOver = (...roots: readonly string[]): Layer & { readonly upper: string } => {
    const layer = createLayer(tested.place.stateDirectory, roots);
    onTestFinished(() => removeLayer(layer));
    return { ...layer, upper: layer.roots[0]?.upper ?? "" };
  };

  it("sees its own changes, and leaves the workspace as it was", async () => {
    const workspace = tested.makeWorkspace({
      "kept.txt": "kept\n",
      "changed.txt": "old\n",
      "removed.txt": "removed\n",
      "moved.txt": "moved\n",
      "run.sh": "echo hi\n",
      "directory/inside.txt": "inside\n",
    });
    const before = summarize(workspace);
    const layer = layOver(workspace);
    const { output, exitCode } = await tested.run(
      workspace,
      `echo new >created.txt; echo more >>changed.txt; rm removed.txt; mv moved.txt directory/moved.txt
      chmod 700 run.sh; rm -r directory/inside.txt; mkdir -p made/deep; ln -s ../kept.txt made/link
      cat created.txt changed.txt directory/moved.txt made/link; stat -c %a run.sh; ls`,
      { layer },
    );
    expect(output).toBe(
      "new\nold\nmore\nmoved\nkept\n700\nchanged.txt\ncreated.txt\ndirectory\nkept.txt\nmade\nrun.sh\n",
    );
    expect(exitCode).toBe(0);
    expect(summarize(workspace)).toBe(before);
    expect(readdirSync(layer.upper).sort()).toEqual(
      "changed.txt created.txt directory made moved.txt removed.txt run.sh".split(" "),
    );
    expect(readFileSync(join(layer.upper, "changed.txt"), "utf8")).toBe("old\nmore\n");
    expect(lstatSync(join(layer.upper, "removed.txt")).isCharacterDevice()).toBe(true);
    const { uid, gid } = statSync(workspace);
    expect(statSync(join(layer.upper, "created.txt"))).toMatchObject({ uid, gid });
  });

  it("puts nothing into the layer if it changes nothing", async () => {
    const workspace = tested.makeWorkspace({ ".env": "A=1", ".git/hooks/x": "", ".haft/y": "" });
    const layer = layOver(workspace);
    await tested.run(workspace, "cat -- * .git/*; ls -laR", { layer });
    expect(readdirSync(layer.upper)).toEqual([]);
  });

  it("meets the same guards as without one", async () => {
    const workspace = tested.makeWorkspace({ ".env": "SECRET=1\n", id_rsa: "key\n" });
    execFileSync("git", ["init", "-q", workspace]);
    mkdirSync(join(workspace, ".git/hooks"), { recursive: true });
    const command = `exec 2>&1; cat .env id_rsa; echo x >.git/hooks/pre-commit; echo x >>.git/config
      mv .git elsewhere; rm -rf .git/hooks; touch .git/fine && ls .git/fine
      ls -l /proc/self/fd | grep -c -- '->'; id; stat -c '%u %g %a' . .git
      grep Cap /proc/self/status; touch /usr/x; unshare -U true; ls ${tested.place.stateDirectory}`;
    const layer = layOver(workspace);
    const inside = await tested.run(workspace, command, { layer });
    expect(existsSync(join(workspace, ".git/fine"))).toBe(false);
    expect(existsSync(join(layer.upper, ".git/fine"))).toBe(true);
    expect(readdirSync(join(layer.upper, ".git"))).toEqual(["fine"]);
    const without = await tested.run(workspace, command);
    expect(inside.output).toBe(without.output);
    expect(inside.output).not.toContain("SECRET");
    expect(inside.exitCode).toBe(without.exitCode);
  });

  it("gets no descriptor of the workspace below the layer", async () => {
    const workspace = tested.makeWorkspace({ ".claude/settings.json": "{}", ".git/config": "" });
    const { output } = await tested.run(
      workspace,
      `for fd in /proc/self/fd/*; do echo x >$fd/ESCAPED; done 2>/dev/null
      for pid in /proc/[0-9]*; do for fd in $pid/fd/* $pid/cwd $pid/root; do echo x >$fd/ESCAPED; done; done 2>/dev/null
      for fd in /proc/[0-9]*/fd/*; do readlink $fd; done | grep -v 'pipe:\\|socket:\\|haft-broker\\|null\\|/proc/' || true`,
      { layer: layOver(workspace) },
    );
    expect(output).toBe("");
    expect(existsSync(join(workspace, "ESCAPED"))).toBe(false);
  });

  it("has the permissions of the workspace", async () => {
    const workspace = tested.makeWorkspace();
    for (const mode of ["750", "777", "2755"]) {
      execFileSync("chmod", [mode, workspace]);
      const layer = layOver(workspace);
      expect((await tested.run(workspace, "stat -c '%a' .", { layer })).output).toBe(`${mode}\n`);
    }
  });

  it("lets git find every file unchanged", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [
        `${index % 5}/file-${index}`,
        `content ${index}\n`,
      ]),
    );
    const workspace = tested.makeWorkspace(files);
    const git = (...words: readonly string[]): string =>
      execFileSync(
        "git",
        ["-C", workspace, "-c", "user.name=a", "-c", "user.email=a@b", ...words],
        {
          encoding: "utf8",
        },
      );
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "all");
    // Files as new as the index count as changed.
    await wait(1100);
    // For root the owner of the files is another one inside.
    const list = "git diff-files | wc -l";
    const without = await tested.run(workspace, `git update-index --refresh; ${list}`);
    expect(without.output).toBe("0\n");
    // It lists every file that it would have to read again.
    const inside = await tested.run(workspace, list, { layer: layOver(workspace) });
    expect(inside.output).toBe("0\n");
  });

  it.each(["a,b", "a:b", "a b", "a'b\"c", "a\nb", "a\\b\\,c", "-a", "ä€", "a=b#$x"])(
    "works in a workspace named %j",
    async (name) => {
      const parent = tested.makeWorkspace();
      const workspace = join(parent, name);
      mkdirSync(join(workspace, ".git/hooks"), { recursive: true });
      const layer = layOver(workspace);
      const { output } = await tested.run(workspace, "echo new >file; touch .git/x; ls", { layer });
      expect(output).toBe("file\n");
      expect(readdirSync(workspace)).toEqual([".git"]);
      expect(readdirSync(layer.upper)).toEqual([".git", "file"]);
    },
  );

  it("can have several directories, some inside others, and others without a layer", async () => {
    const [first, second, plain] = [0, 1, 2].map(() => tested.makeWorkspace({ "in/x": "" })) as [
      string,
      string,
      string,
    ];
    const layer = layOver(first, join(first, "in"), second);
    await tested.run(first, `touch in/new ${second}/new ${plain}/new`, {
      layer,
      writable: [first, join(first, "in"), second, plain],
    });
    expect(layer.roots.map(({ upper }) => execFileSync("ls", ["-R", upper]).toString())).toEqual([
      expect.stringContaining("new"),
      expect.stringContaining("new"),
    ]);
    expect([first, second].map((root) => existsSync(join(root, "new")))).toEqual([false, false]);
    expect(existsSync(join(first, "in/new"))).toBe(false);
    expect(existsSync(join(plain, "new"))).toBe(true);
  });

  it("can be limited to a part of the layer's directory", async () => {
    const workspace = tested.makeWorkspace({ "part/x": "", "other/y": "" });
    const part = join(workspace, "part");
    const layer = layOver(workspace);
    const { output } = await tested.run(part, `touch new; touch ../other/new; ls`, {
      layer,
      readable: [workspace],
      writable: [part],
    });
    expect(output).toMatch(/Read-only file system\nnew\nx\n$/u);
    expect(existsSync(join(part, "new"))).toBe(false);
    expect(existsSync(join(layer.upper, "part/new"))).toBe(true);
  });

  it("can share a network with others", async () => {
    const plan = tested.sandbox.planNetwork?.();
    if (plan === undefined) throw new Error("Sandboxes can't share a network here.");
    const network = await openNetwork(plan, tested.broker);
    onTestFinished(() => network.close());
    const workspace = tested.makeWorkspace({ ".git/hooks/x": "" });
    const layer = layOver(workspace);
    const { output } = await tested.run(workspace, "touch new .git/new; ls; id -u", {
      network: network.process,
      layer,
    });
    const without = await tested.run(workspace, "id -u");
    expect(output).toBe(`new\n${without.output}`);
    expect(readdirSync(workspace)).toEqual([".git"]);
    expect(readdirSync(layer.upper)).toEqual([".git", "new"]);
  });

  it("is apart from others that run at the same time", async () => {
    const workspace = tested.makeWorkspace({ shared: "0\n" });
    const outputs = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const command = `echo ${index} >>shared; touch own-${index}; sleep 0.2; cat shared; ls own-*`;
        return (await tested.run(workspace, command, { layer: layOver(workspace) })).output;
      }),
    );
    expect(outputs).toEqual(outputs.map((_, index) => `0\n${index}\nown-${index}\n`));
    expect(readdirSync(workspace)).toEqual(["shared"]);
  });

  it("leaves nothing mounted, and no file of its layer, when it is killed", async () => {
    const workspace = tested.makeWorkspace();
    const layer = createLayer(tested.place.stateDirectory, [workspace]);
    const { plan } = await tested.sandbox.prepare({
      run: { command: "mkdir -p a/b; touch a/b/c; chmod 000 a/b a; echo ready; sleep 1000" },
      ...{ cwd: workspace, environment: {}, readable: [], writable: [workspace], layer },
    });
    const ready = Promise.withResolvers<void>();
    const launched = await tested.broker.launch(plan, {
      output: () => {
        ready.resolve();
        return undefined;
      },
    });
    await ready.promise;
    expect(listMounted()).toContain(layer.directory);
    launched.kill();
    await launched.ended;
    while (listMounted().includes(layer.directory)) await wait(10);
    await removeLayer(layer);
    expect(existsSync(layer.directory)).toBe(false);
  });

  it("does not start if its directory was swapped for a link", async () => {
    const workspace = tested.makeWorkspace({ "a/x": "", "b/secret": "" });
    const [path, other] = [join(workspace, "a"), join(workspace, "b")];
    const layer = layOver(path);
    const { plan } = await tested.sandbox.prepare({
      run: { command: "ls" },
      ...{ cwd: path, environment: {}, readable: [], writable: [path], layer },
    });
    // As if it happened after the launcher had opened the directory: the paths differ from then on.
    const descriptors = plan.descriptors.map((descriptor, index) =>
      descriptor.role === "content" && index === plan.descriptors.length - 1
        ? { ...descriptor, base64: replaceText(descriptor.base64, path, other) }
        : descriptor,
    );
    const { output, exitCode } = await tested.launch({ ...plan, descriptors });
    expect(output).toBe(`haft: ${other} has become a link, or leads through one\n`);
    expect(exitCode).toBe(121);
  });
});

function replaceText(base64: string, from: string, to: string): string {
  const text = Buffer.from(base64, "base64").toString().replace(`\0${from}\0`, `\0${to}\0`);
  return Buffer.from(text).toString("base64");
}

/** Everything about a tree but when it was read. */
function summarize(directory: string): string {
  const format = "%p %y %m %U %G %s %T@ %C@ %i %n %l\n";
  const files = execFileSync("find", [directory, "-printf", format]).toString();
  return files + execFileSync("sh", ["-c", 'find "$1" -type f -exec cksum {} +', "sh", directory]);
}

/** The mounts of all processes that can be seen. */
function listMounted(): string {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/mountinfo`, "utf8");
      } catch {
        return "";
      }
    })
    .filter((text) => text.includes(" overlay "))
    .join("");
}
