/** The sections of a system prompt. */
export interface InstructionParts {
  /** The prompt of the agent's manifest. */
  readonly prompt: string;
  /** Describes the workspace and the machine. */
  readonly environment: string;
  /** Text of the project's instruction files. */
  readonly instructions?: string | undefined;
  /** List of the skills. */
  readonly skills?: string | undefined;
}

/** Composes a system prompt. Sections that change least come first, for the provider's cache. */
export function composeInstructions(parts: InstructionParts): string {
  const { prompt, environment, instructions = "", skills = "" } = parts;
  const project = instructions.trim() === "" ? "" : `${heading}\n\n${instructions.trim()}`;
  return [prompt, skills, project, environment]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

const heading = [
  "# Project instructions",
  "",
  "People wrote these for anyone working here. Each applies to its directory and everything below; where two conflict, the later one applies. The user's messages in this conversation take precedence over all of them.",
].join("\n");
