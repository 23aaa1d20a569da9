import { createHash } from "node:crypto";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Problem } from "../problem.ts";
import { type BuildContext, tellLogEnd } from "./build-context.ts";
import { readRequirements } from "./check-requirements.ts";
import { withCache } from "./organization-cache.ts";
import { removeTree } from "./remove-tree.ts";

// The same from `src` and from `dist`.
const scaffoldPackage = fileURLToPath(
  new URL("../../scaffold/packages/python/amigo_tool_scaffold/", import.meta.url),
);

/**
 * Installs the packages that a project's requirements.txt names, as wheels and
 * without running their code. Returns the file's digest, or `null` if there are no packages.
 */
export async function installPythonPackages(
  context: BuildContext & { readonly caches: string },
): Promise<string | null> {
  const { project, paths, log } = context;
  await mkdir(paths.packages, { recursive: true });
  await mkdir(paths.install, { recursive: true });
  const bytes = project.get("requirements.txt");
  const requirements = bytes === undefined ? [] : readRequirements(bytes);
  if (requirements.length > 0) await install(context, requirements);
  else log("The project has no dependencies.");
  const scaffold = join(paths.packages, "amigo_tool_scaffold");
  // A package of this name could contain links that the copy would be written through.
  await removeTree(scaffold);
  await cp(scaffoldPackage, scaffold, {
    recursive: true,
    filter: (path) => !path.includes("__pycache__"),
  });
  if (requirements.length === 0 || bytes === undefined) return null;
  return createHash("sha256").update(bytes).digest("hex");
}

async function install(
  context: BuildContext & { readonly caches: string },
  requirements: readonly string[],
): Promise<void> {
  const { paths, tools, limits } = context;
  const list = join(paths.install, "requirements.txt");
  await writeFile(list, `${requirements.join("\n")}\n`);
  const index = tools.pythonIndex;
  const pip = await tools.pip();
  const isPublic = index.host === "pypi.org";
  const { exitCode, output, refusedHosts } = await withCache(context, "pip", async () =>
    context.run({
      step: "install",
      argv: [
        ...([await tools.python(), "-I", pip, "--isolated", "install"] as const),
        ...["--only-binary", ":all:", "--no-deps", "--no-compile", "--disable-pip-version-check"],
        ...["--index-url", index.href, "--cache-dir", join(paths.cache, "pip")],
        ...(index.protocol === "http:" ? ["--trusted-host", index.hostname] : []),
        ...["--quiet", "--retries", "1", "--target", paths.packages, "-r", list],
      ],
      // This server's pip configuration must not change the result.
      environment: { PIP_CONFIG_FILE: "/dev/null" },
      cwd: paths.install,
      writes: [paths.packages, paths.cache],
      hosts: [index.host, ...(isPublic ? ["files.pythonhosted.org"] : [])],
      runsProject: false,
      timeoutMs: limits.installMs,
    }),
  );
  if (exitCode === 0) return;
  const other =
    refusedHosts.length > 0
      ? ` pip tried to reach ${refusedHosts.join(", ")}, which is not allowed.`
      : "";
  throw new Problem(
    400,
    `The packages in requirements.txt could not be installed.${other} Use versions that the index has as a wheel for this server's Python.${tellLogEnd(output)}`,
  );
}
