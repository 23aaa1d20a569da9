import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { toProblem } from "./to-problem.ts";

/** Annotations for GitHub Actions, which many programs can write. */
export const github: ProblemParser = (lines) =>
  lines.flatMap((line, at): ParsedProblem[] => {
    const found = /^::(?<severity>error|warning|notice) (?<properties>[^:].*?)::(?<message>.*)$/u;
    const { severity, properties = "", message } = found.exec(line)?.groups ?? {};
    if (severity === undefined || message === undefined) return [];
    const given = new Map(
      properties.split(",").map((property) => {
        const [name = "", ...value] = property.split("=");
        return [name.trim(), decode(value.join("="))] as const;
      }),
    );
    const problem = toProblem({
      severity,
      message: decode(message),
      file: given.get("file"),
      line: given.get("line"),
      column: given.get("col"),
      code: given.get("title"),
    });
    return [{ problem, from: at, to: at }];
  });

function decode(text: string): string {
  return text.replaceAll(/%(?:25|0D|0A|3A|2C)/gu, (code) => decodeURIComponent(code));
}
