import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Isolation, RequirementSet, Shell } from "@haft/contract";
import { createSecrets } from "@haft/core/internal";
import { onTestFinished } from "vitest";
import { closeBrokers } from "../broker/broker.ts";
import {
  createDiskComputer,
  type DiskComputer,
  type DiskComputerOptions,
} from "../disk/disk-computer.ts";
import { makeRunScope } from "./run-scope.ts";
import { makeTemporaryDirectory } from "./temporary-directory.ts";

/** What a test wants of a shell. */
export interface OpenShellOptions extends Partial<DiskComputerOptions> {
  readonly files?: Readonly<Record<string, string>>;
  /** Default: any command, and the workspace. */
  readonly requires?: RequirementSet;
  readonly signal?: AbortSignal;
  readonly secrets?: Readonly<Record<string, string>>;
}

/** A shell in a workspace of its own, and what it told of. */
export interface OpenShell {
  readonly shell: Shell;
  readonly computer: DiskComputer;
  readonly root: string;
  /** A directory beside the workspace, out of every grant. */
  readonly outside: string;
  readonly confined: Isolation[];
  readonly warnings: string[];
  /** What the sidecar holds; `undefined` if there is none. */
  sidecar(): Buffer | undefined;
}

/** Opens a shell for the running test. */
export function openShell(options: OpenShellOptions = {}): OpenShell {
  const { files = {}, requires, signal, secrets = {}, ...more } = options;
  const base = makeTemporaryDirectory();
  const root = join(base, "workspace");
  const outside = join(base, "outside");
  for (const directory of [root, outside]) mkdirSync(directory);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content, { mode: 0o755 });
  }
  const computer = createDiskComputer({
    workspace: root,
    stateDirectory: join(base, "state"),
    sandbox: "off",
    ...more,
  });
  const session = computer.openSession("test");
  onTestFinished(async () => {
    await session.close();
    closeBrokers();
  });
  const confined: Isolation[] = [];
  const warnings: string[] = [];
  const scope = makeRunScope(computer, {
    secrets: createSecrets(secrets),
    confined: (isolation) => void confined.push(isolation),
    warn: (message) => void warnings.push(message),
    ...(requires !== undefined && { requires }),
    ...(signal !== undefined && { signal }),
  });
  return {
    shell: computer.openShell(scope),
    computer,
    root,
    outside,
    confined,
    warnings,
    sidecar: () => readOnly(session.sidecars.directory),
  };
}

function readOnly(directory: string): Buffer | undefined {
  try {
    const [name = ""] = readdirSync(directory);
    return readFileSync(join(directory, name));
  } catch {
    return undefined;
  }
}
