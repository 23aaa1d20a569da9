/** A skill that can be loaded: a folder with a `SKILL.md`. */
export interface Skill {
  readonly name: string;
  /** What it does and when to use it, in one line. */
  readonly description: string;
  /** The folder, in full. */
  readonly directory: string;
  /** Its `SKILL.md`. */
  readonly file: string;
  /** Whether it came with the project or is the user's own. */
  readonly origin: "project" | "user";
  readonly license?: string;
  readonly compatibility?: string;
  /** Tools that its author means it to be used with; nothing is granted by it. */
  readonly allowedTools?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Every skill there is, by name. The nearest go before those farther up, and these before the user's. */
export interface Skills {
  get(name: string): Skill | undefined;
  list(): readonly Skill[];
  /** What is wrong with skills and their files, each with the place and the remedy. */
  readonly warnings: readonly string[];
}
