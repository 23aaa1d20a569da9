import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { cp, mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Problem } from "../problem.ts";
import { type BuildContext, tellLogEnd } from "./build-context.ts";
import { checkLockfile, readPackage } from "./check-lockfile.ts";
import { withCache } from "./organization-cache.ts";
import { removeTree } from "./remove-tree.ts";

// The same from `src` and from `dist`.
const scaffoldPackage = fileURLToPath(
  new URL("../../scaffold/packages/node/amigo_tool_scaffold/", import.meta.url),
);

/**
 * Installs a project's packages exactly as its lockfile says, without running
 * their scripts. Returns the lockfile's digest, or `null` if the project has no dependencies.
 */
export async function installNodePackages(
  context: BuildContext & { readonly caches: string },
): Promise<string | null> {
  const { project, paths, log } = context;
  const described = readPackage(project);
  const packages = join(paths.project, "node_modules");
  let digest: string | null = null;
  if (described === undefined) {
    log("The project has no dependencies.");
    await mkdir(packages, { recursive: true });
  } else {
    digest = await install(context, described);
    await rename(join(paths.install, "node_modules"), packages);
  }
  const scaffold = join(packages, "amigo_tool_scaffold");
  // A package of this name could contain links that the copy would be written through.
  await removeTree(scaffold);
  await cp(scaffoldPackage, scaffold, { recursive: true });
  return digest;
}

async function install(
  context: BuildContext & { readonly caches: string },
  described: object,
): Promise<string> {
  const { project, paths, tools, limits } = context;
  const registry = await tools.npmRegistry();
  const bytes = project.get("package-lock.json");
  const lockfile = checkLockfile(bytes, registry);
  await mkdir(join(paths.install, "node_modules"), { recursive: true });
  // Only these two files: a project's .npmrc could name another registry or enable scripts.
  await writeFile(join(paths.install, "package.json"), JSON.stringify(described));
  await writeFile(join(paths.install, "package-lock.json"), JSON.stringify(lockfile));
  const { exitCode, output, refusedHosts } = await withCache(context, "npm", () =>
    context.run({
      step: "install",
      argv: [
        ...([tools.node, tools.npm(), "ci", "--ignore-scripts"] as const),
        ...["--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline"],
        ...[`--registry=${registry.href}`, `--cache=${join(paths.cache, "npm")}`],
        ...[
          "--bin-links=false",
          "--loglevel=error",
          "--fetch-retries=1",
          "--fetch-retry-mintimeout=500",
        ],
        "--userconfig=/dev/null",
      ],
      cwd: paths.install,
      writes: [paths.install, paths.cache],
      hosts: [registry.host],
      runsProject: false,
      timeoutMs: limits.installMs,
    }),
  );
  const made = lstatSync(join(paths.install, "node_modules"), { throwIfNoEntry: false });
  if (exitCode !== 0 || made?.isDirectory() !== true) {
    const other =
      refusedHosts.length > 0
        ? ` npm tried to reach ${refusedHosts.join(", ")}, which is not allowed.`
        : "";
    throw new Problem(
      400,
      `The project's packages could not be installed.${other} Run \`npm ci\` in the project until it works, then commit package.json and package-lock.json.${tellLogEnd(output)}`,
    );
  }
  return createHash("sha256")
    .update(bytes ?? "")
    .digest("hex");
}
