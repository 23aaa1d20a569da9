import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Row } from "./row.ts";

/** What the dialect `codex` does. */
export const codexRows: readonly Row[] = [
  {
    says: "it shows its names, and no native twin",
    holds: async ({ session }) => {
      expect(session.tools().map(({ name }) => name)).toEqual([
        "view_image",
        "apply_patch",
        "undo_edit",
        "update_plan",
        "request_user_input",
        "shell_command",
        "job_start",
        "job_output",
        "job_stop",
        "web_search",
        "tool_search",
      ]);
    },
  },
  {
    says: "a command gives exit code, time and output",
    holds: async ({ text }) => {
      expect(await text("shell_command", { command: "echo a; echo b >&2; exit 2" })).toMatch(
        /^Exit code: 2\nWall time: \d+(?:\.\d)? seconds\nOutput:\na\nb\n$/u,
      );
      expect(await text("shell_command", { command: "kill -9 $$" })).toMatch(/^Exit code: 137\n/u);
    },
  },
  {
    says: "the time is that of the command",
    holds: async ({ text }) => {
      const slow = await text("shell_command", { command: "sleep 0.3" });
      const seconds = Number(/^Wall time: (?<time>[\d.]+) seconds$/mu.exec(slow)?.groups?.time);
      expect(seconds).toBeGreaterThanOrEqual(0.3);
    },
  },
  {
    says: "a command may come as words, under any of the names that the tool has had",
    holds: async ({ put, text, session }) => {
      put("sub/it's here", "");
      const recorded: unknown[] = [];
      session.on("tool:post", ({ arguments: args }) => recorded.push(args));
      const shell = (command: unknown): Promise<string> => text("shell", { command });
      expect(await shell(["bash", "-lc", "ls sub | wc -l"])).toContain("Output:\n1\n");
      expect(await shell(["/bin/sh", "-c", "echo $((1+1))"])).toContain("Output:\n2\n");
      expect(await shell(["ls", "sub/it's here"])).toContain("Output:\nsub/it's here\n");
      expect(await shell(["echo", "$HOME", "a  b"])).toContain("Output:\n$HOME a  b\n");
      expect(await shell("echo line")).toContain("Output:\nline\n");
      expect(await text("exec_command", { cmd: "echo x", yield_time_ms: 1000 })).toContain("x\n");
      expect(recorded[0]).toEqual({ command: "ls sub | wc -l" });
      expect(recorded[2]).toEqual({ command: String.raw`ls 'sub/it'\''s here'` });
    },
  },
  {
    says: "a command starts in workdir and ends after timeout_ms",
    holds: async ({ root, put, text, call }) => {
      put("sub/a", "");
      const workdir = join(root, "sub");
      expect(await text("shell_command", { command: "pwd", workdir })).toContain(`\n${workdir}\n`);
      expect(await call("shell_command", { command: "sleep 60", timeout_ms: 200 })).toMatchObject({
        metadata: { error_code: "timeout" },
      });
    },
  },
  {
    says: "long output keeps head and tail, and names the file with the whole",
    holds: async ({ call, text }) => {
      const result = await call("shell_command", { command: "seq 1 20000" });
      const path = result.metadata.output_path as string;
      const shown = result.type === "output" ? String(result.data) : "";
      expect(shown.length).toBeLessThan(41_000);
      expect(shown).toContain(`the whole is at ${path} …]`);
      expect(await text("view_image", { path })).toContain("is not an image but a file");
    },
  },
  {
    says: "a patch is applied and told of by letters",
    holds: async ({ put, get, text, asked, root }) => {
      put("src/a.ts", "one\ntwo\nthree\n");
      put("old.txt", "x\n");
      put("from.txt", "a\nb\n");
      const input = [
        "*** Begin Patch",
        "*** Add File: new.txt",
        "+hello",
        "*** Update File: src/a.ts",
        "@@",
        " one",
        "-two",
        "+2",
        "*** Update File: from.txt",
        "*** Move to: to.txt",
        "@@",
        "-a",
        "+A",
        "*** Delete File: old.txt",
        "*** End Patch",
      ].join("\n");
      expect(await text("apply_patch", { input })).toBe(
        [
          "The patch was applied. Changed files:",
          "A new.txt",
          "M src/a.ts",
          "R from.txt -> to.txt",
          "D old.txt",
        ].join("\n"),
      );
      expect([get("new.txt"), get("src/a.ts"), get("to.txt")]).toEqual([
        "hello\n",
        "one\n2\nthree\n",
        "A\nb\n",
      ]);
      expect(existsSync(join(root, "old.txt"))).toBe(false);
      expect(asked()).toEqual(["apply_patch"]);
    },
  },
  {
    says: "a patch with Windows line ends is applied, and one that fits loosely shows what it did",
    holds: async ({ put, get, text }) => {
      put("a.txt", "one  \ntwo\n");
      const input = "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n*** End Patch\n";
      const result = await text("apply_patch", { input: input.replaceAll("\n", "\r\n") });
      expect(result).toContain(
        "M a.txt\na.txt: the lines matched only after ignoring trailing-space",
      );
      expect(result).toContain("-two\n+2\n");
      expect(get("a.txt")).toBe("one  \n2\n");
    },
  },
  {
    says: "a patch that does not fit changes nothing and says why",
    holds: async ({ put, get, failure }) => {
      put("a.txt", "one\n");
      const input = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n";
      expect(await failure("apply_patch", { input })).toContain("a.txt");
      expect(await failure("apply_patch", { input: "nothing" })).toContain("no patch");
      expect(get("a.txt")).toBe("one\n");
    },
  },
  {
    says: "a patch that comes as a command is a patch, from the command's directory",
    holds: async ({ get, text, session }) => {
      const tools: string[] = [];
      session.on("tool:post", ({ tool = "" }) => tools.push(tool));
      const patch = (path: string): string =>
        `*** Begin Patch\n*** Add File: ${path}\n+$HOME\n*** End Patch`;
      await text("shell", { command: ["apply_patch", patch("a")] });
      await text("shell", {
        command: ["bash", "-lc", `apply_patch <<'EOF'\n${patch("b")}\nEOF\n`],
      });
      await text("shell_command", {
        command: `apply_patch <<"PATCH"\n${patch("c")}\nPATCH`,
        workdir: "sub/",
      });
      expect([get("a"), get("b"), get("sub/c")]).toEqual(["$HOME\n", "$HOME\n", "$HOME\n"]);
      await text("shell", { command: ["echo", "apply_patch"] });
      expect(tools).toEqual(["apply_patch", "apply_patch", "apply_patch", "bash"]);
    },
  },
  {
    says: "update_plan keeps the plan",
    holds: async ({ text, call }) => {
      const plan = [
        { step: "a", status: "completed" },
        { step: "b", status: "in_progress" },
      ];
      expect(await text("update_plan", { plan, explanation: "Because." })).toBe(
        "The plan was updated: 1 completed, 1 in_progress.",
      );
      expect(await call("todo", {})).toMatchObject({
        data: { todos: [{ content: "a", status: "completed" }, { content: "b" }] },
      });
    },
  },
  {
    says: "request_user_input gives the answers under their names",
    holds: async ({ text }) => {
      const options = [{ label: "red" }, { label: "blue", description: "Cold." }];
      const questions = [
        { id: "colour", header: "Colour", question: "Which?", options },
        { id: "reason", header: "Why", question: "Why?" },
      ];
      expect(JSON.parse(await text("request_user_input", { questions }))).toEqual({
        answers: { colour: { answers: ["red"] }, reason: { answers: ["whatever"] } },
      });
    },
  },
];
