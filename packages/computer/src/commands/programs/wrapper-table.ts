import type { ProgramTable } from "./program-table.ts";

/**
 * Programs that run the command after them, in the notation of `ProgramEntry` with these marks:
 * - `skip1`: the number of operands before the command.
 * - `assigns`: NAME=VALUE may come before the command.
 * - `joined`: the words of the command are joined and passed to a shell.
 * - `code`: the value of the options under `runs` is passed to a shell, and there is no other command.
 * - `other`: it runs as another user, elsewhere or later, which is a doubt.
 * - `extended`: more words follow the given ones.
 * Options that are not listed are doubts.
 */
export const wrapperTable: ProgramTable = {
  timeout: "skip1 | -v -k: -s: --foreground --kill-after: --preserve-status --signal: --verbose",
  "nice|gnice": "| -n: --adjustment: -#",
  ionice: "| -t -c: -n: --class: --classdata: --ignore",
  "nohup|setsid|builtin": "| -c -f -w --ctty --fork --wait",
  stdbuf: "| -i: -o: -e: --input: --output: --error:",
  chrt: "skip1 | -abdfimorv -T: -P: -D:",
  taskset: "skip1 | -a",
  "time|gtime":
    "| -pvq -f: --format: --portability --quiet --verbose | doubts -o: --output: -a --append",
  command: "| -p",
  exec: "| doubts -a: -c -l",
  env: "assigns | -0v -C:dir -S: --chdir:dir --debug --null --split-string: | doubts -i -u: --ignore-environment --unset:",
  "cross-env|dotenvx": "assigns |",
  xargs:
    "extended | -0oprtx -a: -d: -E: -I: -L: -n: -P: -s: -e? -i? -l? --arg-file: --delimiter: --eof? --exit --interactive --max-args: --max-chars: --max-lines? --max-procs: --no-run-if-empty --null --open-tty --replace? --show-limits --verbose",
  "sudo|doas|pkexec|gosu|su-exec|sudo-rs":
    "other assigns | -AbEHknPSsV -C: -D: -g: -h: -p: -R: -r: -T: -t: -u: -U: --background --chdir: --close-from: --group: --host: --non-interactive --preserve-env? --prompt: --set-home --stdin --user:",
  "su|runuser|sg":
    "other code | -flmpP -g: -G: -s: -u: -w: --fast --group: --login --preserve-environment --shell: --user: | runs -c: --command: --session-command:",
  chroot: "other skip1 | --groups: --userspec: --skip-chdir",
  "unshare|nsenter|setpriv|prlimit|capsh|bwrap|firejail|proot|fakeroot|fakechroot|systemd-run|cgexec|numactl|setarch|linux32|linux64|chpst|softlimit|dbus-run-session|xvfb-run|unbuffer|rlwrap|catchsegv|proxychains|proxychains4|torsocks|faketime|chronic|caffeinate|winpty|aa-exec|runcon|run-parts|start-stop-daemon|daemonize|dtach|abduco|reptyr|ltrace|strace|valgrind|rr|heaptrack|perf|gdb|lldb":
    "other any",
  "busybox|toybox": "| ",
  "watch|entr|hyperfine|parallel|sem|nodemon|watchexec|chokidar|onchange|wait-on|retry|autossh|tsp|at|batch":
    "other joined any | -n: --interval: -w: -r: -j: --jobs: -a: --arg-file:",
  "ssh|slogin|rsh|mosh":
    "other joined skip1 any | -B: -b: -c: -D: -E: -e: -F: -I: -i: -J: -L: -l: -m: -O: -o: -p: -Q: -R: -S: -W: -w:",
  script: "other code any | runs -c: --command:",
  flock: "other skip1 any | -E: -w: --timeout: --wait: --conflict-exit-code: | runs -c: --command:",
};
