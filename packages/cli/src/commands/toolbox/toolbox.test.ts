import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { isMissing } from "../../../../../scripts/setup/system-packages.mjs";
import { createTestWorkspace, type Ran } from "../../test-support/run-haft.ts";

const echo = `#!/bin/bash
[ "$TOOLBOX_ACTION" = execute ] && { cat; exit; }
echo 'description: Says it again.'
echo 'word: string what'
`;

function open(files: Readonly<Record<string, string>> = {}, sandbox = "off") {
  const { directory, state, haft } = createTestWorkspace();
  const home = join(dirname(state), "home");
  mkdirSync(home);
  const put = (path: string, content: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o755 });
  };
  for (const [name, content] of Object.entries(files)) {
    put(join(directory, ".haft/toolbox", name), content);
  }
  const toolbox = (args: readonly string[], more: Record<string, string> = {}): Promise<Ran> =>
    // `make` runs no script and refuses --sandbox.
    haft(["toolbox", ...args, ...(args[0] === "make" ? [] : ["--sandbox", sandbox])], {
      environment: { HOME: home, ...more },
    });
  /** The same in a workspace that is trusted. */
  const trusted: typeof toolbox = (args, more) => toolbox([...args, "--trust-project"], more);
  return { directory, home, toolbox: trusted, untrusted: toolbox };
}

describe("haft toolbox list", () => {
  it("shows every script, and what is wrong with those that are no tool", async () => {
    const { toolbox, directory } = open({ echo, broken: "#!/bin/bash\nexit 1\n" });
    const { stdout, exitCode } = await toolbox([]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^tb__echo {2}Says it again\.\n {10}\S+\/\.haft\/toolbox\/echo\n/u);
    expect(stdout).toContain("-         ! exited with 1 when asked for its description\n");
    expect((await toolbox(["list", "--json"])).json()).toEqual([
      {
        name: "tb__echo",
        script: join(directory, ".haft/toolbox/echo"),
        description: "Says it again.",
        state: "ready",
      },
      {
        name: null,
        script: join(directory, ".haft/toolbox/broken"),
        description: null,
        state: "unusable",
        warning: "exited with 1 when asked for its description",
      },
    ]);
  });

  it("says how to begin where there is nothing", async () => {
    expect((await open().toolbox(["list"])).stdout).toContain("haft toolbox make NAME");
  });
});

describe("haft toolbox of an untrusted workspace", () => {
  it("runs no script, and says what to do", async () => {
    const { untrusted, directory } = open({ echo: `#!/bin/bash\ntouch "$0.ran"\n` });
    expect((await untrusted(["list"])).stdout).toContain("Review it with: haft trust");
    const { exitCode, stderr } = await untrusted(["test", "echo", "word=hi"]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("haft trust")]);
    expect(readdirSync(join(directory, ".haft/toolbox"))).toEqual(["echo"]);
  });
});

describe("haft toolbox test", () => {
  it("shows what a script says of itself, by its name or its file", async () => {
    const { toolbox } = open({ "echo.sh": echo });
    for (const wanted of ["echo", "tb__echo", "echo.sh", "./.haft/toolbox/echo.sh"]) {
      const { stdout, exitCode } = await toolbox(["test", wanted]);
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('"required": [\n    "word"')]);
    }
  });

  it("runs a tool with arguments, without asking for approval", async () => {
    const { toolbox } = open({ echo });
    const pairs = await toolbox(["test", "echo", "word=hi"]);
    expect([pairs.exitCode, pairs.stdout]).toEqual([0, expect.stringMatching(/\n\nword: hi\n$/u)]);
    expect((await toolbox(["test", "echo", '{"word": "ho"}', "--json"])).json()).toMatchObject({
      name: "tb__echo",
      format: "text",
      state: "ready",
      result: { type: "output", data: { output: "word: ho\n" } },
    });
    const wrong = await toolbox(["test", "echo", "wrod=hi"]);
    expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining("wrod")]);
  });

  it("fails for a script that can't be used, and says why", async () => {
    const { toolbox, directory } = open({ broken: "#!/bin/bash\necho why >&2; exit 1\n", echo });
    chmodSync(join(directory, ".haft/toolbox/echo"), 0o644);
    for (const [name, reason] of [
      ["broken", "exited with 1 when asked for its description: why"],
      ["echo", "chmod +x"],
    ] as const) {
      const { exitCode, stderr } = await toolbox(["test", name]);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(reason)]);
    }
    const json = await toolbox(["test", "broken", "--json"]);
    expect(json.json()).toMatchObject({ state: "unusable", warning: expect.any(String) });
  });

  it.each([
    [["test"], "needs the argument SCRIPT"],
    [["test", "ehco"], "Did you mean echo?"],
    [["tset"], "Subcommands: list, test, make"],
    [["list", "x"], 'takes no arguments, but got "x"'],
  ])("refuses %j", async (args, reason) => {
    const { exitCode, stderr } = await open({ echo }).toolbox(args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});

describe("haft toolbox make", () => {
  const wishes = ["bash", "python", "node"].flatMap((language) =>
    [[], ["--text"]].map((text) => ["--language", language, ...text]),
  );

  it.each(wishes)("writes a script that works: %s %s %s", async (...wish) => {
    const { untrusted: toolbox, directory } = open();
    const given = wish.filter((word) => word !== undefined);
    const { stdout, exitCode } = await toolbox(["make", "greet", ...given]);
    expect(exitCode).toBe(0);
    const [, path = ""] = /^Created (\S+)\. /u.exec(stdout) ?? [];
    expect(dirname(path)).toBe(join(directory, ".haft/toolbox"));
    expect(statSync(path).mode & 0o777).toBe(0o755);
    const ran = await toolbox(["test", "greet", "who=world", "--json"]);
    expect(ran.json()).toMatchObject({
      name: "tb__greet",
      format: given.includes("--text") ? "text" : "json",
      result: { data: { output: expect.stringMatching(/^Hello.*world/u) } },
    });
    const again = await toolbox(["make", "greet", ...given]);
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining("already exists")]);
  });

  it("writes where it will be found, or for the user", async () => {
    const { toolbox, directory, home } = open();
    await toolbox(["make", "one", "--user"]);
    expect(existsSync(join(home, ".config/haft/toolbox/one.sh"))).toBe(true);
    const elsewhere = { HAFT_TOOLBOX: join(home, "tools") };
    expect((await toolbox(["make", "two", "--json"], elsewhere)).json()).toEqual({
      name: "tb__two",
      script: join(home, "tools/two.sh"),
    });
    expect(readFileSync(join(home, "tools/two.sh"), "utf8")).toContain('"name": "two"');
    expect((await toolbox(["list"], elsewhere)).stdout).toContain("tb__two");
    expect(existsSync(join(directory, ".haft"))).toBe(false);
  });

  it.each([
    [["make"], "needs the argument NAME"],
    [["make", "a/b"], "is not a valid tool name"],
    [["make", "a", "b"], "unexpected argument"],
    [["make", "a", "--language", "perl"], "bash, python, node"],
  ])("refuses %j", async (args, reason) => {
    const { exitCode, stderr } = await open().toolbox(args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});

describe.skipIf(isMissing("bwrap"))("haft toolbox in the sandbox", () => {
  it("runs a script there", async () => {
    const { toolbox } = open({ echo }, "required");
    const { exitCode, stdout } = await toolbox(["test", "echo", "word=hi", "--json"]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ result: { metadata: { isolation: "sandbox" } } });
  });
});
