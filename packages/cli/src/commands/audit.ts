import { toVisibleLine } from "@haft/core/internal";
import type { AuditAnchor, AuditLine } from "@haft/platform/client";
import { type AuditReport, createAuditCheck, parseAuditAnchors } from "@haft/platform/internal";
import type { CommandInput } from "../command.ts";
import type { AccessControl } from "../environments/access-control.ts";
import { optionText } from "../environments/option-values.ts";
import type { Io } from "../io.ts";
import { readSource } from "../options/read-batch.ts";
import { printJson } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

/** `haft audit export` */
export async function exportAudit(
  access: AccessControl,
  _input: CommandInput,
  io: Io,
): Promise<number> {
  for await (const line of readTrail(access)) io.out(`${JSON.stringify(line)}\n`);
  return 0;
}

/** `haft audit verify` */
export async function verifyAudit(
  access: AccessControl,
  input: CommandInput,
  io: Io,
): Promise<number> {
  const given = await readAnchors(input, io);
  // The last line is read first: lines that are added meanwhile come behind it.
  const { anchors, last } = await access.auditAnchors();
  const all = last === null ? anchors : [...anchors, last];
  return report(await check(readTrail(access), [...given, ...all]), input, io);
}

/** `haft audit verify FILE` */
export async function verifyAuditFile(input: CommandInput, io: Io): Promise<number> {
  const text = await readSource(input.positionals, io);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const parsed = lines.map((line, index) => parseLine(line, index + 1));
  return report(await check(parsed, await readAnchors(input, io)), input, io);
}

async function* readTrail(access: AccessControl): AsyncGenerator<AuditLine> {
  let after = 0;
  while (true) {
    const lines = await access.exportAudit(after);
    yield* lines;
    const last = lines.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function readAnchors(input: CommandInput, io: Io): Promise<readonly AuditAnchor[]> {
  const file = optionText(input, "anchors");
  return file === undefined ? [] : parseAuditAnchors(await readSource([file], io));
}

function parseLine(text: string, number: number): AuditLine {
  try {
    const line = JSON.parse(text) as Partial<AuditLine> | null;
    if (typeof line?.org_id === "string") return line as AuditLine;
  } catch {
    // Not JSON.
  }
  throw new UsageError(`Line ${number} is not a line of an exported audit trail.`);
}

type Checked = AuditReport & { readonly organization: string | undefined };

// A file of anchors may have those of other organizations too.
async function check(
  lines: AsyncIterable<AuditLine> | Iterable<AuditLine>,
  anchors: readonly AuditAnchor[],
): Promise<Checked> {
  let organization: string | undefined;
  const own = (): readonly AuditAnchor[] =>
    anchors.filter((anchor) => (organization ?? anchor.organization) === anchor.organization);
  let checking: ReturnType<typeof createAuditCheck> | undefined;
  for await (const line of lines) {
    organization ??= line.org_id;
    checking ??= createAuditCheck(own());
    checking.add(line);
  }
  checking ??= createAuditCheck(own());
  return { ...checking.finish(), organization };
}

function report({ organization, ...found }: Checked, input: CommandInput, io: Io): number {
  const last =
    found.last === null || organization === undefined
      ? null
      : { organization, ...found.last, at: new Date().toISOString() };
  const isIntact = found.problems.length === 0;
  if (input.options.json === true) printJson({ intact: isIntact, ...found, last }, io);
  else {
    const print = (line: string): void => io.out(`${toVisibleLine(line)}\n`);
    for (const problem of found.problems) print(problem);
    print(`${found.lines} lines, ${found.anchors} anchors: ${isIntact ? "intact" : "NOT intact"}`);
    if (found.unchained > 0) {
      print(
        `${found.unchained} earlier lines are from before the chain began. Nothing protects them.`,
      );
    }
    if (last !== null && isIntact) print(`Last line, to keep elsewhere: ${JSON.stringify(last)}`);
  }
  return isIntact ? 0 : 1;
}
