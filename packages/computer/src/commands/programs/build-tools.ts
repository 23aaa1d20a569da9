import type { ProgramTable } from "./program-table.ts";

const project = "runs writes any";

/** Programs that build, test, check and format a project. */
export const buildTools: ProgramTable = {
  "make|gmake|bmake|remake": `${project} assigned | -C:dir --directory:dir -j? -l? -O? | runs -E: --eval: -f: --file: --makefile: -I: --include-dir:`,
  "ninja|samu": `${project} | -C:dir -j: -k: -l: | runs -f: -t:`,
  cmake: `${project} | writes -B: --install: | runs -C: -D: -E -P: -T: --toolchain:`,
  "ctest|buf|sqlfluff|meson|bazel|bazelisk|buck|buck2|pants|scons|waf|xmake|premake5|autoconf|automake|autoreconf|configure|libtool|just|task|invoke|inv|tox|nox|earthly|dagger|please|ant|xcodebuild|msbuild|tilt|skaffold":
    project,
  "mvn|mvnw|gradle|gradlew|mvnd": `${project} | -D? -P? -p:dir | runs -f: --file: -s: --settings: -I: --init-script: -b: --build-file: -c: -g:`,
  cargo: "reads any | -C:dir --color: | runs -Z: --config:",
  "cargo build|b|check|c|test|t|run|r|bench|doc|d|clippy|fix|install|uninstall|update|add|remove|rm|publish|package|clean|new|init|vendor|fetch|generate-lockfile|nextest|expand|llvm-cov|miri|watch|tarpaulin|audit|deny|outdated|sqlx|leptos|tauri|make|xtask|machete|udeps|release|login|owner|yank|rustc|rustdoc|report":
    "runs writes net any | -p: -j: --package: --features: -F: --jobs: --target: --bin: --example: --test: --profile: | runs --config: --manifest-path: -Z: | writes --target-dir: --out-dir: --artifact-dir: --root:",
  "cargo fmt": "writes any | runs --config: --manifest-path:",
  "cargo tree|metadata|search|info|locate-project|pkgid|read-manifest|verify-project|version|help":
    "runs any | runs --config: --manifest-path:",
  go: "reads any",
  "go build|test|run|install|generate|get|mod|work|tool|vet|clean|fix|bug|telemetry":
    "runs writes net dashed any | -run: -bench: -count: -timeout: -tags: | runs -exec: --exec: -toolexec: --toolexec: -vettool: --vettool: -overlay: --overlay: -modfile: --modfile: -ldflags: --ldflags: -gcflags: -C: | -o:dir --o:dir | writes -coverprofile: --coverprofile: -cpuprofile: -memprofile: -trace: -outputdir:",
  "go fmt": "writes any",
  "go version|doc|list|help": "runs dashed any | runs -toolexec: --toolexec: -overlay: -modfile:",
  "go env": "reads dashed any | writes -w --w -u --u",
  gofmt: "reads dashed | -d -e -s -l -h -r: | writes -w -cpuprofile:",
  goimports: "reads dashed | -d -l -e -v -local: | writes -w",
  "rustfmt|stylua|isort|black|autopep8|yapf|standardrb|scalafmt|ktlint|ktfmt|ormolu|fourmolu|hindent|nixfmt|alejandra|taplo|dprint|swift-format|swiftformat|google-java-format|mdformat|djlint":
    "writes any | runs --config: --config-path: --settings-file: --settings-path: --sp: --plugin: --style: --conf: -c:",
  "dprint fmt|check": "writes runs any | runs --config: -c: --plugins:",
  "clang-format|shfmt|pg_format":
    "reads any | writes -i -w --write -o: --output: --inplace --in-place -m",
  prettier:
    "runs reads any | writes -w --write --cache-location: | runs --plugin: --config: --plugin-search-dir: --find-config-path:",
  "eslint|oxlint|stylelint|standard|xo|rome|tslint|htmlhint|markdownlint|markdownlint-cli2|knip|depcheck|madge|attw|publint|commitlint|lint-staged|sherif|jscpd|cspell|dependency-cruiser|depcruise":
    "runs reads any | writes --fix --fix-dry-run -o: --output-file: --cache-location: --fix-type: | runs -c: --config: --rulesdir: --plugin: --resolve-plugins-relative-to: --parser: -f: --format: --require:",
  biome: "reads any",
  "biome check|lint|ci|start|stop|migrate|init|rage|explain|search|lsp-proxy|clean|upgrade":
    "runs reads any | writes --write --fix --apply --apply-unsafe --unsafe | runs --config-path:",
  "biome format": "runs writes any | runs --config-path:",
  ruff: "reads any",
  "ruff check":
    "reads any | writes --fix --fix-only --unsafe-fixes --add-noqa -o: --output-file: --cache-dir: | runs --config:",
  "ruff format": "writes any | runs --config:",
  "ruff rule|linter|version|config|help|clean": "reads any",
  "mypy|pyright|basedpyright|pytype|pyre|flake8|pylint|pydocstyle|bandit|vulture|radon|pyflakes|pycodestyle":
    "runs reads any | writes --junit-xml: --html-report: --xml-report: --cache-dir: -o: --output: --output-file: --install-types | runs --config-file: --config: --rcfile: --plugin: --load-plugins: --init-hook: --python-executable: --custom-typeshed-dir:",
  "pytest|py.test|nose2|unittest|coverage|behave|robot": `${project} | -k: -m: -n: | runs -c: -p: --rootdir: --confcutdir: --import-mode: --pdb --pdbcls: -o: | writes --junitxml: --junit-xml: --basetemp: --cov-report: --log-file: --resultlog:`,
  "jest|vitest|mocha|ava|tap|jasmine|karma|cypress|playwright|wdio|testcafe|nightwatch|c8|nyc|uvu|qunit": `${project} | -t: --testNamePattern: | runs -c: --config: --globalSetup: --setupFiles: --setupFilesAfterEnv: --testEnvironment: --runner: --reporters: --reporter: --require: -r: --import: --transform: --resolver: | writes --outputFile: --coverageDirectory: --output: -u --update --updateSnapshot`,
  "vite|webpack|rollup|esbuild|parcel|swc|babel|next|nuxt|astro|remix|svelte-kit|gatsby|ng|nx|turbo|lerna|gulp|grunt|tsup|unbuild|rolldown|rspack|rsbuild|storybook|expo|react-native|electron|electron-builder|tauri|ionic|cap|wrangler|serverless|sls|vercel|netlify|prisma|drizzle-kit|typeorm|sequelize|knex|nodemon|pm2|concurrently|npm-run-all|husky|changeset|release-it|semantic-release|typedoc|api-extractor|postcss|tailwindcss|sass|lessc|node-gyp|pkg|ncc|protoc|buf-gen|graphql-codegen|openapi-generator|hardhat|forge|anchor|truffle": `${project} | runs --config: -c: | writes --outfile: --outdir: -o: --out:`,
  dotnet: "reads any",
  "dotnet build|test|run|restore|publish|pack|add|remove|new|tool|clean|watch|msbuild|vstest|ef|nuget|sln|workload|exec|script|store|user-secrets|dev-certs|format|help":
    "runs writes net any",
  "dotnet list": "runs reads any",
  "dart format": "writes any",
  "terraform|tofu|terragrunt": "runs net any",
  "terraform fmt": "writes dashed any",
  "terraform version|validate|show|output|providers|graph|state": "runs reads dashed any",
  "terraform init|plan|apply|destroy|import|workspace|taint|untaint|refresh|console|get|login|logout|test|force-unlock":
    "runs net writes any",
};
