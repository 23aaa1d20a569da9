import type { FileDifference } from "./repository-browser.ts";

/** A changed file without its patch. */
export type ChangedFile = Omit<FileDifference, "patch" | "truncated">;

const statuses: Readonly<Record<string, ChangedFile["status"]>> = {
  A: "added",
  D: "deleted",
  M: "modified",
  R: "renamed",
  C: "copied",
  T: "type-changed",
};

/**
 * Parses the output of `git diff-tree -z --raw --numstat`: first every file with its status, then
 * every file, in the same order, with its line counts.
 */
export function readChangedFiles(
  output: string,
  options: { readonly isCutOff: boolean },
): readonly ChangedFile[] {
  const texts = output.split("\0").slice(0, -1).values();
  const take = (): string => texts.next().value ?? "";
  const files: ChangedFile[] = [];
  let counted = 0;
  for (let text = take(); text !== ""; text = take()) {
    if (text.startsWith(":")) {
      files.push(readStatus(text, take));
      continue;
    }
    const [additions = "", deletions = "", path = ""] = text.split("\t");
    // A renamed file has its two names in fields of their own.
    if (path === "") {
      take();
      take();
    }
    const file = files[counted];
    if (file !== undefined) {
      files[counted] = { ...file, additions: toCount(additions), deletions: toCount(deletions) };
    }
    counted += 1;
  }
  // The last name of a truncated list may be incomplete.
  return options.isCutOff ? files.slice(0, -1) : files;
}

function readStatus(text: string, take: () => string): ChangedFile {
  const letter = text.split(" ")[4]?.charAt(0) ?? "";
  const status = statuses[letter] ?? "modified";
  const first = take();
  const moved = status === "renamed" || status === "copied";
  return {
    path: moved ? take() : first,
    previousPath: moved ? first : undefined,
    status,
    additions: undefined,
    deletions: undefined,
  };
}

function toCount(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
