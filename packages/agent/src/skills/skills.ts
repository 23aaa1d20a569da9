import type { ProjectItem } from "@haft/computer";

/** A skill that can be loaded: a folder with a `SKILL.md`. */
export interface Skill {
  readonly name: string;
  /** What it does and when to use it, in one line. */
  readonly description: string;
  /** Absolute path of its folder. */
  readonly directory: string;
  /** Path of its `SKILL.md`. */
  readonly file: string;
  /** Whether it comes from the project or from the user. */
  readonly origin: "project" | "user";
  readonly license?: string;
  readonly compatibility?: string;
  /** Tools that its author intends it to use. This grants nothing. */
  readonly allowedTools?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** All skills by name. Skills nearer to the workspace take precedence, then those of parent directories, then the user's. */
export interface Skills {
  get(name: string): Skill | undefined;
  list(): readonly Skill[];
  /** Problems with skills, each with the path and what to do. */
  readonly warnings: readonly string[];
  /** The project's untrusted skills that contain commands. They can't be loaded. */
  readonly untrusted?: readonly UntrustedSkill[];
  /** Returns why a skill can't be used any more, for example because its files have changed. */
  findDoubt?(skill: Skill): string | undefined;
}

/** A skill of the project that a person has not trusted yet. */
export interface UntrustedSkill extends ProjectItem {
  readonly name: string;
}
