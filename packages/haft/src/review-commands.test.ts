import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { type AskAnswer, createScriptedHost, headlessHost, type ReviewMode } from "@haft/core";
import { formatRule } from "@haft/core/internal";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../scripts/setup/system-packages.mjs";
import { type OpenSessionOptions, openSession } from "./index.ts";

const replace = 'for f in src/*.ts; do sed -i s/one/ONE/ "$f"; done; echo replaced; exit 3';

interface Options extends Pick<OpenSessionOptions, "sandbox"> {
  readonly rules?: readonly string[];
  readonly review?: ReviewMode;
  readonly answer?: AskAnswer;
  readonly allowHosts?: readonly string[];
  readonly canReview?: true;
  readonly isHeadless?: boolean;
}

function openPlace({ rules = [], review, answer, allowHosts = [], ...options }: Options = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-review-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const workspace = join(base, "workspace");
  mkdirSync(join(workspace, "src"), { recursive: true });
  for (const name of ["a", "b"]) writeFileSync(join(workspace, `src/${name}.ts`), "one\ntwo\n");
  const machine = createDiskComputer({
    ...{ workspace, allowHosts, stateDirectory: join(base, "state") },
    sandbox: options.sandbox ?? "required",
  });
  const host = createScriptedHost({ ask: () => answer ?? { answer: "reject" } });
  const session = openSession({
    computer: options.canReview ? { ...machine, canReview: async () => true } : machine,
    host: options.isHeadless ? headlessHost : host,
    rules,
    ...(review && { review }),
  });
  onTestFinished(() => session.close());
  const read = (path: string): string => readFileSync(join(workspace, path), "utf8");
  const call = (name: string, args: object) => session.call({ name, arguments: args as never });
  return {
    ...{ base, workspace, host, session, call },
    bash: (command: string) => call("bash", { command }),
    texts: () => [read("src/a.ts"), read("src/b.ts")],
  };
}

const untouched = ["one\ntwo\n", "one\ntwo\n"];
const replaced = ["ONE\ntwo\n", "ONE\ntwo\n"];

const layered = describe.skipIf(process.platform !== "linux" || isMissing("bwrap"));

