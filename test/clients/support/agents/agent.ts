import type { ScriptedModel } from "../../model/scripted-model.ts";
import type { Desk } from "../desk.ts";
import type { Ran } from "../run-program.ts";

/** An agent that uses our tools, and how it is run without a person. */
export interface Agent {
  /** Its name in `haft mcp install`. */
  readonly id: string;
  readonly title: string;
  /** The dialect that `haft mcp install` chooses. */
  readonly dialect: Dialect;
  /** The name under which its model sees a tool of ours. */
  nameOf(tool: string): string;
  /** Its command that shows the servers it knows, and what that prints of us. */
  readonly list: { readonly args: readonly string[]; readonly shows: RegExp };
  /** Settings of somebody who has used it before. Default: none. */
  readonly usedBefore?: string;
  /** Runs one of its commands. */
  run(desk: Desk, args: readonly string[]): Promise<Ran>;
  /** Gives it a prompt, to be answered by the model. */
  prompt(desk: Desk, model: ScriptedModel): Promise<Ran>;
  /** Removes what it adds to every result. */
  unframe(result: string): string;
  /** Its own tools for files and commands, as it offers them to an unknown model. */
  readonly ownTools: readonly string[];
  /** The user's settings file, below the home directory. */
  readonly settings: string;
  /** The file that lists the user's servers, below the home directory. */
  readonly servers: string;
}

export type Dialect = "portable" | "claude" | "codex" | "gemini";
