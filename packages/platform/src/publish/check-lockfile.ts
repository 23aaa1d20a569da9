import type { ProjectTree } from "../git/repositories.ts";
import type { JsonObject } from "../json.ts";
import { Problem } from "../problem.ts";

// It comes with every build, so that nobody has to get it from anywhere.
const own = "amigo_tool_scaffold";

const kinds = ["dependencies", "devDependencies", "optionalDependencies"] as const;

/**
 * What of a project's package.json matters to install its packages; `undefined` if it depends on
 * none. Throws a `Problem` 400 if there is no lockfile beside it.
 */
export function readPackage(project: ProjectTree): JsonObject | undefined {
  const bytes = project.get("package.json");
  if (bytes === undefined) return undefined;
  const given = parse(bytes, "package.json");
  if (given.workspaces !== undefined) {
    throw new Problem(
      400,
      "package.json has workspaces, and a tool is one project. Take them out.",
    );
  }
  const described: Record<string, unknown> = {};
  for (const name of ["name", "version", "overrides", "type"]) {
    if (given[name] !== undefined) described[name] = given[name];
  }
  let count = 0;
  for (const kind of kinds) {
    const rest = without(given[kind]);
    count += Object.keys(rest).length;
    if (Object.keys(rest).length > 0) described[kind] = rest;
  }
  if (count === 0) return undefined;
  if (!project.has("package-lock.json")) {
    throw new Problem(
      400,
      "package.json has dependencies, but there is no package-lock.json to say exactly which. Run `npm install` in the project, and commit package-lock.json.",
    );
  }
  return described;
}

/**
 * Checks that a lockfile takes everything from the registry and says what it has to be. Gives it
 * without what every build has anyway.
 */
export function checkLockfile(bytes: Uint8Array | undefined, registry: URL): JsonObject {
  const lockfile = parse(bytes ?? new Uint8Array(), "package-lock.json");
  const packages = lockfile.packages;
  if (!isObject(packages)) {
    throw new Problem(
      400,
      "package-lock.json is of an old form. Run `npm install` of npm 7 or later in the project, and commit it.",
    );
  }
  const kept: Record<string, unknown> = {};
  for (const [path, entry] of Object.entries(packages)) {
    if (!isObject(entry)) throw new Problem(400, `package-lock.json: ${path} is no object.`);
    if (path === "") kept[path] = withoutOwn(entry);
    else if (path !== `node_modules/${own}`) {
      checkEntry(path, entry, registry);
      kept[path] = entry;
    }
  }
  const { dependencies: _, ...rest } = lockfile;
  return { ...rest, packages: kept };
}

function checkEntry(path: string, entry: JsonObject, registry: URL): void {
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const refuse = (why: string): never => {
    throw new Problem(400, `package-lock.json: ${name} ${why}`);
  };
  if (entry.link === true || !path.startsWith("node_modules/") || path.split("/").includes("..")) {
    refuse("is a link to a folder. Depend on a version from the registry instead.");
  }
  const { resolved } = entry;
  if (resolved !== undefined && !isOfRegistry(resolved, registry)) {
    refuse(
      `comes from ${JSON.stringify(String(resolved).slice(0, 200))}. Packages come from the registry only; depend on a version from there.`,
    );
  }
  if (entry.inBundle !== true && typeof entry.integrity !== "string") {
    refuse(
      "has no integrity. Run `npm install` in the project again, and commit package-lock.json.",
    );
  }
}

function isOfRegistry(resolved: unknown, registry: URL): boolean {
  if (typeof resolved !== "string" || !URL.canParse(resolved)) return false;
  const { host, protocol, username } = new URL(resolved);
  if (username !== "") return false;
  if (host === registry.host && protocol === registry.protocol) return true;
  // npm itself puts the configured registry in the place of this one.
  return protocol === "https:" && host === "registry.npmjs.org";
}

function withoutOwn(root: JsonObject): JsonObject {
  const changed = kinds.filter((kind) => root[kind] !== undefined);
  return { ...root, ...Object.fromEntries(changed.map((kind) => [kind, without(root[kind])])) };
}

function without(dependencies: unknown): JsonObject {
  if (!isObject(dependencies)) return {};
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => name !== own));
}

function parse(bytes: Uint8Array, name: string): JsonObject {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    if (isObject(parsed)) return parsed;
  } catch {
    // Said below.
  }
  throw new Problem(400, `${name} is not valid JSON. Mend it.`);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
