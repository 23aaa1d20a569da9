import { readFileSync } from "node:fs";

/** Why there is no sandbox, and the remedy. */
export interface Obstacle {
  readonly reason: string;
  readonly remedy: string;
}

/** Explains why a sandbox could not be launched, from its output. */
export function explainFailure(output: string): Obstacle {
  const said = output.trim().split("\n").slice(-3).join(" ").slice(0, 500) || "nothing was printed";
  const mapped = /haft: (.*can't be mapped to another owner: .*)/u.exec(said)?.[1];
  if (mapped !== undefined) {
    return {
      reason: `${mapped} (its file system does not support that)`,
      remedy:
        "Run Haft as the ordinary user who owns the workspace, or keep the workspace on ext4, xfs, btrfs or tmpfs (Linux 6.3 or later for tmpfs).",
    };
  }
  if (/Unknown option/iu.test(said)) {
    return {
      reason: `bubblewrap is too old: ${said}`,
      remedy:
        "Install bubblewrap 0.10 or later, or 0.8 with the security updates of your distribution.",
    };
  }
  if (/Can't mount proc/iu.test(said)) {
    return {
      reason: `a sandbox can't have its own /proc: ${said}`,
      remedy:
        "In a container parts of /proc are covered: start it with `--security-opt systempaths=unconfined`, or run Haft outside of it.",
    };
  }
  if (/namespace|uid map|Operation not permitted|Permission denied/iu.test(said)) {
    return { reason: `user namespaces are not available: ${said}`, remedy: explainNamespaces() };
  }
  return {
    reason: `a sandbox could not be launched: ${said}`,
    remedy: "Try `bwrap --unshare-all --ro-bind / / true` to see what your system refuses.",
  };
}

/** What makes user namespaces available to ordinary users. */
export function explainNamespaces(): string {
  for (const [name, refusing, value] of switches) {
    if (readSetting(name) === refusing) return `Run \`sysctl -w ${name}=${value}\` as root.`;
  }
  return "Allow unprivileged user namespaces; in a container, start it with a seccomp profile that allows `unshare` and `clone`.";
}

const switches = [
  ["kernel.unprivileged_userns_clone", "0", "1"],
  ["kernel.apparmor_restrict_unprivileged_userns", "1", "0"],
  ["user.max_user_namespaces", "0", "10000"],
] as const;

function readSetting(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name.replaceAll(".", "/")}`, "utf8").trim();
  } catch {
    return undefined;
  }
}
