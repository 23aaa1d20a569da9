import fc from "fast-check";

/** A script that runs a program. */
export interface Nesting {
  readonly script: string;
  /** Whether the program's name stands in it as it is, quotes and backslashes aside. */
  readonly isNamed: boolean;
}

/** Scripts that hide a program in ways that shells know, around each other up to a depth. */
export function randomNesting(program: string, depth: number): fc.Arbitrary<Nesting> {
  const start = fc.oneof(
    { arbitrary: fc.constantFrom(...namings(program)), weight: 3 },
    { arbitrary: fc.constantFrom(...optionTricks(program)), weight: 1 },
  );
  const layers = fc.array(fc.oneof(fc.constantFrom(...around), fc.constantFrom(...inFront)), {
    maxLength: depth,
  });
  return fc.tuple(start, layers).map(([first, chosen]) => ({
    ...first,
    script: chosen.reduce((script, layer) => layer(script), first.script),
  }));
}

type Layer = (script: string) => string;

const named = (script: string): Nesting => ({ script, isNamed: true });

function namings(program: string): readonly Nesting[] {
  const [first = "", ...rest] = program;
  const tail = rest.join("");
  return [
    ...[
      `${program} x`,
      `"${program}" x`,
      `'${program}' x`,
      `\\${program} x`,
      `${first}''${tail} x`,
    ].map(named),
    ...[`${first}"${tail}" x`, `${first}\\${tail} x`, `$'${program}' x`, `${program}`].map(named),
    ...[`${program}$IFS-x`, `\${none:-${program}} x`, `$(echo ${program}) x`, `{${program},x}`].map(
      named,
    ),
    ...[`v=${program}; $v x`, `v=(${program} x); "\${v[@]}"`, `set -- ${program} x; "$@"`].map(
      named,
    ),
    ...[`f() { ${program} x; }; f`, `function f { ${program}; }; f`, `! ${program} x`].map(named),
    ...[
      `NODE_ENV=1 ${program} x`,
      `LD_X=1 ${program} x`,
      `2>&1 ${program} x`,
      `>/dev/null ${program} x`,
    ].map(named),
    ...[`shopt -s expand_aliases; alias q=${program}\nq x`, `exec ${program} x`].map(named),
    { script: `${first}$(true)${tail} x`, isNamed: false },
    { script: `v=${first}; "\${v}${tail}" x`, isNamed: false },
    { script: `$'\\x${first.charCodeAt(0).toString(16)}${tail}' x`, isNamed: true },
    { script: `"$(printf '%s' ${first} ${tail})" x`, isNamed: false },
  ];
}

/** Options and arguments by which harmless programs run others. */
function optionTricks(program: string): readonly Nesting[] {
  return [
    // What a file has in it is not looked at.
    ...[
      `echo ${program} | xargs env`,
      `printf '%s\\n' '${program} x' > s; bash s`,
      `printf '%s\\n' '${program} x' > s; . ./s`,
      `printf '%s\\n' 'all:' '\t${program} x' > Makefile; make`,
      `printf '%s\\n' '${program} x' > s; BASH_ENV=s bash -c :`,
      `printf '%s\\n' '${program} x' > s; ENV=s sh -i -c :`,
    ].map((script) => ({ script, isNamed: false })),
    ...namedTricks(program),
  ];
}

