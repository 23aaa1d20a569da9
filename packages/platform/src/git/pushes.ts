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
import { releaseBranch } from "./release-branch.ts";
import { runGit } from "./run-git.ts";
import type { SmartExchange } from "./smart-http.ts";

/** Who exchanges with which repository. */
export interface ExchangePlace {
  /** The directory of the repository. */
  readonly path: string;
  readonly principal: Pick<Principal, "organization" | "userId" | "keyId">;
}

/** Looks after pushes: what is checked before them, and what is done after them. */
export interface Pushes {
  toExchange(place: ExchangePlace): Omit<SmartExchange, "requestPath">;
}

/** Makes what looks after pushes; `hooks` is the directory of the hooks that ask us. */
export function createPushes(
  parts: Pick<PlatformParts, "settings" | "audit"> & {
    readonly git: Git;
    readonly program: GitProgram;
    readonly hooks: string;
    readonly housekeeping: Housekeeping;
  },
): Pushes {
  const { git, settings } = parts;
  const pushSettings = {
    "core.hooksPath": parts.hooks,
    "receive.maxInputSize": String(settings.mostPushBytes),
    // Always kept as a pack, so that there is one way in, with one set of checks.
    "receive.unpackLimit": "1",
    "receive.fsckObjects": "true",
    // What a branch can't do is said by our checks, the same for the default branch.
    "receive.denyDeleteCurrent": "ignore",
    // Warnings and remarks too: whatever fsck complains of is refused.
    ...Object.fromEntries(
      parts.program.complaints.map((name) => [`receive.fsck.${name}`, "error"]),
    ),
  };
  return {
    toExchange: ({ path, principal }) => ({
      git,
      path,
      mostPushBytes: settings.mostPushBytes,
      pushSettings,
      attendant: {
        check: async (push) =>
          await checkPush({
            ...push,
            git,
            path,
            organization: principal.organization,
            mostObjectBytes: settings.mostPushBytes,
          }),
        finish: async (updates) => {
          await parts.audit.record(principal, {
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

/** What a clone checks out: `main`, or what is published while there is no `main`. */
async function pointHead(
  git: Git,
  place: { readonly path: string; readonly organization: string },
): Promise<void> {
  const release = `refs/heads/${releaseBranch(place.organization)}`;
  const [main, published] = await lookUp({ git, ...place }, ["refs/heads/main", release]);
  const wanted = main === undefined && published !== undefined ? release : "refs/heads/main";
  const head = await readFile(join(place.path, "HEAD"), "utf8");
  if (head.trim() === `ref: ${wanted}`) return;
  await runGit(git, [`--git-dir=${place.path}`, "symbolic-ref", "HEAD", wanted]);
}

function toDetail({ name, before, after }: ReferenceUpdate): Readonly<Record<string, string>> {
  return { name, before, after };
}
