import { declarationsName } from "./checker-process.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { type DiagnosticContext, listNames, type Mistake } from "./mistake.ts";
import { type ToolType, textType } from "./program-declarations.ts";

/** Judges a diagnostic about the arguments of a tool. */
export function judgeArguments(
  diagnostic: Diagnostic,
  context: DiagnosticContext,
): Mistake | undefined {
  const { message, related } = diagnostic;
  const texts = [message, ...related.map((each) => each.message)];
  const named = texts.flatMap((text) =>
    [...text.matchAll(/'[^'\n]*'/gu)].flatMap(([quoted]) => quoted.match(/[\w$]+/gu) ?? []),
  );
  const type = named.map((word) => context.types.get(word)).find((found) => found?.part === "args");
  const property = type?.property ?? findCalled(diagnostic, context);
  if (isDoubtful(message)) return undefined;
  if (property !== undefined) {
    return { property, message: describeArguments(diagnostic, { property, type }) };
  }
  const isQuery = named.includes(textType);
  return isQuery ? { message: "tools.$search and tools.$describe take one text." } : undefined;
}

/** Returns the tool that is called without arguments at this place. */
function findCalled({ related }: Diagnostic, context: DiagnosticContext): string | undefined {
  const { before, place, tools } = context;
  if (!related.some(({ uri }) => uri.endsWith(`/${declarationsName}`))) return undefined;
  const name = /(?:^|[.\s])(?<name>[\w$]+)$/u.exec(`${before}${place}`)?.groups?.name;
  return name !== undefined && tools.find(name) !== undefined ? name : undefined;
}

/** Tells whether a value may fit although its type, as far as it is known, does not. */
function isDoubtful(message: string): boolean {
  const match = /Type '(?<from>.*)' is not assignable to type '(?<to>.*)'\./su.exec(
    lastLine(message),
  );
  const { from = "", to = "" } = match?.groups ?? {};
  // The type of a literal in a variable is widened.
  const isWidened = /^(?:string|number|boolean)$/u.test(from) && /^(?:"|-?\d|true|false)/u.test(to);
  return isWidened || from.includes(" | ") || ["unknown", "{}", "object"].includes(from);
}

function describeArguments(
  { code, message, related }: Diagnostic,
  { property, type }: { property: string; type: ToolType | undefined },
): string {
  const tool = `tools.${property}`;
  const unknown = /'(?<name>[^']*)' does not exist in type/u.exec(message)?.groups?.name;
  if (unknown !== undefined) {
    const near = /did you mean to write '(?<near>[^']*)'/iu.exec(message)?.groups?.near;
    const all = type === undefined ? "" : ` It takes ${listNames(type.properties)}.`;
    const hint = near === undefined ? all : ` Did you mean ${near}?`;
    return `${tool} has no parameter ${withoutQuotes(unknown)}.${withoutQuotes(hint)}`;
  }
  const missing =
    /Property '(?<name>[^']*)' is missing/u.exec(message) ??
    /is missing the following properties from type '[^']*': (?<name>[^\n]*)/u.exec(message);
  if (missing?.groups?.name !== undefined) {
    return `${tool} needs ${withoutQuotes(missing.groups.name).replace(/\.$/u, "")}.`;
  }
  if (code === 2554 || code === 2555) return `${tool} needs arguments.`;
  const parameter = related
    .map((each) => /comes from property '(?<name>[^']*)'/u.exec(each.message)?.groups?.name)
    .find((name) => name !== undefined);
  const plain = lastLine(message).replace(/'\$[\w$]+'/gu, `the arguments of ${tool}`);
  return parameter === undefined
    ? `The arguments do not fit ${tool}: ${plain}`
    : `The parameter ${withoutQuotes(parameter)} of ${tool} is of another type: ${plain}`;
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1)?.trim() ?? text;
}

function withoutQuotes(names: string): string {
  return names.replaceAll('"', "");
}
