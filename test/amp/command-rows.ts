import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { builtinTools } from "@haft/tools";
import { expect, onTestFinished, vi } from "vitest";
import { type OpenAmp, resultOf } from "./open-amp.ts";
import type { Row } from "./row.ts";

/** What `Bash` and `Check` do. */
export const commandRows: readonly Row[] = [
  {
    lines: "001:373-378,408,436-441",
    says: "a result has the command, the directory, the output and the exit code",
    holds: async ({ root, call }) => {
      expect(await call("Bash", { cmd: "echo hello" })).toEqual({
        status: "done",
        result: frame("echo hello", root, "hello\n"),
      });
    },
  },
  {
    lines: "001:387,428",
    says: "it is bash",
    holds: async (amp) => {
      expect(await outputOf(amp, "[[ -n $BASH_VERSION && a == [a-c] ]] && echo yes")).toBe("yes\n");
    },
  },
  {
    lines: "001:363-366,427",
    says: "it starts in cwd",
    holds: async ({ root, put, call }) => {
      put("src/a.ts", "");
      const cwd = join(root, "src");
      expect(await call("Bash", { cmd: "ls", cwd })).toMatchObject({
        result: frame("ls", cwd, "a.ts\n"),
      });
    },
  },
  {
    lines: "001:383,388,432-434",
    says: "output above 50,000 characters is cut to its end",
    holds: async (amp) => {
      const cmd = "printf 'x%.0s' {1..60000}; echo; printf 'y%.0s' {1..40000}";
      const output = await outputOf(amp, cmd);
      expect(output).toBe(`${"x".repeat(9_999)}\n${"y".repeat(40_000)}`);
    },
  },
  {
    lines: "001:383,433",
    says: "what is counted are characters, not bytes",
    holds: async (amp) => {
      const output = await outputOf(amp, "printf '本%.0s' {1..60000}");
      expect(output).toBe("本".repeat(50_000));
    },
  },
  {
    lines: "000:358",
    says: "output of just 50,000 characters is whole",
    holds: async (amp) => {
      const output = await outputOf(amp, "printf 'z%.0s' {1..50000}");
      expect(output).toBe("z".repeat(50_000));
    },
  },
  {
    lines: "001:389",
    says: "variables do not persist",
    holds: async (amp) => {
      await amp.call("Bash", { cmd: "export HAFT_TEST=1" });
      expect(await outputOf(amp, 'echo "[$HAFT_TEST]"')).toBe("[]\n");
    },
  },
  {
    lines: "001:390",
    says: "cd does not persist",
    holds: async (amp) => {
      mkdirSync(join(amp.root, "src"));
      await amp.call("Bash", { cmd: "cd src" });
      expect(await outputOf(amp, "pwd")).toBe(`${amp.root}\n`);
    },
  },
  {
    lines: "001:391",
    says: "commands run one after the other",
    holds: async ({ session }) => {
      const touch = (name: string) => ({ name: "Bash", arguments: { cmd: `touch ${name}` } });
      const plan = await session.plan([touch("a"), touch("b"), touch("c")]);
      expect(plan.calls.map(({ waits_for }) => waits_for.length > 0)).toEqual([false, true, true]);
    },
  },
  {
    lines: "000:127-128,332,335",
    says: "Bash and Check have no time limit",
    holds: async () => {
      const limits = builtinTools.filter(({ id }) => id === "bash" || id === "check");
      expect(limits.map(({ timeoutMs }) => timeoutMs)).toEqual(["none", "none"]);
    },
  },
  {
    lines: "001:393,441",
    says: "a non-zero exit code is not an error",
    holds: async ({ root, call }) => {
      expect(await call("Bash", { cmd: "echo no >&2; exit 3" })).toEqual({
        status: "done",
        result: frame("echo no >&2; exit 3", root, ["no\n", 3]),
      });
    },
  },
  {
    lines: "001:394,400,411",
    says: "a trailing & is removed",
    holds: async ({ root, call }) => {
      expect(await call("Bash", { cmd: "echo one &" })).toMatchObject({
        result: frame("echo one", root, "one\n"),
      });
      expect(await call("Bash", { cmd: "  echo two &&" })).toMatchObject({
        result: frame("echo two", root, "two\n"),
      });
    },
  },
  {
    lines: "001:401,412",
    says: "~ in cwd is the home directory",
    holds: async ({ home, call }) => {
      // Which is outside the workspace here, and so refused by its full name.
      expect(await call("Bash", { cmd: "ls", cwd: "~/src" })).toMatchObject({
        status: "error",
        error: { message: expect.stringContaining(join(home, "src")) },
      });
    },
  },
  {
    lines: "001:402,415-419",
    says: "cd DIRECTORY && COMMAND becomes a command in that directory",
    holds: async ({ root, put, call }) => {
      put("src/deep er/a.ts", "");
      expect(await call("Bash", { cmd: "cd src && ls && pwd" })).toMatchObject({
        result: frame("ls && pwd", join(root, "src"), `deep er\n${root}/src\n`),
      });
      const cwd = join(root, "src");
      expect(await call("Bash", { cmd: 'cd "deep er" && ls', cwd })).toMatchObject({
        result: frame("ls", join(cwd, "deep er"), "a.ts\n"),
      });
      expect(await call("Bash", { cmd: `cd ${cwd} && ls`, cwd: "/nowhere" })).toMatchObject({
        result: frame("ls", cwd, "deep er\n"),
      });
    },
  },
  {
    lines: "001:431",
    says: "what goes to standard error is output too, after standard output",
    holds: async (amp) => {
      expect(await outputOf(amp, "echo err >&2; echo out; echo more >&2")).toBe("out\nerr\nmore\n");
    },
  },
  {
    lines: "001:387",
    says: "it is sh where there is no bash, and is always asked about",
    holds: async ({ put, call, asked }) => {
      const bin = dirname(put("bin/x", ""));
      symlinkSync("/bin/sh", join(bin, "sh"));
      vi.stubEnv("PATH", bin);
      onTestFinished(() => {
        vi.unstubAllEnvs();
      });
      // In bash this is one word, in sh a second command.
      const cmd = "echo $'\\'; echo second #'";
      expect(resultOf(await call("Bash", { cmd }))).toContain("second");
      expect(asked()).toEqual(["Bash"]);
    },
    options: { sandbox: "off" },
  },
  {
    lines: "001:444-448",
    says: "what can't be started is an error",
    holds: async ({ root, call }) => {
      const cwd = join(root, "missing");
      expect(await call("Bash", { cmd: "ls", cwd })).toMatchObject({
        status: "error",
        error: {
          message: `Not run: the working directory ${cwd} does not exist. Create it first, or name another.`,
        },
      });
    },
  },
  {
    lines: "000:216",
    says: "running commands needs approval",
    holds: async ({ root, put, call, asked }) => {
      put("a.txt", "");
      await call("Bash", { cmd: "rm a.txt" });
      expect(asked()).toEqual(["Bash"]);
      expect(existsSync(join(root, "a.txt"))).toBe(false);
    },
  },
  {
    lines: "001:688",
    says: "Check runs the project's type checker, linter and tests",
    holds: async ({ put, call }) => {
      put("Makefile", "typecheck lint test:\n\t@echo $@\n");
      expect(await call("Check", {})).toMatchObject({
        status: "done",
        result: { passed: true, checks: [{ kind: "types" }, { kind: "lint" }, { kind: "test" }] },
      });
    },
  },
];

function frame(command: string, directory: string, ended: string | [string, number]): string {
  const [output, code] = typeof ended === "string" ? [ended, 0] : ended;
  return `<command>${command}</command>
<working_directory>${directory}</working_directory>
<output>${output}</output>
<exit_code>${code}</exit_code>`;
}

async function outputOf({ call }: OpenAmp, cmd: string): Promise<string> {
  const result = resultOf<string>(await call("Bash", { cmd }));
  return /<output>(?<output>.*)<\/output>/su.exec(result)?.groups?.output ?? "";
}
