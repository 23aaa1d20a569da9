import { findProgram } from "../lib/find-program.mjs";
import { runCommand } from "../lib/run-command.mjs";
import { SetupError } from "./setup-error.mjs";

// What the tests need from the operating system. Where it is missing, root on a Debian gets it
// installed; anyone else is told what to install.
//
// With HAFT_SKIP_SYSTEM_PACKAGES=1 the tests that need a missing program skip themselves (`isMissing`).
// The last line of the check counts them. In CI (CI=true) nothing is skipped: the set-up fails instead.

/** @typedef {{ program: string, package: string, why: string }} SystemPackage */

/** @type {SystemPackage[]} */
const table = [
  { program: "chromium", package: "chromium", why: "browser tests" },
  { program: "bwrap", package: "bubblewrap", why: "sandbox tests" },
  { program: "pg_ctlcluster", package: "postgresql", why: "tests on PostgreSQL" },
];

/** @type {import("../setup.mjs").Step} */
export const systemPackages = {
  isDone: ({ env, log }) => {
    const missing = findMissing(env);
    if (missing.length === 0) return true;
    if (!isSkipping(env)) return false;
    log(`HAFT_SKIP_SYSTEM_PACKAGES=1, so these tests are skipped: ${reasons(missing)}`);
    return true;
  },

  async run({ env, log }) {
    const missing = findMissing(env);
    const names = missing.map((entry) => entry.package);
    const apt = findProgram("apt-get", env.PATH);
    if (apt === undefined || process.getuid?.() !== 0) {
      throw new SetupError(remedy(missing, apt !== undefined));
    }
    log(`Installing ${names.join(", ")}…`);
    const options = { env: { ...env, DEBIAN_FRONTEND: "noninteractive" } };
    const wait = ["-o", "DPkg::Lock::Timeout=300"];
    const start = Date.now();
    const update = await runCommand(apt, [...wait, "update"], options);
    const install = await runCommand(
      apt,
      [...wait, "install", "-y", "--no-install-recommends", ...names],
      options,
    );
    const stillMissing = findMissing(env);
    if (!install.ok || stillMissing.length > 0) {
      const output = `${update.ok ? "" : update.output}${install.output}`.trim();
      throw new SetupError(`\n${output}\n\n${remedy(stillMissing, true)}`);
    }
    log(`Installed ${names.join(", ")} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  },
};

/**
 * Tells whether a program is missing and the user has asked to skip the tests that need it.
 * @param {string} program
 * @param {NodeJS.ProcessEnv} [env]
 */
export function isMissing(program, env = process.env) {
  return isSkipping(env) && findMissing(env).some((entry) => entry.program === program);
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {SystemPackage[]}
 */
function findMissing(env) {
  return table.filter(({ program }) => findProgram(program, env.PATH) === undefined);
}

/** @param {NodeJS.ProcessEnv} env */
function isSkipping(env) {
  return env.HAFT_SKIP_SYSTEM_PACKAGES === "1" && (env.CI ?? "") === "";
}

/**
 * @param {SystemPackage[]} missing
 * @param {boolean} hasApt
 */
function remedy(missing, hasApt) {
  const names = missing.map((entry) => entry.package).join(" ");
  const how = hasApt
    ? `Run \`sudo apt-get install -y --no-install-recommends ${names}\``
    : `Install ${names} (so Debian calls it) with this system's package manager`;
  return (
    `the tests need what isn't here: ${reasons(missing)}.\n` +
    `${how}, or set HAFT_SKIP_SYSTEM_PACKAGES=1 to skip those tests.`
  );
}

/** @param {SystemPackage[]} missing */
function reasons(missing) {
  return missing.map(({ program, why }) => `${program} (${why})`).join(", ");
}