layered("a command that no rule decides about", () => {
  it("runs without a question if it changes nothing", async () => {
    const { bash, host } = openPlace();
    expect(await bash("ls src/*.ts")).toMatchObject({
      data: { output: "src/a.ts\nsrc/b.ts\n", exit_code: 0 },
    });
    expect(host.asked).toEqual([]);
  });

  it("is asked about once, with its changes, and can be undone", async () => {
    const { bash, host, texts, call } = openPlace({ answer: { answer: "once" } });
    const result = await bash(replace);
    const diff = ["a", "b"]
      .map(
        (name) => `--- a/src/${name}.ts\n+++ b/src/${name}.ts\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n`,
      )
      .join("");
    expect(host.asked).toMatchObject([
      {
        reason: expect.stringContaining("2 changes that no rule allows: modified src/a.ts"),
        effects: {
          changes: [
            { path: "src/a.ts", kind: "modified" },
            { path: "src/b.ts", kind: "modified" },
          ],
          total: 2,
          diff,
        },
      },
    ]);
    expect(result).toMatchObject({
      data: { output: "replaced\n", exit_code: 3, diff },
      metadata: { reversible: true, changes_total: 2 },
    });
    expect(texts()).toEqual(replaced);
    await call("undo_edit", {});
    expect(texts()).toEqual(untouched);
  });

  it("applies only what a person chooses", async () => {
    const { bash, texts, workspace } = openPlace({
      answer: { answer: "once", paths: ["src/b.ts", "new/deep/c"] },
    });
    const result = await bash(`mkdir -p new/deep; touch new/deep/{c,d}; ${replace}`);
    expect(texts()).toEqual([untouched[0], replaced[1]]);
    expect(existsSync(join(workspace, "new/deep/c"))).toBe(true);
    expect(existsSync(join(workspace, "new/deep/d"))).toBe(false);
    expect(result).toMatchObject({
      data: { notes: [expect.stringContaining("the user left them out")] },
      metadata: {
        discarded: [
          { path: join(workspace, "new/deep/d"), kind: "created" },
          { path: join(workspace, "src/a.ts"), kind: "modified" },
        ],
      },
    });
  });

  it("changes nothing if its changes are rejected, and says what it did", async () => {
    const { bash, texts, workspace } = openPlace();
    const result = await bash(`${replace.replace("exit 3", "rm src/b.ts")}`);
    expect(texts()).toEqual(untouched);
    expect(result).toMatchObject({
      error_text: expect.stringMatching(
        /discarded: the user rejected them.*modified src\/a\.ts, deleted src\/b\.ts\.\n\nExit code: 0\. Output:\nreplaced\n$/su,
      ),
      metadata: {
        error_code: "rejected-by-user",
        changes_total: 0,
        discarded: [
          { path: join(workspace, "src/a.ts"), kind: "modified" },
          { path: join(workspace, "src/b.ts"), kind: "deleted" },
        ],
      },
    });
  });

  it("names the rule that would have allowed its changes if there is no person to ask", async () => {
    const { bash, texts } = openPlace({ isHeadless: true });
    const result = await bash(replace);
    expect(result.metadata.error_code).toBe("headless");
    const text = "error_text" in result ? result.error_text : "";
    expect(text).toMatch(/not interactive.*Exit code: 3\. Output:\nreplaced\n/su);
    expect(texts()).toEqual(untouched);
    const [, rules = ""] = /add the rules: (.*)$/mu.exec(text) ?? [];
    const other = openPlace({ isHeadless: true, rules: rules.split("; ") });
    expect(await other.bash(replace)).toMatchObject({ data: { exit_code: 3 } });
    expect(other.texts()).toEqual(replaced);
  });

  it("is not asked about again once a rule is stored", async () => {
    const { bash, host, texts } = openPlace({ answer: { answer: "session" } });
    await bash('for n in 1 2 3 4 5; do mkdir -p "src/x/$n"; touch "src/x/$n/f"; done');
    expect(host.asked[0]?.rules.map(formatRule)).toEqual([
      "fs.write src/x allow",
      "fs.write src/x/** allow",
    ]);
    await bash('for n in 6 7; do touch "src/x/$n"; done');
    expect(host.asked).toHaveLength(1);
    await bash(replace);
    expect(host.asked).toHaveLength(2);
    expect(texts()).toEqual(replaced);
  });

  it("reaches nothing outside of its layer", async () => {
    const { base, bash, workspace, texts } = openPlace();
    let connections = 0;
    const listen = async (where: string | number): Promise<unknown> => {
      const server = createServer((socket) => {
        connections++;
        socket.destroy();
      });
      onTestFinished(() => void server.close());
      await new Promise<void>((resolve) => server.listen(where, resolve));
      return server.address();
    };
    const { port } = (await listen(0)) as { port: number };
    await listen(join(workspace, "socket"));
    const outside = join(base, "outside");
    const shared = `/dev/shm/haft-review-${process.pid}`;
    const script = `
import socket, os
for family, address in ((2, ("127.0.0.1", ${port})), (1, "${workspace}/socket")):
    try: socket.socket(family).connect(address)
    except OSError: print("refused")
for path in ("${outside}", "${shared}", "/var/tmp/haft-review-${process.pid}", "${workspace}/src/a.ts", os.path.expanduser("~/.haft-review")):
    try: open(path, "w").write("reached")
    except OSError: pass
`;
    const result = await bash(`python3 - <<'END'\n${script}\nEND`);
    expect("error_text" in result && result.error_text).toMatch(/Output:\nrefused\nrefused\n$/u);
    expect(connections).toBe(0);
    for (const path of [outside, shared, `/var/tmp/haft-review-${process.pid}`]) {
      expect(existsSync(path)).toBe(false);
    }
    expect(texts()).toEqual(untouched);
  });

  it("is not run on the workspace itself where its layer is missing", async () => {
    const { bash, host, texts } = openPlace({ sandbox: "off", canReview: true });
    expect(await bash(replace)).toMatchObject({ metadata: { error_code: "unavailable" } });
    expect(host.asked).toEqual([]);
    expect(texts()).toEqual(untouched);
  });

  it.each([
    ["where words are judged", { review: "words" }, replace],
    ["without a layer", { sandbox: "off" }, replace],
    ["if it has a network", { allowHosts: ["example.com"] }, replace],
    ["if it is for the network", {}, "curl -s https://example.com/*"],
    ["if it writes outside", {}, "for n in 1 2; do echo $n; done > /etc/haft-review"],
    ["if a rule asks about a part of it", { rules: ["bash sed ask"] }, replace],
  ] satisfies [string, Options, string][])(
    "is asked about before it runs %s",
    async (_, options, command) => {
      const { bash, host, texts } = openPlace(options);
      const result = await bash(command);
      expect(result.metadata.error_code).toMatch(/rejected-by-user|denied|out-of-scope/u);
      expect(host.asked.map(({ effects }) => effects)).toEqual(host.asked.map(() => undefined));
      expect(texts()).toEqual(untouched);
    },
  );

  it("is asked about before it runs while a job has a network to join", async () => {
    const { bash, host, call } = openPlace({ rules: ["job_start * allow", "bash * allow"] });
    expect(await call("job_start", { command: "sleep 60" })).toMatchObject({ type: "output" });
    await bash("echo src/*");
    expect(host.asked).toHaveLength(1);
    expect(host.asked[0]?.effects).toBeUndefined();
  });
});

