import { createHash } from "node:crypto";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Problem } from "../problem.ts";
import { type BuildContext, tellLogEnd } from "./build-context.ts";
import { readRequirements } from "./check-requirements.ts";
import { withCache } from "./organization-cache.ts";

// The same from `src` and from `dist`.
const scaffoldPackage = fileURLToPath(
  new URL("../../scaffold/packages/python/amigo_tool_scaffold/", import.meta.url),
);

/**
 * Puts a project's packages where it finds them: those that its requirements.txt names, as they were
 * built, without running anything of theirs. Gives the file's digest, `null` if there are none.
 */
export async function installPythonPackages(
  context: BuildContext & { readonly caches: string },
): Promise<string | null> {
  const { project, places, log } = context;
  await mkdir(places.packages, { recursive: true });
  await mkdir(places.install, { recursive: true });
  const bytes = project.get("requirements.txt");
  const requirements = bytes === undefined ? [] : readRequirements(bytes);
  if (requirements.length > 0) await install(context, requirements);
  else log("The project depends on no packages.");
  await cp(scaffoldPackage, join(places.packages, "amigo_tool_scaffold"), {
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
  const { places, tools, limits } = context;
  const list = join(places.install, "requirements.txt");
  await writeFile(list, `${requirements.join("\n")}\n`);
  const index = tools.pythonIndex;
  const isPublic = index.host === "pypi.org";
  const { exitCode, output, refusedHosts } = await withCache(context, "pip", async () =>
    context.run({
      step: "install",
      argv: [
        ...([await tools.python(), "-I", "-m", "pip", "--isolated", "install"] as const),
        ...["--only-binary", ":all:", "--no-deps", "--no-compile", "--disable-pip-version-check"],
        ...["--index-url", index.href, "--cache-dir", join(places.cache, "pip")],
        ...(index.protocol === "http:" ? ["--trusted-host", index.hostname] : []),
        ...["--quiet", "--retries", "1", "--target", places.packages, "-r", list],
      ],
      // No setting of this machine has a say in it.
      environment: { PIP_CONFIG_FILE: "/dev/null" },
      cwd: places.install,
      writes: [places.packages, places.cache],
      hosts: [index.host, ...(isPublic ? ["files.pythonhosted.org"] : [])],
      runsProject: false,
      timeoutMs: limits.installMs,
    }),
  );
  if (exitCode === 0) return;
  if (/No module named pip/u.test(output)) {
    throw new Problem(
      503,
      "The project depends on packages, and this server's Python has no pip to install them. Install pip on the server.",
    );
  }
  const other = refusedHosts.length > 0 ? ` pip tried to reach ${refusedHosts.join(", ")}.` : "";
  throw new Problem(
    400,
    `The packages of requirements.txt can't be installed.${other} Each has to exist on the index in the version that is named, as a wheel for this server's Python.${tellLogEnd(output)}`,
  );
}
