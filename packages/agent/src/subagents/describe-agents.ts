import { utf8Length } from "@haft/contract/internal";
import { toPlainLine } from "@haft/core/internal";
import type { AgentManifest } from "../manifests/agent-manifest.ts";

const maxBytes = 8 * 1024;
const maxDescriptionLength = 600;

/** Lists agents for a model to choose from. If the list gets too long, descriptions are left out, then agents. */
export function describeAgents(agents: readonly AgentManifest[]): string {
  const lines: string[] = [];
  let bytes = 0;
  for (const [at, { name, description }] of agents.entries()) {
    const line = [`- ${name}: ${toPlainLine(description, maxDescriptionLength)}`, `- ${name}`].find(
      (text) => bytes + utf8Length(text) < maxBytes,
    );
    if (line === undefined) {
      lines.push(
        `- and ${agents.length - at} more. Pass an unknown subagent_type to list them all`,
      );
      break;
    }
    lines.push(line);
    bytes += utf8Length(line) + 1;
  }
  return lines.join("\n");
}
