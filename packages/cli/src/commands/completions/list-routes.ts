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

/**
 * Lists the options that are flags at a route and take a value at another, such as
 * `tool publish --candidate`.
 */
export function listFlagsThere(routes: readonly Route[]): readonly string[] {
  const valued = new Set(
    routes.flatMap(({ options }) =>
      Object.entries(options).flatMap(([name, { value }]) => (value === undefined ? [] : [name])),
    ),
  );
  return routes.flatMap(({ path, options }) =>
    Object.entries(options).flatMap(([name, { value }]) =>
      value === undefined && valued.has(name) ? [`${path} --${name}`] : [],
    ),
  );
}
