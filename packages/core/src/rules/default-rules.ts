import { parseRule, type Rule } from "./rule.ts";

// One rule a line, as in a rules file. Whatever else changes files or runs programs has no line
// here and is therefore asked. Any rule of a person's own goes before these.
const text = `
# Reading and searching, and taking back what Haft did.
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
lsp ** allow

# What an agent does by other agents, each of whose calls is judged for itself; and what it knows.
task * allow
task_output * allow
task_stop * allow
finder * allow
oracle * allow
librarian * allow
kraken * allow
skill * allow
find_thread * allow
read_thread * allow
plan_exit * allow

# The tool's own folder in the project, but not what is allowed or set there.
fs.write .haft/** allow
fs.write .haft/rules ask
fs.write .haft/settings* ask

# Formatting.
format_file ** allow
bash prettier --write allow
bash prettier --check allow
bash biome format allow
bash dprint fmt allow
bash black allow
bash ruff format allow
bash isort allow
bash gofmt -w allow
bash gofmt -l allow
bash go fmt allow
bash rustfmt allow
bash cargo fmt allow
bash clang-format -i allow
bash shfmt -w allow
bash stylua allow
bash terraform fmt allow
bash zig fmt allow
bash mix format allow
bash dart format allow

# What developers run all day, where the sandbox confines it.
check@sandbox * allow
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

/** The rules that hold where nobody made one. */
export const defaultRules: readonly Rule[] = text
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map(parseRule);
