/**
 * Script for any POSIX shell that tries to escape from a sandbox. It prints a line `escaped: …` for
 * everything that should not have been possible, `failed: …` for what should have been, and `done` at
 * its end. Its arguments are a port on which a server listens outside, and the end of that server's
 * entry in the table of connections.
 */
export const probeScript: string = `
escaped() { echo "escaped: $1"; }
for path in / /usr /etc /bin /dev /run /proc/sys/kernel /var; do
  { :; } 2>/dev/null >"$path/haft-probe" || continue
  rm -f "$path/haft-probe"
  escaped "a file in $path could be made"
done
for path in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /etc/passwd /bin/sh /bin/bash; do
  { :; } 2>/dev/null 9>>"$path" && escaped "$path could be opened for writing"
done
{ :; } 2>/dev/null 9<.env && escaped "a secret could be read"
[ -w . ] || echo "failed: the workspace can't be written"
[ ! -e ../unreadable ] || escaped "files beside the workspace can be seen"
[ ! -O /usr/bin ] || escaped "it runs as root"
# Only bash can connect. Other shells see whether the server is in the same network.
{ :; } 2>/dev/null 9<>"/dev/tcp/127.0.0.1/$1" && escaped "a port outside could be reached"
while read -r number here there state rest; do
  case "$here $state" in *"$2") escaped "a port outside could be reached" ;; esac
done </proc/net/tcp
routes=-1
while read -r line; do routes=$((routes + 1)); done </proc/net/route
[ $routes -le 0 ] || escaped "there is a way into the network"
while read -r name value rest; do
  case $name in
    CapInh: | CapPrm: | CapEff: | CapBnd: | CapAmb:)
      [ "$value" = 0000000000000000 ] || escaped "it has capabilities ($name $value)" ;;
    NoNewPrivs:) [ "$value" = 1 ] || escaped "new privileges could be had" ;;
    Seccomp:) [ "$value" = 2 ] || escaped "system calls are not filtered" ;;
  esac
done </proc/self/status
while read -r max name next last rest; do
  case "$max $name $next" in
    "Max processes "*) limit=$next ;;
    "Max data size" | "Max file size") limit=$last ;;
    *) continue ;;
  esac
  [ "$limit" != unlimited ] || escaped "there is no limit ($max $name)"
done </proc/self/limits
set -- /proc/[0-9]*
[ $# -le 2 ] || escaped "other processes can be seen"
if command -v unshare >/dev/null; then
  for kind in -U -n -m; do
    unshare "$kind" true 2>/dev/null && escaped "a namespace could be had (unshare $kind)"
  done
fi
echo "done"
`;
