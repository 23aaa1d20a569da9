import { hash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { DiskComputer, ProjectItem } from "@haft/computer";
import { readProjectDirectory, readUntrustedFile } from "@haft/computer/internal";
import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { openComputer } from "../open-workspace.ts";
import { type CommonOptions, readCommonOptions } from "../options/common-options.ts";
import { printJson } from "../terminal/print-result.ts";
import { listUntrusted } from "../trust/list-untrusted.ts";
import { reviewItems } from "../trust/review-items.ts";
import { describeItem, showItem, showPath } from "../trust/show-item.ts";
import { UsageError } from "../usage-error.ts";

/** `haft trust` */
export async function reviewTrust(input: CommandInput, io: Io): Promise<number> {
  const { positionals, options } = input;
  const common = readCommonOptions(input, io);
  const computer = openComputer(common, io);
  const paths = positionals.map((path) => resolvePath(path, computer, io));
  if (options.list === true && options.remove === true) {
    throw new UsageError("--list and --remove exclude each other. Use only one of them.");
  }
  if (options.list === true) return list(paths, computer, { ...input, io });
  if (options.remove === true) return remove(paths, computer, { ...input, io });
  return review(await find(paths, computer, { ...common, io }), computer, { ...input, io });
}

interface Use extends CommandInput {
  readonly io: Io;
}

async function find(
  paths: readonly string[],
  computer: DiskComputer,
  { hooks, io }: Pick<CommonOptions, "hooks"> & { readonly io: Io },
): Promise<readonly ProjectItem[]> {
  const all = await listUntrusted(computer, io, { mounts: [], hooks, omitsDeclined: false });
  if (paths.length === 0) return all;
  const found = await Promise.all(
    paths.map(async (path) => {
      const listed = all.filter((item) => isAtOrBelow(item.path, path));
      return listed.length > 0 ? listed : findNamed(path, computer, io);
    }),
  );
  return [...new Set(found.flat())];
}

// What only --mount names is in none of the usual places.
async function findNamed(
  path: string,
  computer: DiskComputer,
  { environment }: Io,
): Promise<readonly ProjectItem[]> {
  if (computer.trust.list().some((entry) => isAtOrBelow(entry.path, path))) return [];
  if (!existsSync(path)) throw new UsageError(`${path} does not exist.`);
  if (!computer.roots.some((root) => isAtOrBelow(path, root))) {
    throw new UsageError(
      `${path} is outside the workspace. Only files of the workspace need trust.`,
    );
  }
  const stats = statSync(path);
  if (stats.isFile() && (stats.mode & 0o111) !== 0) return [readScript(path, computer)];
  if (!stats.isDirectory()) {
    const { listUntrustedOfPlan } = await import("@haft/connect/internal/modules");
    return asUsage(() => listUntrustedOfPlan(path, { computer, environment }));
  }
  const read = readProjectDirectory(path);
  if (read.fault !== undefined) throw new UsageError(`${path} ${read.fault}.`);
  return [{ kind: "module", path, content: read.content }];
}

function readScript(path: string, { roots }: DiskComputer): ProjectItem {
  const within = roots.find((root) => isAtOrBelow(path, root)) as string;
  const read = readUntrustedFile(path, { within, maxBytes: maxScriptBytes });
  if (read.fault !== undefined) throw new UsageError(`${path} ${read.fault}.`);
  return { kind: "toolbox script", path, content: read.bytes };
}

const maxScriptBytes = 4 * 1024 * 1024;

async function asUsage<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function review(
  items: readonly ProjectItem[],
  computer: DiskComputer,
  { options, io }: Use,
): Promise<number> {
  const isJson = options.json === true;
  const isAgreed = options.yes === true;
  const asks = !isAgreed && !isJson && io.interactive;
  const described = items.map((item) => toJson(item, computer));
  if (!isJson && !asks) for (const item of items) io.out(showItem(item, computer));
  if (isAgreed) for (const item of items) computer.trust.trust(item);
  const trusted = isAgreed ? items : asks ? await reviewItems(items, computer, io) : [];
  if (isJson) {
    const workspace = computer.roots[0];
    printJson(
      { workspace, untrusted: isAgreed ? [] : described, trusted: isAgreed ? described : [] },
      io,
    );
  } else if (items.length === 0) io.out("Nothing needs your trust.\n");
  else {
    io.out(`Trusted: ${trusted.length} of ${items.length}.`);
    io.out(isAgreed || asks ? "\n" : " To trust everything shown: haft trust --yes\n");
  }
  return trusted.length === items.length ? 0 : 1;
}

function toJson(item: ProjectItem, computer: DiskComputer): Readonly<Record<string, unknown>> {
  const { change, lines } = describeItem(item, computer);
  const { kind, path, content } = item;
  return { kind, path, change, sha256: hash("sha256", content), shown: lines.join("\n") };
}

function list(paths: readonly string[], computer: DiskComputer, { options, io }: Use): number {
  const entries = computer.trust
    .list()
    .filter((entry) => paths.length === 0 || paths.some((path) => isAtOrBelow(entry.path, path)));
  if (options.json === true) {
    printJson(entries, io);
    return 0;
  }
  if (entries.length === 0) io.out("You have not trusted anything here yet.\n");
  for (const { answer, kind, path, rule, sha256 } of entries) {
    const what = rule ?? `SHA-256 ${sha256}`;
    const line = `${answer.padEnd(8)}  ${kind.padEnd(14)}  ${showPath(path, computer)}  ${what}`;
    io.out(`${toVisibleLine(line)}\n`);
  }
  return 0;
}

function remove(paths: readonly string[], computer: DiskComputer, { options, io }: Use): number {
  const gone =
    paths.length === 0
      ? computer.trust.forget()
      : paths.flatMap((path) => computer.trust.forget(path));
  if (options.json === true) printJson({ forgotten: gone }, io);
  else io.out(gone.length === 1 ? "Forgot 1 answer.\n" : `Forgot ${gone.length} answers.\n`);
  return gone.length > 0 || paths.length === 0 ? 0 : 1;
}

// From here, as in every shell; with links in the way resolved as the workspace's are.
function resolvePath(path: string, computer: DiskComputer, io: Io): string {
  const here = resolve(io.directory, path);
  return existsSync(here) ? computer.resolve(here) : computer.resolve(path);
}

function isAtOrBelow(path: string, base: string): boolean {
  const way = relative(base, path);
  return way === "" || (way !== ".." && !way.startsWith("../"));
}
