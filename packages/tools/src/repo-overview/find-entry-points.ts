import { type FileSystem, ToolError } from "@haft/contract";
import { clipText } from "@haft/contract/internal";

/** A file where a reader or the program starts. */
export interface EntryPoint {
  path: string;
  about: string;
}

const maxEntryPoints = 30;
const maxManifestBytes = 256 * 1024;

/** Finds the entry points, shallowest first. Paths are relative to the directory. */
export async function findEntryPoints(
  directory: string,
  paths: readonly string[],
  fs: FileSystem,
): Promise<EntryPoint[]> {
  const found = paths
    .map((path, order) => ({ path, order, depth: path.split("/").length, about: findAbout(path) }))
    .filter(({ depth, about }) => about !== undefined && depth <= 3)
    .sort((a, b) => a.depth - b.depth || a.order - b.order)
    .slice(0, maxEntryPoints);
  return Promise.all(
    found.map(async ({ path, about = "" }) => {
      const isPackage = path === "package.json" || path.endsWith("/package.json");
      const details = isPackage ? await describePackage(`${directory}/${path}`, fs) : "";
      return { path, about: details === "" ? about : `${about}: ${details}` };
    }),
  );
}

const kinds: readonly (readonly [pattern: RegExp, about: string])[] = [
  [/^readme(?:\.[a-z]+)?$/iu, "introduction"],
  [/^(?:agents|claude|context|gemini)\.md$/iu, "guidance for agents"],
  [/^contributing(?:\.[a-z]+)?$/iu, "how to contribute"],
  [/^architecture(?:\.[a-z]+)?$/iu, "architecture"],
  [/^package\.json$/u, "npm package"],
  [/^deno\.jsonc?$/u, "Deno project"],
  [/^(?:pyproject\.toml|setup\.py|setup\.cfg)$/u, "Python project"],
  [/^manage\.py$/u, "Django commands"],
  [/^Cargo\.toml$/u, "Rust package"],
  [/^go\.(?:mod|work)$/u, "Go module"],
  [/^(?:pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?)$/u, "JVM build"],
  [/^(?:.*\.sln|.*\.csproj)$/u, ".NET project"],
  [/^Gemfile$/u, "Ruby project"],
  [/^composer\.json$/u, "PHP package"],
  [/^mix\.exs$/u, "Elixir project"],
  [/^Package\.swift$/u, "Swift package"],
  [/^pubspec\.yaml$/u, "Dart package"],
  [/^build\.zig$/u, "Zig build"],
  [/^(?:GNUm|m|M)akefile$/u, "make targets"],
  [/^[Jj]ustfile$/u, "just recipes"],
  [/^Taskfile\.ya?ml$/u, "tasks"],
  [/^CMakeLists\.txt$/u, "CMake build"],
  [/^(?:Dockerfile|Containerfile)$/u, "container image"],
  [/^(?:docker-)?compose\.ya?ml$/u, "containers"],
  [/^main\.(?:[cm]?[jt]sx?|py|go|rs|c|cc|cpp|java|kt|dart|swift|zig|rb|lua)$/u, "main program"],
  [/^(?:app|server|cli)\.(?:[cm]?[jt]sx?|py|rb)$/u, "program"],
  [/^(?:index|mod|lib)\.(?:[cm]?[jt]sx?|rs)$/u, "module entry"],
  [/^__main__\.py$/u, "main program"],
];

function findAbout(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return kinds.find(([pattern]) => pattern.test(name))?.[1];
}

async function describePackage(path: string, fs: FileSystem): Promise<string> {
  const manifest = await readManifest(path, fs);
  const { name, main, bin, scripts } = manifest;
  const programs = typeof bin === "string" ? [bin] : namesOf(bin);
  return [
    typeof name === "string" ? clip(name) : "",
    typeof main === "string" ? `main ${clip(main)}` : "",
    programs.length > 0 ? `bin ${programs.join(", ")}` : "",
    namesOf(scripts).length > 0 ? `scripts ${namesOf(scripts).join(", ")}` : "",
  ]
    .filter((part) => part !== "")
    .join("; ");
}

async function readManifest(path: string, fs: FileSystem): Promise<Record<string, unknown>> {
  try {
    const bytes = await fs.read(path, { offset: 0, length: maxManifestBytes });
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch (error) {
    // A manifest that can't be read is listed without details.
    if (ToolError.isInstance(error) || error instanceof SyntaxError) return {};
    throw error;
  }
}

function namesOf(value: unknown): string[] {
  return typeof value === "object" && value !== null
    ? Object.keys(value).slice(0, 12).map(clip)
    : [];
}

function clip(text: string): string {
  return clipText(text.replaceAll(/\s+/gu, " "), 60);
}
