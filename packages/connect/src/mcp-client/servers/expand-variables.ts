import { ToolError } from "@haft/contract";

/**
 * Replaces `${NAME}`, `${NAME:-default}` and `${env:NAME}` in texts by the values of variables, so that
 * secrets need not be stored. Throws `unavailable` if a variable is not set.
 */
export function expandVariables(
  texts: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      text.replaceAll(reference, (_, name: string, fallback: string | undefined) => {
        const value = environment[name] || fallback;
        if (value !== undefined) return value;
        throw new ToolError(
          "unavailable",
          `${key} refers to the environment variable ${name}, which is not set. Set it and try again.`,
        );
      }),
    ]),
  );
}

const reference = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/gu;
