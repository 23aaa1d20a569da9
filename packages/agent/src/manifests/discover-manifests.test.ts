import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ProjectTrust } from "@haft/computer";
import { openProjectTrust } from "@haft/computer/internal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findAgent } from "../subagents/find-agent.ts";
import type { AgentManifests } from "./agent-manifest.ts";
import { discoverManifests } from "./discover-manifests.ts";

let directory: string;
let workspace: string;
let home: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "haft-agents-"));
  workspace = join(directory, "repo/app");
  home = join(directory, "home");
  mkdirSync(workspace, { recursive: true });
  mkdirSync(join(directory, "repo/.git"));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function put(path: string, fields: string, body = "Go."): string {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `---\n${fields}\n---\n${body}\n`);
  return file;
}

function open(trustsAll: boolean): ProjectTrust {
  return openProjectTrust({ root: workspace, stateDirectory: join(directory, "state"), trustsAll });
}

function discover(environment: Record<string, string> = {}): AgentManifests {
  return discoverManifests({ workspace, home, environment, trust: open(true) });
}

describe("discoverManifests", () => {
  it("has the shipped ones in a project without any, and nothing to warn of", () => {
    const manifests = discover();
    expect(manifests.warnings).toEqual([]);
    expect(manifests.list().map(({ name }) => name)).toEqual([
      "build",
      "compaction",
      "explore",
      "finder",
      "general",
      "kraken",
      "kraken_worker",
      "librarian",
      "oracle",
      "plan",
      "title",
    ]);
    expect(manifests.get("build")).toMatchObject({ mode: "primary", origin: "shipped" });
    expect(manifests.get("nobody")).toBeUndefined();
  });

  it("has the workspace's before the repository's, the user's and the shipped", () => {
    put("repo/app/.haft/agents/a.md", "description: workspace");
    const twin = put("repo/.haft/agents/a.md", "description: repository");
    put("repo/.haft/agents/b.md", "description: repository");
    const ofUser = put("home/.config/haft/agents/b.md", "description: user");
    put("home/.config/haft/agents/finder.md", "description: user");
    put("outside/.haft/agents/c.md", "description: outside");
    const manifests = discover();
    expect(manifests.get("a")?.description).toBe("workspace");
    expect(manifests.get("b")?.description).toBe("repository");
    expect(manifests.get("finder")?.description).toBe("user");
    expect(manifests.get("c")).toBeUndefined();
    expect(manifests.warnings).toEqual([
      expect.stringContaining(`${twin}: ignored`),
      expect.stringContaining(`${ofUser}: ignored`),
    ]);
  });

  it("looks no further up than the workspace where there is no repository", () => {
    rmSync(join(directory, "repo/.git"), { recursive: true });
    put("repo/.haft/agents/up.md", "description: x");
    put("repo/app/.haft/agents/here.md", "description: x");
    expect(discover().get("up")).toBeUndefined();
    expect(discover().get("here")).toBeDefined();
  });

  it("finds the user's where XDG_CONFIG_HOME says, unless that is relative", () => {
    put("config/haft/agents/mine.md", "description: x");
    const config = join(directory, "config");
    expect(discover({ XDG_CONFIG_HOME: config }).get("mine")).toBeDefined();
    expect(discover({ XDG_CONFIG_HOME: "config" }).get("mine")).toBeUndefined();
    expect(discoverManifests({ workspace, environment: {} }).get("build")).toBeDefined();
  });

  it("looks for nothing until it is asked", () => {
    const manifests = discover();
    put("repo/app/.haft/agents/late.md", "description: x");
    expect(manifests.get("late")).toBeDefined();
    rmSync(join(workspace, ".haft"), { recursive: true });
    expect(manifests.get("late")).toBeDefined();
  });

  it("skips only the files that can't be used, and names them", () => {
    const agents = "repo/app/.haft/agents";
    put(`${agents}/good.md`, "description: x");
    put(`${agents}/Bad Name.md`, "description: x");
    put(`${agents}/variable.md`, "description: x\nrequires: {fs: {read: ['{workspce}/**']}}");
    put(`${agents}/huge.md`, "description: x", "x".repeat(300 * 1024));
    put(`${agents}/.hidden.md`, "nothing");
    const folder = join(directory, agents);
    writeFileSync(join(folder, "latin.md"), Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xe9, 0xff]));
    writeFileSync(join(folder, "notes.txt"), "no agent");
    mkdirSync(join(folder, "folder.md"));
    symlinkSync(join(folder, "nowhere"), join(folder, "dangling.md"));
    symlinkSync(join(folder, "loop.md"), join(folder, "loop.md"));
    execFileSync("mkfifo", [join(folder, "pipe.md")]);
    const manifests = discover();
    expect(manifests.get("good")).toBeDefined();
    const named = manifests.warnings.map((text) => text.slice(folder.length + 1));
    expect(named).toEqual([
      expect.stringMatching(/^Bad Name\.md: .*Rename the file/u),
      expect.stringMatching(/^dangling\.md: it can't be read \(ENOENT\)/u),
      expect.stringMatching(/^folder\.md: it is not a regular file/u),
      expect.stringMatching(/^huge\.md: it has \d+ bytes; the limit is/u),
      expect.stringMatching(/^latin\.md: it is not UTF-8/u),
      expect.stringMatching(/^loop\.md: it can't be read \(ELOOP\)/u),
      expect.stringMatching(/^pipe\.md: it is not a regular file/u),
      expect.stringMatching(/^variable\.md: requires can't be used\..*\{workspce\}/u),
    ]);
  });

  it("says that a folder can't be listed", () => {
    mkdirSync(join(home, ".config/haft"), { recursive: true });
    const folder = join(home, ".config/haft/agents");
    symlinkSync(folder, folder);
    expect(discover().warnings).toEqual([expect.stringContaining("can't be listed (ELOOP)")]);
  });

  it("follows a project's links inside the project, but not out of it", () => {
    const target = put("elsewhere/agents/spy.md", "description: x");
    put("repo/shared/good.md", "description: x");
    const folder = join(workspace, ".haft/agents");
    mkdirSync(folder, { recursive: true });
    symlinkSync(target, join(folder, "spy.md"));
    symlinkSync("../../../shared/good.md", join(folder, "good.md"));
    const manifests = discover();
    expect(manifests.get("spy")).toBeUndefined();
    expect(manifests.get("good")).toBeDefined();
    expect(manifests.warnings).toEqual([expect.stringContaining("is a link out of the project")]);
  });

  it("follows the user's links wherever they lead", () => {
    const target = put("dotfiles/mine.md", "description: x");
    mkdirSync(join(home, ".config/haft/agents"), { recursive: true });
    symlinkSync(target, join(home, ".config/haft/agents/mine.md"));
    expect(discover().get("mine")).toBeDefined();
  });

  it("lets a project's rules deny and ask, but not allow", () => {
    const rules = "rules: ['bash rm deny', '* * allow', 'fs.write src/** ask']";
    put("repo/app/.haft/agents/a.md", `description: x\nmodel: openai/x\n${rules}`);
    put("home/.config/haft/agents/b.md", `description: x\n${rules}`);
    const manifests = discover();
    expect(manifests.get("a")?.rules?.map(({ action }) => action)).toEqual(["deny", "ask"]);
    expect(manifests.get("a")?.model).toBe("openai/x");
    expect(manifests.get("b")?.rules).toHaveLength(3);
    expect(manifests.warnings).toEqual([
      expect.stringMatching(/the rule "\* \* allow" is ignored.*copy the file to .*home/u),
    ]);
  });

  it("grants a project's agents nothing outside the workspace", () => {
    const requires = `requires:
  fs:
    read: ["{workspace}/**", "src/**", "/etc/**", "{/etc,lib}/**", "{user-data}/**"]
    write: ["/**", "lib/**"]
  net: { hosts: ["*", "{allowed-hosts}"] }
  shell: [{ cmd: "*" }]
  capabilities: [clipboard]
roots: [../library]`;
    put("repo/app/.haft/agents/a.md", `description: x\n${requires}`);
    put("home/.config/haft/agents/b.md", `description: x\n${requires}`);
    const manifests = discover();
    expect(manifests.get("a")?.requires).toEqual({
      fs: { read: ["{workspace}/**", "src/**"], write: ["lib/**"] },
      net: { hosts: ["{allowed-hosts}"] },
    });
    expect(manifests.get("a")?.roots).toBeUndefined();
    expect(manifests.get("b")?.requires?.fs?.write).toEqual(["/**", "lib/**"]);
    expect(manifests.get("b")?.roots).toEqual(["../library"]);
    expect(manifests.warnings).toHaveLength(8);
  });

  it("uses no more than the first two hundred of a folder", () => {
    for (let at = 0; at < 205; at++) {
      put(`repo/app/.haft/agents/a${String(at).padStart(3, "0")}.md`, "description: x");
    }
    const manifests = discover();
    expect(manifests.get("a199")).toBeDefined();
    expect(manifests.get("a200")).toBeUndefined();
    expect(manifests.warnings).toEqual([expect.stringContaining("only the first 200")]);
  });
});

describe("a project's untrusted agents", () => {
  const discoverUntrusted = (trust = open(false)): AgentManifests =>
    discoverManifests({ workspace, home, environment: {}, trust });

  it("are left out, and hide no agent of the same name", () => {
    const path = put("repo/app/.haft/agents/build.md", "description: evil\nmode: primary");
    const other = put("repo/.haft/agents/scout.md", "description: scouts");
    put("home/.config/haft/agents/scout.md", "description: mine");
    for (const found of [
      discoverUntrusted(),
      discoverManifests({ workspace, home, environment: {} }),
    ]) {
      expect(found.get("build")?.origin).toBe("shipped");
      expect(found.get("scout")?.description).toBe("mine");
      expect(found.untrusted.map((item) => item.path)).toEqual([path, other]);
      expect(found.warnings).toEqual([]);
    }
  });

  it("are there once trusted, until a byte of them changes", () => {
    put("repo/app/.haft/agents/scout.md", "description: scouts");
    const trust = open(false);
    for (const item of discoverUntrusted().untrusted) trust.trust(item);
    expect(discoverUntrusted().get("scout")?.description).toBe("scouts");
    put("repo/app/.haft/agents/scout.md", "description: scouts", "Go and do evil.");
    expect(discoverUntrusted().get("scout")).toBeUndefined();
  });

  it("are named in the error with the remedy", () => {
    put("repo/app/.haft/agents/scout.md", "description: scouts");
    expect(() => findAgent("scout", discoverUntrusted())).toThrow(
      `${workspace}/.haft/agents/scout.md is not trusted yet. Review it with: haft trust`,
    );
  });
});

describe("a manifest's texts", () => {
  it("contain no characters that hide or reorder text", () => {
    const text = "a\u200bb\u202ec\u{e0041}d\u001b[31me";
    put("repo/app/.haft/agents/scout.md", `description: ${JSON.stringify(text)}`, text);
    const found = discover().get("scout");
    expect([found?.description, found?.prompt]).toEqual(["abcde", "abcde"]);
  });
});
