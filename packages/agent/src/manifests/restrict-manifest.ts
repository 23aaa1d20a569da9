import { randomUUID } from "node:crypto";
import { compileRequirements, type RequirementSet } from "@haft/contract";
import { formatRule } from "@haft/core";
import type { AgentManifest } from "./agent-manifest.ts";

/** Whom to tell what was left out, and what the user can do to have it. */
export interface RestrictionContext {
  /** The user's own folder of agents. */
  readonly userFolder: string;
  warn(message: string): void;
}

/**
 * What a manifest may say that came with a repository: it can deny and demand to be asked, but allow
 * nothing, and reach for nothing outside the workspace.
 */
export function restrictManifest(
  manifest: AgentManifest,
  { userFolder, warn }: RestrictionContext,
): AgentManifest {
  const { origin, rules, requires } = manifest;
  const leaveOut = (what: string): void =>
    warn(
      `${origin}: ${what} is left out, because a project can't widen what is allowed. If you trust it, copy the file to ${userFolder}.`,
    );
  const kept = rules?.filter((rule) => {
    if (rule.action === "allow") leaveOut(`the rule ${JSON.stringify(formatRule(rule))}`);
    return rule.action !== "allow";
  });
  return {
    ...manifest,
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

// Nobody can write a path below a directory whose name they can't know.
function staysInside(pattern: string): boolean {
  const workspace = `/${randomUUID()}`;
  const variables = { workspace: [workspace], "ad-hoc": ["/ad-hoc"], "user-data": ["/user-data"] };
  const { read } = compileRequirements({ fs: { read: [pattern] } }, variables).places;
  return read.every((place) => place === workspace || place.startsWith(`${workspace}/`));
}
