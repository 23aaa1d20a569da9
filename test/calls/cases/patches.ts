import type { CallCase } from "./call-case.ts";

const text =
  "class Shop {\n    open() {\n        this.state = 'open';\n        return this;\n    }\n\n    close() {\n        this.state = 'closed';\n        return this;\n    }\n}\n";
const files = { "src/shop.js": text };
const changes = { "src/shop.js": text.replace("'closed'", "'shut'") };

const body =
  "     close() {\n-        this.state = 'closed';\n+        this.state = 'shut';\n         return this;\n";
const begin = `*** Begin Patch\n*** Update File: src/shop.js\n@@\n${body}*** End Patch\n`;
const unified = `--- a/src/shop.js\n+++ b/src/shop.js\n@@ -7,3 +7,3 @@\n${body}`;

const inBoth: readonly ((patch: string) => string)[] = [
  (patch) => patch,
  (patch) => `\`\`\`diff\n${patch}\`\`\`\n`,
  (patch) => `Here is the patch:\n\n${patch}`,
  (patch) => patch.replaceAll("\n", "\r\n"),
  (patch) => JSON.stringify(patch).slice(1, -1),
  (patch) => patch.replaceAll("\n", "\\n"),
  (patch) => patch.replaceAll(/(?<=^[-+ ]) {4}/gmu, ""),
  (patch) => patch.replaceAll(/(?<=^[-+ ](?:\t)*) {4}/gmu, "\t"),
  (patch) => patch.replaceAll("'", "\u2019"),
  (patch) => patch.replace("return this", "return that"),
  (patch) => patch.replace("'closed'", "'gone'"),
];
const inBegin: readonly string[] = [
  begin.replace("*** End Patch\n", ""),
  begin.replace("*** Begin Patch\n", ""),
  begin.replace("*** Update", "  *** Update"),
  begin.replace("*** End", " *** End"),
  `  ${begin.trim()}  `,
  begin.replace("src/", "a/src/"),
  begin.replace("src/shop.js", "`src/shop.js`"),
  begin.replace("@@\n     close() {\n", "@@ close\n"),
  begin.replace("@@\n     close() {\n", "@@ close() {\n"),
  begin.replace("@@", "@@ class Shop"),
  begin.replace("@@", "@@ -70,3 +70,3 @@"),
  `apply_patch <<'EOF'\n${begin}EOF\n`,
];
const inUnified: readonly string[] = [
  unified.replaceAll(/[ab]\/src/gu, "src"),
  unified.replace("@@ -7,3 +7,3 @@", "@@ -70,9 +70,2 @@"),
  unified.replace("@@ -7,3 +7,3 @@", "@@ ... @@"),
  `diff --git a/src/shop.js b/src/shop.js\nindex 1..2 100644\n${unified}`,
  unified.trimEnd(),
];

const patches = [
  ...[begin, unified].flatMap((patch) => inBoth.map((distort) => distort(patch))),
  ...inBegin,
  ...inUnified,
];

/** Patches as models write them, with the parameter and the tool that they use. */
export const patchCases: readonly CallCase[] = [
  ...patches.map((patch) => ({ name: "apply_patch", args: { patch } })),
  { name: "apply_patch", args: { input: begin } },
  { name: "apply_patch", args: { diff: unified } },
  { name: "patch", args: { patch: unified } },
  { name: "bash", args: { command: `apply_patch <<'EOF'\n${begin}EOF` } },
  { name: "shell", args: { command: ["bash", "-lc", `apply_patch <<'EOF'\n${begin}EOF`] } },
].map((call) => ({ kind: "patches", files, changes, ...call }));