layered("changes of a command", () => {
  it("are applied without a question if nothing is reviewed, except what a rule denies", async () => {
    const { bash, host, texts } = openPlace({ review: "off", rules: ["fs.write src/b.ts deny"] });
    expect(await bash(replace)).toMatchObject({ data: { exit_code: 3 } });
    expect(host.asked).toEqual([]);
    expect(texts()).toEqual([replaced[0], untouched[1]]);
  });

  it("are asked about where a rule wants that, whatever allowed the command", async () => {
    const { bash, host, workspace } = openPlace({ rules: ["fs.write src/** ask"] });
    expect(await bash("touch free src/asked")).toMatchObject({
      metadata: { error_code: "rejected-by-user", changes_total: 1 },
    });
    expect(host.asked[0]?.effects?.changes).toEqual([{ path: "src/asked", kind: "created" }]);
    expect(existsSync(join(workspace, "free"))).toBe(true);
    expect(existsSync(join(workspace, "src/asked"))).toBe(false);
  });

  it("are shown without secrets, links with their targets", async () => {
    const { bash, host, workspace } = openPlace({ rules: ["fs.read src/b.ts deny"] });
    writeFileSync(join(workspace, "c.txt"), "");
    await bash(
      'for f in src/*.ts .env c.txt; do echo "key: AKIAIOSFODNN7EXAMPLE more-$f" >> $f; done',
    );
    await bash('ln -s "$(echo /etc)" out; : > src/a.ts');
    expect(host.asked[1]?.effects?.diff).toContain("+++ b/out\n@@ -0,0 +1,1 @@\n+link to /etc\n");
    const { changes, diff } = host.asked[0]?.effects ?? { changes: [], diff: "" };
    // What a rule denies for reading can't be changed either.
    expect(changes.map(({ path }) => path).sort()).toEqual([".env", "c.txt", "src/a.ts"]);
    expect(diff).toContain("more-src/a.ts");
    expect(diff).not.toMatch(/more-(?:\.env|src\/b)|AKIAIOSFODNN7EXAMPLE/u);
  });
});
