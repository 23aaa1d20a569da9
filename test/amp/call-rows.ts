import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openAmp, resultOf } from "./open-amp.ts";
import type { Row } from "./row.ts";

const legacy: readonly [line: number, name: string, args: Record<string, unknown>][] = [
  [87, "Read", { path: "a.txt", read_range: [1, 1] }],
  [88, "read", { path: "a.txt", read_range: [1, 1] }],
  [89, "read_file", { path: "a.txt", read_range: [1, 1] }],
  [90, "Write", { path: "a.txt", content: "x\n" }],
  [91, "write", { path: "a.txt", content: "x\n" }],
  [92, "write_file", { path: "a.txt", content: "x\n" }],
  [93, "Edit", { path: "a.txt", old_str: "one", new_str: "x" }],
  [94, "edit", { path: "a.txt", old_str: "one", new_str: "x" }],
  [95, "Delete", { path: "a.txt" }],
  [96, "delete", { path: "a.txt" }],
  [97, "run_terminal_command", { cmd: "cat a.txt" }],
];

/** The same call under its present name. */
const current: Readonly<Record<string, string>> = {
  Read: "Read",
  read: "Read",
  read_file: "Read",
  Write: "create_file",
  write: "create_file",
  write_file: "create_file",
  Edit: "edit_file",
  edit: "edit_file",
  Delete: "delete_file",
  delete: "delete_file",
  run_terminal_command: "Bash",
};

/** What holds for all tools. */
export const callRows: readonly Row[] = [
  ...legacy.map(
    ([line, name, args]): Row => ({
      lines: `000:${line}`,
      says: `${name} does what ${current[name]} does`,
      holds: async (amp) => {
        const other = openAmp();
        amp.put("a.txt", "one\ntwo\n");
        other.put("a.txt", "one\ntwo\n");
        const known = await amp.call(current[name] ?? "", args);
        const old = JSON.stringify(await other.call(name, args));
        expect(old.replaceAll(other.root, amp.root)).toBe(JSON.stringify(known));
        expect(known.status).toBe("done");
      },
    }),
  ),
  {
    lines: "000:81-98",
    says: "old names are understood and not shown",
    holds: async ({ session }) => {
      const shown = session.tools().map(({ name }) => name);
      expect(shown).toEqual(
        expect.arrayContaining(["Read", "edit_file", "create_file", "glob", "Grep"]),
      );
      for (const [, name] of legacy.slice(1)) expect(shown).not.toContain(name);
    },
  },
  {
    lines: "000:110,113-114,120,210-212",
    says: "reading, searching and undoing need no approval",
    holds: async ({ put, call, asked }) => {
      const path = put("a.txt", "x\n");
      await call("Read", { path });
      await call("glob", { filePattern: "*" });
      await call("Grep", { pattern: "x" });
      await call("undo_edit", { path });
      await call("task_list", {});
      expect(asked()).toEqual([]);
    },
  },
  {
    lines: "000:122,211",
    says: "searching the web and reading its pages need no approval",
    holds: async ({ call, asked }) => {
      // Nothing is reached: there is no provider, and no such host.
      await call("web_search", { query: "x" });
      await call("read_web_page", { url: "http://haft.invalid/" });
      expect(asked()).toEqual([]);
    },
  },
  {
    lines: "000:111-112,115,217",
    says: "changing files needs approval",
    holds: async ({ put, call, asked }) => {
      const path = put("a.txt", "x\n");
      await call("edit_file", { path, old_str: "x", new_str: "y" });
      await call("create_file", { path, content: "z" });
      await call("delete_file", { path });
      expect(asked()).toEqual(["edit_file", "create_file", "delete_file"]);
    },
  },
  {
    lines: "000:147,180",
    says: "what is not approved is rejected, and nothing changes",
    holds: async () => {
      const amp = openAmp("reject");
      const path = amp.put("a.txt", "x\n");
      expect(await amp.call("create_file", { path, content: "y" })).toMatchObject({
        status: "rejected-by-user",
      });
      expect(readFileSync(path, "utf8")).toBe("x\n");
    },
  },
  {
    lines: "000:175-181",
    says: "a call goes through the states",
    holds: async ({ put, call, session }) => {
      const states: string[] = [];
      session.on("tool:state", ({ state }) => states.push(state));
      await call("create_file", { path: put("a.txt", "x\n"), content: "y" });
      await call("Read", { path: "missing" });
      expect(states).toEqual(["blocked-on-user", "in-progress", "done", "error"]);
    },
  },
  {
    lines: "000:316-320",
    says: "reads run together, an edit waits for the read of its file",
    holds: async ({ put, session }) => {
      const read = (path: string) => ({ name: "Read", arguments: { path: put(path, "x\n") } });
      const plan = await session.plan([
        read("A"),
        read("B"),
        { name: "edit_file", arguments: { path: "A", old_str: "x", new_str: "y" } },
        read("C"),
      ]);
      expect(plan.calls.map(({ waits_for }) => waits_for.length)).toEqual([0, 0, 1, 0]);
    },
  },
  {
    lines: "000:361,365-376",
    says: "a result above 102,400 characters is cut with a sentence",
    holds: async ({ root, put, call, session }) => {
      for (let at = 0; at < 1000; at++) put(`${"deep/".repeat(12)}${"n".repeat(80)}${at}`, "");
      const result = resultOf<string>(await call("glob", { filePattern: "**" }));
      const whole = { files: [] as string[], remaining: 0 };
      for (let at = 0; at < 1000; at++) {
        whole.files.push(join(root, `${"deep/".repeat(12)}${"n".repeat(80)}${at}`));
      }
      const size = JSON.stringify(whole).length;
      expect(result.slice(102_400)).toBe(
        `\n\n[Tool result truncated: ${Math.round(size / 1024)}KB exceeds limit. Please refine the query.]`,
      );
      const native = await session.call({ name: "glob", arguments: { filePattern: "**" } });
      expect(native.metadata).toMatchObject({ truncated: true, output_path: expect.any(String) });
    },
  },
];
