import type { ProgramTable } from "./program-table.ts";

// Project files decide what they do, so they always run other code.
const compiler = "runs writes dashed any | -o:dir | runs -B: -fplugin: -wrapper: -specs: @";

/** Programs that run the code they are given: interpreters, shells and compilers. */
export const interpreters: ProgramTable = {
  "sh|bash|dash|ash|zsh|ksh|mksh|fish|csh|tcsh|pwsh|powershell|nu|xonsh|elvish":
    "runs script inner",
  "python|python2|python3|pypy|pypy3|ipython|bpython":
    "runs script | -BdEIOqsSuvVx --help --version | runs -c: -m: -i -W: -X:",
  "node|nodejs":
    "runs script | -v -h --version --help --test-name-pattern: --test-only --trace-warnings --no-warnings --enable-source-maps --stack-trace-limit: --max-old-space-size: --experimental-strip-types --watch --test --test-concurrency: --test-timeout: | runs --test-reporter: -e: --eval: -p: --print: -r: --require: --import: --loader: --experimental-loader: -i --interactive --env-file: --inspect? --inspect-brk? --run: -c --check -C: --conditions: --test-reporter-destination: --experimental-config-file:",
  "tsx|ts-node":
    "runs script | -v --version --help --watch | runs -e: --eval: -p: --print: -r: --require: --import: --tsconfig: -P:",
  perl: "runs script | -v -V -w -T -t -u -U -W -X --version | runs -e: -E: -i? -I: -M? -m? -n -p -s -S -x? -F? -d? -0? -a -l? -c",
  "ruby|jruby":
    "runs script | -v -w -W --version --help | runs -e: -i? -I: -r: -n -p -x? -C: -S -c",
  "php|php-cgi":
    "runs script | -v -m -i --version --help | runs -r: -R: -B: -E: -F: -f: -a -d: -c: -z: -S: -l",
  "lua|luajit|Rscript|R|julia|octave|ghci|runghc|runhaskell|scala|groovy|jshell|elixir|iex|erl|escript|swipl|guile|racket|sbcl|clisp|tclsh|wish|osascript|clojure|clj|bb|crystal|nim|dart|ocaml|raku":
    "runs script",
  deno: "runs script | -V -h --version --help",
  "deno run|test|bench|task|eval|repl|compile|bundle|install|uninstall|cache|serve|x|add|remove|upgrade|publish|jupyter":
    "runs writes net spelled any",
  "deno fmt": "writes any",
  "deno lint|check|info|doc|types": "runs reads any | writes --fix",
  java: "runs writes any",
  "javac|kotlinc|kotlin|scalac|groovyc|jar|javadoc|keytool": "runs writes any",
  "gcc|g++|cc|c++|clang|clang++|tcc|icc|nvcc|cpp|ld|as|gold|lld": compiler,
  "rustc|ghc|ocamlopt|ocamlc|swift|swiftc|zig|nasm|yasm|fpc|gfortran|dmd|ldc2|v|odin|emcc":
    "runs writes any | -o:dir",
  "swift build|test|run|package": "runs writes net any",
  "zig fmt": "writes any",
  "zig build|run|test|build-exe|build-lib|cc|c++": "runs writes any",
  tsc: "runs writes any | writes --outDir: --outFile: --declarationDir: --tsBuildInfoFile: --generateTrace: --generateCpuProfile: | runs -p: --project: --plugins:",
  "sqlite3|duckdb": "runs writes sqlite",
  "psql|mysql|mariadb|mongosh|mongo|sqlcmd|clickhouse-client": "runs net input",
  "redis-cli": "runs net",
};
