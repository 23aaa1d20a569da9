import { type ParseArgsOptionDescriptor, parseArgs } from "node:util";
import {
  type Action,
  type Command,
  type CommandInput,
  isCommandGroup,
  type OptionDeclaration,
  type OptionTable,
  optionsOf,
} from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** A command line that fits a declaration. */
export interface ParsedCommand {
  readonly action: Action;
  /** The words that select the action, such as `tool list`. */
  readonly path: string;
  readonly input: CommandInput;
}

/** A request for help: on the action, or on the whole command. */
export interface HelpRequest {
  readonly helpOn: { readonly path: string; readonly action: Action | undefined };
}

/** Parses the words after the command's name. Throws a `UsageError` if they do not fit. */
export async function parseCommand(
  name: string,
  command: Command,
  argv: readonly string[],
): Promise<ParsedCommand | HelpRequest> {
  const union = unionOf(command);
  const [word = ""] = parseWords(argv, union).positionals;
  const named = isCommandGroup(command) && Object.hasOwn(command.subcommands, word);
  // An option can be a flag of one subcommand and take a value in another.
  const own = named ? optionsOf(command.subcommands[word] as Action) : {};
  const { tokens, values, positionals } = parseWords(argv, { ...union, ...own });
  const given = tokens.filter((token) => token.kind === "option");
  const asksForHelp = values.help === true;
  const misspelt = given.find((token) => !(token.name in union) && token.name !== "help");
  const isLenient = asksForHelp || misspelt !== undefined;
  const chosen = choose(name, command, { word: positionals[0], isLenient });
  const { path, action } = chosen;
  if (asksForHelp) return { helpOn: { path, action: chosen.isNamed ? action : undefined } };
  const accepted = action === undefined ? {} : optionsOf(action);
  const foreign = misspelt ?? given.find((token) => !Object.hasOwn(accepted, token.name));
  if (foreign !== undefined || action === undefined) {
    const { explainOption } = await import("./explain-option.ts");
    throw new UsageError(await explainOption(foreign?.rawName ?? "", { name, path, accepted }));
  }
  for (const token of given) checkValue(token, accepted[token.name] as OptionDeclaration);
  const words = chosen.isNamed && isCommandGroup(command) ? positionals.slice(1) : positionals;
  checkArguments(action, path, words);
  checkRequired(accepted, values);
  return { action, path, input: { options: values, positionals: words } };
}

function parseWords(argv: readonly string[], options: OptionTable) {
  return parseArgs({
    args: [...argv],
    options: toDescriptors(options),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
}

/** Returns the options of all subcommands; parsing needs to know which of them take a value. */
function unionOf(command: Command): OptionTable {
  return isCommandGroup(command)
    ? Object.assign({}, ...Object.values(command.subcommands).map(optionsOf))
    : optionsOf(command);
}

/** Converts options to what `parseArgs` takes, with `--help`. */
export function toDescriptors(options: OptionTable): Record<string, ParseArgsOptionDescriptor> {
  const entries = Object.entries(options).map(
    ([name, { value, short, multiple }]): [string, ParseArgsOptionDescriptor] => [
      name,
      {
        type: value === undefined ? "boolean" : "string",
        ...(short !== undefined && { short }),
        ...(multiple === true && { multiple }),
      },
    ],
  );
  return { ...Object.fromEntries(entries), help: { type: "boolean", short: "h" } };
}

function choose(
  name: string,
  command: Command,
  { word, isLenient }: { readonly word: string | undefined; readonly isLenient: boolean },
): { readonly path: string; readonly action: Action | undefined; readonly isNamed: boolean } {
  if (!isCommandGroup(command)) return { path: name, action: command, isNamed: true };
  const { subcommands, defaultSubcommand } = command;
  const wanted = word ?? defaultSubcommand;
  if (wanted !== undefined && Object.hasOwn(subcommands, wanted)) {
    const action = subcommands[wanted];
    return { path: `${name} ${wanted}`, action, isNamed: word !== undefined };
  }
  if (isLenient) return { path: name, action: undefined, isNamed: false };
  const known = Object.keys(subcommands).join(", ");
  throw new UsageError(
    wanted === undefined
      ? `\`haft ${name}\` needs a subcommand: ${known}.`
      : `\`haft ${name}\` has no subcommand ${JSON.stringify(wanted)}. Subcommands: ${known}.`,
  );
}

interface OptionToken {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function checkValue(
  { rawName, value, inlineValue }: OptionToken,
  { value: valueName, choices }: OptionDeclaration,
): void {
  if (valueName === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    return;
  }
  if (value === undefined) {
    throw new UsageError(`${rawName} needs a value: ${rawName} ${valueName}.`);
  }
  if (inlineValue !== true && value.length > 1 && value.startsWith("-")) {
    throw new UsageError(
      `${rawName} is followed by ${JSON.stringify(value)}, which looks like an option. If it is the value, write ${rawName}=${value}.`,
    );
  }
  if (choices !== undefined && !choices.includes(value)) {
    throw new UsageError(
      `${rawName} is one of ${choices.join(", ")}, not ${JSON.stringify(value)}.`,
    );
  }
}

function checkRequired(accepted: OptionTable, values: CommandInput["options"]): void {
  for (const [name, { required, value, description }] of Object.entries(accepted)) {
    if (required !== true || values[name] !== undefined) continue;
    throw new UsageError(`--${name} ${value} is required: ${description}`);
  }
}

function checkArguments(action: Action, path: string, words: readonly string[]): void {
  const declared = action.arguments ?? [];
  const missing = declared.find(({ optional }, at) => optional !== true && words[at] === undefined);
  if (missing !== undefined) {
    throw new UsageError(
      `\`haft ${path}\` needs the argument ${missing.name}: ${missing.description}`,
    );
  }
  const extra = declared.some(({ repeats }) => repeats) ? undefined : words[declared.length];
  if (extra !== undefined) {
    throw new UsageError(
      declared.length === 0
        ? `\`haft ${path}\` takes no arguments, but got ${JSON.stringify(extra)}.`
        : `\`haft ${path}\` got an unexpected argument: ${JSON.stringify(extra)}.`,
    );
  }
}
