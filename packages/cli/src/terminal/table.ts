import { toVisibleLine } from "@haft/core/internal";

/** Formats rows as columns, the first row as their titles. What others wrote is made visible. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map((cell) => toVisibleLine(cell)));
  const widths = shown[0]?.map((_, column) =>
    Math.max(...shown.map((row) => row[column]?.length ?? 0)),
  );
  return shown
    .map((row) => row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}
