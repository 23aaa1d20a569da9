import { hasOption, operandsOf } from "../reading/arguments-of.ts";
import type { CommandLine } from "../reading/command-line.ts";
import type { SeenCommand } from "../reading/seen-command.ts";
import type { WatchdogVerdict } from "../watchdog.ts";
import { ask, strictest, type WatchdogRule } from "../watchdog-rule.ts";

/** Leaving behind what runs, or lets somebody in, after the session has ended. */
export const persistence: WatchdogRule = ({ lines }) => strictest(lines.map(judgeLine));

function judgeLine({ commands, reading }: CommandLine): WatchdogVerdict | undefined {
  const starter = commands.map(findStarter).find(Boolean);
  if (starter !== undefined)
    return ask(`${starter} makes something run after this session has ended`);
  const written = [
    ...reading.writes.map(({ path }) => path),
    ...commands.filter(writes).flatMap(({ args }) => operandsOf(args)),
  ].find((path) => path !== undefined && startUp.test(path));
  return written === undefined
    ? undefined
    : ask(`${written} takes effect whenever somebody logs in or a program starts`);
}

const startUp =
  /(?:^|\/)(?:\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|xprofile|xinitrc|pam_environment)|authorized_keys2?|rc\.local|crontab)$|(?:^|\/)(?:\.config\/(?:autostart|systemd|fish)|Library\/Launch(?:Agents|Daemons)|\.git\/hooks)\/|^\/etc\/(?:profile|bash\.bashrc|cron[^/]*|init\.d|systemd|rc\d?\.d|ld\.so\.preload|sudoers)(?:\/|$|\.d)|^\/var\/spool\/cron/u;

function writes({ program, args }: SeenCommand): boolean {
  return writers.has(program) || (program === "sed" && hasOption(args, "i", ["--in-place"]));
}

const writers = new Set(["tee", "cp", "mv", "ln", "install", "dd", "truncate", "touch", "chmod"]);

function findStarter({ program, args, plainArgs }: SeenCommand): string | undefined {
  const [action = ""] = plainArgs;
  switch (program) {
    case "crontab":
      return hasOption(args, "lr") ? undefined : program;
    case "at":
    case "batch":
      return hasOption(args, "lcqV") ? undefined : program;
    case "systemctl":
      return /^(?:enable|link|edit|set-default|daemon-reexec)$/u.test(action)
        ? `${program} ${action}`
        : undefined;
    case "launchctl":
      return /^(?:load|bootstrap|enable|submit)$/u.test(action)
        ? `${program} ${action}`
        : undefined;
    case "update-rc.d":
    case "chkconfig":
    case "rc-update":
    case "schtasks":
    case "ssh-copy-id":
      return program;
    case "loginctl":
      return action === "enable-linger" ? `${program} ${action}` : undefined;
    case "pm2":
      return action === "startup" ? `${program} ${action}` : undefined;
    default:
      return undefined;
  }
}
