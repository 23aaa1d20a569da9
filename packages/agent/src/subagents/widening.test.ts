import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import type { JsonValue } from "@haft/contract";
import {
  createRegistry,
  createSession,
  type Host,
  headlessHost,
  parseRule,
  type Session,
  type SessionOptions,
} from "@haft/core";
import { builtinTools } from "@haft/tools";
import { describe, expect, it, onTestFinished } from "vitest";

/** Says yes to everything, as a person who trusts too much. */
const yes: Host = { ...headlessHost, headless: false, ask: async () => ({ answer: "once" }) };

const rules = (...lines: readonly string[]) => lines.map(parseRule);
const everything = {
  rules: rules("* * allow", "fs.write ** allow", "bash * allow"),
  requires: { fs: { read: ["/**"], write: ["/**"] }, net: { hosts: ["*"] }, shell: [{ cmd: "*" }] },
};

function openPlace() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-widening-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const workspace = join(base, "workspace");
  mkdirSync(join(workspace, ".git/hooks"), { recursive: true });
  writeFileSync(join(workspace, "a.txt"), "one\n");
  writeFileSync(join(workspace, ".git/config"), "[core]\n");
  writeFileSync(join(workspace, "package.json"), '{"scripts":{"test":"touch made.txt"}}');
  writeFileSync(join(base, "outside.txt"), "outside\n");
  const registry = createRegistry(builtinTools);
  let made = 0;
  const open = (options: Partial<SessionOptions> = {}): Session =>
    createSession({
      registry,
      computer: createDiskComputer({
        workspace,
        stateDirectory: join(base, "state"),
        sandbox: "off",
      }),
      host: yes,
      name: `s-${++made}`,
      ...options,
    });
  const read = (name: string): string => readFileSync(join(workspace, name), "utf8");
  return { base, workspace, open, read };
}

const codeOf = async (session: Session, name: string, args: JsonValue = {}) =>
  (await session.call({ name, arguments: args })).metadata.error_code;

const changes: readonly (readonly [string, JsonValue])[] = [
  ["write", { path: "a.txt", content: "x" }],
  ["write", { path: ".haft/plans/a.md", content: "x" }],
  ["edit", { path: "a.txt", old_string: "one", new_string: "two" }],
  ["multi_edit", { path: "a.txt", edits: [{ old_string: "one", new_string: "two" }] }],
  ["apply_patch", { patch: "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch" }],
  ["delete_file", { path: "a.txt" }],
  ["move_file", { from: "a.txt", to: "b.txt" }],
  ["format_file", { path: "a.txt" }],
  ["bash", { command: "touch made.txt" }],
  ["job_start", { command: "touch made.txt" }],
  ["check", {}],
];

const looking = ["read", "glob", "grep", "question", "todo"];

describe("a child of an agent that only looks", () => {
  it.each(changes)("can't change anything with %s %j, whatever it is given", async (name, args) => {
    const { workspace, open, read } = openPlace();
    const parent = open({
      mode: { includeTools: looking },
      manifest: { rules: rules("fs.write * deny") },
    });
    const child = open({ parent: parent.bounds, manifest: everything, rules: everything.rules });
    const grandchild = open({ parent: child.bounds, manifest: everything, mode: {} });
    child.assume({ manifest: everything, mode: {} });
    child.startStep();
    for (const session of [child, grandchild]) {
      expect(["denied", "out-of-scope"]).toContain(await codeOf(session, name, args));
    }
    expect(read("a.txt")).toBe("one\n");
    expect(existsSync(join(workspace, "made.txt"))).toBe(false);
    expect(existsSync(join(workspace, ".haft"))).toBe(false);
  });

  it("becomes such a child when its parent turns to planning meanwhile", async () => {
    const { open, read } = openPlace();
    const parent = open({ rules: rules("write ** allow") });
    const children = [1, 2].map(() => open({ parent: parent.bounds }));
    const [first, second] = children as [Session, Session];
    expect(await codeOf(first, "write", { path: "b.txt", content: "x" })).toBeUndefined();
    parent.assume({
      mode: { includeTools: looking },
      manifest: { rules: rules("fs.write * deny") },
    });
    parent.startStep();
    for (const child of [first, second]) {
      expect(await codeOf(child, "write", { path: "a.txt", content: "x" })).toBe("denied");
    }
    expect(read("a.txt")).toBe("one\n");
  });
});

describe("a child that brings rules and requirements of its own", () => {
  it("reaches no file outside the workspace", async () => {
    const { base, open } = openPlace();
    const child = open({ parent: open().bounds, manifest: everything, rules: everything.rules });
    const path = join(base, "outside.txt");
    expect(await codeOf(child, "read", { path })).toBe("out-of-scope");
    expect(await codeOf(child, "write", { path, content: "x" })).toBe("out-of-scope");
  });

  it("opens no protected path that is closed to its parent", async () => {
    const { open, read } = openPlace();
    const named = rules("write .git/config allow");
    const args = { path: ".git/config", content: "[core]\nfsmonitor = evil\n" };
    for (const own of [{ rules: named }, { manifest: { rules: named } }]) {
      const child = open({ parent: open().bounds, ...own });
      expect(await codeOf(child, "write", args)).toBe("denied");
      const grandchild = open({ parent: child.bounds, ...own });
      expect(await codeOf(grandchild, "write", args)).toBe("denied");
    }
    expect(read(".git/config")).toBe("[core]\n");
    const trusted = open({ parent: open({ rules: named }).bounds });
    expect(await codeOf(trusted, "write", args)).toBeUndefined();
  });

  it("asks wherever its parent would ask", async () => {
    const { open, read } = openPlace();
    const parent = open({ host: headlessHost });
    const child = open({ parent: parent.bounds, host: headlessHost, manifest: everything });
    for (const [name, args] of changes.filter(([each]) => each !== "write")) {
      expect(await codeOf(child, name, args), name).toBe("headless");
    }
    expect(read("a.txt")).toBe("one\n");
  });

  it('limits an "always" to what was asked about', async () => {
    const { open } = openPlace();
    let asked = 0;
    const host: Host = {
      ...yes,
      ask: async () => {
        asked++;
        return { answer: "session" };
      },
    };
    const parent = open({ host });
    const [first, second] = [1, 2].map(() => open({ host, parent: parent.bounds })) as [
      Session,
      Session,
    ];
    await codeOf(first, "write", { path: "b.txt", content: "x" });
    for (const session of [parent, second]) session.startStep();
    await codeOf(second, "write", { path: "b.txt", content: "y" });
    expect(asked).toBe(1);
    await codeOf(second, "write", { path: "c.txt", content: "y" });
    expect(asked).toBe(2);
  });
});
