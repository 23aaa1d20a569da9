/** Programs that run well, some of them loosely typed. The check must let them pass. */
export const goodPrograms: readonly (readonly [name: string, code: string])[] = [
  ["nothing", ""],
  ["a comment only", "// nothing to do"],
  ["plain JavaScript", 'var a = {}; a.b = 1; a["c"] = 2; return a.b + a.c;'],
  ["a call and its result", 'const r = await tools.read({ path: "a.txt" });\nreturn r.content;'],
  [
    "a call without a semicolon",
    'const { files } = await tools.glob({ pattern: "**" })\nreturn files',
  ],
  [
    "calls side by side",
    'const { files } = await tools.glob({ pattern: "**/*.ts" });\nconst pages = await Promise.all(files.map((path) => tools.read({ path })));\nreturn pages.filter((page) => page.total_lines > 300).length;',
  ],
  [
    "a loop with a list that starts empty",
    'const out = [];\nfor (const path of ["a", "b"]) { const r = await tools.read({ path }); out.push({ path, lines: r.total_lines }); }\nreturn out.sort((a, b) => b.lines - a.lines);',
  ],
  [
    "an object used as a map",
    'const count = {};\nconst r = await tools.grep({ pattern: "TODO" });\nfor (const word of ["a", "b"]) count[word] = (count[word] || 0) + 1;\nreturn Object.entries(count).map(([k, v]) => k + v);',
  ],
  [
    "a function without types",
    "function pick(o, keys) { const r = {}; for (const k of keys) r[k] = o[k]; return r; }\nreturn pick({ a: 1, b: 2 }, ['a']);",
  ],
  [
    "too few and too many arguments of its own function",
    "function f(a, b) { return a; }\nf(1); f(1, 2, 3); return f();",
  ],
  [
    "numbers and texts mixed",
    'let n = "5"; n = n * 2; const d = new Date() - new Date(0); return n + d + parseInt(7) + Math.max("3", 1);',
  ],
  [
    "a variable with several kinds of values",
    'let x = 0; x = "a"; x = { foo: 1 }; x = [1]; return x;',
  ],
  [
    "a variable with several results",
    'let r = await tools.read({ path: "a" }); r = await tools.glob({ pattern: "*" }); return r.files;',
  ],
  [
    "a text that becomes a result",
    'let last = ""; last = await tools.glob({ pattern: "*" }); return last.files.length;',
  ],
  [
    "an object that becomes a result",
    'let last = { content: "", extra: 1 }; last = await tools.read({ path: "a" }); return last.content;',
  ],
  ["a tool whose name is a function of tools", 'return await tools.search({ query: "a" });'],
  [
    "a caught error",
    'try { await tools.read({ path: "no" }); } catch (e) { if (e.code === "not-found") return e.message; throw e; }',
  ],
  [
    "a caught error by its class",
    'try { await tools.read({ path: "no" }); } catch (e) { return e instanceof ToolError && e.code; }',
  ],
  ["a caught promise", 'return await tools.read({ path: "no" }).catch((error) => error.code);'],
  [
    "then",
    'return tools.read({ path: "a" }).then((r) => r.content.split("\\n")).then((lines) => lines.length);',
  ],
  ["a call that is not awaited", 'tools.read({ path: "a" }); return 1;'],
  [
    "settled promises",
    'const all = await Promise.allSettled([tools.read({ path: "a" }), tools.read({ path: "b" })]);\nreturn all.filter((r) => r.status === "fulfilled").map((r) => r.value.content);',
  ],
  [
    "settled promises without a test",
    'const all = await Promise.allSettled([tools.read({ path: "a" })]);\nreturn all.map((r) => r.value ?? r.reason);',
  ],
  [
    "properties that may be missing",
    'const r = await tools.read({ path: "a" });\nconst text = r.text ?? r.output ?? r.content; if (r.error) print("x"); return text || r.body || "";',
  ],
  [
    "a property with a default",
    'const { content, extra = 1 } = await tools.read({ path: "a" }); return content + extra;',
  ],
  [
    "a property of its own on a result",
    'const r = await tools.read({ path: "a" }); r.seen = true; return r.seen;',
  ],
  ["an any", 'const r: any = await tools.read({ path: "a" }); return r.whatever.it.has;'],
  ["a cast", 'const r = (await tools.read({ path: "a" })) as any; return r.whatever;'],
  [
    "types of its own",
    'interface Page { content: string }\ntype Pages = Record<string, Page>;\nconst pages: Pages = {};\npages.a = await tools.read({ path: "a" });\nreturn pages;',
  ],
  [
    "a wrong type of its own",
    'const n: number = "a"; const s: string = 5; function f(x: number) { return x; } return f("b") + s + n;',
  ],
  [
    "types that do not exist",
    "const b: Buffer = null; let t: NodeJS.Timeout; const f = (r: Response): Foo<Bar> => r; return f(b) === t;",
  ],
  [
    "generics",
    'const by = <T, K extends string>(items: T[], key: (item: T) => K) => items.reduce((all, item) => { (all[key(item)] ??= []).push(item); return all; }, {} as Record<K, T[]>);\nreturn by(["a", "bb"], (s) => s);',
  ],
  [
    "satisfies and as const",
    'const args = { path: "a", limit: 5 } as const satisfies { path: string; limit: number };\nreturn (await tools.read(args)).content;',
  ],
  [
    "a class",
    "class Counter { #n = 0; total; add(n) { this.#n += n; this.total = this.#n; return this; } get value() { return this.#n; } }\nreturn new Counter().add(2).value;",
  ],
  ["a generator", "function* up(n) { for (let i = 0; i < n; i++) yield i; }\nreturn [...up(3)];"],
  [
    "an async generator",
    'async function* pages(paths) { for (const path of paths) yield await tools.read({ path }); }\nfor await (const p of pages(["a"])) print(p.content);',
  ],
  [
    "a regular expression",
    'const m = "a=1".match(/(?<k>\\w)=(?<v>\\d)/u); return m.groups.k + m[2];',
  ],
  [
    "new methods of JavaScript",
    "return [Object.groupBy([1, 2], (n) => (n % 2 ? 'odd' : 'even')), [3, 1].toSorted(), [1].at(-1), new Set([1]).union(new Set([2])).size, Array.from({ length: 2 }, (_, i) => i), 'a'.replaceAll('a', 'b')];",
  ],
  [
    "arguments in a variable",
    'const args = { pattern: "x", path: "." }; const r = await tools.grep(args); return r;',
  ],
  [
    "arguments that are put together",
    'const args = {}; args.path = "a"; return await tools.read({ ...args, path: "b" });',
  ],
  [
    "a literal in a variable",
    'let mode = "content"; const args = { query: "a", order: "newest" }; return await tools.crm_find(args);',
  ],
  ["a tool by its exact name", 'return await tools["crm-find"]({ query: "a" });'],
  [
    "a tool by a name in a variable",
    'for (const name of ["read", "stat"]) print(await tools[name]({ path: "a" }));',
  ],
  [
    "tools taken apart",
    'const { read, glob } = tools; const t = tools; return [(await read({ path: "a" })).content, await t.glob({ pattern: "*" })];',
  ],
  ["a tool by another agent's name", 'return await tools.read_file({ path: "a.txt" });'],
  [
    "search and describe",
    'const [first] = await tools.$search("find text"); print(first.name, first.description); return (await tools.$describe(first.name)).length;',
  ],
  ["a list of tools", "return Object.keys(tools).length;"],
  [
    "print and console",
    'print("a", 1, null, undefined, { a: [1] }, [1], new Map(), () => 1); console.log("x"); console.error(new Error("e"));',
  ],
  [
    "store and load",
    'const seen = load("seen") ?? []; seen.push("a"); store("seen", seen); store("gone", undefined); return load("seen").length;',
  ],
  [
    "timers",
    "const t = setTimeout(() => print('late'), 10); clearTimeout(t); await new Promise((done) => setTimeout(done, 1));",
  ],
  [
    "a result without a schema",
    'const r = await tools.untyped_thing({ any: "thing" }); return r.a.b.c + r.items.map((i) => i.x);',
  ],
  [
    "a result with variants",
    'const r = await tools.either_of({}); return r.kind === "file" ? r.size : r.entries.length;',
  ],
  ["a variant without a test", "const r = await tools.either_of(); return r.entries;"],
  [
    "JSON",
    'const r = await tools.read({ path: "a.json" }); const o = JSON.parse(r.content); return JSON.stringify(o.a.b, null, 2);',
  ],
  [
    "a variable that no one declares",
    "total = 0; for (let i = 0; i < 3; i++) total += i; return total;",
  ],
  [
    "a test whether a global exists",
    'if (typeof process !== "undefined") print(process.version); return typeof fetch;',
  ],
  [
    "a label and a switch",
    "outer: for (const a of [1, 2]) { switch (a) { case 1: continue outer; default: break outer; } }",
  ],
  [
    "a directive against the check",
    '// @ts-nocheck\n// @ts-expect-error\nconst a = 1;\n// @ts-ignore\nreturn (await tools.read({ path: "a" })).nothing;',
  ],
  [
    "a nullable chain",
    'const r = await tools.read({ path: "a" }); return r?.content?.split("\\n")?.[0]?.length ?? 0;',
  ],
  ["duplicate keys and octal-looking text", 'const o = { a: 1, a: 2 }; return o.a + "\\x41";'],
  [
    "an async function per item",
    'const work = ["a", "b"].map(async (path) => { const r = await tools.read({ path }); return r.content.length; });\nreturn (await Promise.all(work)).reduce((a, b) => a + b, 0);',
  ],
  [
    "an error of its own",
    'class Stop extends Error { constructor(readonly_) { super(readonly_); this.extra = 1; } }\ntry { throw new Stop("x"); } catch (e) { return e.extra; }',
  ],
  ["a result that is returned at once", 'return tools.glob({ pattern: "*" });'],
  [
    "an edit of many files",
    'const { files } = await tools.glob({ pattern: "**/*.md" });\nlet changed = 0;\nfor (const path of files) {\n  try { await tools.edit({ path, old_string: "a", new_string: "b", replace_all: true }); changed++; }\n  catch (error) { if (error.code !== "not-found") throw error; }\n}\nprint(changed + " of " + files.length);',
  ],
  [
    "declarations of its own",
    "declare const tools: any;\ndeclare function print(...a: unknown[]): void;\nreturn await tools.whatever(1);",
  ],
  [
    "a command",
    'const { output, exit_code } = await tools.bash({ command: "npm test", timeout_ms: 1000 });\nreturn exit_code === 0 ? "ok" : output.split("\\n").slice(-5).join("\\n");',
  ],
];

