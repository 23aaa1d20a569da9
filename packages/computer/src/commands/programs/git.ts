import { diffOptions, refOptions, revisionOptions } from "./git-options.ts";
import type { ProgramTable } from "./program-table.ts";

// Whatever walks through commits takes the options of `git diff`, and opens the file of `--output`
// as soon as it sees it.
const history = `reads | ${revisionOptions} ${diffOptions}`;
const transports = "runs --upload-pack: --receive-pack: --exec:";

/** Git. What it runs by the configuration of its repository is not looked at: that is protected. */
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
  "git sparse-checkout|pack-refs|gc|prune|repack|maintenance|commit-graph|multi-pack-index|rerere|replace|update-index|update-ref|symbolic-ref|hash-object|write-tree|commit-tree|read-tree|mktree|checkout-index|merge-file|merge-tree|pack-objects|unpack-objects|index-pack":
    "writes spelled",
  "git init":
    "writes any | -b: --initial-branch: --object-format: --ref-format: --shared? | runs --template: --separate-git-dir:",
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
  "git lfs": "runs any",

  "git fetch|pull": `net writes transport any | -j: -s: -X: --depth: --deepen: --jobs: --refmap: --shallow-since: | ${transports} --strategy:`,
  "git push": `net writes transport any | --repo: | ${transports}`,
  "git clone": `net writes transport any | -b: -j: --branch: --depth: --filter: --jobs: --origin: --reference: --shallow-since: | ${transports} -u: -c: --config: --template: --separate-git-dir:`,
};
