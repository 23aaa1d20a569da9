import type { BareCommand } from "./bare-command.ts";
import type { ArgumentScan } from "./scan-arguments.ts";
import { inspectAwk } from "./special/inspect-awk.ts";
import { inspectDate } from "./special/inspect-date.ts";
import { inspectFind } from "./special/inspect-find.ts";
import { inspectGitConfig } from "./special/inspect-git-config.ts";
import { inspectScript } from "./special/inspect-script.ts";
import { inspectSed } from "./special/inspect-sed.ts";
import { inspectTar } from "./special/inspect-tar.ts";
import { inspectTest } from "./special/inspect-test.ts";
import { inspectYq } from "./special/inspect-yq.ts";
import type { Inspector, SpecialFindings } from "./special/inspector.ts";

/** The closer look at a command that the marks of its program's line ask for. */
export function inspectSpecially(scan: ArgumentScan, bare: BareCommand): SpecialFindings {
  const { words } = bare;
  if (words.length === 2 && words[1] === "--version") return { effects: ["reads"] };
  for (const mark of scan.program.entry.marks) {
    const found = inspectors[mark]?.(scan, bare);
    if (found !== undefined) return found;
  }
  return {};
}

const inspectors: Readonly<Record<string, Inspector>> = {
  sed: inspectSed,
  awk: inspectAwk,
  date: inspectDate,
  find: inspectFind,
  tar: inspectTar,
  test: inspectTest,
  yq: inspectYq,
  script: inspectScript,
  "git-config": inspectGitConfig,
  reads0: ({ operands, risks }) =>
    operands.length === 0 && risks.length === 0 ? { effects: ["reads"] } : {},
};
