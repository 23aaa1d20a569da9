// Runs the bench: node --expose-gc bench/run.ts [LINE …] [--json] [--check]
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Finding, Line } from "./line.ts";
import { agentBackground } from "./lines/agent-background.ts";
import { agentStep } from "./lines/agent-step.ts";
import { batchRead } from "./lines/batch-read.ts";
import { callMemory } from "./lines/call-memory.ts";
import { commandStart } from "./lines/command-start.ts";
import { consoleLine } from "./lines/console.ts";
import { applyPatch, edit } from "./lines/edit.ts";
import { editRefusal } from "./lines/edit-refusal.ts";
import { flat } from "./lines/flat.ts";
import { glob } from "./lines/glob.ts";
import { grepCold } from "./lines/grep-cold.ts";
import { grepWarm } from "./lines/grep-warm.ts";
import { history } from "./lines/history.ts";
import { invoke } from "./lines/invoke.ts";
import { invokeCold } from "./lines/invoke-cold.ts";
import { invokePython } from "./lines/invoke-python.ts";
import { layer } from "./lines/layer.ts";
import { mcpCall } from "./lines/mcp-call.ts";
import { mcpLazy } from "./lines/mcp-lazy.ts";
import { mcpStart } from "./lines/mcp-start.ts";
import { output } from "./lines/output.ts";
import { perCall } from "./lines/per-call.ts";
import { platform } from "./lines/platform.ts";
import { programs } from "./lines/programs.ts";
import { read } from "./lines/read.ts";
import { room } from "./lines/room.ts";
import { ruleDecision } from "./lines/rule-decision.ts";
import { sessionCost } from "./lines/session-cost.ts";
import { shell } from "./lines/shell.ts";
import { threads } from "./lines/threads.ts";
import { toolSearch } from "./lines/tool-search.ts";

const lines: readonly Line[] = [
  perCall,
  flat,
  batchRead,
  read,
  edit,
  applyPatch,
  editRefusal,
  glob,
  grepCold,
  grepWarm,
  sessionCost,
  commandStart,
  callMemory,
  ruleDecision,
  shell,
  layer,
  output,
  mcpCall,
  mcpStart,
  mcpLazy,
  toolSearch,
  invoke,
  invokeCold,
  invokePython,
  platform,
  history,
  consoleLine,
  room,
  agentStep,
  agentBackground,
  programs,
  threads,
];

const { values: options, positionals: wanted } = parseArgs({
  options: { json: { type: "boolean" }, check: { type: "boolean" } },
  allowPositionals: true,
});

for (const name of wanted) {
  if (lines.some((line) => line.name === name)) continue;
  process.stderr.write(`No line ${name}. Lines: ${lines.map((line) => line.name).join(", ")}\n`);
  process.exit(2);
}

const findings: Finding[] = [];
for (const line of lines) {
  if (wanted.length > 0 && !wanted.includes(line.name)) continue;
  if (!options.json) process.stderr.write(`measuring ${line.name} …\n`);
  findings.push(...(await line.run()));
}

const report = {
  node: process.version,
  platform: `${process.platform}-${process.arch}`,
  at: new Date().toISOString(),
  findings,
};
const results = new URL("./results/", import.meta.url);
mkdirSync(results, { recursive: true });
writeFileSync(new URL("latest.json", results), `${JSON.stringify(report, undefined, 2)}\n`);

if (options.json) process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
else for (const finding of findings) print(finding);

const missed = findings.filter(({ figure, goal }) => !(figure <= goal));
process.exitCode = options.check && missed.length > 0 ? 1 : 0;

function print({ line, values, unit, figure, meaning, goal }: Finding): void {
  const width = Math.max(...values.map(({ name }) => name.length));
  process.stdout.write(`\n${line}\n`);
  for (const { name, value } of values) {
    process.stdout.write(`  ${name.padEnd(width)}  ${format(value).padStart(10)} ${unit}\n`);
  }
  const verdict = figure <= goal ? "reached" : "MISSED";
  process.stdout.write(`  ${meaning}: ${format(figure)} (goal: at most ${goal}) ${verdict}\n`);
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
