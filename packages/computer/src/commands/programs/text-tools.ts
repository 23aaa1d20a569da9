import type { ProgramTable } from "./program-table.ts";

/** Programs that search text, change it and pack it. */
export const textTools: ProgramTable = {
  sort: "reads | -bcCdfghiMmnRrsuVz -k: -S: -t: --batch-size: --buffer-size: --check? --debug --dictionary-order --field-separator: --files0-from: --general-numeric-sort --human-numeric-sort --ignore-case --ignore-leading-blanks --ignore-nonprinting --key: --merge --month-sort --numeric-sort --parallel: --random-sort --random-source: --reverse --sort: --stable --unique --version-sort --zero-terminated --help --version | writes -o: --output: -T: --temporary-directory: | runs --compress-program:",
  uniq: "reads also2 | -cdDiuz -# -f: -s: -w: --all-repeated? --check-chars: --count --group? --ignore-case --repeated --skip-chars: --skip-fields: --unique --zero-terminated --help --version",
  shuf: "reads | -erz -i: -n: --echo --head-count: --input-range: --random-source: --repeat --zero-terminated --help --version | writes -o: --output:",
  iconv:
    "reads | -cls -f: -t: --from-code: --list --silent --to-code: --verbose | writes -o: --output:",
  xxd: "reads also2 any",
  sdiff: "reads | -abBdEHilstWZ -w: --text --width: | writes -o: --output: | runs --diff-program:",
  diff3: "reads any | runs --diff-program:",
  patch: "writes any | -d:dir -F: -i: -p: | writes -o: --output: -r: --reject-file: | runs -e --ed",
  sed: "reads sed | -nErsuz -e: -l: --debug --expression: --line-length: --null-data --posix --quiet --regexp-extended --sandbox --separate --silent --unbuffered --help --version | writes -i? --in-place? -I: | runs -f: --file:",
  "awk|gawk|mawk|nawk":
    "reads awk | -F: -v: --assign: --field-separator: --posix --re-interval --traditional --version | runs -f: --file: -e: --source: -E: --exec: -i: --include: -l: --load: -D? --debug? | writes -d? --dump-variables? -o? --pretty-print? -p? --profile?",
  "rg|ripgrep":
    "reads | -acFhHiIlLnNoPqsSUvwx.u -A: -B: -C: -d: -e: -E: -f: -g: -j: -m: -M: -r: -t: -T: -p -V --after-context: --auto-hybrid-regex --before-context: --binary --block-buffered --byte-offset --case-sensitive --color: --colors: --column --context: --context-separator: --count --count-matches --crlf --debug --dfa-size-limit: --encoding: --engine: --field-context-separator: --field-match-separator: --file: --files --files-with-matches --files-without-match --fixed-strings --follow --glob: --glob-case-insensitive --heading --help --hidden --iglob: --ignore-case --ignore-file: --include-zero --invert-match --json --line-buffered --line-number --line-regexp --max-columns: --max-columns-preview --max-count: --max-depth: --max-filesize: --mmap --multiline --multiline-dotall --no-column --no-config --no-filename --no-follow --no-heading --no-hidden --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-json --no-line-number --no-messages --no-mmap --no-pre --no-unicode --null --null-data --one-file-system --only-matching --passthru --path-separator: --pcre2 --pcre2-version --pretty --quiet --regex-size-limit: --regexp: --replace: --smart-case --sort: --sortr: --stats --text --threads: --trace --trim --type: --type-add: --type-clear: --type-list --type-not: --unrestricted --version --vimgrep --with-filename --word-regexp | runs --pre: --pre-glob: --hostname-bin: -z --search-zip",
  ag: "reads | -aCcDfgGhHiLlnopQrSstuUvwWz -A: -B: -m: --after: --before: --column --count --depth: --files-with-matches --files-without-matches --group --heading --hidden --ignore: --ignore-case --literal --nocolor --nogroup --noheading --numbers --only-matching --smart-case --stats --version --word-regexp | runs --pager: --path-to-ignore:",
  ack: "reads | -cfghHilLnoQvwx -A: -B: -C: -m: --after-context: --before-context: --color --column --context: --count --files-with-matches --group --heading --help-types --ignore-case --ignore-dir: --literal --no-color --nocolor --noheading --smart-case --type: --version --word-regexp | runs --pager: --ackrc: --output:",
  find: `reads dashed find | -D: -O? -H -L -P -maxdepth: -mindepth: -mount -xdev -depth -d -noleaf -regextype: -warn -nowarn -daystart -follow -ignore_readdir_race -noignore_readdir_race -amin: -anewer: -atime: -cmin: -cnewer: -ctime: -empty -executable -false -fstype: -gid: -group: -ilname: -iname: -inum: -ipath: -iregex: -iwholename: -links: -lname: -mmin: -mtime: -name: -newer: -newerat: -newerct: -newermt: -newermm: -nogroup -nouser -path: -perm: -readable -regex: -samefile: -size: -true -type: -uid: -used: -user: -wholename: -writable -xtype: -not -a -and -o -or -print -print0 -printf: -prune -quit -ls -help --help -version --version | deletes -delete | runs -exec -execdir -ok -okdir | writes -fprint: -fprint0: -fls: -fprintf:`,
  "fd|fdfind":
    "reads | -aFgHIilLpqsu0V1h -c: -d: -e: -E: -j: -o: -S: -t: --absolute-path --and: --base-directory:dir --batch-size: --case-sensitive --changed-before: --changed-within: --color: --exact-depth: --exclude: --extension: --fixed-strings --follow --full-path --glob --help --hidden --ignore --ignore-case --ignore-file: --list-details --max-depth: --max-results: --min-depth: --newer: --no-follow --no-hidden --no-ignore --no-ignore-parent --no-ignore-vcs --older: --one-file-system --owner: --path-separator: --print0 --prune --quiet --regex --relative-path --search-path: --show-errors --size: --strip-cwd-prefix --threads: --type: --unrestricted --version | runs -x --exec -X --exec-batch",
  yq: "reads yq | -CcejMNnPrv -I: -o: -p: --arg: --argjson: --colors --compact-output --exit-status --indent: --input-format: --no-colors --no-doc --null-input --output-format: --prettyPrint --raw-output --raw-input --slurp --unwrapScalar --version --yaml-output -y | writes -i --inplace --in-place -s: --split-exp: | runs -f: --from-file:",
  xmllint:
    "reads | --format --noout --nonet --html --recover --xpath: --encode: --huge --noblanks --nowarning --version --schema: --dtdvalid: | writes --output: -o: | runs --shell --load-trace --path: --catalogs",
  "bat|batcat":
    "reads | -APnpSuVfh -H: -l: -m: -r: -d --chop-long-lines --color: --decorations: --diff --file-name: --force-colorization --help --highlight-line: --italic-text: --language: --line-range: --list-languages --list-themes --number --paging: --plain --show-all --style: --tabs: --terminal-width: --theme: --version --wrap: | runs --pager:",
  tar: "writes tar | -AcdrtuxBGhHijJkmMnpSUvwWzZOaRlb -f: -C:dir -K: -N: -X: -L: -V: --append --auto-compress --bzip2 --catenate --compare --compress --concatenate --create --delete --dereference --diff --directory:dir --exclude: --exclude-from: --exclude-vcs --exclude-vcs-ignores --extract --file: --format: --get --group: --gunzip --gzip --list --mode: --mtime: --newer: --no-same-owner --no-same-permissions --numeric-owner --one-file-system --owner: --preserve-permissions --same-owner --same-permissions --sort: --strip-components: --strip: --to-stdout --totals --transform: --ungzip --update --verbose --wildcards --xform: --xz --zstd --checkpoint? --help --version | runs -I: --use-compress-program: --checkpoint-action: --to-command: -F: --info-script: --new-volume-script: --rsh-command: --rmt-command: -T: --files-from: --filter: --sbin | writes -P -g: --absolute-names --listed-incremental: --index-file: --volno-file: --remove-files",
  "bsdtar|star|cpio|pax": "writes runs",
  "gzip|gunzip|bzip2|bunzip2|xz|unxz|lzma|unlzma|zstd|unzstd|lz4|brotli|compress|uncompress|pigz":
    "writes deletes out* any | -S: --suffix: | writes -o: --output-dir-flat: --output-dir-mirror:",
  zip: "writes out1 any | writes -O: --output-file: | -b:dir -n: -t: -x: | runs -T -TT --test --unzip-command: | deletes -m --move",
  unzip: "writes any | -d:dir -P: -x:",
  "7z|7za|7zr|rar|unrar": "writes out2 any | -o?dir -w?dir",
  ar: "writes out2 any",
  pandoc:
    "writes | -f: -t: -s --from: --to: --standalone --help --version | runs -F: --filter: -L: --lua-filter: --pdf-engine: | writes -o: --output:",
  "csvcut|csvgrep|csvlook|csvsort|csvstat|csvjson": "reads any",
  cloc: "reads | --by-file --by-file-by-lang --csv --exclude-dir: --exclude-ext: --exclude-lang: --include-ext: --include-lang: --json --md --quiet --sum-one --version --xml --yaml",
  tokei: "reads any",
  scc: "reads any | writes -o: --output: --format-multi:",
};
