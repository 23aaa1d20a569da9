import { findProgram } from "../lib/find-program.mjs";
import { runCommand } from "../lib/run-command.mjs";
import { SetupError } from "./setup-error.mjs";

// What the tests need from the operating system. Where it is missing, root on a Debian gets it
// installed; anyone else is told what to install.
//
// HAFT_SKIP_SYSTEM_PACKAGES=1 goes on without: a test that needs one of these asks `isMissing`
// then, and skips itself where it would fail otherwise. The skipped tests are counted in the last
// line of the check.

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
 * Whether a test has to do without a program, because the one who runs it has said so.
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
  return env.HAFT_SKIP_SYSTEM_PACKAGES === "1";
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
