// Written as JSON. A newline ends a line, so sed does not see it.
const controls = [...Array.from({ length: 31 }, (_, index) => index + 1), 127]
  .filter((code) => code !== 10)
  .map((code) => `s/${String.fromCharCode(code)}/\\\\u${code.toString(16).padStart(4, "0")}/g`)
  .join(";");

/**
 * The end of a supervisor's script, for any POSIX shell: reports which processes are left, as a line of
 * JSON on the report descriptor. Its own process is the first, and that of `bridge` is left out.
 */
export const reportScript: string = String.raw`
LC_ALL=C PATH=/usr/bin:/bin:$PATH
export LC_ALL PATH
listening=
for table in /proc/net/tcp /proc/net/tcp6; do
  while read -r number here there state sent timer retries user timeout inode rest; do
    [ "$state" != 0A ] || listening="$listening $inode:$((0x${"$"}{here##*:}))"
  done <"$table"
done
left= count=0
for directory in /proc/[0-9]*; do
  pid=${"$"}{directory#/proc/}
  [ "$pid" != 1 ] && [ "$pid" != "$bridge" ] && [ $count -lt 64 ] || continue
  # Words are separated by zeros.
  command=$(
    exec 3>&-
    head -c 1000 "$directory/cmdline" | tr '\000' ' ' |
      sed 's/[\\"]/\\&/g;${controls};$!s/$/\\u000a/;$s/ $//' | tr -d '\n'
  )
  [ -n "$command" ] || continue
  ports=
  if [ -n "$listening" ]; then
    while read -r link; do
      inode=${"$"}{link#"socket:["}
      inode=${"$"}{inode%"]"}
      for entry in $listening; do
        case $entry in "$inode":*) ports=$ports,${"$"}{entry#*:} ;; esac
      done
    done <<LINKS
$(readlink "$directory"/fd/* 3>&-)
LINKS
  fi
  left="$left,{\"pid\":$pid,\"command\":\"$command\",\"ports\":[${"$"}{ports#,}]}"
  count=$((count + 1))
done
[ -z "$left" ] || printf '{"left":[%s]}\n' "${"$"}{left#,}" >&3
`;
