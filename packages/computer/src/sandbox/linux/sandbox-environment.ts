import { realpathSync } from "node:fs";
import { isInside } from "@haft/contract/internal";
import type { SandboxUser } from "./sandbox-user.ts";
import { systemDirectories } from "./system-directories.ts";

/** What a command's environment depends on. */
export interface EnvironmentOptions {
  readonly user: SandboxUser;
  /** The directories outside the system that can be seen inside. */
  readonly visible: readonly string[];
  /** Variables that point programs to the egress proxy, if there is one. */
  readonly proxy: Readonly<Record<string, string>>;
}

/** Returns the environment of a command, from one that is free of secrets. */
export function makeSandboxEnvironment(
  environment: Readonly<Record<string, string>>,
  { user, visible, proxy }: EnvironmentOptions,
): Readonly<Record<string, string>> {
  const seen = [...systemDirectories, ...visible];
  return {
    ...Object.fromEntries(Object.entries(environment).filter(isPossible)),
    HOME: user.home,
    USER: user.name,
    LOGNAME: user.name,
    SHELL: user.shell,
    TMPDIR: "/tmp",
    ...(environment.TMP === undefined ? {} : { TMP: "/tmp" }),
    ...(environment.TEMP === undefined ? {} : { TEMP: "/tmp" }),
    PATH: keepVisible(environment.PATH ?? "", seen),
    ...proxy,
  };
}

function isPossible([name, value]: [string, string]): boolean {
  return name !== "" && !/[=\0]/u.test(name) && !value.includes("\0");
}

/** Only existing directories, by the name that they have inside. */
function keepVisible(path: string, seen: readonly string[]): string {
  const isSeen = (directory: string): boolean =>
    seen.some((visible) => isInside(visible, directory));
  const kept = path.split(":").flatMap((directory) => {
    if (!directory.startsWith("/")) return [];
    if (isSeen(directory)) return [directory];
    const landing = resolved(directory);
    return landing !== undefined && isSeen(landing) ? [landing] : [];
  });
  return [...new Set(kept.length === 0 ? usualPath : kept)].join(":");
}

const usualPath = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"];

function resolved(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
