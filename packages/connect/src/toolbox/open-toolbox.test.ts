import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { SandboxMode } from "@haft/computer";
import { describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { listUntrustedScripts, readToolbox } from "./read-toolbox.ts";
import { bashScript, makeToolbox } from "./test-support/make-toolbox.ts";

const node = process.execPath;
const hasSandbox = !isMissing("bwrap");
const sumInNode = `#!${node}
import { readFileSync } from "node:fs";
const { TOOLBOX_ACTION, AGENT, AGENT_THREAD_ID } = process.env;
if (TOOLBOX_ACTION === "describe") {
  const args = { a: ["number", "one"], b: ["number", "two"] };
  console.log(JSON.stringify({ description: "Adds.", args }));
} else {
  const { a, b } = JSON.parse(readFileSync(0, "utf8"));
  console.log(a + b, AGENT, AGENT_THREAD_ID);
}
`;

const sumInPython = `#!/usr/bin/env python3
import json, os, sys
number = {"type": "number"}
schema = {"type": "object", "properties": {"a": number, "b": number}, "required": ["a", "b"]}
if os.environ["TOOLBOX_ACTION"] == "describe":
    print(json.dumps({"name": "add", "description": "Adds.", "inputSchema": schema}))
else:
    given = json.load(sys.stdin)
    print(given["a"] + given["b"], os.environ["AGENT"], os.environ["AGENT_THREAD_ID"])
`;

const sumInBash = bashScript(
  ["name: to tal", "description: Adds.", "a: number one", "b: number two"],
  `while IFS=": " read -r key value; do declare "$key=$value"; done
   echo $((a + b)) $AGENT $AGENT_THREAD_ID`,
);

const hello = bashScript(["description: Greets.", "who: string? whom"], "echo hello; cat");

describe("openToolbox", () => {
  it.each(hasSandbox ? ["off", "required"] : ["off"])(
    "makes tools of scripts in bash, node and python, sandbox %s",
    async (sandbox) => {
      const scripts = { "sum.mjs": sumInNode, "sum.py": sumInPython, "sum.sh": sumInBash };
      const { open, call, warnings } = makeToolbox(scripts, { sandbox: sandbox as SandboxMode });
      const tools = (await open()).tools();
      expect(tools.map(({ id }) => id)).toEqual(["tb__sum", "tb__add", "tb__total"]);
      for (const tool of tools) {
        expect(tool).toMatchObject({ description: "Adds.", source: "toolbox", kind: "execute" });
        expect(tool.parameters).toMatchObject({ type: "object", required: ["a", "b"] });
        expect(await call(tool, { a: 2, b: 40 }, { name: "talk" })).toMatchObject({
          type: "output",
          data: { output: expect.stringMatching(/^42 haft \S*talk\n$/u) },
        });
        expect(await call(tool, { a: "x", b: 1 })).toMatchObject({
          metadata: { error_code: "invalid-arguments" },
        });
      }
      expect(warnings).toEqual([]);
    },
  );

  it("asks before it runs one, as before any command", async () => {
    const { open, call } = makeToolbox({ hello });
    const [tool] = (await open()).tools();
    expect(await call(tool, {}, { rules: [] })).toMatchObject({
      metadata: { error_code: "headless" },
    });
  });

  it("makes an error of an exit code, with what the script complained of", async () => {
    const script = bashScript(
      ["description: x"],
      "echo so far; echo 'no \u001b[31mluck' >&2; exit 3",
    );
    const { open, call } = makeToolbox({ script });
    const [tool] = (await open()).tools();
    expect(await call(tool)).toMatchObject({
      type: "error",
      error_text: expect.stringContaining("tb__script exited with 3: no luck"),
      metadata: { error_code: "failed" },
    });
  });

  it("ends a script with all that it started when the call is aborted", async () => {
    const script = bashScript(
      ["description: x"],
      "(setsid sleep 1000 &); echo >started; sleep 1000",
    );
    const { open, call, workspace } = makeToolbox({ script });
    const [tool] = (await open()).tools();
    const ending = new AbortController();
    const calling = call(tool, {}, { signal: ending.signal });
    await expect.poll(() => existsSync(join(workspace, "started"))).toBe(true);
    ending.abort();
    expect(await calling).toMatchObject({ metadata: { error_code: "cancelled" } });
  });

  it("is cut with the whole of its output beside", async () => {
    const script = bashScript(["description: x"], "seq 100000");
    const { open, call } = makeToolbox({ script });
    const [tool] = (await open()).tools();
    const result = await call(tool);
    expect(result.metadata).toMatchObject({ truncated: true });
    expect(readFileSync(result.metadata.output_path ?? "", "utf8")).toContain("99999");
  });

  it("causes one warning for each file that can't be a tool, and keeps the other tools", async () => {
    const { open, directory, warnings } = makeToolbox({
      hello,
      "hello.py": hello,
      fails: "#!/bin/bash\necho boom >&2\nexit 1\n",
      floods: "#!/bin/bash\nyes\n",
      garbage: "#!/bin/bash\nhead -c 500 /dev/urandom\n",
      plain: "just text",
      ünnämed: bashScript(["name: ü", "description: x"], "true"),
      "§": bashScript(["name: ü", "description: x"], "true"),
      interpreter: "#!/no/such/interpreter\n",
    });
    chmodSync(join(directory, "plain"), 0o644);
    mkdirSync(join(directory, "sub"));
    symlinkSync("loop", join(directory, "loop"));
    symlinkSync("nowhere", join(directory, "dangling"));
    writeFileSync(join(directory, ".hidden"), "");
    const tools = (await open()).tools();
    expect(tools.map(({ id }) => id)).toEqual(["tb__hello", "tb__nnmed"]);
    const faults = warnings.map((warning) => warning.replaceAll(`${directory}/`, ""));
    expect(faults).toEqual([
      "toolbox: dangling: does not exist.",
      "toolbox: fails: exited with 1 when asked for its description: boom.",
      expect.stringMatching(/^toolbox: floods: printed more than \d+ bytes/u),
      expect.stringMatching(/^toolbox: garbage: has no description/u),
      "toolbox: hello.py: has the name tb__hello, which is already used by hello.",
      expect.stringMatching(/^toolbox: interpreter: /u),
      "toolbox: loop: is a link that leads to itself.",
      "toolbox: plain: is not executable. Run chmod +x on it.",
      "toolbox: sub: is a directory.",
      expect.stringMatching(/^toolbox: §: has no valid name/u),
    ]);
  });

  it("gives up one that does not answer, and does not wait for it again", async () => {
    const { open, computer, warnings } = makeToolbox({
      hangs: "#!/bin/bash\ntrap '' TERM\n(setsid sleep 1000 &)\nsleep 1000\n",
      hello,
    });
    expect((await open()).tools()).toHaveLength(1);
    computer.startProgram = () => Promise.reject(new Error("asked"));
    expect((await open()).tools()).toHaveLength(1);
    expect(warnings).toEqual(
      Array(2).fill(expect.stringContaining("hangs: did not print its description within")),
    );
  }, 20_000);

  it("asks a script again once it has changed, and not before", async () => {
    const asked = (text: string): string =>
      bashScript([`description: ${text}`], "true").replace(
        "describe ]; then",
        "describe ]; then echo asked >&2;",
      );
    const { open, directory } = makeToolbox({ one: asked("first") });
    expect((await open()).tools()[0]?.description).toBe("first");
    // What is kept is used: the script could not be asked now.
    const strict = makeToolbox({ one: asked("first") });
    expect((await strict.open()).tools()).toHaveLength(1);
    strict.computer.startProgram = () => Promise.reject(new Error("asked"));
    expect((await strict.open()).tools()).toHaveLength(1);
    writeFileSync(join(directory, "one"), asked("other"));
    expect((await open()).tools()[0]?.description).toBe("other");
  });

  it("tells all scripts of a clone in one warning that there is no sandbox for them", async () => {
    const { open, computer, warnings } = makeToolbox({
      ".haft/toolbox/a": hello,
      ".haft/toolbox/b": hello,
    });
    const start = computer.startProgram;
    computer.startProgram = (order) => {
      expect(order).toMatchObject({ isUntrusted: true, writes: [] });
      return start({ ...order, argv: ["no-such-program"] });
    };
    expect((await open()).tools()).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /\/a, \S+\/b: could not be asked for its description: no-such-program/u,
      ),
    ]);
  });

  it("does not run a clone's script, not even to ask what it does, before it is trusted", async () => {
    const marker = "touch ran-$TOOLBOX_ACTION\n";
    const script = bashScript(["description: x"], "echo done").replace("\n", `\n${marker}`);
    const place = makeToolbox({ ".haft/toolbox/a": script, b: script }, { trustProject: false });
    const { open, computer, workspace, directory, warnings } = place;
    // A link of the user's own to a script of the workspace is no more trusted than the script.
    symlinkSync(join(workspace, ".haft/toolbox/a"), join(directory, "c"));
    const started: string[] = [];
    const { startProgram } = computer;
    computer.startProgram = (start) => {
      started.push(start.argv[0] as string);
      return startProgram(start);
    };
    expect((await open()).tools().map(({ id }) => id)).toEqual(["tb__b"]);
    expect(started).toEqual([join(directory, "b")]);
    expect(warnings).toEqual([
      expect.stringMatching(/toolbox\/a, \S+\/c: .*is not trusted.*haft trust/u),
    ]);
  });

  it("runs a clone's script once it is trusted, and no other content of it", async () => {
    const place = makeToolbox(
      { ".haft/toolbox/a": bashScript(["description: x"], "echo good") },
      { trustProject: false },
    );
    const { computer, open, call, workspace } = place;
    const directories = [join(workspace, ".haft/toolbox")];
    for (const item of listUntrustedScripts({ directories, computer })) computer.trust.trust(item);
    const [tool] = (await open()).tools();
    expect(await call(tool)).toMatchObject({ data: { output: "good\n" } });
    const path = join(workspace, ".haft/toolbox/a");
    writeFileSync(path, bashScript(["description: x"], "echo evil"));
    expect(await call(tool)).toMatchObject({
      metadata: { error_code: "not-available" },
      error_text: expect.stringContaining("its current content is not trusted"),
    });
    expect((await open()).tools()).toEqual([]);
    rmSync(path);
    execFileSync("mkfifo", [path]);
    expect(await call(tool)).toMatchObject({ metadata: { error_code: "not-available" } });
  });

  it("uses no more than the first two hundred scripts of a directory", async () => {
    const { computer, directory } = makeToolbox({});
    for (let at = 0; at < 201; at++) writeFileSync(join(directory, `a${1000 + at}`), "");
    const { scripts, faults } = await readToolbox({
      directories: [directory],
      computer,
      cacheDirectory: join(directory, "../cache"),
    });
    expect(scripts).toEqual([]);
    expect(faults).toHaveLength(201);
    expect(faults.at(-1)?.fault).toBe("has 201 files; only the first 200 are used");
  });

  it("follows no link out of a clone", async () => {
    const { open, workspace, directory, warnings } = makeToolbox({
      ".haft/toolbox/a": hello,
      b: hello,
    });
    symlinkSync(join(directory, "b"), join(workspace, ".haft/toolbox/b"));
    expect((await open()).tools().map(({ id }) => id)).toEqual(["tb__a", "tb__b"]);
    expect(warnings).toEqual([expect.stringContaining("leads out of the workspace")]);
  });

  it("runs what lies behind a link of the user's", async () => {
    const { open, call, directory } = makeToolbox({});
    const other = join(directory, "../other");
    mkdirSync(other);
    writeFileSync(join(other, "word"), "found");
    const script = bashScript(["description: x"], 'cat "$(dirname "$0")/word"');
    writeFileSync(join(other, "script"), script, { mode: 0o755 });
    symlinkSync(join(other, "script"), join(directory, "linked"));
    const [tool] = (await open()).tools();
    expect(tool?.id).toBe("tb__linked");
    expect(await call(tool)).toMatchObject({ data: { output: "found" } });
  });
});

