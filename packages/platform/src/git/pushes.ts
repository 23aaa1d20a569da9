import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Principal } from "../auth/principal.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { checkPush } from "./check-push.ts";
import type { Git } from "./git-process.ts";
import type { GitProgram } from "./git-program.ts";
import type { Housekeeping } from "./housekeeping.ts";
import { lookUp } from "./look-up.ts";
import type { ReferenceUpdate } from "./push-hooks.ts";
import type { PushTurns } from "./push-turns.ts";
import { releaseBranch } from "./release-branch.ts";
import { runGit } from "./run-git.ts";
import type { SmartExchange } from "./smart-http.ts";

/** The principal and the repository of an exchange. */
export interface ExchangeContext {
  /** The directory of the repository. */
  readonly path: string;
  readonly principal: Pick<Principal, "organization" | "userId" | "keyId">;
}

/** Checks pushes before they are accepted, and records and repacks afterwards. */
export interface Pushes {
  toExchange(context: ExchangeContext): Omit<SmartExchange, "requestPath">;
}

/** Creates the handling of pushes. `hooks` is the directory of the push hooks. */
export function createPushes(
  parts: Pick<PlatformParts, "settings" | "audit"> & {
    readonly git: Git;
    readonly program: GitProgram;
    readonly hooks: string;
    readonly housekeeping: Housekeeping;
    readonly turns: PushTurns;
    /** The directory for the bodies of pushes while they arrive. */
    readonly spool: string;
  },
): Pushes {
  const { git, settings } = parts;
  const pushSettings = {
    "core.hooksPath": parts.hooks,
    "receive.maxInputSize": String(settings.maxPushBytes),
    // Always stored as a pack, so that one set of checks covers every push.
    "receive.unpackLimit": "1",
    "pack.threads": "1",
    "core.deltaBaseCacheLimit": "16m",
    "receive.fsckObjects": "true",
    // Our own checks decide about deletions and rewinds, also of the default branch.
    "receive.denyDeleteCurrent": "ignore",
    // Treat warnings and infos of fsck as errors too.
    ...Object.fromEntries(
      parts.program.complaints.map((name) => [`receive.fsck.${name}`, "error"]),
    ),
  };
  return {
    toExchange: ({ path, principal }) => ({
      git,
      path,
      organization: principal.organization,
      turns: parts.turns,
      spool: parts.spool,
      maxPushBytes: settings.maxPushBytes,
      pushSettings,
      attendant: {
        check: async (push) =>
          await checkPush({
            ...push,
            git,
            path,
            organization: principal.organization,
            maxObjectBytes: settings.maxPushBytes,
          }),
        finish: async (updates) => {
          await parts.audit.recordAlone(principal, {
            action: "repository.push",
            target: principal.organization,
            detail: { references: updates.map(toDetail) },
          });
          await pointHead(git, { path, organization: principal.organization });
          parts.housekeeping.start(path);
        },
      },
    }),
  };
}

/** Points HEAD at `main`, or at the release branch while there is no `main`. */
async function pointHead(
  git: Git,
  repository: { readonly path: string; readonly organization: string },
): Promise<void> {
  const release = `refs/heads/${releaseBranch(repository.organization)}`;
  const [main, published] = await lookUp({ git, ...repository }, ["refs/heads/main", release]);
  const wanted = main === undefined && published !== undefined ? release : "refs/heads/main";
  const head = await readFile(join(repository.path, "HEAD"), "utf8");
  if (head.trim() === `ref: ${wanted}`) return;
  await runGit(git, [`--git-dir=${repository.path}`, "symbolic-ref", "HEAD", wanted]);
}

function toDetail({ name, before, after }: ReferenceUpdate): Readonly<Record<string, string>> {
  return { name, before, after };
}
