import {
  type Action,
  type ArgumentDeclaration,
  type Command,
  type CommandTable,
  isCommandGroup,
  type OptionTable,
  optionsOf,
} from "../../command.ts";

/** A point on the command line, and what can follow it. */
export interface Route {
  /** The command and subcommand so far: empty, `tool` or `tool list`. */
  readonly path: string;
  /** The commands or subcommands that can follow, with their summaries. */
  readonly words: Readonly<Record<string, string>>;
  readonly options: OptionTable;
  readonly arguments: readonly ArgumentDeclaration[];
}

/** Lists the routes to every command and subcommand. */
export async function listRoutes(commands: CommandTable): Promise<readonly Route[]> {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, { load }]) => toRoutes(name, await load())),
  );
  const summaries = Object.entries(commands).map(([name, { summary }]) => [name, summary]);
  const start = { path: "", words: Object.fromEntries(summaries), options: {}, arguments: [] };
  return [start, ...loaded.flat()];
}

/** The options that take a value, as words of the command line. */
export interface ValuedOptions {
  /** Those that take one in every command that has them. */
  readonly always: readonly string[];
  /** Of the others, each with its route: `tool logs --user`. */
  readonly somewhere: readonly string[];
}

/** Finds the options after which a value comes. */
export function findValuedOptions(routes: readonly Route[]): ValuedOptions {
  const all = routes.flatMap(({ path, options }) =>
    Object.entries(options).flatMap(([name, { short, value }]) =>
      [`--${name}`, ...(short === undefined ? [] : [`-${short}`])].map((word) => ({
        path,
        word,
        hasValue: value !== undefined,
      })),
    ),
  );
  const bare = new Set(all.filter(({ hasValue }) => !hasValue).map(({ word }) => word));
  const valued = all.filter(({ hasValue }) => hasValue);
  return {
    always: [...new Set(valued.map(({ word }) => word).filter((word) => !bare.has(word)))],
    somewhere: valued
      .filter(({ word }) => bare.has(word))
      .map(({ path, word }) => `${path} ${word}`),
  };
}

function toRoutes(name: string, command: Command): readonly Route[] {
  if (!isCommandGroup(command)) return [toRoute(name, command)];
  const { subcommands, defaultSubcommand } = command;
  const entries = Object.entries(subcommands);
  const usual = subcommands[defaultSubcommand ?? ""];
  return [
    {
      path: name,
      words: Object.fromEntries(entries.map(([sub, { summary }]) => [sub, summary])),
      options: usual === undefined ? {} : optionsOf(usual),
      arguments: [],
    },
    ...entries.map(([sub, action]) => toRoute(`${name} ${sub}`, action)),
  ];
}

function toRoute(path: string, action: Action): Route {
  return { path, words: {}, options: optionsOf(action), arguments: action.arguments ?? [] };
}
