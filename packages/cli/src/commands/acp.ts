import { Readable, Writable } from "node:stream";
import type { CommandInput } from "../command.ts";
import { optionChoice } from "../environments/option-values.ts";
import type { Io } from "../io.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { version } from "../version.ts";
import { readAgentOptions } from "./agent/read-agent-options.ts";

/** `haft acp` */
export async function runAcp(input: CommandInput, io: Io): Promise<number> {
  const common = readCommonOptions(input, io);
  const { model, baseUrl, agent, limits, diagnostics } = readAgentOptions(input);
  const delegate = optionChoice(input, "delegate", ["all", "fs", "terminal", "none"]) ?? "all";
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
}
