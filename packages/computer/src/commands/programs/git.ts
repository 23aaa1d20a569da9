import type { ProgramTable } from "./program-table.ts";

/** Options that select and show commits, all harmless. */
const revisionOptions =
  "-cgiEFPmqrtvz -# -n: --abbrev-commit --after: --all --all-match --all-progress --ancestry-path? --author: --author-date-order --basic-regexp --before: --bisect --boundary --branches? --children --cherry --cherry-mark --cherry-pick --clear-decorations --committer: --count --date-order --date: --dd --decorate-refs-exclude: --decorate-refs: --decorate? --dense --diff-merges: --disk-usage? --email --encoding: --exclude-first-parent-only --exclude-hidden: --exclude: --expand-tabs? --extended-regexp --first-parent --fixed-strings --follow --format: --full-diff --full-history --glob: --graph --grep-reflog: --grep: --group: --header --ignore-missing --indexed-objects --invert-grep --left-only --left-right --log-size --mailmap --max-age: --max-count: --max-parents: --merge --merges --min-age: --min-parents: --no-abbrev-commit --no-decorate --no-expand-tabs --no-graph --no-mailmap --no-max-parents --no-merges --no-min-parents --no-notes --no-show-signature --no-standard-notes --no-walk? --not --notes? --numbered --objects --objects-edge --oneline --parents --perl-regexp --pretty? --progress --quiet --reflog --regexp-ignore-case --relative-date --remerge-diff --remotes? --remove-empty --reverse --right-only --root --show-linear-break? --show-notes? --show-pulls --simplify-by-decoration --simplify-merges --since-as-filter: --since: --single-worktree --skip: --source --sparse --standard-notes --stdin --summary --tags? --timestamp --topo-order --unpacked --until: --use-mailmap --walk-reflogs --line-porcelain --porcelain --incremental --show-email --show-name --show-number --score-debug --ignore-rev: --no-creation-factor --creation-factor: -e -f -h -k -l -s -w -L:";

/** Options that select and show differences, all harmless. */
const diffOptions =
  "-apuRWbD -B? -C? -G: -I: -M? -O? -S: -U: -X? --abbrev? --anchored: --binary --break-rewrites? --cached --check --color-lines --color-by-age --color-moved-ws: --color-moved? --color-words? --color? --combined-all-paths --compact-summary --cumulative --diff-algorithm: --diff-filter: --dirstat? --dirstat-by-file? --dst-prefix: --exit-code --find-copies-harder --find-copies? --find-object: --find-renames? --full-index --function-context --histogram --ignore-all-space --ignore-blank-lines --ignore-cr-at-eol --ignore-matching-lines: --ignore-space-at-eol --ignore-space-change --ignore-submodules? --indent-heuristic --inter-hunk-context: --irreversible-delete --ita-invisible-in-index --ita-visible-in-index --line-prefix: --merge-base --minimal --name-only --name-status --no-abbrev --no-color --no-color-moved --no-ext-diff --no-indent-heuristic --no-index --no-patch --no-prefix --no-relative --no-renames --no-textconv --numstat --output-indicator-context: --output-indicator-new: --output-indicator-old: --patch --patch-with-raw --patch-with-stat --patience --pickaxe-all --pickaxe-regex --raw --relative? --rename-empty --rotate-to: --shortstat --skip-to: --src-prefix: --staged --stat-count: --stat-graph-width: --stat-name-width: --stat-width: --stat? --submodule? --text --unified: --word-diff-regex: --word-diff? --ws-error-highlight: -d | writes --output: | runs --ext-diff --textconv --show-signature";

/** Options that select and show references, all harmless. */
const refOptions =
  "--contains: --count: --exclude: --format: --ignore-case --include-root-refs --merged? --no-contains: --no-merged? --omit-empty --perl --points-at: --python --shell --sort: --stdin --tcl";

// Commands that walk commits take the options of `git diff`, and open the file of `--output` as soon
// as they see it.
const history = `reads | ${revisionOptions} ${diffOptions}`;
const transports = "runs --upload-pack: --receive-pack: --exec:";

