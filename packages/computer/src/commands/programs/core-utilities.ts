import type { ProgramTable } from "./program-table.ts";

/** Programs that every system has, except those that work on text. */
export const coreUtilities: ProgramTable = {
  "ls|dir|vdir|cat|head|tail|wc|nl|tac|rev|cut|paste|join|comm|fold|fmt|pr|expand|unexpand|tr":
    "reads any",
  "od|hexdump|hd|cksum|sum|md5sum|sha1sum|sha224sum|sha256sum|sha384sum|sha512sum|b2sum|shasum":
    "reads any",
  "base32|basenc|tsort|factor|seq|expr|numfmt|basename|dirname|realpath|readlink|stat": "reads any",
  "du|df|uname|whoami|id|groups|users|who|w|uptime|nproc|tty|logname|hostid|printenv|cal":
    "reads any",
  "ps|pgrep|pidof|pstree|free|vmstat|lscpu|lsblk|lsmem|lsusb|lspci|getconf|getent|locale":
    "reads any",
  "which|whereis|sleep|yes|look|cmp|diff|colordiff|column|md5|size|strings|readelf": "reads any",
  "sw_vers|system_profiler|mdls|mdfind|pathchk|envsubst|jq|zcat|bzcat|xzcat|zipinfo": "reads any",
  "grep|egrep|fgrep|locate|plocate": "reads any",

  base64: "reads any | writes -o: --output:",

  cp: "writes out$ any | -t:dir --target-directory:dir -S: --suffix:",
  mv: "writes deletes out* any | -t:dir --target-directory:dir -S: --suffix:",
  ln: "writes out$ any | -t:dir --target-directory:dir -S: --suffix:",
  "rm|rmdir|unlink": "deletes out* any",
  shred: "writes deletes out* any | -n: -s: --iterations: --size: --random-source:",
  trash: "deletes out* any",
  touch: "writes out* any | -d: -r: -t: --date: --reference: --time:",
  "mkdir|mkfifo|mknod": "writes out* any | -m: --mode:",
  mktemp: "writes any | -p:dir --tmpdir? --suffix:",
  tee: "reads also* any",
  install:
    "writes out$ any | -g: -m: -o: -S: -t:dir --target-directory:dir | runs --strip-program:",
  "chmod|chown|chgrp": "writes out* any | --reference:",
  truncate: "writes out* any | -r: -s: --reference: --size:",
  fallocate: "writes out* any | -l: -o: --length: --offset:",
  dd: "reads any | writes of=",
  split: "writes out2 any | -a: -b: -C: -l: -n: | runs --filter:",
  csplit: "writes any",
  sync: "reads any",
  date: "reads date | -uRj -d: -f: -I? -r: -v: --date: --debug --file: --iso-8601? --reference: --resolution --rfc-2822 --rfc-3339: --rfc-email --universal --utc --help --version | writes -s: --set:",
  hostname:
    "reads also1 | -AIadfis --all-fqdns --all-ip-addresses --fqdn --ip-address --long --short",
  file: "reads any | -e: -f: -m: | writes -C --compile | runs -z -Z --uncompress --uncompress-noreport",
  objdump: "reads any",
  nm: "reads any | runs --plugin:",
  lsof: "reads any | writes -D:",
  // On some systems it runs a program for another processor.
  arch: "reads inner | --help --version",
  "ldd|strace|ltrace|gdb|lldb|valgrind|perf": "runs",
  tree: "reads | -adfiqNQpugshDFrtUvcxJXnClA -L: -P: -I: -H: -T: --charset: --device --dirsfirst --du --filelimit: --filesfirst --gitignore --gitfile: --hintro: --houtro: --ignore-case --inodes --matchdirs --metafirst --nolinks --noreport --prune --si --sort? --timefmt: --info --infofile: --fromfile --help --version | writes -o: -R",
  "cksfv|getfattr|getfacl|lsattr|namei|findmnt|mountpoint": "reads any",
  // By themselves, without the command that they would run.
  "env|nice|ionice|nohup|timeout|stdbuf|setsid|time|xargs": "reads any",
  "crontab|at|batch|systemd-run|launchctl|systemctl|service|mount|umount|mkfs|fdisk": "runs any",
  "shutdown|reboot|halt|poweroff|swapoff|swapon|sysctl|modprobe|insmod|rmmod": "runs any",
  "useradd|userdel|usermod|groupadd|passwd|chpasswd|visudo|chsh": "runs any",
  "apt|apt-get|dpkg|yum|dnf|rpm|pacman|apk|brew|port|snap|flatpak|nix-env|zypper":
    "runs writes net any",
  "less|more|most|lv|zless|man|info|view|vi|vim|nvim|vimdiff|emacs|emacsclient|nano|pico|joe|code":
    "runs | runs +",
  // They take commands from their input, which can start programs.
  "ed|ex": "runs doubt",
  "dc|m4|expect": "runs script",
  "screen|tmux": "runs inner*",
  fzf: "runs",
  bc: "reads | -ilqsv --help --interactive --mathlib --quiet --standard --version --warn",
};

/** Shell builtins. Those that change how the shell reads what follows are doubts. */
export const builtins: ProgramTable = {
  ":|true|false|echo|pwd|times|dirs|caller|help|exit|return|break|continue|logout": "reads any",
  type: "reads any",
  printf: "reads any | doubts -v:",
  wait: "reads | -fn | doubts -p:",
  "test|[": "reads any test",
  "[[": "reads any",
  "cd|pushd|popd": "reads any",
  eval: "runs doubt",
  "source|.": "runs doubt script",
  // Wrappers, when a command follows.
  exec: "runs doubt",
  "command|builtin": "reads any",
  "trap|alias|bind|complete|compgen|compopt|enable|hash|fc|history": "runs doubt",
  "unalias|set|shopt|declare|typeset|local|export|readonly|unset|read|readarray|mapfile":
    "runs doubt",
  "getopts|let|shift|ulimit|umask|kill|jobs|bg|fg|disown|suspend": "runs doubt",
};
