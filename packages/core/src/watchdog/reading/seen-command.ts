import type { ReadCommand, ReadWord } from "../../commands/command-reading.ts";

/** One command of a line, as the rules look at it. */
export interface SeenCommand {
  /** Its bare name; empty if that is not literal. */
  readonly program: string;
  /** Its arguments; `undefined` for one that is not literal. */
  readonly args: readonly ReadWord[];
  /** The same without options before a subcommand. */
  readonly plainArgs: readonly ReadWord[];
  /** The programs that it is run by. */
  readonly under: readonly string[];
  readonly cwd: string | undefined;
}

/** Makes a command ready to be looked at. */
export function toSeenCommand({ words, plainWords, wrappers, cwd }: ReadCommand): SeenCommand {
  return {
    program: bareName(plainWords[0] ?? words[0]),
    args: words.slice(1),
    plainArgs: plainWords.slice(1),
    under: wrappers.map(([first]) => bareName(first)),
    cwd,
  };
}

/** Whether any rule looks at the program of a command, or at one that runs it. */
export function isWatched({ words, plainWords, wrappers }: ReadCommand): boolean {
  const program = bareName(plainWords[0] ?? words[0]);
  if (watched.has(program) || watched.has(stem.exec(program)?.[0] ?? "")) return true;
  return wrappers.some(([first]) => watched.has(bareName(first)));
}

// `python3.12` and `mkfs.ext4` are looked at as `python` and `mkfs`.
const stem = /^[A-Za-z_-]+/u;

// Everything that a rule names. Most commands are none of these, and cost next to nothing.
const watched = new Set(
  [
    "rm rimraf unlink shred truncate find rsync git bfg git-filter-repo dd cp tee mv ln install touch sed",
    "npx bunx pnpx npm pnpm yarn bun python node nodejs deno perl ruby php lua Rscript",
    "sh bash zsh dash ksh ash fish eval source . curl wget fetch aria2c http https xh",
    "nc ncat netcat socat telnet ssh sftp scp ftp lftp tftp mosh mail mailx sendmail mutt rclone websocat openssl",
    "dig nslookup host drill ping mkfs wipefs blkdiscard sgdisk sfdisk mkswap cryptsetup badblocks hdparm",
    "chmod chown chgrp shutdown reboot halt poweroff init telinit systemctl kill killall",
    "dropdb dropuser docker podman docker-compose podman-compose kubectl oc helm terraform tofu terragrunt",
    "pulumi cdk aws gsutil gcloud az gh heroku crontab redis-cli userdel deluser groupdel",
    "psql mysql mariadb sqlite mongosh mongo clickhouse-client cockroach sqlcmd duckdb",
    "at batch launchctl update-rc chkconfig rc-update schtasks ssh-copy-id loginctl pm",
  ].flatMap((names) => names.split(" ")),
);

/** The last part of a program's path. */
function bareName(word: ReadWord): string {
  return word?.slice(word.lastIndexOf("/") + 1) ?? "";
}
