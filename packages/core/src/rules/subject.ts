import type { ResourceKey, ResourceType } from "@haft/contract";
import type { Computer } from "../computer.ts";

/** One thing a call touches, in the form in which every check and the scheduler compare it. */
export interface Subject {
  readonly type: ResourceType;
  /** An absolute path for files; else as the tool gave it. */
  readonly key: string;
  readonly mode: "read" | "write";
  readonly tree: boolean;
}

/** Brings a tool's resource keys into comparable form. */
export function toSubjects(
  keys: readonly ResourceKey[],
  computer: Pick<Computer, "resolve">,
): readonly Subject[] {
  return keys.map((resource) => {
    const type = resource.type ?? "file";
    return {
      type,
      key: type === "file" ? computer.resolve(resource.key) : resource.key,
      mode: resource.mode,
      tree: resource.tree ?? false,
    };
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
