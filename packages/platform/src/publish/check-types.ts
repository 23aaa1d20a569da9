import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseCommentedJson } from "@haft/core";
import { Problem } from "../problem.ts";
import { type BuildContext, tellLogEnd } from "./build-context.ts";

/** Checks a project's TypeScript, by our settings and not by its own. Throws a `Problem` 400. */
export async function checkTypes(context: BuildContext): Promise<void> {
  const { project, places, tools, limits, log } = context;
  if (![...project.keys()].some((path) => /^src\/.*\.m?ts$/u.test(path))) {
    log("There is no TypeScript to check.");
    return;
  }
  mkdirSync(places.settings, { recursive: true });
  const config = join(places.settings, "tsconfig.json");
  writeFileSync(config, JSON.stringify(describeProject(places.project, context)));
  const { exitCode, output } = await context.run({
    step: "types",
    argv: [tools.node, tools.tsc, "-p", config, "--pretty", "false"],
    runsProject: false,
    isQuiet: true,
    timeoutMs: limits.typeCheckMs,
  });
  const errors = [...output.matchAll(form)].map(([, path = "", line, column, message = ""]) => ({
    text: `${path.replace(/^(?:\.\.\/)*project\//u, "")}:${line}:${column} ${message.trim()}`,
  }));
  for (const { text } of errors) log(text);
  if (exitCode === 0) {
    log("The types fit.");
    return;
  }
  if (errors.length === 0) throw new Problem(400, `The type check failed.${tellLogEnd(output)}`);
  const shown = errors.slice(0, 20).map(({ text }) => text);
  const more = errors.length > shown.length ? `\n… and ${errors.length - shown.length} more` : "";
  const count = errors.length === 1 ? "an error" : `${errors.length} errors`;
  throw new Problem(400, `The type check found ${count}:\n${shown.join("\n")}${more}`);
}

const form = /^(\S[^\n(]*)\((\d+),(\d+)\): error TS\d+: ([^\n]*)/gmu;

function describeProject(
  directory: string,
  { project, tools: { nodeTypes } }: BuildContext,
): object {
  const packages = join(directory, "node_modules");
  const typeRoot = join(packages, "@types");
  const types = existsSync(typeRoot) ? readdirSync(typeRoot).sort() : [];
  // Of Node's own modules either the project brings the types, or we do.
  const own = types.includes("node") ? [] : [nodeTypes];
  return {
    compilerOptions: {
      ...readStrictness(project.get("tsconfig.json")),
      noEmit: true,
      target: "esnext",
      lib: ["esnext", "dom", "dom.iterable"],
      module: "preserve",
      moduleResolution: "bundler",
      moduleDetection: "force",
      allowJs: true,
      checkJs: false,
      allowImportingTsExtensions: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
      resolveJsonModule: true,
      skipLibCheck: true,
      rootDir: directory,
      typeRoots: [typeRoot],
      types,
    },
    // An empty list would be an error.
    ...(own.length > 0 && { files: own }),
    // Tests are not shipped, and whether they hold is seen when they run.
    include: [join(directory, "src")],
  };
}

const strictness = [
  "strict",
  "noImplicitAny",
  "strictNullChecks",
  "strictFunctionTypes",
  "strictPropertyInitialization",
  "useUnknownInCatchVariables",
  "noImplicitReturns",
  "noImplicitThis",
  "noUncheckedIndexedAccess",
  "exactOptionalPropertyTypes",
];

/** How strict a project wants to be with itself; not at all unless it says so. */
function readStrictness(config: Uint8Array | undefined): Readonly<Record<string, boolean>> {
  let options: Readonly<Record<string, unknown>> = {};
  try {
    const text = new TextDecoder().decode(config);
    options =
      (parseCommentedJson(text) as { compilerOptions?: typeof options }).compilerOptions ?? {};
  } catch {
    // It is the project's own; only what can be read of it counts.
  }
  const wanted = strictness.filter((name) => typeof options[name] === "boolean");
  return {
    strict: false,
    ...Object.fromEntries(wanted.map((name) => [name, options[name] === true])),
  };
}
