import type { Usage } from "@haft/agent";
import { toVisibleText } from "@haft/core";
import { clipLine } from "./clip-line.ts";
import { describeUsage } from "./describe-usage.ts";
import { listOwnThreads } from "./list-own-threads.ts";
import type { AgentSource, RunningAgent } from "./running-agent.ts";

/** What a person says to the program instead of the model. */
export interface SlashCommand {
  readonly name: string;
  /** What follows the name. */
  readonly rest: string;
}

/** What commands are about. */
export interface SlashPlace {
  readonly agent: RunningAgent;
  readonly source: Pick<AgentSource, "threads" | "manifests" | "root" | "listSkills">;
  /** What was used since the program was started. */
  readonly used: { readonly steps: number; readonly usage: Usage };
  say(line: string): void;
  /** Shows what a call came to. */
  call(name: string): Promise<void>;
}

/** What is to become of the talk. */
export type SlashEffect = "stay" | "leave" | "new";

interface CommandFacts {
  readonly usage: string;
  readonly summary: string;
  run(place: SlashPlace, rest: string): Promise<SlashEffect> | SlashEffect;
}

const mostListed = 10;
const longestLine = 160;

const commands: Readonly<Record<string, CommandFacts>> = {
  help: { usage: "/help", summary: "show this", run: showHelp },
  agent: {
    usage: "/agent [NAME]",
    summary: "have another agent act, or list them",
    run: chooseAgent,
  },
  plan: {
    usage: "/plan",
    summary: "the agent that plans and changes nothing",
    run: (place) => become("plan", place),
  },
  build: {
    usage: "/build",
    summary: "the agent that does the work",
    run: (place) => become("build", place),
  },
  model: { usage: "/model", summary: "show which model answers", run: showModel },
  new: { usage: "/new", summary: "begin a new session", run: () => "new" },
  sessions: {
    usage: "/sessions",
    summary: "list the last sessions of this workspace",
    run: showSessions,
  },
  skills: { usage: "/skills", summary: "list the skills there are", run: showSkills },
  undo: {
    usage: "/undo",
    summary: "take back the last change to files",
    run: undo,
  },
  usage: { usage: "/usage", summary: "show how much was used so far", run: showUsage },
  exit: { usage: "/exit", summary: "leave; Ctrl-D does too", run: () => "leave" },
  quit: { usage: "/quit", summary: "the same", run: () => "leave" },
};

/** Reads a command; `undefined` if the text is for the model, as a path at its beginning is. */
export function readSlashCommand(text: string): SlashCommand | undefined {
  const [, name, rest = ""] = /^\/([a-z]+)(?:[ \t]+([^\n]*))?$/u.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, rest: rest.trim() };
}

/** Does what a command says. What it can't do it tells. */
export async function runSlashCommand(
  { name, rest }: SlashCommand,
  place: SlashPlace,
): Promise<SlashEffect> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    place.say(`There is no command /${name}. /help shows those there are.`);
    return "stay";
  }
  return command.run(place, rest);
}

function showHelp({ say }: SlashPlace): SlashEffect {
  const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length));
  for (const { usage, summary } of Object.values(commands)) {
    say(`  ${usage.padEnd(width)}  ${summary}`);
  }
  say("");
  say("A backslash at the end of a line goes on in the next; pasted lines stay together.");
  say(
    "Ctrl-C stops what the agent is doing, or empties the line. Twice on an empty line, it leaves.",
  );
  return "stay";
}

function chooseAgent(place: SlashPlace, rest: string): SlashEffect {
  if (rest !== "") return become(rest, place);
  for (const { name, description, mode } of place.source.manifests.list()) {
    if (mode === "subagent") continue;
    const mark = name === place.agent.manifest.name ? "*" : " ";
    place.say(`${mark} ${clipLine(`${name}: ${description}`, longestLine)}`);
  }
  return "stay";
}

function become(name: string, { agent, say }: SlashPlace): SlashEffect {
  try {
    agent.become(name);
    say(`${agent.manifest.name} acts from now on.`);
  } catch (error) {
    say(toVisibleText((error as Error).message));
  }
  return "stay";
}

function showModel({ agent, say }: SlashPlace): SlashEffect {
  say(clipLine(`${agent.model}, as ${agent.manifest.name}`, longestLine));
  return "stay";
}

function showSessions({ agent, source, say }: SlashPlace): SlashEffect {
  const threads = listOwnThreads(source).slice(0, mostListed);
  if (threads.length === 0) say("There are no sessions here yet.");
  for (const { name, title, updatedAt } of threads) {
    const mark = name === agent.session.name ? "*" : " ";
    const time = new Date(updatedAt).toISOString().slice(0, 16).replace("T", " ");
    say(`${mark} ${clipLine(`${name} ${time} ${title ?? ""}`, longestLine)}`);
  }
  if (threads.length > 0) say("haft agent --session NAME goes on with one of them.");
  return "stay";
}

function showSkills({ source, say }: SlashPlace): SlashEffect {
  const skills = source.listSkills();
  if (skills.length === 0)
    say("There are no skills here. haft skills --help tells where they are looked for.");
  for (const { name, description } of skills) say(clipLine(`${name}: ${description}`, longestLine));
  return "stay";
}

async function undo({ call }: SlashPlace): Promise<SlashEffect> {
  await call("undo_edit");
  return "stay";
}

function showUsage({ used, say }: SlashPlace): SlashEffect {
  const { usage } = used;
  const details = `${usage.input_tokens} in (${usage.cached_tokens} of them cached), ${usage.output_tokens} out`;
  say(`${describeUsage(used.steps, usage)} · ${details}`);
  return "stay";
}
