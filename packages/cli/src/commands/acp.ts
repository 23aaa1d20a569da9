import { Readable, Writable } from "node:stream";
import type { Command, CommandInput, OptionTable } from "../command.ts";
import { commonHelpWithout, commonOptions } from "../options/common-option-table.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { UsageError } from "../usage-error.ts";
import { version } from "../version.ts";
import { agentOptions, readAgentOptions } from "./agent/read-agent-options.ts";

// Which thread, what to attach and how to print is the client's to say.
const { file: _file, continue: _continue, quiet: _quiet, ...shared } = agentOptions;

const options: OptionTable = { ...commonOptions, ...shared, delegate: { type: "string" } };

const delegations = ["all", "fs", "terminal", "none"] as const;

/** `haft acp` */
export const acp: Command = {
  help: `Serve Haft's agent to an editor, over the Agent Client Protocol on standard input and output.

Usage: haft acp --model PROVIDER/MODEL [OPTIONS]

The client says where to work: the workspace is the directory of each session. Primary agents are its
modes. Where the client offers to read and write files and to run commands, Haft does so through it;
such commands run outside of Haft's sandbox, so that each is asked.

Options:
      --model PROVIDER/MODEL  openai, anthropic, google or openai-compatible; else HAFT_MODEL or the
                              settings: docs/guides/haft-agent.md
      --base-url URL          goes to the provider's package as it is
      --agent NAME            the agent to begin with (default: build); --plan is --agent plan
      --max-steps N           requests to the model in a turn, at most
      --max-tokens N          tokens of a turn, in and out
      --max-cost N            of a turn, by the prices of the settings
      --diagnostics           tell the model what language servers say of files that it changed
      --delegate WHAT         what goes through the client, as far as it offers it: all (default), fs,
                              terminal or none

Examples:
  haft acp --model anthropic/claude-sonnet-4-5
  haft acp --model openai-compatible/qwen3 --base-url http://127.0.0.1:11434/v1 --delegate fs

${commonHelpWithout("workspace", "session", "json")}`,
  options,
  run: async (input, io) => {
    const common = readCommonOptions(input, io);
    const { model, baseUrl, agent, limits, diagnostics } = readAgentOptions(input);
    const delegate = readDelegation(input);
    const [{ serveAcp }, { createAcpBackend }] = await Promise.all([
      import("@haft/agent/acp"),
      import("../agents/create-acp-backend.ts"),
    ]);
    const isHeadless = input.options.headless === true;
    const choice = { model, baseUrl, agent, limits, diagnostics, isHeadless };
    const backend = await createAcpBackend(common, io, choice);
    try {
      await serveAcp(
        backend,
        {
          input: Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
          output: Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
        },
        { version, delegate, warn: (message) => io.error(`haft: ${message}\n`) },
      );
      return 0;
    } finally {
      backend.close();
    }
  },
};

function readDelegation(input: CommandInput): (typeof delegations)[number] {
  const given = input.options.delegate ?? "all";
  const found = delegations.find((each) => each === given);
  if (found !== undefined) return found;
  throw new UsageError(
    `--delegate: there is no ${JSON.stringify(given)}. What goes through the client is one of ${delegations.join(", ")}.`,
  );
}
