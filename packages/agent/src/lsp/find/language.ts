/** A language server program with the arguments that make it use standard input and output. */
export interface ServerProgram {
  readonly program: string;
  readonly args: readonly string[];
  /** Initialization options. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A language, or several that share servers. */
export interface Language {
  /** Display name. */
  readonly name: string;
  /** Language IDs of the protocol, by file extension with the dot or by whole file name. */
  readonly files: Readonly<Record<string, string>>;
  /** File names that mark a project directory. An earlier group takes precedence over a nearer directory. */
  readonly markers: readonly (readonly string[])[];
  /** Servers in order of preference. */
  readonly servers: readonly ServerProgram[];
  /** A file that lists those of a project. Without it, the servers know only files that were opened. */
  readonly index?: string;
  /** Whether it is data or markup rather than code. */
  readonly isData?: true;
  /** How to install the most common server. */
  readonly install: string;
}
