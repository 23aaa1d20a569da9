import { randomUUID } from "node:crypto";
import { compileRequirements, type RequirementSet } from "@haft/contract";
import { formatRule } from "@haft/core/internal";
import type { AgentManifest } from "./agent-manifest.ts";

/** How to report what was left out. */
export interface RestrictionContext {
  /** The user's own folder of agents. */
  readonly userFolder: string;
  warn(message: string): void;
}

/**
 * Restricts a manifest that came with a repository: its rules can deny and ask but not allow, and its
 * requirements and roots can't reach outside the workspace.
 */
export function restrictManifest(
  manifest: AgentManifest,
  { userFolder, warn }: RestrictionContext,
): AgentManifest {
  const { origin, rules, requires, roots } = manifest;
  const leaveOut = (what: string): void =>
    warn(
      `${origin}: ${what} is ignored, because a project can't grant permissions. If you trust it, copy the file to ${userFolder}.`,
    );
  if (roots !== undefined) leaveOut("roots");
  const kept = rules?.filter((rule) => {
    if (rule.action === "allow") leaveOut(`the rule ${JSON.stringify(formatRule(rule))}`);
    return rule.action !== "allow";
  });
  return {
    ...manifest,
    roots: undefined,
    rules: kept,
    requires: requires && restrictRequires(requires, leaveOut),
  };
}

function restrictRequires(
  { fs, net, shell, capabilities }: RequirementSet,
  leaveOut: (what: string) => void,
): RequirementSet {
  const keep = (field: string, isKept: (pattern: string) => boolean) => (pattern: string) => {
    if (!isKept(pattern)) leaveOut(`${JSON.stringify(pattern)} of requires.${field}`);
    return isKept(pattern);
  };
  if (shell !== undefined) leaveOut("requires.shell");
  if (capabilities !== undefined) leaveOut("requires.capabilities");
  return {
    fs: {
      read: (fs?.read ?? []).filter(keep("fs.read", staysInside)),
      write: (fs?.write ?? []).filter(keep("fs.write", staysInside)),
    },
    net: {
      hosts: (net?.hosts ?? []).filter(keep("net.hosts", (host) => host === "{allowed-hosts}")),
    },
  };
}

// A pattern can't name a directory with a random name, so only {workspace} leads below it.
function staysInside(pattern: string): boolean {
  const workspace = `/${randomUUID()}`;
  const variables = { workspace: [workspace], "ad-hoc": ["/ad-hoc"], "user-data": ["/user-data"] };
  const { read } = compileRequirements({ fs: { read: [pattern] } }, variables).places;
  return read.every((place) => place === workspace || place.startsWith(`${workspace}/`));
}