/** Git. Programs from the repository's configuration are not considered: that file is protected. */
export const git: ProgramTable = {
  git: "reads repository | -hPv --no-pager --no-optional-locks --no-replace-objects --no-lazy-fetch --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --version --html-path --man-path --info-path -C:dir | runs -c: --config-env: --exec-path? -p --paginate --bare --git-dir: --work-tree: --namespace: --super-prefix: --attr-source: --list-cmds? --help",

  "git log|show|diff|whatchanged|shortlog|rev-list|diff-tree|diff-index|diff-files|range-diff|cherry":
    history,
  "git blame|annotate|reflog": history,
  "git stash list|show": history,
  "git reflog show|list|exists": history,
  "git reflog expire|delete": "deletes",
  "git status": "reads any",
  "git rev-parse|describe|name-rev|merge-base|ls-files|ls-tree|show-ref|show-branch|count-objects":
    "reads any",
  "git check-ignore|check-attr|check-ref-format|check-mailmap|column|stripspace|var|version|patch-id":
    "reads any",
  "git for-each-ref|cat-file": `reads any | ${refOptions} | runs --textconv --filters`,
  "git grep":
    "reads | -acEFGHhIiLlnopPqvWwz0 -A: -B: -C: -e: -f: -m: -# --after-context: --all-match --and --before-context: --basic-regexp --break --cached --color? --column --context: --count --exclude-standard --extended-regexp --files-with-matches --files-without-match --fixed-strings --full-name --function-context --heading --ignore-case --index --invert-match --line-number --max-count: --max-depth: --name-only --no-color --no-exclude-standard --no-index --no-recursive --no-textconv --not --null --only-matching --or --perl-regexp --quiet --recurse-submodules --recursive --show-function --text --threads: --untracked --word-regexp | runs -O? --open-files-in-pager? --textconv --ext-grep",
  "git verify-commit|verify-tag|verify-pack|fsck": "runs any",
  "git ls-remote": `net transport any | ${transports}`,
  "git help|gui|citool|gitk|instaweb|web--browse|difftool|mergetool|bugreport|diagnose":
    "runs spelled",

  "git add|stage": "writes any | runs -e --edit -i --interactive -p --patch",
  "git commit":
    "writes any | -C: -F: -m: -t: -c: --author: --cleanup: --date: --file: --fixup: --message: --pathspec-from-file: --template: --trailer: | runs -e --edit -i --interactive -p --patch",
  "git restore|checkout|switch":
    "writes any | -b: -B: -c: -C: -s: --orphan: --source: | runs -p --patch",
  "git reset|merge|cherry-pick|revert|am":
    "writes any | -C: -m: -X: --message: --strategy-option: | runs -s: --strategy: -p --patch -e --edit -i --interactive",
  "git rebase":
    "writes any | -X: --onto: --strategy-option: | runs -x: --exec: -i --interactive -s: --strategy: --edit-todo",
  "git rm": "writes deletes any",
  "git mv": "writes any",
  "git clean": "deletes any | -e: --exclude:",
  "git stash": "writes any | -m: --message: | runs -p --patch",
  "git apply":
    "writes any | -C: -p: --directory: --exclude: --include: | writes --build-fake-ancestor: --unsafe-paths",
  "git branch": `writes reads0 | -aivqr -# ${refOptions} --all --abbrev? --color? --column? --ignore-case --list -l --no-abbrev --no-color --no-column --omit-empty --quiet --remotes --show-current --verbose | writes -c -C -d -D -f -m -M -t? -u: --copy --create-reflog --delete --force --move --no-track --set-upstream-to: --track? --unset-upstream --recurse-submodules | runs --edit-description`,
  "git tag": `writes reads0 | -il -n? ${refOptions} --color? --column? --ignore-case --list --no-color --no-column --omit-empty | writes -a -d -f -m: -F: --annotate --cleanup: --create-reflog --delete --file: --force --message: | runs -e --edit -s -u: -v --local-user: --sign --verify`,
  "git remote": "writes reads0 any",
  "git remote add|set-url": "writes transport spelled",
  "git remote get-url": "reads any",
  "git remote show|update|prune": "net any",
  "git notes": "writes reads0 any",
  "git notes list|show": "reads any",
  "git worktree": "writes any | -b: -B: --orphan: --reason:",
  "git worktree list": "reads any",
  "git worktree add": "writes out1 any | -b: -B: --orphan: --reason:",
  "git worktree move": "writes out2 any",
  "git worktree lock|prune|remove|repair|unlock": "writes any | --reason:",
  "git sparse-checkout|pack-refs|gc|prune|repack|maintenance|commit-graph|multi-pack-index|rerere|replace|update-index|update-ref|symbolic-ref|hash-object|write-tree|commit-tree|read-tree|mktree|checkout-index|merge-file|merge-tree|pack-objects|unpack-objects|index-pack":
    "writes spelled",
  "git init":
    "writes out1 any | -b: --initial-branch: --object-format: --ref-format: --shared? | runs --template: --separate-git-dir:",
  "git archive":
    "reads | -lv -# --format: --list --prefix: --verbose --worktree-attributes | writes -o: --output: | runs --remote: --exec:",
  "git bundle|fast-export|fast-import|format-patch|credential|credential-store|filter-branch|filter-repo|daemon|http-backend|shell|upload-pack|receive-pack|send-email|request-pull|svn|p4|cvsimport|hook":
    "writes runs spelled",
  "git config":
    "writes runs spelled git-config | -lz -f: --bool --bool-or-int --blob: --default: --expiry-date --file: --get --get-all --get-regexp --get-urlmatch --global --includes --int --list --local --name-only --no-includes --no-type --null --path --show-origin --show-scope --system --type: --worktree",
  "git config get|list": "reads any",
  "git bisect": "writes any",
  "git bisect log|view": "reads any",
  "git bisect run": "runs spelled inner",
  "git bisect visualize": "runs spelled",
  "git submodule": "writes reads0 any",
  "git submodule status|summary": "reads any",
  "git submodule foreach": "runs spelled inner",
  "git submodule add|update|sync|init": "runs net writes transport spelled",
  "git lfs": "runs spelled any",

  "git fetch|pull": `net writes transport any | -j: -s: -X: --depth: --deepen: --jobs: --refmap: --shallow-since: | ${transports} --strategy:`,
  "git push": `net writes transport any | --repo: | ${transports}`,
  "git clone": `net writes out2 transport any | -b: -j: --branch: --depth: --filter: --jobs: --origin: --reference: --shallow-since: | ${transports} -u: -c: --config: --template: --separate-git-dir:`,
};
