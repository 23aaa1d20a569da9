import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseProblems } from "./parse-problems.ts";
import type { Problem } from "./problem.ts";

const sample = (name: string): string =>
  readFileSync(new URL(`./samples/${name}.txt`, import.meta.url), "utf8");

/** A problem as one line: place, severity, code and message. */
const show = ({ file, line, column, severity, code, message }: Problem): string =>
  `${[file, line, column].filter((part) => part !== undefined).join(":")} ${severity} ${code} ${message}`;

const read = (name: string): string[] => parseProblems(sample(name), { passed: false }).map(show);

describe("parseProblems", () => {
  it.each<[string, string[]]>([
    [
      "tsc",
      [
        "src/a.ts:1:7 error TS2322 Type 'string' is not assignable to type 'number'.",
        "src/a.ts:3:10 error TS2322 Type 'string' is not assignable to type 'number'.",
        "src/b.ts:1:10 error TS2305 Module '\"./a.js\"' has no exported member 'nothing'.",
      ],
    ],
    ["tsc-pretty", read("tsc")],
    [
      "biome",
      [
        "src/a.ts:1:1 warning lint/style/useConst This let declares a variable that is only assigned once.",
        "src/a.ts:6:1 warning lint/suspicious/noConsole Don't use console.",
        "biome.json error format Formatter would have printed the following content:",
        "src/a.ts:2:1 error assist/source/organizeImports Some imports or exports are not organized.",
        "src/a.ts:3:7 error lint/suspicious/noDoubleEquals Using == may be unsafe if you are relying on type coercion.",
        "src/a.ts:4:3 error lint/suspicious/noDebugger This is an unexpected use of the debugger statement.",
        "src/a.ts error format Formatter would have printed the following content:",
        "src/broken.ts:1:1 error parse Illegal use of reserved keyword `let` as an identifier in strict mode",
        "src/broken.ts:1:7 error parse Expected an expression, or an assignment but instead found '='.",
        "src/broken.ts error format Code formatting aborted due to parsing errors. To format code with errors, enable the 'formatter.formatWithErrors' option.",
        "src/format.ts error format Formatter would have printed the following content:",
      ],
    ],
    [
      "eslint-stylish",
      [
        "/w/src/a.js:1:7 error no-unused-vars 'unused' is assigned a value but never used",
        "/w/src/a.js:12:10 warning no-console Unexpected console statement",
        "/w/src/b.tsx:3:5 error undefined Parsing error: Unexpected token )",
        "/w/src/b.tsx:4:1 error @typescript-eslint/explicit-function-return-type Missing return type on function",
      ],
    ],
    [
      "eslint-unix",
      [
        "/w/src/a.js:1:7 error no-unused-vars 'unused' is assigned a value but never used.",
        "/w/src/a.js:12:10 warning no-console Unexpected console statement.",
      ],
    ],
    ["eslint-compact", read("eslint-unix")],
    [
      "oxlint",
      ["src/a.js:1:7 warning eslint(no-unused-vars) Variable 'a' is declared but never used."],
    ],
    ["deno-lint", ["/w/main.ts:1:7 error no-unused-vars `a` is never used"]],
    [
      "ruff-full",
      [
        "pkg/a.py:1:8 undefined F401 `os` imported but unused",
        "pkg/b.py:3:12 undefined invalid-syntax Expected ')', found newline",
      ],
    ],
    [
      "ruff-concise",
      [
        "pkg/a.py:1:8 undefined F401 `os` imported but unused",
        "pkg/a.py:9:80 undefined E501 Line too long (93 > 79)",
      ],
    ],
    [
      "flake8",
      [
        "./pkg/a.py:1:1 undefined F401 'os' imported but unused",
        "./pkg/a.py:5:1 undefined E302 expected 2 blank lines, found 1",
      ],
    ],
    [
      "mypy",
      [
        'pkg/a.py:3 error assignment Incompatible types in assignment (expression has type "str", variable has type "int")',
        'pkg/a.py:7:12 error name-defined Name "missing" is not defined',
      ],
    ],
    [
      "pyright",
      [
        '/w/pkg/a.py:3:14 error undefined Type "str" is not assignable to declared type "int"',
        '/w/pkg/a.py:7:12 error reportUndefinedVariable "missing" is not defined',
        '/w/pkg/a.py:9:8 warning reportMissingModuleSource Import "yaml" could not be resolved from source',
      ],
    ],
    [
      "pylint",
      [
        "pkg/a.py:1:0 warning C0114 Missing module docstring",
        "pkg/a.py:3:4 warning W0612 Unused variable 'x'",
        "pkg/a.py:7:11 error E0602 Undefined variable 'missing'",
      ],
    ],
    [
      "pytest",
      [
        "tests/test_a.py:27 error undefined test_fixture: RuntimeError: fixture is broken",
        "tests/test_a.py:8 error undefined test_sum: AssertionError: sums",
        "tests/helper.py:3 error undefined test_deep: ValueError: too much",
        "tests/test_a.py:18 error undefined TestThing.test_each[2]: assert 2 == 1",
      ],
    ],
    ["pytest-short", read("pytest")],
    [
      "pytest-quiet",
      [
        "tests/test_a.py error undefined test_sum: AssertionError: sums",
        "tests/test_a.py error undefined test_deep: ValueError: too much",
        "tests/test_a.py error undefined TestThing::test_each[2]: assert 2 == 1",
        "tests/test_a.py error undefined test_fixture: RuntimeError: fixture is broken",
      ],
    ],
    [
      "pytest-collecting",
      [
        "tests/test_b.py:1 error undefined tests/test_b.py: ModuleNotFoundError: No module named 'nothing_like_this'",
      ],
    ],
    [
      "unittest",
      [
        "/w/test_u.py:9 error undefined test_error (test_u.TestSum.test_error): ValueError: too much",
        "/w/test_u.py:6 error undefined test_sum (test_u.TestSum.test_sum): AssertionError: 2 != 3",
      ],
    ],
    [
      "go-vet",
      [
        "calc/add.go:5:9 undefined undefined undefined: total",
        'calc/other.go:3:2 undefined undefined "os" imported and not used',
      ],
    ],
    [
      "go-test",
      [
        "example.com/m/calc/add_test.go:10 error undefined TestAdd: Add(1, 1) = 2; want 3",
        "example.com/m/calc/add_test.go:14 error undefined TestAdd/sub: nope",
      ],
    ],
    ["go-test-verbose", read("go-test")],
    [
      "cargo-check",
      [
        "src/lib.rs:3:5 error E0308 mismatched types",
        "src/lib.rs:5:25 error E0425 cannot find function `missing` in this scope",
      ],
    ],
    [
      "cargo-short",
      [
        "src/lib.rs:3:5 error E0308 mismatched types: expected `i32`, found `&str`",
        "src/lib.rs:5:25 error E0425 cannot find function `missing` in this scope: not found in this scope",
      ],
    ],
    [
      "cargo-test",
      [
        "src/lib.rs:2:9 warning undefined unused variable: `unused`",
        "src/lib.rs:11:9 error undefined tests::adds: assertion `left == right` failed, left: 2, right: 3",
        "src/lib.rs:16:28 error undefined tests::panics: index out of bounds: the len is 0 but the index is 0",
      ],
    ],
    [
      "vitest",
      [
        "src/b.test.ts:1:1 error undefined Error: Cannot find module './missing.js' imported from /w/src/b.test.ts",
        "src/a.test.ts:4:19 error undefined sums > adds: AssertionError: expected 2 to be 3 // Object.is equality",
        "src/a.test.ts:12:9 error undefined sums > throws: TypeError: no such thing",
        "src/c.test.ts:2:1 error undefined slow: Error: Test timed out in 50ms.",
      ],
    ],
    [
      "jest",
      [
        "src/sum.test.js:4:19 error undefined sums › adds: expect(received).toBe(expected) // Object.is equality",
        "src/broken.test.js:1:1 error undefined Test suite failed to run: Cannot find module './missing' from 'src/broken.test.js'",
      ],
    ],
    [
      "mocha",
      [
        "test/sum.test.js:6:14 error undefined sums > adds: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 2 !== 3",
        "test/sum.test.js:12:15 error undefined sums > deeper > throws: TypeError: no such thing",
      ],
    ],
    [
      "node-test",
      [
        "a.test.js:4:10 error undefined adds: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 2 !== 3",
        "a.test.js:8:11 error undefined throws: TypeError: no such thing",
      ],
    ],
    [
      "tap",
      [
        "/w/a.test.js:3:1 error undefined adds: Expected values to be strictly equal: 2 !== 3",
        "/w/a.test.js:7:3 error undefined throws: no such thing",
      ],
    ],
    ["tap-perl", ["t/count.t:7 error undefined counts"]],
    ["tap-bats", ["test/all.bats:8 error undefined second"]],
    [
      "gcc",
      [
        "a.c:3:11 warning -Wint-conversion initialization of ‘int’ from ‘char *’ makes integer from pointer without a cast",
        "a.c:4:3 error undefined ‘retrun’ undeclared (first use in this function)",
        "a.c:4:9 error undefined expected ‘;’ before numeric constant",
        "a.c:3:7 warning -Wunused-variable unused variable ‘x’",
      ],
    ],
    [
      "shellcheck",
      [
        "src/a.sh:2:10 error SC2045 Iterating over ls output is fragile. Use globs.",
        "src/a.sh:2:15 info SC2035 Use ./*glob* or -- *glob* so names with dashes won't become options.",
        "src/a.sh:3:8 info SC2086 Double quote to prevent globbing and word splitting.",
        "src/a.sh:5:1 warning SC2034 unused appears unused. Verify use (or export if used externally).",
        "src/a.sh:6:1 warning SC2164 Use 'cd ... || exit' or 'cd ... || return' in case cd fails.",
        "src/a.sh:7:6 info SC2086 Double quote to prevent globbing and word splitting.",
        "src/a.sh:8:8 warning SC2046 Quote this to prevent word splitting.",
        "src/a.sh:8:8 info SC2005 Useless echo? Instead of 'echo $(cmd)', just use 'cmd'.",
        "src/a.sh:8:8 info SC2006 Use $(...) notation instead of legacy backticks `...`.",
        "src/b.sh:2:1 info SC1009 The mentioned syntax error was in this if expression.",
        "src/b.sh:2:10 error SC1073 Couldn't parse this then clause. Fix to allow more checks.",
        "src/b.sh:3:1 error SC1072 Expected a command. Fix any mentioned problems and try again.",
      ],
    ],
    ["shellcheck-gcc", read("shellcheck")],
    [
      "javac",
      [
        "A.java:2 error undefined incompatible types: String cannot be converted to int",
        "A.java:3 error undefined cannot find symbol",
      ],
    ],
    [
      "dotnet",
      [
        "/w/src/Program.cs:3:9 error CS0103 The name 'x' does not exist in the current context",
        "/w/src/Program.cs:5:13 warning CS0219 The variable 'y' is assigned but its value is never used",
      ],
    ],
    ["maven", ["/w/src/main/java/A.java:3:9 error undefined cannot find symbol"]],
    [
      "others",
      [
        "/w/src/Main.kt:3:5 error undefined Unresolved reference: x",
        "lib/main.dart:3:5 error undefined_identifier Undefined name 'x'.",
        "lib/a.dart:1:8 warning unused_import Unused import",
        "/w/a.php:3 error undefined syntax error, unexpected end of file",
        "lib/a.ex:3 undefined CompileError undefined function x/0",
        "lib/a.rb:1:1 warning Style/FrozenStringLiteralComment Missing frozen string literal comment.",
        "main.swift:2:9 error undefined cannot find 'x' in scope",
      ],
    ],
  ])("reads what %s prints", (name, problems) => {
    expect(read(name)).toEqual(problems);
  });

  it("reads annotations for GitHub", () => {
    const problems = read("github");
    expect(problems).toHaveLength(10);
    expect(problems[4]).toBe(
      "/w/src/a.ts:3:7 error lint/suspicious/noDoubleEquals Using == may be unsafe if you are relying on type coercion.",
    );
    const [escaped] = parseProblems("::warning file=a%2Cb.ts,line=2::50%25 of%0Ait", {
      passed: true,
    });
    expect(escaped).toEqual({
      file: "a,b.ts",
      line: 2,
      severity: "warning",
      message: "50% of\nit",
    });
  });

  it("takes lines that begin with a source file and a line number, of checks that failed", () => {
    const output = "src/a.sql:3: odd\nexample.com:443: refused\n12:30:45: late\n a.ts:1: x\n";
    expect(parseProblems(output, { passed: false })).toEqual([
      { file: "src/a.sql", line: 3, message: "odd" },
    ]);
    expect(parseProblems(output, { passed: true })).toEqual([]);
  });

  it("tells a problem once, and clips what it says", () => {
    const line = `a.ts(1,2): error TS1: ${"x".repeat(400)}`;
    expect(parseProblems(`${line}\n${line}\n`, { passed: false })).toEqual([
      {
        file: "a.ts",
        line: 1,
        column: 2,
        severity: "error",
        code: "TS1",
        message: `${"x".repeat(299)}…`,
      },
    ]);
  });

  it("finds nothing in what is not output of a check", () => {
    const prose = "Ready in 300 ms.\n\nListening on http://127.0.0.1:3000 (node:internal/x:1:2)\n";
    expect(parseProblems(prose, { passed: false })).toEqual([]);
  });

  it("takes any output in its time", () => {
    const words = [
      "a.ts",
      ":",
      "1",
      " ",
      "\n",
      "(",
      ")",
      "FAIL  ",
      "● ",
      "--> ",
      "━━━",
      "error",
      "_ ",
    ];
    const lines = fc.array(fc.constantFrom(...words), { maxLength: 300 });
    fc.assert(
      fc.property(lines, (parts) => {
        for (const problem of parseProblems(parts.join(""), { passed: false })) {
          expect(typeof problem.message).toBe("string");
        }
      }),
    );
    const long = ["a ", "a.b:1:", "((((", "__ ", "    at (", "━"].map((part) =>
      part.repeat(200_000),
    );
    expect(parseProblems(long.join("\n"), { passed: false })).toEqual([]);
  });
});
