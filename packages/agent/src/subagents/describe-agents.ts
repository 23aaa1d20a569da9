import { utf8Length } from "@haft/contract";
import { clipText } from "../loop/clip-text.ts";
import type { AgentManifest } from "../manifests/agent-manifest.ts";

const mostBytes = 8 * 1024;
const longestDescription = 600;

/** A list of agents for a model to choose from; where it gets too long, names alone, and then a number. */
export function describeAgents(agents: readonly AgentManifest[]): string {
  const lines: string[] = [];
  let bytes = 0;
  for (const [at, { name, description }] of agents.entries()) {
    const line = [`- ${name}: ${toLine(description)}`, `- ${name}`].find(
      (text) => bytes + utf8Length(text) < mostBytes,
    );
    if (line === undefined) {
      lines.push(`- and ${agents.length - at} more, which an unknown subagent_type lists`);
      break;
    }
    lines.push(line);
    bytes += utf8Length(line) + 1;
  }
  return lines.join("\n");
}

function toLine(description: string): string {
  const line = description.replaceAll(/\s+/gu, " ");
  if (line.length <= longestDescription) return line;
  return `${clipText(line, longestDescription - 1)}…`;
}
