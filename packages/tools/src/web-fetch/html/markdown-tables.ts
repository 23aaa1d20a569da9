import type TurndownService from "turndown";

/** Teaches a service to write tables as tables; those that only put things in place stay blocks. */
export function addTableRules(service: TurndownService): void {
  service.addRule("table", {
    filter: "table",
    replacement: (content) => `\n\n${content.trim()}\n\n`,
  });
  service.addRule("parts of a table", {
    filter: ["thead", "tbody", "tfoot"],
    replacement: (content) => content,
  });
  service.addRule("row", {
    filter: "tr",
    replacement: (content, node) => writeRow(content, node as Element),
  });
  service.addRule("cell", {
    filter: ["td", "th"],
    replacement: (content, node) => writeCell(content, node as Element),
  });
  service.addRule("caption", {
    filter: "caption",
    replacement: (content) => `${content.trim()}\n\n`,
  });
}

const maxColumns = 50;

function writeRow(content: string, row: Element): string {
  const table = row.closest("table");
  if (table === null || !isData(table)) return `\n\n${content.trim()}\n\n`;
  if (content.trim() === "") return "";
  const line = `\n|${content}`;
  if (table.querySelector("tr") !== row) return line;
  return `${line}\n|${" --- |".repeat(Math.min(countColumns(row), maxColumns))}`;
}

function writeCell(content: string, cell: Element): string {
  const table = cell.closest("table");
  if (table === null || !isData(table)) return `\n\n${content.trim()}\n\n`;
  const text = content.replaceAll(/\s+/gu, " ").trim().replaceAll("|", "\\|");
  return ` ${text} |${"  |".repeat(Math.min(span(cell), maxColumns) - 1)}`;
}

function countColumns(row: Element): number {
  return Array.from(row.children).reduce((sum, cell) => sum + span(cell), 0);
}

function span(cell: Element): number {
  const columns = Number.parseInt(cell.getAttribute("colspan") ?? "1", 10);
  return Number.isFinite(columns) && columns > 1 ? columns : 1;
}

const data = new WeakMap<Element, boolean>();

/** Whether rows and columns mean something: where one stands in another, the outer one does not. */
function isData(table: Element): boolean {
  let known = data.get(table);
  if (known === undefined) {
    const role = table.getAttribute("role");
    known = role !== "presentation" && role !== "none" && table.querySelector("table") === null;
    data.set(table, known);
  }
  return known;
}
