import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDiskComputer, type DiskComputerOptions } from "@haft/computer";
import type { Runtime, Tool } from "@haft/contract";
import { onTestFinished } from "vitest";
import { type Files, openRuntime } from "./computers.ts";
import { makeRunScope } from "./make-run-scope.ts";

/** Where and how commands run. Default: without a sandbox. */
export interface CommandOptions
  extends Partial<Pick<Runtime, "signal" | "progress" | "settings" | "net">>,
    Pick<DiskComputerOptions, "sandbox" | "allowHosts"> {
  readonly files?: Files;
  /** The workspace, below the directory that is made for it. Its files may lie above. Default: `workspace`. */
  readonly workspace?: string;
}

/** A runtime that runs commands on this machine. */
export type CommandRuntime = Runtime & {
  readonly root: string;
  /** What did not fit into the result. */
  readonly spilled: () => string;
};

/** What a call of this tool gets, in a workspace of its own that goes when the test ends. */
export async function openCommands(
  tool: Pick<Tool, "requires">,
  { files = {}, sandbox = "off", allowHosts = [], ...options }: CommandOptions = {},
): Promise<CommandRuntime> {
  const base = mkdtempSync(join(tmpdir(), "haft-commands-"));
  const { workspace: below = "workspace", ...overrides } = options;
  const workspace = join(base, below);
  mkdirSync(workspace, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content, {
      mode: path.includes("/.bin/") ? 0o755 : 0o644,
    });
  }
  const stateDirectory = join(base, "state");
  const computer = createDiskComputer({ workspace, stateDirectory, sandbox, allowHosts });
  const storage = computer.openSession("test");
  onTestFinished(async () => {
    await storage.close();
    rmSync(base, { recursive: true, force: true });
  });
  await computer.prepareShell();
  const parts: Buffer[] = [];
  const { signal } = overrides;
  const scope = makeRunScope(computer, tool, {
    session: storage.name,
    ...(signal !== undefined && { signal }),
    openSidecar: () => ({
      write: async (part) => {
        parts.push(Buffer.from(part));
      },
      end: async () => "/sidecar",
      discard: async () => {},
    }),
  });
  const shell = computer.openShell(scope);
  const net = computer.openNet(scope);
  const runtime = openRuntime(computer, tool, { shell, net, ...overrides });
  const root = computer.roots[0] as string;
  return { ...runtime, root, spilled: () => Buffer.concat(parts).toString() };
}
