import type { ResourceKey } from "@haft/contract";
import { childOf, nameOf, parentOf } from "./path-parts.ts";
import type { Access, PathPolicy } from "./path-policy.ts";

/** The files that uses are about. */
export interface JudgedFiles {
  /** Returns where an absolute path leads. */
  follow(path: string): string;
  isDirectory(path: string): boolean;
}

/**
 * Checks a declared use of a file by the policy that decides at the time of use. Both the path and
 * where it leads are checked. Throws the refusal, or returns where the path leads.
 */
export function judgeFileUse(use: ResourceKey, policy: PathPolicy, files: JudgedFiles): string {
  const { key, entry } = use;
  const landing = entry ? childOf(files.follow(parentOf(key)), nameOf(key)) : files.follow(key);
  for (const access of listAccesses(use, landing, files)) {
    policy.judge(access, key, key);
    if (landing !== key) policy.judge(access, landing, key);
  }
  return landing;
}

function listAccesses(
  { mode, reads, tree }: ResourceKey,
  landing: string,
  { isDirectory }: JudgedFiles,
): readonly Access[] {
  if (mode === "write") return reads ? ["read", "change"] : ["change"];
  if (!isDirectory(landing)) return ["read"];
  return tree ? ["look"] : ["list"];
}
