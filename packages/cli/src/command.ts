import type { Io } from "./io.ts";

/** An option of a command. `--help`, parsing and shell completion all come from this. */
export interface OptionDeclaration {
  readonly description: string;
  /** Name of the value in the help, such as `DIR`. An option without one is a flag. */
  readonly value?: string;
  /** One letter: `C` for `-C`. */
  readonly short?: string;
  /** Whether it can be given several times. */
  readonly multiple?: boolean;
  readonly required?: boolean;
  /** The default, for the help. */
  readonly default?: string;
  /** The only values it takes. */
  readonly choices?: readonly string[];
  /** What a shell completes its value with. */
  readonly completes?: "file" | "directory";
}

/** Options by their long names. */
export type OptionTable = Readonly<Record<string, OptionDeclaration>>;

/** Options that several commands share, shown under a heading of their own. */
export interface OptionGroup {
  readonly title: string;
  readonly options: OptionTable;
  /** Shown below the options. */
  readonly note?: string;
}

/** A positional argument. */
export interface ArgumentDeclaration {
  /** Name in the help, such as `NAME`. */
  readonly name: string;
  readonly description: string;
  readonly optional?: boolean;
  /** Whether it takes all remaining words. */
  readonly repeats?: boolean;
  /** What a shell offers for it. Other values are not refused. */
  readonly suggestions?: readonly string[];
  readonly completes?: "file" | "directory";
}

/** A parsed command line. */
export interface CommandInput {
  /** The words after the command and subcommand. */
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
}

/** Runs a command and returns its exit code. */
export type RunCommand = (input: CommandInput, io: Io) => Promise<number>;

/** The declaration of a command without subcommands. */
export interface Action {
  /** Paragraphs below the usage line, wrapped at 100 columns. */
  readonly details?: string;
  readonly arguments?: readonly ArgumentDeclaration[];
  readonly options?: OptionTable;
  /** Shared options. Where both have an option, `options` applies. */
  readonly groups?: readonly OptionGroup[];
  /** Command lines. */
  readonly examples?: readonly string[];
  /** Loads the implementation. A declaration itself imports nothing heavy. */
  load(): Promise<RunCommand>;
}

/** The declaration of a subcommand. */
export interface Subcommand extends Action {
  readonly summary: string;
}

/** The declaration of a command with subcommands. */
export interface CommandGroup {
  readonly details?: string;
  readonly subcommands: Readonly<Record<string, Subcommand>>;
  /** The subcommand that runs when none is named. */
  readonly defaultSubcommand?: string;
}

/** One command of `haft`. */
export type Command = Action | CommandGroup;

/** A command's line in the overview, and how to load its declaration. */
export interface CommandEntry {
  readonly summary: string;
  /** Loads the declaration. Start-up must not pay for the other commands. */
  load(): Promise<Command>;
}

/** Every command by its name. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;

/** Whether a command has subcommands. */
export function isCommandGroup(command: Command): command is CommandGroup {
  return "subcommands" in command;
}

/** Returns every option that an action accepts, by its long name. */
export function optionsOf({ options = {}, groups = [] }: Action): OptionTable {
  return { ...Object.assign({}, ...groups.map((group) => group.options)), ...options };
}
