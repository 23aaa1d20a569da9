import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { createMemoryComputer } from "@haft/computer/memory";
import { compileRequirements, type Runtime, type Tool } from "@haft/contract";
import { createTestRuntime } from "@haft/contract/testing";
import type { Computer } from "@haft/core";
import { onTestFinished } from "vitest";

/** Contents by path below the workspace. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A way to make a computer that has these files in its workspace. */
export type MakeComputer = (files?: Files) => Computer;

/** Every computer that the tools must work on alike. */
export const computers: readonly (readonly [name: string, make: MakeComputer])[] = [
  ["in memory", (files = {}) => createMemoryComputer({ files })],
  ["on disk", makeDiskComputer],
];

/** What a call of this tool gets on a computer: its own grant and nothing more. */
export function openRuntime(
  computer: Computer,
  tool: Pick<Tool, "requires">,
  overrides: Partial<Runtime> = {},
): Runtime {
  const fs = computer.openFiles({
    callId: "test-call",
    grant: compileRequirements(tool.requires, computer.variables),
    journal: { record: () => {}, latest: async () => [] },
    changed: () => {},
    isDenied: () => false,
    isNamed: () => false,
    signal: overrides.signal ?? new AbortController().signal,
  });
  const { state } = createTestRuntime().session;
  const { repository = [] } = computer.variables;
  const session = { id: "test-session", roots: computer.roots, repositories: repository, state };
  return createTestRuntime({ fs, session, ...overrides });
}

function makeDiskComputer(files: Files = {}): Computer {
  const base = mkdtempSync(join(tmpdir(), "haft-tools-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const workspace = join(base, "workspace");
  mkdirSync(workspace);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  // Programs that a test puts in the place of others may lie outside what a sandbox shows.
  return createDiskComputer({ workspace, stateDirectory: join(base, "state"), sandbox: "off" });
}
