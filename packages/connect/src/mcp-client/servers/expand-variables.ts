import { ToolError } from "@haft/contract";

/**
 * Texts with what their `${NAME}`, `${NAME:-otherwise}` and `${env:NAME}` stand for, so that secrets
 * can stay where they are. A variable that is not there throws `unavailable`.
 */
export function expandVariables(
  texts: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      text.replaceAll(reference, (_, name: string, otherwise: string | undefined) => {
        const value = environment[name] || otherwise;
        if (value !== undefined) return value;
        throw new ToolError(
          "unavailable",
          `${key} is to have the value of the variable ${name}, which is not set. Set it first.`,
        );
      }),
    ]),
  );
}

const reference = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/gu;
