import { hasOption, operandsOf } from "../reading/arguments-of.ts";
import type { CommandLine } from "../reading/command-line.ts";
import { locatePath, toFullPath } from "../reading/locate-path.ts";
import type { SeenCommand } from "../reading/seen-command.ts";
import type { WatchdogCall, WatchdogVerdict } from "../watchdog.ts";
import { ask, deny, strictest, type WatchdogRule } from "../watchdog-rule.ts";

/** Overwriting disks, taking files from their owners, and bringing the machine down. */
export const destructiveSystem: WatchdogRule = ({ call, lines }) =>
  strictest(
    lines.flatMap((line) => [
      judgeText(line),
      ...line.reading.writes.map(({ path }) => judgeDevice(path)),
      ...line.commands.map((command) => judgeCommand(command, call)),
    ]),
  );

// A function that calls itself twice, once in the background: `:(){ :|:& };:`.
const forkBomb = /([\w:.]+)\s*\(\)\s*\{[^}]*\1\s*\|\s*\1\s*&/u;

function judgeText({ text }: CommandLine): WatchdogVerdict | undefined {
  return text.includes("()") && forkBomb.test(text)
    ? refuse("it starts copies of itself until the machine stands still")
    : undefined;
}

function judgeDevice(path: string | undefined): WatchdogVerdict | undefined {
  return path !== undefined && disk.test(path)
    ? refuse(`it overwrites the disk ${path}`)
    : undefined;
}

const disk = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|dm-|md|loop)/u;

function judgeCommand(
  { program, args, plainArgs, cwd }: SeenCommand,
  call: WatchdogCall,
): WatchdogVerdict | undefined {
  if (/^mkfs(?:\.|$)/u.test(program) || formatters.has(program)) {
    return refuse(`${program} erases a disk`);
  }
  switch (program) {
    case "dd":
      return strictest(args.map((arg) => judgeDevice(/^of=(.*)/u.exec(arg ?? "")?.[1])));
    case "cp":
    case "tee":
      return strictest(operandsOf(args).map(judgeDevice));
    case "chmod":
    case "chown":
    case "chgrp":
      return hasOption(args, "R", ["--recursive"])
        ? judgeOwner(program, { args, cwd }, call)
        : undefined;
    case "shutdown":
    case "reboot":
    case "halt":
    case "poweroff":
      return refuse(`${program} brings the machine down`);
    case "init":
    case "telinit":
      return /^[06]$/u.test(args[0] ?? "")
        ? refuse(`${program} brings the machine down`)
        : undefined;
    case "systemctl":
      return /^(?:poweroff|reboot|halt|kexec|emergency|rescue|suspend|hibernate)$/u.test(
        plainArgs[0] ?? "",
      )
        ? refuse("systemctl brings the machine down")
        : undefined;
    case "kill":
      return judgeKill(args);
    case "killall5":
      return refuse("killall5 ends every process");
    default:
      return undefined;
  }
}

const formatters = new Set(
  "wipefs blkdiscard sgdisk sfdisk mkswap cryptsetup badblocks hdparm".split(" "),
);

function judgeOwner(
  program: string,
  { args, cwd }: Pick<SeenCommand, "args" | "cwd">,
  call: WatchdogCall,
): WatchdogVerdict | undefined {
  const [, ...targets] = operandsOf(args);
  return strictest(
    targets.map((target) => {
      const path = toFullPath(target, cwd, call);
      if (path === undefined)
        return ask(`${program} changes everything below what can't be told before it runs`);
      return locatePath(path, call) === "outside"
        ? refuse(`${program} changes everything below ${path}, which lies outside the workspace`)
        : undefined;
    }),
  );
}

function judgeKill(args: SeenCommand["args"]): WatchdogVerdict | undefined {
  const targets = args.filter((arg, index) => index > 0 || !/^-(?:\d+|[A-Z]+)$/u.test(arg ?? ""));
  const isAll = targets.some((arg) => arg === "-1") || (args.length === 1 && args[0] === "-1");
  return isAll ? refuse("kill -1 ends every process") : undefined;
}

function refuse(what: string): WatchdogVerdict {
  return deny(`This has a destructive shape: ${what}. Find another way, or let a person do it.`);
}
