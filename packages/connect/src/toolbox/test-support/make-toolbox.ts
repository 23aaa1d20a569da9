import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDiskComputer, type DiskComputer, type DiskComputerOptions } from "@haft/computer";
import type { Tool, ToolResult } from "@haft/contract";
import { createRegistry, createSession, parseRule, type SessionOptions } from "@haft/core";
import { onTestFinished } from "vitest";
import type { OpenToolSource } from "../../tool-source.ts";
import { openToolbox } from "../open-toolbox.ts";

/** A workspace and a user's toolbox, for the running test. */
export interface TestToolbox {
  readonly workspace: string;
  /** The user's scripts, outside the workspace. */
  readonly directory: string;
  readonly computer: DiskComputer;
  readonly warnings: string[];
  open(): Promise<OpenToolSource>;
  call(tool: Tool | undefined, args?: object, options?: CallChoice): Promise<ToolResult>;
}

/** What differs from a call that everything allows. */
export interface CallChoice extends Partial<SessionOptions> {
  readonly signal?: AbortSignal;
}

/** Makes a toolbox of these executables; names that begin with `.haft/` go to the workspace. */
export function makeToolbox(
  files: Readonly<Record<string, string>>,
  options: Partial<DiskComputerOptions> = {},
): TestToolbox {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-toolbox-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const workspace = join(base, "workspace");
  const directory = join(base, "user/toolbox");
  for (const path of [workspace, directory]) mkdirSync(path, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const path = join(name.startsWith(".haft/") ? workspace : directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o755 });
  }
  const stateDirectory = join(base, "state");
  const computer = createDiskComputer({
    workspace,
    stateDirectory,
    // Where it is not what a test is about, it only takes time.
    sandbox: "off",
    trustProject: true,
    ...options,
  });
  const warnings: string[] = [];
  return {
    workspace,
    directory,
    computer,
    warnings,
    open: () =>
      openToolbox({
        directories: [join(workspace, ".haft/toolbox"), directory].filter((path) =>
          path === directory ? true : Object.keys(files).some((name) => name.startsWith(".haft/")),
        ),
        computer,
        cacheDirectory: join(stateDirectory, "toolbox"),
        warn: (message) => void warnings.push(message),
      }),
    call: (tool, args = {}, { signal, ...more } = {}) => {
      const registry = createRegistry(tool === undefined ? [] : [tool]);
      const rules = [parseRule("* * allow")];
      const session = createSession({ registry, computer, rules, watchdog: "off", ...more });
      const request = { name: tool?.id ?? "none", arguments: args as Record<string, never> };
      return session.call(request, signal === undefined ? {} : { signal });
    },
  };
}

/** A script in bash that prints lines when asked what it does, and else runs. */
export function bashScript(lines: readonly string[], run: string): string {
  const quoted = lines.map((line) => `'${line}'`).join(" ");
  return `#!/bin/bash\nif [ "$TOOLBOX_ACTION" = describe ]; then printf '%s\\n' ${quoted}; exit; fi\n${run}\n`;
}
