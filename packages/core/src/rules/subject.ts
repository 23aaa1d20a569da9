import type { ResourceKey, ResourceType } from "@haft/contract";
import type { CommandReading, ReadCommand } from "../commands/command-reading.ts";
import type { Computer } from "../computer.ts";

/** One thing a call touches, in the form in which every check and the scheduler compare it. */
export interface Subject {
  readonly type: ResourceType;
  /** An absolute path for files; else as the tool gave it. */
  readonly key: string;
  readonly mode: "read" | "write";
  readonly tree: boolean;
  /** Of a command: where it starts. */
  readonly cwd?: string;
  /** Of a command: what it would do. */
  readonly reading?: CommandReading;
  /** Of a command: the one of several in it that is being judged. */
  readonly part?: ReadCommand;
}

/** Brings a tool's resource keys into comparable form. The shell must be prepared for commands. */
export function toSubjects(
  keys: readonly ResourceKey[],
  computer: Pick<Computer, "resolve" | "readCommand">,
): readonly Subject[] {
  return keys.map((resource): Subject => {
    const { key, mode, type = "file", tree = false } = resource;
    if (type === "file") return { type, key: computer.resolve(key), mode, tree };
    if (type !== "command") return { type, key, mode, tree };
    const cwd = computer.resolve(resource.cwd ?? ".");
    return { type, key, mode, tree, cwd, reading: computer.readCommand(key, cwd) };
  });
}

/** The capability under which rules know an access; names of a tool's own have none. */
export function capabilityOf(subject: Subject): string | undefined {
  switch (subject.type) {
    case "file":
      return subject.mode === "write" ? "fs.write" : "fs.read";
    case "host":
      return "net.fetch";
    case "command":
      return "shell.run";
    default:
      return undefined;
  }
}
