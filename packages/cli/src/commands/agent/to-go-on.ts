import type { CommonOptions } from "../../options/common-options.ts";
import type { AgentCommandOptions } from "./read-agent-options.ts";

/** Returns the command line that continues a session with the same options. */
export function toGoOn(
  session: string,
  { workspace, published, simulate }: Pick<CommonOptions, "workspace" | "published" | "simulate">,
  {
    model,
    baseUrl,
    directory,
  }: Pick<AgentCommandOptions, "model" | "baseUrl"> & {
    readonly directory: string;
  },
): string {
  const words = ["haft", "agent"];
  if (workspace !== directory) words.push("-C", workspace);
  if (model !== undefined) words.push("--model", model);
  if (baseUrl !== undefined) words.push("--base-url", baseUrl);
  if (published !== undefined) words.push("--published", published);
  if (simulate) words.push("--simulate");
  words.push("--session", session);
  return words.map(quote).join(" ");
}

function quote(word: string): string {
  return /^[\w./:@=+-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
