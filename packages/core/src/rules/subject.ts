import type { ResourceKey, ResourceType } from "@haft/contract";
import type { CommandReading, ReadCommand } from "../commands/command-reading.ts";
import type { Computer } from "../computer.ts";

/** A resource that a call touches, in the form that the checks and the scheduler compare. */
export interface Subject {
  readonly type: ResourceType;
  /** An absolute path for files, otherwise the key that the tool declared. */
  readonly key: string;
  readonly mode: "read" | "write";
  readonly tree: boolean;
  /** For a written file: the call also reads it. */
  readonly reads?: boolean;
  /** For a written file: a link itself is changed, not its target. */
  readonly entry?: boolean;
  /** For a name: it is that of a capability, which the tool uses as a whole. */
  readonly isCapability?: true;
  /** For a host: the port, if it is known. */
  readonly port?: number;
  /** For a command: the directory it starts in. */
  readonly cwd?: string;
  /** For a command: what it would do. */
  readonly reading?: CommandReading;
  /** For a command line: the command in it that is being judged. */
  readonly part?: ReadCommand;
}

/** Converts a tool's resource keys to subjects. Commands require a prepared shell. */
export function toSubjects(
  keys: readonly ResourceKey[],
  computer: Pick<Computer, "resolve" | "readCommand">,
): readonly Subject[] {
  return keys.map((resource): Subject => {
    const { key, mode, type = "file", tree = false, reads, entry, port } = resource;
    if (type === "file") {
      const file = { type, key: computer.resolve(key), mode, tree };
      return reads || entry ? { ...file, ...(reads && { reads }), ...(entry && { entry }) } : file;
    }
    if (type === "host" && port !== undefined) return { type, key, mode, tree, port };
    if (type !== "command") return { type, key, mode, tree };
    const cwd = computer.resolve(resource.cwd ?? ".");
    return { type, key, mode, tree, cwd, reading: computer.readCommand(key, cwd) };
  });
}

/** Returns the capability name for rules, or `undefined` for names that a tool defines. */
export function capabilityOf(subject: Subject): string | undefined {
  switch (subject.type) {
    case "file":
      return subject.mode === "write" ? "fs.write" : "fs.read";
    case "host":
      return "net.fetch";
    case "command":
      return "shell.run";
    default:
      return subject.isCapability ? subject.key : undefined;
  }
}
