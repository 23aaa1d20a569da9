import { statSync } from "node:fs";
import type { ResourceKey } from "@haft/contract";
import type { RunScope } from "@haft/core";
import type { NetPolicy } from "../net/net-policy.ts";
import { judgeFileUse } from "../paths/judge-file-use.ts";
import { notRegular } from "../paths/path-errors.ts";
import type { PathPolicy } from "../paths/path-policy.ts";
import type { ComputerShell } from "../shell/computer-shell.ts";
import { findLanding } from "./landing.ts";

/** What decides about the uses of a call. */
export interface UseJudges {
  readonly policy: PathPolicy;
  readonly net: NetPolicy;
  readonly shell: Pick<ComputerShell, "judge">;
}

/** Checks a declared use without using anything. See `Computer.judgeUse`. */
export async function judgeUse(
  use: ResourceKey,
  scope: RunScope,
  { policy, net, shell }: UseJudges,
): Promise<string | undefined> {
  switch (use.type ?? "file") {
    case "file":
      requireUsable(judgeFileUse(use, policy, { follow: findLanding, isDirectory }), use.key);
      return undefined;
    case "host":
      // Loaded on first use, like the network itself.
      return (await import("../net/net-policy.ts")).judgeHost(use, net);
    case "command":
      await shell.judge(use, scope);
      return undefined;
    default:
      return undefined;
  }
}

function isDirectory(path: string): boolean {
  return look(path)?.isDirectory() ?? false;
}

function requireUsable(landing: string, asked: string): void {
  const found = look(landing);
  if (found !== undefined && !found.isFile() && !found.isDirectory()) throw notRegular(asked);
}

function look(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // Its directory can't be entered: the call fails in its own way.
    return undefined;
  }
}
