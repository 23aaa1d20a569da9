import { readFileSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

// Outside the ranges that systems give to people and services.
const user = 23_456;

/**
 * How a command is started as an ordinary user by root.
 * @typedef {object} OrdinaryUser
 * @property {string} folder A directory that the user may write.
 * @property {[string, ...string[]]} prefix What goes before the command.
 * @property {NodeJS.ProcessEnv} env
 * @property {() => Promise<void>} remove
 */

/**
 * Prepares a user without rights, for one run. The project's files are mounted where the user can reach
 * them, even if the project lies in a directory of root's alone. The cache in node_modules is the user's
 * own. The user has an entry in an /etc/passwd of its own, because PostgreSQL wants one. None of this is
 * visible outside the run.
 * @param {string} root
 * @returns {Promise<OrdinaryUser>}
 */
export async function createOrdinaryUser(root) {
  // Not TMPDIR, which may be of root's alone.
  const folder = await mkdtemp("/tmp/haft-user-");
  const project = join(folder, "project");
  const home = join(folder, "home");
  const temporary = join(folder, "tmp");
  const passwd = join(folder, "passwd");
  await chmod(folder, 0o755);
  for (const path of [project, home, temporary]) await mkdir(path);
  await writeFile(
    passwd,
    `${readFileSync("/etc/passwd", "utf8").trimEnd()}\nhaft-tests:x:${user}:${user}::${home}:/bin/sh\n`,
  );
  for (const path of [folder, home, temporary]) await chown(path, user, user);
  const path = [join(project, "node_modules/.bin"), process.env.PATH].join(":");
  return {
    folder,
    prefix: ["unshare", "--mount", "sh", "-ec", enter, "sh", root, project, passwd],
    env: { PATH: path, HOME: home, TMPDIR: temporary, LANG: "C.UTF-8", CI: process.env.CI },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const enter = `
root=$1 project=$2
mount -t tmpfs -o mode=755 tmpfs "$project"
for from in "$root"/* "$root"/.[!.]*; do
  to="$project/\${from##*/}"
  if [ -d "$from" ]; then mkdir "$to"; elif [ -f "$from" ]; then : > "$to"; else continue; fi
  mount --bind "$from" "$to"
done
mkdir -p "$root/node_modules/.cache"
mount -t tmpfs -o mode=755,uid=${user},gid=${user} tmpfs "$project/node_modules/.cache"
mount --bind "$3" /etc/passwd
cd "$project"
shift 3
exec setpriv --reuid=${user} --regid=${user} --clear-groups --inh-caps=-all -- "$@"
`;
