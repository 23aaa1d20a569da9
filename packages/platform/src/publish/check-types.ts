import { lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseCommentedJson } from "@haft/core/internal";
import { Problem } from "../problem.ts";
import { type BuildContext, tellLogEnd } from "./build-context.ts";

/** Checks a project's types with our compiler settings, not its own. Throws a `Problem` 400. */
export async function checkTypes(context: BuildContext): Promise<void> {
  const { project, paths, tools, limits, log } = context;
  if (![...project.keys()].some((path) => /^src\/.*\.m?ts$/u.test(path))) {
    log("No TypeScript files to check.");
    return;
  }
  mkdirSync(paths.settings, { recursive: true });
  const config = join(paths.settings, "tsconfig.json");
  writeFileSync(config, JSON.stringify(describeProject(paths.project, context)));
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
    log("The type check passed.");
    return;
  }
  if (errors.length === 0)
    throw new Problem(
      400,
      `The type check failed. Fix the errors and publish again.${tellLogEnd(output)}`,
    );
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
  const hasTypes = lstatSync(typeRoot, { throwIfNoEntry: false })?.isDirectory() === true;
  const types = hasTypes ? readdirSync(typeRoot).sort() : [];
  // The types of Node's modules come from the project, or else from us.
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
    // Tests are not published, and running them shows whether they work.
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

/** Returns the strictness options of a project's tsconfig.json. Default: not strict. */
function readStrictness(config: Uint8Array | undefined): Readonly<Record<string, boolean>> {
  let options: Readonly<Record<string, unknown>> = {};
  try {
    const text = new TextDecoder().decode(config);
    options =
      (parseCommentedJson(text) as { compilerOptions?: typeof options }).compilerOptions ?? {};
  } catch {
    // A tsconfig.json that can't be parsed sets no options.
  }
  const wanted = strictness.filter((name) => typeof options[name] === "boolean");
  return {
    strict: false,
    ...Object.fromEntries(wanted.map((name) => [name, options[name] === true])),
  };
}
