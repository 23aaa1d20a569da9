/** A program that serves a language, and the arguments that have it talk over its standard streams. */
export interface ServerProgram {
  readonly program: string;
  readonly args: readonly string[];
  /** What it is told when it starts. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A language, or several with the same servers. */
export interface Language {
  /** As people call it. */
  readonly name: string;
  /** What the protocol calls a file, by its extension with the dot or by its whole name. */
  readonly files: Readonly<Record<string, string>>;
  /** Names that mark a project's directory; an earlier group goes before a nearer directory. */
  readonly markers: readonly (readonly string[])[];
  /** The first that is there is taken. */
  readonly servers: readonly ServerProgram[];
  /** Whether it is data or markup, which a project has beside its code. */
  readonly isData?: true;
  /** How the usual server gets here. */
  readonly install: string;
}
