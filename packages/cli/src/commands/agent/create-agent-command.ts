import type { StartedAgent } from "@haft/agent";
import { stateDirectory } from "@haft/computer/internal";
import type { Host } from "@haft/core";
import type { AgentStartOptions, AgentWorkspace } from "../../agents/open-agents.ts";
import type { CommandInput, RunCommand } from "../../command.ts";
import type { Io } from "../../io.ts";
import { type CommonOptions, readCommonOptions } from "../../options/common-options.ts";
import { createStyle } from "../../terminal/style.ts";
import { UsageError } from "../../usage-error.ts";
import { listOwnThreads } from "./list-own-threads.ts";
import type { OneShotView } from "./one-shot.ts";
import { type AgentCommandOptions, readAgentOptions } from "./read-agent-options.ts";
import { readPrompt } from "./read-prompt.ts";
import { createScreen, type Screen } from "./screen.ts";
import { createStatusLine } from "./status-line.ts";
import { toGoOn } from "./to-go-on.ts";

/** Opens the agents of the workspace that the options name. */
export type OpenAgents = (
  options: CommonOptions,
  io: Io,
  choice: Pick<AgentCommandOptions, "model" | "baseUrl">,
) => Promise<AgentWorkspace>;

/** Creates `haft agent` for the agents that `open` opens. */
export function createAgentCommand(open: OpenAgents): RunCommand {
  return async (input, io) => {
    const run: Run = {
      options: readCommonOptions(input, io),
      wanted: readAgentOptions(input),
      open,
    };
    const prompt = await readPrompt({ words: input.positionals, files: run.wanted.files }, io);
    if (prompt === undefined) return talk(run, io, input);
    const form = run.options.json ? "json" : run.wanted.quiet ? "quiet" : "text";
    const screen = openScreen(io, form);
    return withAgents(run, screen.io, async (agents) => {
      const agent = await agents.start(toStart(run.wanted, agents));
      const { runOneShot } = await import("./one-shot.ts");
      try {
        return await runOneShot(agent, prompt, { form, screen, goOn: goOnOf(run, io, ' "…"') });
      } finally {
        await agent.close();
      }
    });
  };
}

interface Run {
  readonly options: CommonOptions;
  readonly wanted: AgentCommandOptions;
  readonly open: OpenAgents;
}

async function talk(run: Run, io: Io, { options }: CommandInput): Promise<number> {
  if (options.json === true || options.quiet === true) {
    throw new UsageError('--json and --quiet need a prompt: haft agent --json "…"');
  }
  if (!io.interactive || io.terminal === undefined) {
    throw new UsageError(
      'There is no terminal for a conversation. Give a prompt: haft agent "…", or - to read it from standard input.',
    );
  }
  const [{ openTalk }, { runInteractive }] = await Promise.all([
    import("./line-editor.ts"),
    import("./interactive.ts"),
  ]);
  const opened = openTalk(io.terminal, io);
  const screen = openScreen({ ...io, readLine: opened.readLine }, "text");
  return withAgents(run, screen.io, async (agents) => {
    const typedCalls = new Set<string>();
    const host = createTypedCallsHost(agents.host, typedCalls);
    const start = { ...toStart(run.wanted, agents), host };
    const renew = (name: string, session?: string): Promise<StartedAgent> =>
      agents.start({ ...start, agent: name, session });
    const agent = await agents.start(start);
    return runInteractive(agent, {
      source: agents,
      screen,
      style: createStyle(io),
      editor: opened.edit(stateDirectory(io.environment), agents.root),
      typedCalls,
      renew,
      goOn: goOnOf(run, io, ""),
    });
  });
}

/** Wraps a host so that it does not ask about calls that the person typed. Denials still apply. */
export function createTypedCallsHost(host: Host, typed: ReadonlySet<string>): Host {
  return {
    headless: host.headless,
    ask: async (request) => (typed.has(request.callId) ? { answer: "once" } : host.ask(request)),
    question: (request) => host.question(request),
  };
}

async function withAgents(
  { open, options, wanted }: Run,
  io: Io,
  use: (agents: AgentWorkspace) => Promise<number>,
): Promise<number> {
  const agents = await open(options, io, { model: wanted.model, baseUrl: wanted.baseUrl });
  try {
    return await use(agents);
  } finally {
    await agents.close();
  }
}

function toStart(wanted: AgentCommandOptions, agents: AgentWorkspace): AgentStartOptions {
  const { agent, model, limits, diagnostics } = wanted;
  return { agent, model, limits, diagnostics, session: wanted.session ?? findLast(wanted, agents) };
}

function findLast({ continues }: AgentCommandOptions, agents: AgentWorkspace): string | undefined {
  if (!continues) return undefined;
  const [last] = listOwnThreads(agents);
  if (last !== undefined) return last.name;
  throw new UsageError("This workspace has no session to continue. Leave out --continue.");
}

function openScreen(io: Io, form: OneShotView["form"]): Screen {
  const hasStatus =
    form === "text" && io.errorIsTerminal === true && io.environment.TERM !== "dumb";
  if (!hasStatus) return createScreen(io);
  const columns = (): number => io.terminal?.output.columns ?? 80;
  return createScreen(io, createStatusLine({ write: io.error, columns }));
}

function goOnOf({ options, wanted }: Run, { directory }: Io, end: string): OneShotView["goOn"] {
  return (session) => `${toGoOn(session, options, { ...wanted, directory })}${end}`;
}
