import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CallCase } from "./cases/call-case.ts";
import { editCases } from "./cases/edits.ts";
import { rememberedCases } from "./cases/remembered-edits.ts";

/** How many edits of a kind another implementation made as meant, and how many otherwise. */
export interface PeerCounts {
  readonly landed: number;
  readonly wrong: number;
}

/** Another implementation of edits. */
interface Peer {
  readonly name: string;
  /** Opens it for a directory. An edit that throws is refused. */
  open(directory: string): Promise<(edit: Edit) => Promise<unknown>>;
}

interface Edit {
  /** Absolute. */
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

/** The implementations among the packages that Haft is tested with. */
const peers: readonly Peer[] = [
  {
    name: "MCP filesystem server",
    open: async () => {
      const { applyFileEdits }: FilesystemServer = await importPackage(
        "@modelcontextprotocol/server-filesystem/dist/lib.js",
      );
      return ({ path, oldText, newText }) => applyFileEdits(path, [{ oldText, newText }]);
    },
  },
  {
    name: "Anthropic SDK",
    open: async (workdir) => {
      const { betaEditTool }: AnthropicTools = await importPackage(
        "@anthropic-ai/sdk/tools/agent-toolset/node",
      );
      const tool = betaEditTool({ workdir });
      return ({ path, oldText, newText }) =>
        tool.run({ file_path: path, old_string: oldText, new_string: newText });
    },
  },
];

interface FilesystemServer {
  applyFileEdits(path: string, edits: readonly Omit<Edit, "path">[]): Promise<string>;
}

interface AnthropicTools {
  betaEditTool(context: { readonly workdir: string }): {
    run(input: Readonly<Record<string, string>>): Promise<string>;
  };
}

// One of them has no types.
function importPackage(name: string): Promise<never> {
  return import(name) as Promise<never>;
}

/** Makes the edits of the corpus with other implementations, and counts by name and kind. */
export async function countPeers(): Promise<ReadonlyMap<string, ReadonlyMap<string, PeerCounts>>> {
  const counted = new Map<string, ReadonlyMap<string, PeerCounts>>();
  for (const peer of peers) {
    const directory = mkdtempSync(join(tmpdir(), "haft-calls-"));
    try {
      const makeEdit = await peer.open(directory);
      const kinds = new Map<string, PeerCounts>();
      for (const one of [...editCases, ...rememberedCases]) {
        const { landed, wrong } = kinds.get(one.kind) ?? { landed: 0, wrong: 0 };
        const outcome = await runCase(one, directory, makeEdit);
        kinds.set(one.kind, {
          landed: landed + (outcome === "landed" ? 1 : 0),
          wrong: wrong + (outcome === "wrong" ? 1 : 0),
        });
      }
      counted.set(peer.name, kinds);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  return counted;
}

async function runCase(
  { files, args, changes }: CallCase,
  directory: string,
  makeEdit: (edit: Edit) => Promise<unknown>,
): Promise<"landed" | "wrong" | "refused"> {
  const name = String(args.path);
  const path = join(directory, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, files[name] as string);
  const edit = { path, oldText: String(args.old_string), newText: String(args.new_string) };
  await makeEdit(edit).catch(() => undefined);
  const after = readFileSync(path, "utf8");
  if (after === files[name]) return "refused";
  return after === changes?.[name] ? "landed" : "wrong";
}
