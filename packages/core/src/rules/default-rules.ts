import { parseRule, type Rule } from "./rule.ts";

// One rule per line, as in a rules file. Anything else that changes files or runs programs needs
// approval. A user's own rules take precedence.
const text = `
# Reading, searching and undoing changes.
read ** allow
glob ** allow
grep ** allow
repo_overview ** allow
undo_edit ** allow
todo ** allow
question ** allow
tool_search ** allow
web_search * allow
web_fetch * allow
job_list * allow
job_output * allow
job_stop * allow

# Subagents and programs, whose calls are checked one by one, and skills and threads.
run_code * allow
code_output * allow
task * allow
task_output * allow
task_stop * allow
finder * allow
oracle * allow
librarian * allow
kraken * allow
skill * allow
find_thread this-workspace allow
read_thread this-workspace allow
plan_exit * allow

# Haft's folder in the project, except its rules, settings, agents and toolbox.
fs.write .haft/** allow
fs.write .haft/rules ask
fs.write .haft/settings* ask
fs.write .haft/agents/** ask
fs.write .haft/toolbox/** ask

# Formatters. They are the project's programs, or run programs that its configuration names.
format_file@sandbox ** allow
bash@sandbox prettier --write allow
bash@sandbox prettier --check allow
bash@sandbox biome format allow
bash@sandbox dprint fmt allow
bash@sandbox black allow
bash@sandbox ruff format allow
bash@sandbox isort allow
bash@sandbox gofmt -w allow
bash@sandbox gofmt -l allow
bash@sandbox go fmt allow
bash@sandbox rustfmt allow
bash@sandbox cargo fmt allow
bash@sandbox clang-format -i allow
bash@sandbox shfmt -w allow
bash@sandbox stylua allow
bash@sandbox terraform fmt allow
bash@sandbox zig fmt allow
bash@sandbox mix format allow
bash@sandbox dart format allow

# Everyday developer programs, only in the sandbox.
check@sandbox * allow
lsp@sandbox ** allow
bash@sandbox ls allow
bash@sandbox cat allow
bash@sandbox head allow
bash@sandbox tail allow
bash@sandbox wc allow
bash@sandbox nl allow
bash@sandbox cut allow
bash@sandbox tr allow
bash@sandbox sort allow
bash@sandbox uniq allow
bash@sandbox comm allow
bash@sandbox paste allow
bash@sandbox fold allow
bash@sandbox rev allow
bash@sandbox tac allow
bash@sandbox expand allow
bash@sandbox column allow
bash@sandbox grep allow
bash@sandbox egrep allow
bash@sandbox fgrep allow
bash@sandbox rg allow
bash@sandbox find allow
bash@sandbox fd allow
bash@sandbox sed allow
bash@sandbox awk allow
bash@sandbox jq allow
bash@sandbox yq allow
bash@sandbox diff allow
bash@sandbox cmp allow
bash@sandbox file allow
bash@sandbox stat allow
bash@sandbox du allow
bash@sandbox df allow
bash@sandbox tree allow
bash@sandbox xxd allow
bash@sandbox od allow
bash@sandbox strings allow
bash@sandbox pwd allow
bash@sandbox cd allow
bash@sandbox exit allow
bash@sandbox echo allow
bash@sandbox printf allow
bash@sandbox true allow
bash@sandbox false allow
bash@sandbox test allow
bash@sandbox [ allow
bash@sandbox basename allow
bash@sandbox dirname allow
bash@sandbox realpath allow
bash@sandbox readlink allow
bash@sandbox which allow
bash@sandbox type allow
bash@sandbox date allow
bash@sandbox seq allow
bash@sandbox sleep allow
bash@sandbox md5sum allow
bash@sandbox sha1sum allow
bash@sandbox sha256sum allow
bash@sandbox sha512sum allow
bash@sandbox cksum allow
bash@sandbox base64 allow
bash@sandbox hexdump allow
bash@sandbox uname allow
bash@sandbox whoami allow
bash@sandbox id allow
bash@sandbox nproc allow
bash@sandbox mkdir allow
bash@sandbox touch allow
bash@sandbox git allow
bash@sandbox npm allow
bash@sandbox npx allow
bash@sandbox pnpm allow
bash@sandbox yarn allow
bash@sandbox bun allow
bash@sandbox node allow
bash@sandbox deno allow
bash@sandbox tsc allow
bash@sandbox tsx allow
bash@sandbox eslint allow
bash@sandbox biome allow
bash@sandbox prettier allow
bash@sandbox vitest allow
bash@sandbox jest allow
bash@sandbox mocha allow
bash@sandbox playwright allow
bash@sandbox vite allow
bash@sandbox webpack allow
bash@sandbox rollup allow
bash@sandbox esbuild allow
bash@sandbox python allow
bash@sandbox python3 allow
bash@sandbox pip allow
bash@sandbox pip3 allow
bash@sandbox uv allow
bash@sandbox poetry allow
bash@sandbox pytest allow
bash@sandbox ruff allow
bash@sandbox mypy allow
bash@sandbox pyright allow
bash@sandbox black allow
bash@sandbox tox allow
bash@sandbox cargo allow
bash@sandbox rustc allow
bash@sandbox go allow
bash@sandbox gofmt allow
bash@sandbox make allow
bash@sandbox cmake allow
bash@sandbox ninja allow
bash@sandbox gcc allow
bash@sandbox g++ allow
bash@sandbox clang allow
bash@sandbox clang++ allow
bash@sandbox cc allow
bash@sandbox java allow
bash@sandbox javac allow
bash@sandbox mvn allow
bash@sandbox gradle allow
bash@sandbox ./gradlew allow
bash@sandbox ./mvnw allow
bash@sandbox kotlinc allow
bash@sandbox dotnet allow
bash@sandbox ruby allow
bash@sandbox bundle allow
bash@sandbox rake allow
bash@sandbox rspec allow
bash@sandbox php allow
bash@sandbox composer allow
bash@sandbox mix allow
bash@sandbox elixir allow
bash@sandbox swift allow
bash@sandbox zig allow
bash@sandbox perl allow
`;

/**
 * The default rules. They apply where no other rule does.
 *
 * @example
 * ```ts
 * import { defaultRules } from "@haft/core";
 *
 * const allowed = defaultRules.filter((rule) => rule.action === "allow");
 * ```
 */
export const defaultRules: readonly Rule[] = text
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map(parseRule);
