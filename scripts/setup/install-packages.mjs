import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readJson, readManifests } from "../lib/manifests.mjs";
import { runNpm } from "./npm-program.mjs";
import { SetupError } from "./setup-error.mjs";
import { readStamp, writeStamp } from "./setup-stamp.mjs";

/**
 * @typedef {import("../lib/manifests.mjs").Manifest} Manifest
 * @typedef {{ packages: Record<string, Manifest> }} Lockfile
 */

const dependencyFields = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
];

/**
 * Installs the npm packages that the lockfile names.
 * @type {import("../setup.mjs").Step}
 */
export const installPackages = {
  isDone: ({ root }) => readStamp(root, "install") === fingerprint(root),

  async run(project) {
    const { root, log } = project;
    const lockfile = readJson(join(root, "package-lock.json"));
    const outdated = findOutdated(lockfile, readManifests(root));
    if (outdated.length > 0) {
      throw new SetupError(
        `package-lock.json is behind ${outdated.join(", ")}.\n` +
          "Run `npm install`, and commit package-lock.json with the change.",
      );
    }
    if (!isInstalled(lockfile, root)) {
      const start = Date.now();
      log("Installing npm packages…");
      // Not `npm ci`: it wants an entry for the binaries of every platform, also of those that the
      // registry at hand doesn't carry, and it empties node_modules under a running process.
      const { ok, output } = await runNpm(project, [
        "install",
        "--no-save",
        "--include=dev",
        "--include=optional",
        "--engine-strict=false",
      ]);
      if (!ok) throw new SetupError(explain(output));
      log(`Installed npm packages in ${((Date.now() - start) / 1000).toFixed(1)} s`);
    }
    writeStamp(root, "install", fingerprint(root));
  },
};

/**
 * Whatever decides what has to lie in node_modules.
 * @param {string} root
 */
function fingerprint(root) {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  hash.update(readFileSync(join(root, "package-lock.json")));
  for (const [path, manifest] of Object.entries(readManifests(root))) {
    hash.update(JSON.stringify([path, manifest.name, manifest.version, manifest.bin]));
    hash.update(JSON.stringify(dependencyFields.map((field) => manifest[field])));
  }
  return hash.digest("hex");
}

/**
 * The package.json files whose dependencies the lockfile doesn't know.
 * @param {Lockfile} lockfile
 * @param {Record<string, Manifest>} manifests
 */
function findOutdated(lockfile, manifests) {
  return Object.entries(manifests)
    .filter(([path, manifest]) => {
      const locked = lockfile.packages[path];
      return dependencyFields.some((field) => !isSame(locked?.[field], manifest[field]));
    })
    .map(([path]) => join(path, "package.json"));
}

/**
 * Whether npm has put everything there already, as after an `npm install` by hand.
 * @param {Lockfile} lockfile
 * @param {string} root
 */
function isInstalled(lockfile, root) {
  const record = join(root, "node_modules/.package-lock.json");
  if (!existsSync(record)) return false;
  const installed = readJson(record).packages;
  return Object.entries(lockfile.packages)
    .filter(([path]) => path.includes("node_modules/"))
    .every(([path, wanted]) => {
      const found = installed[path];
      if (found === undefined) return wanted.optional === true && !isForThisMachine(wanted);
      return found.version === wanted.version && found.integrity === wanted.integrity;
    });
}

/**
 * A binary names its platform; what only the binary of another platform needs names none.
 * @param {Manifest} wanted
 */
function isForThisMachine({ os, cpu, libc }) {
  return (
    (os !== undefined || cpu !== undefined) &&
    (os ?? [process.platform]).includes(process.platform) &&
    (cpu ?? [process.arch]).includes(process.arch) &&
    (libc ?? ["glibc"]).includes("glibc")
  );
}

/** @param {string} output */
function explain(output) {
  const network = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT/.test(output);
  const remedy = network
    ? "npm can't reach its registry. Check the network and `npm config get registry`."
    : "npm couldn't install the packages. It says why above.";
  return `\n${output.trim()}\n\n${remedy}\nThen run \`npm run setup\` again.`;
}

/**
 * @param {Record<string, string> | undefined} left
 * @param {Record<string, string> | undefined} right
 */
function isSame(left = {}, right = {}) {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length && names.every((name) => left[name] === right[name])
  );
}
