import {
  type Action,
  type ArgumentDeclaration,
  type Command,
  type CommandGroup,
  isCommandGroup,
  type OptionDeclaration,
  type OptionTable,
  type Subcommand,
} from "./command.ts";

const columns = 100;
const indent = 24;

/** A command with its line in the overview. */
interface NamedCommand {
  readonly name: string;
  readonly summary: string;
  readonly command: Command;
}

/** Formats the help of a command or of one of its subcommands. */
export function formatHelp(
  { name, summary, command }: NamedCommand,
  on: { readonly path: string; readonly action: Action | undefined },
): string {
  if (!isCommandGroup(command)) return formatActionHelp(name, summary, command);
  return on.action === undefined
    ? formatGroupHelp(name, summary, command)
    : formatActionHelp(on.path, (on.action as Subcommand).summary, on.action);
}

function formatActionHelp(path: string, summary: string, action: Action): string {
  const { details, examples = [], groups = [], options = {} } = action;
  const declared = action.arguments ?? [];
  const sections = [`${summary}.`, formatUsage(path, action)];
  if (details !== undefined) sections.push(details.trim());
  if (declared.length > 0) {
    const rows = declared.map(({ name, description }) =>
      formatRow(`  ${name}`, sentence(description)),
    );
    sections.push(`Arguments:\n${rows.join("\n")}`);
  }
  if (Object.keys(options).length > 0) sections.push(`Options:\n${formatOptions(options)}`);
  for (const group of groups) {
    const own = Object.entries(group.options).filter(([name]) => !Object.hasOwn(options, name));
    if (own.length === 0) continue;
    const note = group.note === undefined ? "" : `\n${formatRow("", group.note)}`;
    sections.push(`${group.title}:\n${formatOptions(Object.fromEntries(own))}${note}`);
  }
  sections.push(formatRow("  -h, --help", "Show this help."));
  if (examples.length > 0) sections.push(`Examples:\n${indentAll(examples)}`);
  return `${sections.join("\n\n")}\n`;
}

function formatGroupHelp(name: string, summary: string, command: CommandGroup): string {
  const { details, subcommands, defaultSubcommand } = command;
  const entries = Object.entries(subcommands);
  const width = Math.max(...entries.map(([sub]) => sub.length));
  const rows = entries.map(([sub, one]) => `  ${sub.padEnd(width)}  ${one.summary}`);
  const examples = entries.flatMap(([, one]) => one.examples?.slice(0, 1) ?? []);
  const usage =
    defaultSubcommand === undefined
      ? `Usage: haft ${name} SUBCOMMAND [OPTIONS]`
      : `Usage: haft ${name} [SUBCOMMAND] [OPTIONS]    (default: ${defaultSubcommand})`;
  const sections = [
    `${summary}.`,
    usage,
    `Subcommands:\n${rows.join("\n")}`,
    `haft ${name} SUBCOMMAND --help shows the arguments, options and examples of a subcommand.`,
    ...(details === undefined ? [] : [details.trim()]),
    `Examples:\n${indentAll(examples)}`,
  ];
  return `${sections.join("\n\n")}\n`;
}

function formatUsage(path: string, action: Action): string {
  const { options = {} } = action;
  const required = Object.entries(options).flatMap(([name, { required, value }]) =>
    required === true ? [`--${name} ${value}`] : [],
  );
  const words = [...(action.arguments ?? []).map(formatArgument), ...required, "[OPTIONS]"];
  return `Usage: haft ${path} ${words.join(" ")}`;
}

function formatArgument({ name, optional, repeats }: ArgumentDeclaration): string {
  const word = repeats === true ? `${name}...` : name;
  return optional === true ? `[${word}]` : word;
}

function formatOptions(options: OptionTable): string {
  return Object.entries(options)
    .map(([name, option]) => formatRow(formatNames(name, option), describe(option)))
    .join("\n");
}

function formatNames(name: string, { short, value }: OptionDeclaration): string {
  const letter = short === undefined ? "      " : `  -${short}, `;
  return `${letter}--${name}${value === undefined ? "" : ` ${value}`}`;
}

function describe({ description, choices, default: usual, multiple }: OptionDeclaration): string {
  return [
    sentence(description),
    ...(choices === undefined ? [] : [`One of: ${choices.join(", ")}.`]),
    ...(usual === undefined ? [] : [`Default: ${usual}.`]),
    ...(multiple === true ? ["Repeatable."] : []),
  ].join(" ");
}

function sentence(text: string): string {
  return /[.!?:)]$/u.test(text) ? text : `${text}.`;
}

// A name that leaves no room beside it stands on a line of its own.
function formatRow(head: string, text: string): string {
  const lines = wrap(text, columns - indent);
  const margin = " ".repeat(indent);
  const isLong = head.length > indent - 2;
  const first = isLong ? `${head}\n${margin}` : head.padEnd(indent);
  return `${first}${lines.join(`\n${margin}`)}`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/u)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

function indentAll(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join("\n");
}
