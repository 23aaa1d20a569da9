import type { Counts } from "./run-corpus.ts";
import type { PeerCounts } from "./run-peers.ts";

/** Writes the page with the outcomes of all calls of the corpus, and of its edits elsewhere. */
export function writeCallsReference(
  kinds: ReadonlyMap<string, Counts>,
  peers: ReadonlyMap<string, ReadonlyMap<string, PeerCounts>>,
): string {
  const rows = [...kinds].map(([kind, counts]) => {
    const all = counts.landed + counts.taught + counts.refused + counts.wrong;
    const share = Math.round((100 * counts.landed) / all);
    return `| ${[kind, all, `${counts.landed} (${share} %)`, counts.taught, counts.refused, counts.wrong].join(" | ")} |`;
  });
  const [first] = peers.values();
  const edits = [...(first?.keys() ?? [])].map((kind) => {
    const columns = [kinds, ...peers.values()].map((counts) => {
      const { landed, wrong } = counts.get(kind) as PeerCounts;
      return `${landed}, ${wrong} wrong`;
    });
    return `| ${[kind, ...columns].join(" | ")} |`;
  });
  return `# Calls that are not quite right

Models distort what they copy, and use the names of other agents. This table shows what Haft does with such calls. It
is written by \`npm run docs\` from the cases in \`test/calls\`, and a test keeps it true.

| calls | number | did what was meant | refused with what the next try needs | refused otherwise | wrong |
|---|---|---|---|---|---|
${rows.join("\n")}

A call is understood only if exactly one reading is possible, and the result says how it was read. "What the next try
needs" is the nearest place in the file with the lines that differ, the right path, or the right tool and its parameters.
[Files](../guides/files.md) and [dialects](../guides/dialects.md) explain the rules.

## The same edits elsewhere

How many of these edits other implementations make as they were meant, and how many otherwise; they refuse the rest.
A result is wrong if anything else changes, even a line ending or indentation. We wrote the cases for Haft. Compared are
the implementations among the packages that Haft is tested with: \`edit_file\` of
\`@modelcontextprotocol/server-filesystem\`, and \`edit\` of the agent tools in \`@anthropic-ai/sdk\`. Other agents are
not, because their packages are not installed with ours.

| edits | Haft | ${[...peers.keys()].join(" | ")} |
|---|---|${"---|".repeat(peers.size)}
${edits.join("\n")}

## Generated edits

Beyond these cases, random edits are distorted in many ways (\`packages/tools/src/edit/distorted-calls.test.ts\`):
none may change anything but what was meant. \`HAFT_DISTORTED_CALLS\` sets how many are tried per distortion, and
\`HAFT_DISTORTED_CALLS_SEED\` repeats the same ones.
`;
}
