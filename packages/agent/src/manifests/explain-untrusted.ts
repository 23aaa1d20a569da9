import { basename } from "node:path";
import type { AgentManifests } from "./agent-manifest.ts";

/** Explains that an agent is missing because the project's file for it is not trusted. */
export function explainUntrusted(
  name: string,
  { untrusted }: Pick<AgentManifests, "untrusted">,
): string | undefined {
  const file = untrusted.find(({ path }) => basename(path) === `${name}.md`);
  if (file === undefined) return undefined;
  return `The agent ${name} comes from this project, and ${file.path} is not trusted yet. Review it with: haft trust`;
}