describe.skipIf(!hasSandbox)("a toolbox script in the sandbox", () => {
  it("changes nothing while it is asked, and the workspace alone when it runs", async () => {
    const touch = "touch touched $(dirname $0)/touched 2>/dev/null";
    const script = bashScript(["description: x"], `${touch}; ls`).replace(
      "printf",
      `${touch}; printf`,
    );
    const { open, call, workspace, directory } = makeToolbox({ script }, { sandbox: "required" });
    const [tool] = (await open()).tools();
    expect(existsSync(join(workspace, "touched"))).toBe(false);
    const result = await call(tool);
    expect(result).toMatchObject({
      data: { output: "touched\n" },
      metadata: { isolation: "sandbox" },
    });
    expect(existsSync(join(directory, "touched"))).toBe(false);
  });

  it("stays inside what the session was granted", async () => {
    const script = bashScript(["description: x"], "touch touched; ls");
    const { open, call } = makeToolbox({ script }, { sandbox: "required" });
    const [tool] = (await open()).tools();
    const everything = { read: ["/**"], write: [] };
    const shell = [{ cmd: "*" }];
    expect(await call(tool, {}, { ceiling: { fs: everything, shell } })).toMatchObject({
      data: { output: "" },
    });
    expect(await call(tool, {}, { ceiling: { fs: everything } })).toMatchObject({ type: "error" });
  });
});
