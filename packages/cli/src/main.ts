import { parseArgs } from "node:util";
import type { Command, CommandInput } from "./command.ts";
import { commands } from "./commands/index.ts";
import { type Io, processIo } from "./io.ts";
import { commonOptions } from "./options/common-option-table.ts";
import { UsageError } from "./usage-error.ts";
import { version } from "./version.ts";

const usageExitCode = 2;
const failureExitCode = 1;

/** Runs `haft` as this process. */
export async function runMain(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), processIo());
}

/** Runs one command line and returns its exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = commandFirst(argv);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    return help(rest[0], io);
  }
  if (name === "--version" || name === "-v") {
    io.out(`${version}\n`);
    return 0;
  }
  try {
    const command = await loadCommand(name);
    const input = parse(command, rest);
    if (input.options.help === true) {
      io.out(command.help);
      return 0;
    }
    return await command.run(input, io);
  } catch (error) {
    return report(error, name, io);
  }
}

// `haft -C DIR call …` is as good as `haft call -C DIR …`.
function commandFirst(argv: readonly string[]): readonly string[] {
  const { tokens } = parseArgs({
    args: [...argv],
    options: commonOptions,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const [first] = tokens;
  if (first?.kind !== "option" || !Object.hasOwn(commonOptions, first.name)) return argv;
  const command = tokens.find(({ kind }) => kind === "positional");
  return command === undefined
    ? argv
    : [argv[command.index] as string, ...argv.toSpliced(command.index, 1)];
}

async function loadCommand(name: string): Promise<Command> {
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) {
    throw new UsageError(
      `There is no command ${JSON.stringify(name)}. Commands: ${Object.keys(commands).join(", ")}.`,
    );
  }
  return entry.load();
}

function parse(command: Command, argv: readonly string[]): CommandInput {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: { ...command.options, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
    return { options: values, positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function help(topic: string | undefined, io: Io): Promise<number> {
  if (topic === undefined) {
    io.out(overview());
    return 0;
  }
  try {
    io.out((await loadCommand(topic)).help);
    return 0;
  } catch (error) {
    return report(error, topic, io);
  }
}

function overview(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`,
  );
  return `haft: tools for AI agents, one contract for all of them

Usage: haft COMMAND [OPTIONS]

${lines.join("\n")}

haft COMMAND --help shows a command's options and examples.

Environment:
  HAFT_HOME      where sessions and recordings are kept (default: ~/.local/state/haft)
  HAFT_SANDBOX   required, auto or off, where --sandbox does not say
  HAFT_WATCHDOG  a program that looks at every call, where --watchdog names none
  HAFT_TOOLBOX   directories of toolbox scripts, colons between them, instead of the usual ones
  HAFT_TOKEN     the token of haft serve and haft mcp --http, instead of a new one each time
  HAFT_URL, HAFT_API_KEY
                 the platform that haft tool talks to, instead of the one that haft serve starts here
  HAFT_DATA      where haft serve keeps everything, where --data does not say
  HAFT_MASTER_KEY
                 what secrets are sealed with, 32 bytes in base64, instead of DIR/master.key
  HAFT_METRICS_TOKEN
                 lets who sends it as bearer read /metrics from elsewhere
  OTEL_EXPORTER_OTLP_ENDPOINT
                 where haft serve sends traces and metrics
  HAFT_MODEL     the model of haft agent and haft acp, PROVIDER/MODEL, where --model does not say
  HAFT_CONFIG    the settings of haft agent, instead of ~/.config/haft/settings.json
  OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY
                 the keys of their models
  BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY, SEARXNG_URL
                 who searches for web_search; HAFT_SEARCH_PROVIDER chooses among them
  HAFT_DEBUG     set to 1 for stack traces of unexpected errors
`;
}

function report(error: unknown, name: string, io: Io): number {
  if (error instanceof UsageError) {
    io.error(`haft: ${error.message}\nTry: haft ${name in commands ? `${name} ` : ""}--help\n`);
    return usageExitCode;
  }
  const shown = error instanceof Error ? error : new Error(String(error));
  io.error(`haft: ${io.environment.HAFT_DEBUG ? shown.stack : shown.message}\n`);
  return failureExitCode;
}
