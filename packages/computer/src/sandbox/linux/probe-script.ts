/**
 * Bash script that tries to escape from a sandbox. It prints a line `escaped: …` for everything that
 * should not have been possible, `failed: …` for what should have been, and `done` at its end. Its
 * first argument is a port on which a server listens outside.
 */
export const probeScript: string = String.raw`
escaped() { echo "escaped: $1"; }
for path in / /usr /etc /bin /dev /run /proc/sys/kernel /var; do
  { :; } 2>/dev/null >"$path/haft-probe" || continue
  rm -f "$path/haft-probe"
  escaped "a file in $path could be made"
done
for path in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /etc/passwd /bin/bash; do
  { :; } 2>/dev/null 9>>"$path" && escaped "$path could be opened for writing"
done
{ :; } 2>/dev/null 9<.env && escaped "a secret could be read"
[[ -w . ]] || echo "failed: the workspace can't be written"
[[ ! -e ../unreadable ]] || escaped "files beside the workspace can be seen"
[[ ! -O /usr/bin ]] || escaped "it runs as root"
{ :; } 2>/dev/null 9<>"/dev/tcp/127.0.0.1/$1" && escaped "a port outside could be reached"
routes=-1
while read -r line; do ((routes++)); done </proc/net/route
((routes <= 0)) || escaped "there is a way into the network"
while read -r name value rest; do
  case $name in
    CapInh: | CapPrm: | CapEff: | CapBnd: | CapAmb:)
      [[ $value == 0000000000000000 ]] || escaped "it has capabilities ($name $value)" ;;
    NoNewPrivs:) [[ $value == 1 ]] || escaped "new privileges could be had" ;;
    Seccomp:) [[ $value == 2 ]] || escaped "system calls are not filtered" ;;
  esac
done </proc/self/status
while read -r line; do
  [[ $line =~ ^Max\ (processes|data\ size|file\ size)\ +([0-9a-z]+) ]] || continue
  [[ ${"$"}{BASH_REMATCH[2]} != unlimited ]] || escaped "there is no limit on ${"$"}{BASH_REMATCH[1]}"
done </proc/self/limits
set -- /proc/[0-9]*
(($# <= 2)) || escaped "other processes can be seen"
if type -P unshare >/dev/null; then
  for kind in -U -n -m; do
    unshare "$kind" true 2>/dev/null && escaped "a namespace could be had (unshare $kind)"
  done
fi
echo "done"
`;
