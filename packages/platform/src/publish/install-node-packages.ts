import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Problem } from "../problem.ts";
import { type BuildContext, tellLogEnd } from "./build-context.ts";
import { checkLockfile, readPackage } from "./check-lockfile.ts";
import { withCache } from "./organization-cache.ts";

// The same from `src` and from `dist`.
const scaffoldPackage = fileURLToPath(
  new URL("../../scaffold/packages/node/amigo_tool_scaffold/", import.meta.url),
);

/**
 * Puts a project's packages where it finds them, exactly as its lockfile says and without running
 * anything of theirs. Gives the lockfile's digest, `null` if the project depends on nothing.
 */
export async function installNodePackages(
  context: BuildContext & { readonly caches: string },
): Promise<string | null> {
  const { project, places, log } = context;
  const described = readPackage(project);
  const packages = join(places.project, "node_modules");
  let digest: string | null = null;
  if (described === undefined) {
    log("The project depends on no packages.");
    await mkdir(packages, { recursive: true });
  } else {
    digest = await install(context, described);
    await rename(join(places.install, "node_modules"), packages);
  }
  await cp(scaffoldPackage, join(packages, "amigo_tool_scaffold"), { recursive: true });
  return digest;
}

async function install(
  context: BuildContext & { readonly caches: string },
  described: object,
): Promise<string> {
  const { project, places, tools, limits } = context;
  const registry = await tools.npmRegistry();
  const bytes = project.get("package-lock.json");
  const lockfile = checkLockfile(bytes, registry);
  await mkdir(join(places.install, "node_modules"), { recursive: true });
  // Nothing but these two: settings of the project could name another registry, or scripts.
  await writeFile(join(places.install, "package.json"), JSON.stringify(described));
  await writeFile(join(places.install, "package-lock.json"), JSON.stringify(lockfile));
  const { exitCode, output, refusedHosts } = await withCache(context, "npm", () =>
    context.run({
      step: "install",
      argv: [
        ...([tools.node, tools.npm(), "ci", "--ignore-scripts"] as const),
        ...["--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline"],
        ...[`--registry=${registry.href}`, `--cache=${join(places.cache, "npm")}`],
        ...["--bin-links=false", "--loglevel=error", "--fetch-retries=1"],
        "--userconfig=/dev/null",
      ],
      cwd: places.install,
      writes: [places.install, places.cache],
      hosts: [registry.host],
      runsProject: false,
      timeoutMs: limits.installMs,
    }),
  );
  if (exitCode !== 0 || !existsSync(join(places.install, "node_modules"))) {
    const other = refusedHosts.length > 0 ? ` It tried to reach ${refusedHosts.join(", ")}.` : "";
    throw new Problem(
      400,
      `The project's packages can't be installed.${other} Run \`npm ci\` in the project, and commit package.json and package-lock.json when it works.${tellLogEnd(output)}`,
    );
  }
  return createHash("sha256")
    .update(bytes ?? "")
    .digest("hex");
}