/** Programs with a mistake. The check must refuse them with such a text. */
export const badPrograms: readonly (readonly [name: string, code: string, text: RegExp])[] = [
  [
    "an unknown tool",
    'await tools.reed({ path: "a" });',
    /^1:13 There is no tool reed\. Did you mean tools\.read\?[\s\S]*\nread\(args/mu,
  ],
  [
    "an unknown tool like no other",
    "await tools.compile_everything();",
    /There is no tool compile_everything\. Find tools with/u,
  ],
  [
    "an unknown tool that is taken out",
    "const { no_such_thing } = tools; await no_such_thing();",
    /There is no tool no_such_thing/u,
  ],
  [
    "a parameter that does not exist",
    'await tools.read({ path: "a", lines: 3 });',
    /1:31 tools\.read has no parameter lines\. It takes path/u,
  ],
  [
    "a misspelt parameter",
    'await tools.crm_find({ query: "a", ordre: "newest" });',
    /has no parameter ordre\. Did you mean order\?/u,
  ],
  [
    "a missing parameter",
    "await tools.read({ limit: 5 });",
    /tools\.read needs path\.[\s\S]*read\(args: \{/u,
  ],
  [
    "several missing parameters",
    'await tools.edit({ path: "a" });',
    /tools\.edit needs old_string, new_string\./u,
  ],
  ["no arguments", "await tools.read();", /tools\.read needs arguments\./u],
  [
    "a text instead of arguments",
    'await tools.read("a.txt");',
    /The arguments do not fit tools\.read/u,
  ],
  [
    "a number instead of a text",
    "await tools.read({ path: 5 });",
    /The parameter path of tools\.read is of another type: Type 'number'/u,
  ],
  [
    "a text instead of a number",
    'await tools.read({ path: "a", limit: "5" });',
    /The parameter limit of tools\.read is of another type/u,
  ],
  [
    "a list instead of a text",
    'await tools.read({ path: ["a"] });',
    /The parameter path of tools\.read/u,
  ],
  [
    "an object instead of a text",
    'await tools.bash({ command: { run: "ls" } });',
    /The parameter command of tools\.bash/u,
  ],
  [
    "a value that is not in the list",
    'await tools.crm_find({ query: "a", order: "random" });',
    /The parameter order of tools\.crm_find.*"random"/u,
  ],
  [
    "a wrong argument by its exact name",
    'await tools["crm-find"]({ phone: "a" });',
    /tools\.crm-find has no parameter phone/u,
  ],
  [
    "a wrong argument in a list",
    'await tools.multi_edit({ path: "a", edits: [{ old: "a", new: "b" }] });',
    /tools\.multi_edit has no parameter old/u,
  ],
  [
    "wrong arguments in a variable",
    "const args = { file: 1 };\nawait tools.read(args);",
    /^2:18 tools\.read needs path/mu,
  ],
  [
    "a tool as a callback",
    'await Promise.all(["a"].map(tools.read));',
    /The arguments do not fit tools\.read: Type 'string'/u,
  ],
  [
    "a property that a result does not have",
    'const r = await tools.glob({ pattern: "*" });\nreturn r.paths.length;',
    /^2:10 The result of tools\.glob has no property paths\. It has files[\s\S]*glob\(args/mu,
  ],
  [
    "a result used as a text",
    'const r = await tools.read({ path: "a" }); return r.split("\\n");',
    /The result of tools\.read has no property split/u,
  ],
  [
    "a result used as a list",
    'const r = await tools.glob({ pattern: "*" }); return r.map((f) => f);',
    /The result of tools\.glob has no property map/u,
  ],
  [
    "a loop over a result",
    'for (const f of await tools.glob({ pattern: "*" })) print(f);',
    /The result of tools\.glob is not a list\. It has files/u,
  ],
  [
    "a result that is spread",
    'return [...(await tools.glob({ pattern: "*" }))];',
    /is not a list/u,
  ],
  [
    "a property that is taken out of a result",
    'const { text } = await tools.read({ path: "a" }); return text;',
    /The result of tools\.read has no property text/u,
  ],
  [
    "a property of a list in a result",
    'const { files } = await tools.glob({ pattern: "*" }); return files.path;',
    /path is not a property of string\[\]/u,
  ],
  [
    "a property of an item",
    'const { files } = await tools.glob({ pattern: "*" }); return files.map((f) => f.path);',
    /path is not a property of string/u,
  ],
  [
    "a deeper property",
    "const r = await tools.deep_result({}); return r.items.map((i) => i.owner.mail);",
    /This part of the result of tools\.deep_result has no property mail\. It has name/u,
  ],
  [
    "a type of its own that no result has",
    'interface Page { text: string }\nconst r: Page = await tools.read({ path: "a" });\nreturn r.text;',
    /The result of tools\.read has no property text/u,
  ],
  [
    "a result that is parsed",
    'return JSON.parse(await tools.read({ path: "a" }));',
    /JSON\.parse takes a text\. The result of tools\.read is an object already/u,
  ],
  [
    "a missing await",
    'const r = tools.read({ path: "a" });\nreturn r.content;',
    /^2:10 This is a promise of tools\.read\. Await it first/mu,
  ],
  [
    "a missing await in a pattern",
    'const { files } = tools.glob({ pattern: "*" });',
    /This is a promise of tools\.glob/u,
  ],
  [
    "a missing await in a loop",
    "for (const f of tools.glob({ pattern: '*' })) print(f);",
    /This is a promise of tools\.glob/u,
  ],
  [
    "a missing await of several",
    'const pages = ["a"].map((path) => tools.read({ path }));\nreturn pages.map((p) => p.content);',
    /This is a promise of tools\.read.*Promise\.all/u,
  ],
  [
    "a missing await of its own function",
    "async function f() { return { n: 1 }; }\nreturn f().n;",
    /This is a promise\. Await it first/u,
  ],
  [
    "a promise that is printed",
    'print(tools.read({ path: "a" }));',
    /This is a promise of tools\.read/u,
  ],
  [
    "a promise that is logged",
    'const r = tools.read({ path: "a" });\nconsole.log("r:", r);',
    /^2:19 This is a promise/mu,
  ],
  ["a promise that is stored", 'store("a", tools.read({ path: "a" }));', /This is a promise/u],
  ["a promise in a sum", "async function n() { return 1; }\nreturn n() + 1;", /This is a promise/u],
  ["a promise that is parsed", "return JSON.parse(tools.untyped_thing({}));", /This is a promise/u],
  [
    "await in a function that is not async",
    '["a"].forEach((path) => { await tools.read({ path }); });',
    /await is used in a function that is not async/u,
  ],
  ["a syntax error", "const a = 1;\nconst b = ;", /^2:11 Expression expected\./mu],
  ["a brace that is not closed", "if (true) {\n  print(1);", /'\}' expected/u],
  ["a text that is not closed", 'print("a);', /Unterminated string literal/u],
  ["Python", "for f in files:\n    print(f)", /1:\d/u],
  ["a shell command", "ls -la | grep foo", /ls is not defined/u],
  ["a constant that is assigned", "const a = 1;\na = 2;", /Cannot assign to 'a'/u],
  ["a name that is declared twice", "const a = 1;\nconst a = 2;", /Cannot redeclare/u],
  ["an enum", "enum A { B }", /enum, namespace/u],
  [
    "require",
    'const fs = require("fs");',
    /require is not defined\. A program can't load modules/u,
  ],
  [
    "an import",
    'import fs from "node:fs";\nreturn fs.readFileSync("a");',
    /no import and no export/u,
  ],
  ["a dynamic import", 'const fs = await import("node:fs/promises");', /can't load modules/u],
  ["an export", "export const a = 1;", /no import and no export/u],
  [
    "process",
    "return process.env.HOME;",
    /process is not defined\. A program has no process.*Use tools\.bash/u,
  ],
  ["fs", 'return fs.readFileSync("a");', /fs is not defined\. Use tools\.read or tools\.write/u],
  [
    "fetch",
    'const r = await fetch("https://example.com");',
    /fetch is not defined\. A program has no network\./u,
  ],
  ["Buffer", 'return Buffer.from("a");', /Buffer is not defined/u],
  ["setInterval", "setInterval(() => {}, 5);", /setInterval is not defined\. Use setTimeout/u],
  [
    "a tool without tools",
    'const r = await read({ path: "a" });',
    /read is not defined\. Did you mean tools\.read\?[\s\S]*read\(args/u,
  ],
  [
    "a variable that is not there",
    "const items = [1];\nreturn itms.length;",
    /^2:8 itms is not defined/mu,
  ],
  ["a shorthand that is not there", "return { missing };", /missing is not defined/u],
  ["a method that console does not have", "console.table([1]);", /console has no table/u],
  ["tools as a function", 'await tools("read", { path: "a" });', /tools is no function/u],
  [
    "a wrong call of such a tool",
    "await tools.search({ words: 1 });",
    /tools\.search has no parameter words/u,
  ],
  ["a search with an object", 'await tools.$search({ query: "a" });', /take one text/u],
];
