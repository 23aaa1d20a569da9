import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDiskComputer, type DiskComputer } from "../disk/disk-computer.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import type { ProjectItem } from "./project-item.ts";

interface Opened {
  readonly root: string;
  readonly state: string;
  readonly computer: DiskComputer;
  open(root: string, trustProject?: boolean): DiskComputer;
  write(text: string): void;
}

function open(rules?: string): Opened {
  const base = makeTemporaryDirectory();
  const root = join(base, "workspace");
  const state = join(base, "state");
  const write = (text: string): void => {
    mkdirSync(join(root, ".haft"), { recursive: true });
    writeFileSync(join(root, ".haft/rules"), text);
  };
  mkdirSync(root);
  if (rules !== undefined) write(rules);
  const openAt = (workspace: string, trustProject = false): DiskComputer =>
    createDiskComputer({ workspace, stateDirectory: state, trustProject, sandbox: "off" });
  return { root, state, computer: openAt(root), open: openAt, write };
}

function listUntrusted(computer: DiskComputer): string[] {
  const rules = computer.openSession("s").rules.list("project");
  return rules.filter(({ isUntrusted }) => isUntrusted).map(({ pattern }) => pattern);
}

function item(root: string, text: string, more: Partial<ProjectItem> = {}): ProjectItem {
  return { kind: "agent", path: join(root, "a.md"), content: Buffer.from(text), ...more };
}

describe("trust in a project's rules", () => {
  const allow = { permission: "bash", pattern: "one", action: "allow" } as const;

  it("is given line by line", async () => {
    const { root, computer, write } = open("bash one allow\nbash two allow\n");
    expect(listUntrusted(computer)).toEqual(["one", "two"]);
    const path = join(root, ".haft/rules");
    computer.trust.trust({ kind: "rules", path, content: Buffer.from("bash two allow") });
    expect(listUntrusted(computer)).toEqual(["one"]);
    write("# changed\nbash two allow\nbash three allow\n");
    expect(listUntrusted(computer)).toEqual(["three"]);
  });

  it("comes with a rule that a person adds, and for no other line", async () => {
    const { computer } = open("bash one allow\nbash two allow\n");
    const { rules } = computer.openSession("s");
    await rules.add("project", allow);
    await rules.add("project", { ...allow, pattern: "three" });
    expect(listUntrusted(computer)).toEqual(["two"]);
  });

  it("ends when a person removes the rule", async () => {
    const { computer, write } = open();
    const { rules } = computer.openSession("s");
    await rules.add("project", allow);
    await rules.remove("project", allow);
    write("bash one allow\n");
    expect(listUntrusted(computer)).toEqual(["one"]);
  });

  it("given in another process holds at once", async () => {
    const { computer, root, open: openAt } = open("bash one allow\n");
    expect(listUntrusted(computer)).toEqual(["one"]);
    await openAt(root).openSession("other").rules.add("project", allow);
    expect(listUntrusted(computer)).toEqual([]);
    openAt(root).trust.forget();
    expect(listUntrusted(computer)).toEqual(["one"]);
  });

  it("holds for one workspace: not for a copy, a nested one or the one around it", async () => {
    const { computer, root, open: openAt } = open();
    const nested = join(root, "nested");
    const twin = join(dirname(root), "other", "workspace");
    for (const directory of [nested, twin]) {
      mkdirSync(join(directory, ".haft"), { recursive: true });
      writeFileSync(join(directory, ".haft/rules"), "bash one allow\n");
    }
    await computer.openSession("s").rules.add("project", allow);
    expect(listUntrusted(openAt(nested))).toEqual(["one"]);
    expect(listUntrusted(openAt(twin))).toEqual(["one"]);
    // Another name of the same directory is the same workspace.
    symlinkSync(root, join(dirname(root), "linked"));
    expect(listUntrusted(openAt(join(dirname(root), "linked")))).toEqual([]);
  });

  it("can be given to everything for one process", () => {
    const { computer, root, state, open: openAt } = open("bash one allow\n");
    expect(listUntrusted(openAt(root, true))).toEqual([]);
    expect(listUntrusted(computer)).toEqual(["one"]);
    expect(() => statSync(join(state, "trust"))).toThrow("ENOENT");
  });

  it("is not taken over from a file that is damaged or of another workspace", async () => {
    const { computer, state } = open();
    await computer.openSession("s").rules.add("project", allow);
    const [name = ""] = readdirSync(join(state, "trust"));
    const file = join(state, "trust", name, "trusted.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(listUntrusted(computer)).toEqual([]);
    for (const text of ["{", "[]", "null", '{"version":1,"workspace":"/elsewhere","entries":[]}']) {
      writeFileSync(file, text);
      expect(listUntrusted(computer)).toEqual(["one"]);
    }
  });
});

describe("trust in a project's files", () => {
  it("is for this content, of this file, as this kind of thing", () => {
    const { computer, root } = open();
    const { trust } = computer;
    trust.trust(item(root, "x"));
    expect(trust.isTrusted(item(root, "x"))).toBe(true);
    expect(trust.isTrusted(item(root, "x "))).toBe(false);
    expect(trust.isTrusted(item(root, "x", { path: join(root, "A.md") }))).toBe(false);
    expect(trust.isTrusted(item(root, "x", { kind: "mount plan" }))).toBe(false);
  });

  it("keeps what was trusted, to compare it with what comes later", () => {
    const { computer, root } = open();
    const { trust } = computer;
    for (const text of ["one", "two"]) trust.trust(item(root, text));
    expect(trust.findTrusted(item(root, "three"))?.toString()).toBe("two");
    expect(trust.isTrusted(item(root, "one"))).toBe(true);
  });

  it("remembers a no, until the content changes or the answer is forgotten", () => {
    const { computer, root } = open();
    const { trust } = computer;
    trust.decline(item(root, "x"));
    expect(trust.current().find(item(root, "x"))).toBe("declined");
    expect(trust.current().find(item(root, "y"))).toBeUndefined();
    expect(trust.isTrusted(item(root, "x"))).toBe(false);
    expect(trust.forget(root)).toHaveLength(1);
    expect(trust.current().find(item(root, "x"))).toBeUndefined();
  });

  it("keeps the latest few versions of a file", () => {
    const { computer, root, state } = open();
    const { trust } = computer;
    for (let at = 0; at < 12; at++) trust.trust(item(root, String(at)));
    expect(trust.isTrusted(item(root, "3"))).toBe(false);
    expect(trust.isTrusted(item(root, "4"))).toBe(true);
    const [name = ""] = readdirSync(join(state, "trust"));
    expect(readdirSync(join(state, "trust", name))).toHaveLength(9);
  });
});
