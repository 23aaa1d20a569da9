import type { PromptPart } from "@haft/agent";
import type { Io } from "../../io.ts";
import { UsageError } from "../../usage-error.ts";
import { attachFile } from "./attach-file.ts";

/** The prompt on the command line. */
export interface PromptInput {
  /** The words; `-` stands for standard input. */
  readonly words: readonly string[];
  /** Paths of files to attach. */
  readonly files: readonly string[];
}

/** Reads the prompt of a command line; `undefined` if there are no words. */
export async function readPrompt(
  { words, files }: PromptInput,
  io: Io,
): Promise<readonly PromptPart[] | undefined> {
  if (words.length === 0) {
    if (files.length > 0) throw new UsageError("--file needs a prompt.");
    return undefined;
  }
  const text = await readText(words, io);
  if (text.trim() === "") throw new UsageError("The prompt is empty.");
  const attached = files.map((path) => attachFile(path, io.directory));
  return [{ type: "text", text }, ...(await Promise.all(attached))];
}

async function readText(words: readonly string[], io: Io): Promise<string> {
  const at = words.indexOf("-");
  if (at !== -1) {
    const input = (await io.readInput()).trimEnd();
    return joinParts([words.slice(0, at).join(" "), input, words.slice(at + 1).join(" ")]);
  }
  const said = words.join(" ");
  if (io.interactive || (await io.hasInput?.()) === false) return said;
  return joinParts([said, (await io.readInput()).trimEnd()]);
}

function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