function namedTricks(program: string): readonly Nesting[] {
  return [
    `find . -maxdepth 0 -exec ${program} {} \\;`,
    `find . -maxdepth 0 -exec sh -c '${program} x' \\;`,
    `find . -maxdepth 0 -execdir ${program} {} +`,
    `find . -maxdepth 0 -name . -ok ${program} \\; < <(yes)`,
    `echo x | xargs ${program}`,
    `echo x | xargs -I{} ${program} {}`,
    `echo x | xargs -n 1 -P 2 sh -c '${program}'`,
    `sed '1e ${program}' <<< x`,
    `sed -n 's/.*/${program}/e' <<< x`,
    `sed -e p -e '1{e ${program}\n}' <<< x`,
    `awk 'BEGIN { system("${program} x") }'`,
    `awk 'BEGIN { "${program}" | getline }'`,
    `awk 'BEGIN { print "x" | "${program}" }'`,
    `echo a > f; tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec=${program} f`,
    `echo a > f; tar --checkpoint=1 --checkpoint-act exec=${program} -cf /dev/null f`,
    `echo a > f; tar -cf - -I ${program} f`,
    `echo a > f; tar cIf ${program} - f`,
    `echo a > f; split --filter=${program} f`,
    `git -c alias.q='!${program}' q`,
    `git -c core.pager=${program} -p --version; git -c alias.q='!${program} x' q`,
    `env -S '${program} x'`,
    `env -iS '${program}'`,
    `env NODE_ENV=1 ${program} x`,
    `env -u none ${program} x`,
    `timeout --preserve-status -s KILL 5 ${program} x`,
    `timeout -k1 5s ${program}`,
    `nice -n 1 ${program} x`,
    `nice -5 ${program} x`,
    `stdbuf -oL ${program} x`,
    `nohup setsid -w ${program} x`,
    `command -p env ${program}; command ${program} x`,
    `python3 -c 'import os; os.system("${program}")'`,
    `perl -e 'system("${program}", "x")'`,
    `printf '${program} x' | sh`,
    `PS4='$(${program})'; set -x; :`,
    `PROMPT_COMMAND='${program}' bash -i -c :; ${program}`,
    `v='$(${program})'; : "\${v@P}"`,
    `: $(( a[$(${program})0] ))`,
    `: $[ a[$(${program})0] ]`,
    `a[$(${program})0]=1`,
    `printf -v 'a[$(${program})0]' x`,
    `test -v 'a[$(${program})0]'`,
    `[ -v 'a[$(${program})0]' ]`,
    `[[ 'a[$(${program})0]' -eq 0 ]]`,
    `let 'a[$(${program})0]'`,
    `read 'a[$(${program})0]' <<< x`,
    `a=(1); unset 'a[$(${program})0]'`,
    `declare 'a[$(${program})0]=1'`,
    `export v="$(${program})"`,
    `(( a[$(${program})0] ))`,
    `for (( i = $(${program}; echo 0); i < 1; i++ )); do :; done`,
    `mapfile -C '${program} #' -c 1 v <<< x`,
    `trap ${program} EXIT`,
    `trap '${program} x' DEBUG; :`,
    `hash -p "$(type -P ${program})" ls; ls`,
    `coproc ${program} x; wait`,
    `cat < <(${program})`,
    `echo > >(${program}); wait`,
    `cat <<E\n$(${program})\nE`,
    `cat <<E\n\`${program} x\`\nE`,
    `cat <<< "$(${program})"`,
    `bash <<E\n${program} x\nE`,
    `bash -s <<'E'\n${program} x\nE`,
    `sh <<< '${program} x'`,
    `eval "${program} x"`,
    `eval ${program} x`,
    `builtin eval '${program} x'`,
    `case $(${program}) in *) :;; esac`,
    `case x in x) ${program};; esac`,
    `select v in a; do ${program}; break; done <<< 1`,
    `time ${program} x`,
    `time -p -- ${program} x`,
    `echo \\\n$(${program})`,
    `echo 'a' \\\n; ${program} x`,
    `echo a # b\n${program} x`,
    `echo "\${none:=$(${program})}"`,
    `echo "\${none/x/$(${program})}\${PATH/\\//$(${program})}"`,
  ].map(named);
}

// A script goes into single quotes whole, whatever it has in it.
const quoted = (script: string): string => `'${script.replaceAll("'", `'\\''`)}'`;

const around: readonly Layer[] = [
  (script) => `echo a; ${script}`,
  (script) => `true && { ${script}\n}`,
  (script) => `false || { ${script}\n}`,
  (script) => `echo a | { ${script}\n}`,
  (script) => `{ ${script}\n} | cat`,
  (script) => `{ ${script}\n} & wait`,
  (script) => `( ${script}\n)`,
  (script) => `echo a\n${script}`,
  (script) => `if true; then ${script}\nfi`,
  (script) => `if ! true; then :; else ${script}\nfi`,
  (script) => `while true; do ${script}\nbreak; done`,
  (script) => `until false; do ${script}\nbreak; done`,
  (script) => `for i in 1; do ${script}\ndone`,
  (script) => `echo $( ${script}\n)`,
  (script) => `echo "$( ${script}\n)"`,
  (script) => `echo "a\${none:-$( ${script}\n)}"`,
  (script) => `cat <( ${script}\n)`,
  (script) => `{ ${script}\n} > /dev/null 2>&1`,
  (script) => `cd . && { ${script}\n}`,
];

const inFront: readonly Layer[] = [
  (script) => `bash -c ${quoted(script)}`,
  (script) => `bash -euc ${quoted(script)}`,
  (script) => `bash --norc -c -- ${quoted(script)} a b`,
  (script) => `timeout 9 bash -c ${quoted(script)}`,
  (script) => `env bash -c ${quoted(script)}`,
  (script) => `nice setsid -w bash -c ${quoted(script)}`,
  (script) => `eval ${quoted(script)}`,
  (script) => `bash <<< ${quoted(script)}`,
  (script) => `echo x | xargs -I{} bash -c ${quoted(script)}`,
  (script) => `find . -maxdepth 0 -exec bash -c ${quoted(script)} \\;`,
  (script) => `trap ${quoted(script)} EXIT`,
];
