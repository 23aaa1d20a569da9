import { isPlainObject } from "@haft/contract/internal";
import type { ProjectTree } from "../git/repositories.ts";
import type { JsonObject } from "../json.ts";
import { toJsonErrorLocation } from "../json-error-location.ts";
import { Problem } from "../problem.ts";
import { toShownName } from "../shown-name.ts";

// Every build provides it, so it is never installed from a registry.
const own = "amigo_tool_scaffold";

const kinds = ["dependencies", "devDependencies", "optionalDependencies"] as const;

/**
 * Returns the fields of a project's package.json that installing needs, or `undefined` if it has no
 * dependencies. Throws a `Problem` 400 if it has dependencies but no lockfile.
 */
export function readPackage(project: ProjectTree): JsonObject | undefined {
  const bytes = project.get("package.json");
  if (bytes === undefined) return undefined;
  const given = parse(bytes, "package.json");
  if (given.workspaces !== undefined) {
    throw new Problem(
      400,
      "package.json has workspaces, but a tool is a single project. Remove the workspaces.",
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
      "package.json has dependencies, but there is no package-lock.json. Run `npm install` in the project and commit package-lock.json.",
    );
  }
  return described;
}

/**
 * Checks that every package of a lockfile comes from the registry and has an integrity hash. Returns
 * the lockfile without the scaffold package, which every build provides.
 */
export function checkLockfile(bytes: Uint8Array | undefined, registry: URL): JsonObject {
  const lockfile = parse(bytes ?? new Uint8Array(), "package-lock.json");
  const packages = lockfile.packages;
  if (!isPlainObject(packages)) {
    throw new Problem(
      400,
      "package-lock.json has an old format. Run `npm install` with npm 7 or later in the project and commit package-lock.json.",
    );
  }
  const kept: Record<string, unknown> = {};
  for (const [path, entry] of Object.entries(packages)) {
    if (!isPlainObject(entry))
      throw new Problem(
        400,
        `package-lock.json: ${toShownName(path)} is not an object. Run \`npm install\` to regenerate it.`,
      );
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
      `comes from ${toShownName(String(resolved))}. Depend on a version from the registry instead.`,
    );
  }
  if (entry.inBundle !== true && typeof entry.integrity !== "string") {
    refuse(
      "has no integrity hash. Run `npm install` in the project again and commit package-lock.json.",
    );
  }
}

function isOfRegistry(resolved: unknown, registry: URL): boolean {
  if (typeof resolved !== "string" || !URL.canParse(resolved)) return false;
  const { host, protocol, username } = new URL(resolved);
  if (username !== "") return false;
  if (host === registry.host && protocol === registry.protocol) return true;
  // npm replaces this registry by the configured one.
  return protocol === "https:" && host === "registry.npmjs.org";
}

function withoutOwn(root: JsonObject): JsonObject {
  const changed = kinds.filter((kind) => root[kind] !== undefined);
  return { ...root, ...Object.fromEntries(changed.map((kind) => [kind, without(root[kind])])) };
}

function without(dependencies: unknown): JsonObject {
  if (!isPlainObject(dependencies)) return {};
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => name !== own));
}

function parse(bytes: Uint8Array, name: string): JsonObject {
  const text = Buffer.from(bytes).toString("utf8");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    const location = toJsonErrorLocation(error, text);
    throw new Problem(400, `${name} is not valid JSON${location}. ${toRemedy(name)}`);
  }
  if (isPlainObject(parsed)) return parsed;
  throw new Problem(400, `${name} is not a JSON object. ${toRemedy(name)}`);
}

function toRemedy(name: string): string {
  return name === "package-lock.json"
    ? "Run `npm install` to regenerate it."
    : "Fix it and publish again.";
}
