import { isInside } from "@haft/contract/internal";
import type { LaunchDescriptor } from "../sandbox/launch-plan.ts";
import type { Layer, LayerRoot } from "./layer.ts";
import { layerScript } from "./layer-script.ts";

/** A program that starts on a layer. */
export interface LayeredProgram {
  readonly argv: readonly [string, ...string[]];
  /** The program's own descriptors from 3 on, and those for the layer. */
  readonly descriptors: readonly LaunchDescriptor[];
}

/** How a program starts on a layer. */
export interface LayerStart {
  readonly perl: string;
  readonly layer: Layer;
  /** The directories that the program writes to, with its descriptors of them. */
  readonly written: readonly { readonly descriptor: number; readonly path: string }[];
}

/**
 * Returns a program started on a layer: its descriptors of directories that it writes to refer to the
 * same directories in the layer. Unchanged if the layer covers none of these.
 */
export function startOnLayer(
  { argv, descriptors }: LayeredProgram,
  { perl, layer, written }: LayerStart,
): LayeredProgram {
  const moved = written.flatMap(({ descriptor, path }) => {
    const root = layer.roots.find((each) => isInside(each.path, path));
    if (root === undefined) return [];
    return [{ root, words: [`${descriptor}`, `${root.merged}${path.slice(root.path.length)}`] }];
  });
  const roots = layer.roots.filter((root) => moved.some((each) => each.root === root));
  if (roots.length === 0) return { argv, descriptors };
  const firstRoot = firstDescriptor + descriptors.length;
  const words = [
    process.arch,
    "run",
    `${roots.length}`,
    ...roots.flatMap((root, index) => describeRoot(root, firstRoot + index)),
    ...moved.flatMap((each) => each.words),
  ];
  return {
    argv: [perl, "-e", layerScript, "--", `${firstRoot + roots.length}`, ...argv],
    descriptors: [
      ...descriptors,
      ...roots.map(({ path }): LaunchDescriptor => ({ role: "place", path })),
      { role: "content", base64: Buffer.from(`${words.join("\0")}\0`).toString("base64") },
    ],
  };
}

// After the standard streams.
const firstDescriptor = 3;

function describeRoot(
  { path, upper, work, merged }: LayerRoot,
  descriptor: number,
): readonly string[] {
  return [`${descriptor}`, path, upper, work, merged];
}
