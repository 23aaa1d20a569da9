import { createHash } from "node:crypto";
import { Problem } from "../problem.ts";
import type { ToolManifest } from "../project/manifest.ts";
import { toShownName } from "../shown-name.ts";
import { packTarball } from "./pack-tarball.ts";
import { packWheel } from "./pack-wheel.ts";
import { type Files, readScaffoldFiles } from "./scaffold-files.ts";

/** The runtime of a tool. */
export type Runtime = ToolManifest["runtime"];

/** The name and runtime of a new project. */
export interface ScaffoldChoice {
  readonly name: string;
  readonly runtime: Runtime;
}

/** A file for download. */
export interface PackedFile {
  readonly name: string;
  readonly type: "application/gzip" | "application/zip";
  readonly bytes: Uint8Array;
}

const exampleName = "my_tool";

/**
 * Returns the files of a new project, with its name filled in. A project for Node contains the package
 * with types and test helpers, which its package.json names.
 */
export async function readScaffold({ name, runtime }: ScaffoldChoice): Promise<Files> {
  if (!/^[a-z0-9_]{1,64}$/u.test(name)) {
    throw new Problem(
      400,
      `${toShownName(name)} is not a valid tool name. Use 1 to 64 lower-case letters, digits and underscores.`,
    );
  }
  const files = await readScaffoldFiles(runtime);
  const named = [...files].map(([path, bytes]): [string, Uint8Array] => {
    const text = Buffer.from(bytes).toString("utf8");
    return [path, Buffer.from(text.replaceAll(exampleName, name))];
  });
  if (runtime === "python") return new Map(named);
  const { name: tarball, bytes } = await packScaffoldPackage("node");
  return new Map([...named, [`vendor/${tarball}`, bytes]]);
}

/** Returns the files that `npm install` writes in a new project for Node. */
export async function readInstalledFiles(): Promise<Files> {
  const files = await readScaffoldFiles("packages/node");
  return new Map([...files].map(([path, bytes]) => [`node_modules/${path}`, bytes]));
}

/** Returns the files of a new organization's `main`: a project for each runtime. */
export async function readInitialFiles(): Promise<Files> {
  const [node, python] = await Promise.all([
    readScaffold({ name: exampleName, runtime: "node" }),
    readScaffold({ name: "my_python_tool", runtime: "python" }),
  ]);
  const within = (folder: string, files: Files): [string, Uint8Array][] =>
    [...files].map(([path, bytes]) => [`${folder}/${path}`, bytes]);
  return new Map([...within(exampleName, node), ...within("my_python_tool", python)]);
}

/** Packs a new project into an archive with one folder. */
export async function packScaffold(choice: ScaffoldChoice): Promise<PackedFile> {
  const files = await readScaffold(choice);
  return {
    name: "amigo_tool_scaffold.tar.gz",
    type: "application/gzip",
    bytes: await packTarball(files, choice.name),
  };
}

/** Packs the package with types and test helpers, for npm or pip. */
export async function packScaffoldPackage(runtime: Runtime): Promise<PackedFile> {
  const files = await readScaffoldFiles(`packages/${runtime}`);
  if (runtime === "python") {
    return {
      name: `amigo_tool_scaffold-${packageVersion}-py3-none-any.whl`,
      type: "application/zip",
      bytes: packWheel(files, { name: "amigo_tool_scaffold", version: packageVersion }),
    };
  }
  const inner = new Map(
    [...files].map(([path, bytes]) => [path.replace(/^amigo_tool_scaffold\//u, ""), bytes]),
  );
  return {
    name: `amigo_tool_scaffold-${packageVersion}.tgz`,
    type: "application/gzip",
    bytes: await packTarball(inner, "package"),
  };
}

/** The version of the package, for both runtimes. */
const packageVersion = "1.0.0";

let hash: Promise<string> | undefined;

/** Returns the scaffold's hash (40 hexadecimal digits), which each version records. */
export function scaffoldHash(): Promise<string> {
  hash ??= computeHash();
  return hash;
}

async function computeHash(): Promise<string> {
  const digest = createHash("sha256");
  for (const folder of ["node", "python", "packages/node", "packages/python"]) {
    for (const [path, bytes] of await readScaffoldFiles(folder)) {
      digest.update(`${folder}/${path}\0${bytes.length}\0`).update(bytes);
    }
  }
  return digest.digest("hex").slice(0, 40);
}
