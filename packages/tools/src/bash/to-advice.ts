import type { CommandResult } from "@haft/contract";
import { adviseOnPrompt } from "./advise-on-prompt.ts";

/** What to do about how a command ended; `undefined` if nothing is odd about it. */
export function toAdvice(command: string, result: CommandResult): string | undefined {
  const { waitedAt, leftRunning, refusedHosts } = result;
  const sentences: string[] = [];
  if (waitedAt !== undefined) sentences.push(adviseOnPrompt(waitedAt, command));
  if (leftRunning.length > 0) {
    sentences.push(
      "What was left running has been ended: use job_start for what shall go on, or wait for it in the command.",
    );
  }
  if (refusedHosts.length > 0) {
    const options = refusedHosts.map((host) => `--allow-host ${host}`).join(" ");
    sentences.push(
      `The command may reach only hosts that a person allows beforehand, with the option ${options}; web_fetch and repo_clone can reach public hosts.`,
    );
  }
  return sentences.length === 0 ? undefined : sentences.join(" ");
}
