import type { ToolSource } from "@haft/contract";
import type { Session, ShownTool } from "@haft/core";
import { tokensOfDefinition, toVisibleText } from "@haft/core/internal";
import type { Io } from "../io.ts";

/** What the definition of a tool takes, as estimated. */
export interface DefinitionCost {
  readonly name: string;
  /** Its native ID. */
  readonly tool: string;
  readonly source: string;
  readonly tokens: number;
  /** False if a model must search for it. */
  readonly shown: boolean;
}

interface CostSum {
  readonly tokens: number;
  readonly shown_tokens: number;
  readonly deferred_tokens: number;
}

interface SourceCost extends CostSum {
  readonly source: string;
  readonly tools: number;
}

/** Returns what the definitions of a session's tools take, the largest first. */
export function listCosts(session: Session): readonly DefinitionCost[] {
  const shown = new Set(session.tools().map(({ name }) => name));
  return session
    .tools("all")
    .map((tool) => ({
      name: tool.name,
      tool: tool.tool,
      source: nameSource(tool),
      tokens: tokensOfDefinition(tool),
      shown: shown.has(tool.name),
    }))
    .sort((one, other) => other.tokens - one.tokens || (one.name < other.name ? -1 : 1));
}

const sources: Readonly<Record<ToolSource, string>> = {
  builtin: "native",
  mcp: "mcp",
  toolbox: "toolbox",
  module: "modules",
  published: "published",
};

function nameSource({ source, tool }: ShownTool): string {
  const server = source === "mcp" ? /^mcp__(?<name>.+?)__/u.exec(tool)?.groups?.name : undefined;
  return server === undefined ? sources[source] : `mcp ${server}`;
}

/** Returns the sums, of all tools and by source. */
export function sumUp(
  costs: readonly DefinitionCost[],
): CostSum & { sources: readonly SourceCost[] } {
  const bySource = [...Map.groupBy(costs, ({ source }) => source)].map(([source, own]) => ({
    source,
    tools: own.length,
    ...sumOf(own),
  }));
  return { ...sumOf(costs), sources: bySource.sort((one, other) => other.tokens - one.tokens) };
}

function sumOf(costs: readonly DefinitionCost[]): CostSum {
  const sum = (counts: (cost: DefinitionCost) => boolean): number =>
    costs.filter(counts).reduce((tokens, cost) => tokens + cost.tokens, 0);
  return {
    tokens: sum(() => true),
    shown_tokens: sum(({ shown }) => shown),
    deferred_tokens: sum(({ shown }) => !shown),
  };
}

/** Prints a table of the tools, and one of the sources. */
export function printCosts(costs: readonly DefinitionCost[], io: Io): void {
  const total = sumUp(costs);
  const names = [...costs.map(({ name }) => name), ...total.sources.map(({ source }) => source)];
  const width = Math.max(0, ...names.map((name) => name.length));
  const line = (name: string, tokens: number | string, note = ""): void => {
    const cells = `${toVisibleText(name).padEnd(width)}  ${String(tokens).padStart(7)}  ${note}`;
    io.out(`${cells.trimEnd()}\n`);
  };
  line("tool", "tokens");
  for (const { name, tokens, shown } of costs) line(name, tokens, shown ? "" : "deferred");
  io.out("\n");
  line("source", "tokens");
  for (const { source, tokens, tools, deferred_tokens: deferred } of total.sources) {
    const count = tools === 1 ? "1 tool" : `${tools} tools`;
    line(source, tokens, deferred === 0 ? count : `${count}, ${deferred} tokens deferred`);
  }
  io.out(
    `\nShown to a model: ${total.shown_tokens} tokens. Behind tool_search: ${total.deferred_tokens}. Estimated as characters / 4.\n`,
  );
}
