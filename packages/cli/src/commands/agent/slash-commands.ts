import { toVisibleText } from "@haft/core/internal";
import { clipLine } from "./clip-line.ts";
import { describeUsage } from "./describe-usage.ts";
import { listOwnThreads } from "./list-own-threads.ts";
import { rewindHere } from "./rewind.ts";
import type { SlashContext, SlashEffect } from "./slash-context.ts";

/** A command to the program instead of a prompt to the model. */
export interface SlashCommand {
  readonly name: string;
  /** What follows the name. */
  readonly rest: string;
}

interface CommandFacts {
  readonly usage: string;
  readonly summary: string;
  run(context: SlashContext, rest: string): Promise<SlashEffect> | SlashEffect;
}

const maxListed = 10;
const maxLineLength = 160;

const commands: Readonly<Record<string, CommandFacts>> = {
  help: { usage: "/help", summary: "show this", run: showHelp },
  agent: {
    usage: "/agent [NAME]",
    summary: "switch to another agent, or list them",
    run: chooseAgent,
  },
  plan: {
    usage: "/plan",
    summary: "switch to the agent that plans and changes nothing",
    run: (context) => become("plan", context),
  },
  build: {
    usage: "/build",
    summary: "switch to the agent that makes changes",
    run: (context) => become("build", context),
  },
  model: { usage: "/model", summary: "show the model", run: showModel },
  new: { usage: "/new", summary: "start a new session", run: () => "new" },
  sessions: {
    usage: "/sessions",
    summary: "list the last sessions of this workspace",
    run: showSessions,
  },
  skills: { usage: "/skills", summary: "list the skills", run: showSkills },
  undo: {
    usage: "/undo",
    summary: "undo the last change to files",
    run: undo,
  },
  rewind: {
    usage: "/rewind [NUMBER WHAT]",
    summary: "go back to before a turn: files, conversation or both",
    run: rewindHere,
  },
  usage: { usage: "/usage", summary: "show tokens and cost so far", run: showUsage },
  exit: { usage: "/exit", summary: "leave; Ctrl-D does too", run: () => "leave" },
  quit: { usage: "/quit", summary: "the same", run: () => "leave" },
};

/** Parses a command; `undefined` if the text is for the model, such as one that starts with a path. */
export function readSlashCommand(text: string): SlashCommand | undefined {
  const [, name, rest = ""] = /^\/([a-z]+)(?:[ \t]+([^\n]*))?$/u.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, rest: rest.trim() };
}

/** Runs a command and prints why if it fails. */
export async function runSlashCommand(
  { name, rest }: SlashCommand,
  context: SlashContext,
): Promise<SlashEffect> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    context.say(`There is no command /${name}. /help lists the commands.`);
    return "stay";
  }
  return command.run(context, rest);
}

function showHelp({ say }: SlashContext): SlashEffect {
  const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length));
  for (const { usage, summary } of Object.values(commands)) {
    say(`  ${usage.padEnd(width)}  ${summary}`);
  }
  say("");
  say("A backslash at the end of a line continues it on the next; pasted lines stay together.");
  say("Ctrl-C interrupts the agent or clears the line. Twice on an empty line, it exits.");
  return "stay";
}

function chooseAgent(context: SlashContext, rest: string): SlashEffect {
  if (rest !== "") return become(rest, context);
  for (const { name, description, mode } of context.source.manifests.list()) {
    if (mode === "subagent") continue;
    const mark = name === context.agent.manifest.name ? "*" : " ";
    context.say(`${mark} ${clipLine(`${name}: ${description}`, maxLineLength)}`);
  }
  return "stay";
}

function become(name: string, { agent, say }: SlashContext): SlashEffect {
  try {
    agent.become(name);
    say(`The agent is now ${agent.manifest.name}.`);
  } catch (error) {
    say(toVisibleText((error as Error).message));
  }
  return "stay";
}

function showModel({ agent, say }: SlashContext): SlashEffect {
  say(clipLine(`${agent.model}, as ${agent.manifest.name}`, maxLineLength));
  return "stay";
}

function showSessions({ agent, source, say }: SlashContext): SlashEffect {
  const threads = listOwnThreads(source).slice(0, maxListed);
  if (threads.length === 0) say("No sessions yet.");
  for (const { name, title, updatedAt } of threads) {
    const mark = name === agent.session.name ? "*" : " ";
    const time = new Date(updatedAt).toISOString().slice(0, 16).replace("T", " ");
    say(`${mark} ${clipLine(`${name} ${time} ${title ?? ""}`, maxLineLength)}`);
  }
  if (threads.length > 0) say("To continue one: haft agent --session NAME");
  return "stay";
}

function showSkills({ source, say }: SlashContext): SlashEffect {
  const skills = source.listSkills();
  if (skills.length === 0)
    say("No skills found. `haft skills --help` lists the directories that are searched.");
  for (const { name, description } of skills)
    say(clipLine(`${name}: ${description}`, maxLineLength));
  return "stay";
}

async function undo({ call }: SlashContext): Promise<SlashEffect> {
  await call("undo_edit");
  return "stay";
}

function showUsage({ used, say }: SlashContext): SlashEffect {
  const { usage } = used;
  const details = `${usage.input_tokens} in (${usage.cached_tokens} of them cached), ${usage.output_tokens} out`;
  say(`${describeUsage(used.steps, usage)} · ${details}`);
  return "stay";
}
