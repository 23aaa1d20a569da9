import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createDiskComputer, type DiskComputer, type SandboxMode } from "@haft/computer";
import { compileRequirements, type Runtime } from "@haft/contract";
import { createTestRuntime } from "@haft/contract/testing";
import { onTestFinished } from "vitest";
import { isMissing } from "../../../../../scripts/setup/system-packages.mjs";
import { createLspTool } from "../create-lsp-tool.ts";
import {
  createLanguageServers,
  type LanguageServers,
  type LanguageServersOptions,
} from "../language-servers.ts";
import type { LspArguments } from "../lsp-arguments.ts";
import type { LspData } from "../lsp-data.ts";

/** A workspace with language servers, for the running test. */
export interface LspBench {
  readonly root: string;
  readonly computer: DiskComputer;
  readonly servers: LanguageServers;
  write(path: string, content: string): void;
  ask(args: LspArguments, overrides?: Partial<Runtime>): Promise<LspData>;
}

/** What a bench is made of. */
export interface BenchOptions extends Pick<LanguageServersOptions, "clock" | "limits"> {
  readonly files: Readonly<Record<string, string>>;
  /** Packages by their path below the workspace, as links. */
  readonly packages?: Readonly<Record<string, string>>;
  readonly sandbox?: SandboxMode;
  /** The workspace, below the directory that is made for it. Its files may lie above. Default: `workspace`. */
  readonly workspace?: string;
}

/** Where there is no sandbox, a project's programs run only where it was given up. */
export const usualSandbox: SandboxMode = isMissing("bwrap") ? "off" : "auto";

const project = fileURLToPath(new URL("../../../../../", import.meta.url));

/** The links of a project that uses TypeScript 5 with the server that belongs to it. */
export const olderTypeScript: Readonly<Record<string, string>> = {
  "node_modules/typescript": join(project, "test/language-server/node_modules/typescript"),
  "node_modules/.bin/typescript-language-server": join(
    project,
    "node_modules/typescript-language-server/lib/cli.mjs",
  ),
};

/** The links of a project that uses TypeScript 7, which is a server itself. */
export const newerTypeScript: Readonly<Record<string, string>> = {
  "node_modules/typescript": join(project, "node_modules/typescript"),
  "node_modules/.bin/tsc": join(project, "node_modules/typescript/bin/tsc"),
};

/** Makes a workspace, and servers that end with the test unless something else is said. */
export function openLspBench(
  { files, packages = {}, workspace = "workspace", ...options }: BenchOptions,
  whenDone: (close: () => Promise<void>) => void = onTestFinished,
): LspBench {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-lsp-")));
  const root = join(base, workspace);
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    const mode = path.includes("node_modules/.bin/") ? 0o755 : 0o644;
    writeFileSync(join(root, path), content, { mode });
  };
  mkdirSync(root, { recursive: true });
  for (const [path, content] of Object.entries(files)) write(path, content);
  for (const [path, target] of Object.entries(packages)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(target, join(root, path));
  }
  const computer = createDiskComputer({
    workspace: root,
    stateDirectory: join(base, "state"),
    sandbox: options.sandbox ?? usualSandbox,
  });
  const servers = createLanguageServers({
    computer,
    // Nothing that happens to be installed here.
    environment: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` },
    ...options,
    limits: { quietMs: 20, ...options.limits },
  });
  whenDone(async () => {
    await servers.close();
    rmSync(base, { recursive: true, force: true });
  });
  const tool = createLspTool(async () => servers);
  return {
    root,
    computer,
    servers,
    write,
    ask: (args, overrides) => tool.execute(args, openRuntime(computer, overrides)),
  };
}

/** What a call of the tool gets: its own grant and nothing more. */
export function openRuntime(computer: DiskComputer, overrides: Partial<Runtime> = {}): Runtime {
  const fs = computer.openFiles({
    callId: "test-call",
    grant: compileRequirements({ fs: { read: ["{workspace}/**"] } }, computer.variables),
    journal: { record: () => {}, latest: async () => [] },
    changed: () => {},
    isDenied: () => false,
    isNamed: () => false,
    signal: overrides.signal ?? new AbortController().signal,
  });
  const { state } = createTestRuntime().session;
  const session = { id: "test-session", roots: computer.roots, state };
  return createTestRuntime({ fs, session, ...overrides });
}
