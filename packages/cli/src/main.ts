import { parseArgs } from "node:util";
import { openTraceExport } from "@haft/computer/internal";
import { nearestNames } from "@haft/core/internal";
import type { CommandEntry } from "./command.ts";
import { commands } from "./declarations/index.ts";
import { commonOptions } from "./declarations/option-groups.ts";
import { type Io, processIo } from "./io.ts";
import { parseCommand, toDescriptors } from "./parse-command.ts";
import { UsageError } from "./usage-error.ts";
import { version } from "./version.ts";

const usageExitCode = 2;
const failureExitCode = 1;
// How long a collector may stay silent. It delays the end of a command by no more than this. Shorter than
// the exporter's first pause between attempts, so that a command never waits for another attempt.
const exportTimeoutMs = 750;

/** Runs `haft` as this process. */
export async function runMain(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), processIo());
}

/** Runs one command line and returns its exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = commandFirst(argv);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    return help(rest, io);
  }
  if (name === "--version" || name === "-v") {
    io.out(`${version}\n`);
    return 0;
  }
  let topic = name;
  try {
    const entry = requireEntry(name);
    const command = await entry.load();
    const parsed = await parseCommand(name, command, rest);
    if ("helpOn" in parsed) {
      const { formatHelp } = await import("./format-help.ts");
      io.out(formatHelp({ name, summary: entry.summary, command }, parsed.helpOn));
      return 0;
    }
    topic = parsed.path;
    const run = await parsed.action.load();
    return await withTracing(io, (traced) => run(parsed.input, traced));
  } catch (error) {
    return report(error, topic, io);
  }
}

/** Runs a command whose spans go to the collector that the environment names, if it names one. */
async function withTracing(io: Io, run: (io: Io) => Promise<number>): Promise<number> {
  let opening: ReturnType<typeof openTraceExport> | undefined;
  const tracing: Io["tracing"] = async () => {
    opening ??= openTraceExport(io.environment, {
      version,
      timeoutMs: exportTimeoutMs,
      warn: (message) => io.error(`haft: ${message}\n`),
    });
    return (await opening)?.tracing;
  };
  try {
    return await run({ ...io, tracing });
  } finally {
    await (await opening)?.close();
  }
}

// Common options may come before the command: `haft -C DIR call …`.
function commandFirst(argv: readonly string[]): readonly string[] {
  const { tokens } = parseArgs({
    args: [...argv],
    options: toDescriptors(commonOptions.options),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const [first] = tokens;
  if (first?.kind !== "option" || !Object.hasOwn(commonOptions.options, first.name)) return argv;
  const command = tokens.find(({ kind }) => kind === "positional");
  return command === undefined
    ? argv
    : [argv[command.index] as string, ...argv.toSpliced(command.index, 1)];
}

function requireEntry(name: string): CommandEntry {
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry !== undefined) return entry;
  const [near] = nearestNames(name, Object.keys(commands), 1);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  throw new UsageError(
    `There is no command ${JSON.stringify(name)}.${hint} Commands: ${Object.keys(commands).join(", ")}.`,
  );
}

async function help([name, subcommand]: readonly string[], io: Io): Promise<number> {
  if (name !== undefined) {
    return main([name, ...(subcommand === undefined ? [] : [subcommand]), "--help"], io);
  }
  io.out(overview());
  return 0;
}

function overview(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`,
  );
  return `haft: tools for AI agents, one contract for all of them

Usage: haft COMMAND [OPTIONS]

${lines.join("\n")}

haft COMMAND --help shows a command's options and examples. haft completions --help says how to
complete commands in your shell.

Environment:
  HAFT_HOME      directory for sessions and recordings (default: ~/.local/state/haft)
  HAFT_SANDBOX   default of --sandbox: required, auto or off
  HAFT_WATCHDOG  default of --watchdog: a program that checks every call
  HAFT_TOOLBOX   directories of toolbox scripts, separated by colons, instead of the default ones
  HAFT_TOKEN     token for haft serve and haft mcp --http, instead of a new one on each start
  HAFT_URL, HAFT_API_KEY
                 platform that haft tool uses, instead of the one that haft serve starts here
  HAFT_DATA      default of --data: the data directory of haft serve
  HAFT_MASTER_KEY
                 key that encrypts secrets, 32 bytes in base64, instead of DIR/master.key
  HAFT_METRICS_TOKEN
                 bearer token that allows reading /metrics from other machines
  OTEL_EXPORTER_OTLP_ENDPOINT
                 OpenTelemetry collector that traces of calls, agents and MCP are sent to, and from haft
                 serve also metrics: http://127.0.0.1:4318
  HAFT_MODEL     default of --model for haft agent and haft acp: PROVIDER/MODEL
  HAFT_CONFIG    settings file of haft agent, instead of ~/.config/haft/settings.json
  OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY
                 API keys of the model providers
  BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY, SEARXNG_URL
                 search providers for web_search; HAFT_SEARCH_PROVIDER chooses one of them
  HAFT_SEARCH_CALLS, HAFT_SEARCH_TIMEOUT
                 maximum number of searches per session, and seconds per search; default: 25 and 15
  HAFT_DEBUG     set to 1 to print stack traces of unexpected errors
`;
}

function report(error: unknown, topic: string, io: Io): number {
  if (error instanceof UsageError) {
    const isKnown = Object.hasOwn(commands, topic.split(" ", 1)[0] ?? "");
    io.error(`haft: ${error.message}\nTry: haft ${isKnown ? `${topic} ` : ""}--help\n`);
    return usageExitCode;
  }
  const shown = error instanceof Error ? error : new Error(String(error));
  io.error(`haft: ${io.environment.HAFT_DEBUG ? shown.stack : shown.message}\n`);
  return failureExitCode;
}
