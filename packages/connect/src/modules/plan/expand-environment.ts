import { ToolError } from "@haft/contract";

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Replaces `${NAME}` and `${NAME:-default}` in every text of a value, at any depth. */
export function expandEnvironment(value: unknown, environment: Environment): unknown {
  if (typeof value === "string") return expandText(value, environment);
  if (Array.isArray(value)) return value.map((item) => expandEnvironment(item, environment));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, expandEnvironment(item, environment)]),
  );
}

function expandText(text: string, environment: Environment): string {
  return text.replaceAll(/\$?\$\{[A-Za-z_][A-Za-z0-9_]*(?::-[^}]*)?\}/gu, (found) => {
    if (found.startsWith("$$")) return found.slice(1);
    const [name = "", fallback] = found.slice(2, -1).split(/:-(.*)/su);
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    // As in shells, the default also replaces an empty value.
    if (fallback !== undefined) return value || fallback;
    if (value === undefined) throw notSet(name);
    return value;
  });
}

function notSet(name: string): ToolError {
  return new ToolError(
    "invalid-arguments",
    `The variable ${name} is not set. Set it, or give it a default: \${${name}:-…}. To write the text itself, use $\${${name}}.`,
  );
}
