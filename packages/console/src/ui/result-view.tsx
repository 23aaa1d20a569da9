import { useMemo, useState } from "preact/hooks";
import { CopyButton } from "./command.tsx";
import { JsonTree } from "./json-tree.tsx";
import { show, showLine } from "./show.ts";

type View = "text" | "json" | "table" | "image";

const shownCharacters = 20_000;
const maxTableRows = 500;
const maxTableColumns = 20;
const names: Readonly<Record<View, string>> = {
  text: "Text",
  json: "JSON",
  table: "Table",
  image: "Image",
};

/** A result as text, as a JSON tree, as a table or as an image, where its content allows. */
export function ResultView({ text, label }: { text: string; label: string }) {
  const json = useMemo(() => parse(text), [text]);
  const image = useMemo(() => findImage(text, json), [text, json]);
  const isTable = isRowList(json);
  const isTree = typeof json === "object" && json !== null;
  const views: View[] = [
    ...(image === undefined ? [] : ["image" as const]),
    ...(isTable ? ["table" as const] : []),
    ...(isTree ? ["json" as const] : []),
    "text",
  ];
  const [chosen, setChosen] = useState<View>();
  const first = isTree && image === undefined ? "json" : views[0];
  const view = chosen !== undefined && views.includes(chosen) ? chosen : first;
  return (
    <div class="result">
      <div class="result-bar">
        {views.length > 1 && (
          <fieldset class="segments" aria-label={`Show ${label} as`}>
            {views.map((each) => (
              <button
                type="button"
                key={each}
                aria-pressed={each === view}
                onClick={() => setChosen(each)}
              >
                {names[each]}
              </button>
            ))}
          </fieldset>
        )}
        <span class="quiet">{formatSize(text.length)}</span>
        <CopyButton text={text} />
      </div>
      {view === "image" && image !== undefined && (
        <img class="result-image" src={image} alt={label} />
      )}
      {view === "table" && isTable && <ValueTable rows={json} />}
      {view === "json" && <JsonTree value={json} label={label} />}
      {view === "text" && <LongText text={text} label={label} />}
    </div>
  );
}

/** Text of any length: its beginning, and more on demand. */
export function LongText({ text, label }: { text: string; label: string }) {
  const [length, setLength] = useState(shownCharacters);
  if (text === "") return <p class="quiet">Empty.</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/noNoninteractiveTabindex: a text that scrolls with the keyboard */}
      <pre class="text" tabIndex={0} role="region" aria-label={label}>
        {showParts(text.slice(0, length))}
      </pre>
      {text.length > length && (
        <button
          type="button"
          class="small"
          onClick={() => setLength(length + 10 * shownCharacters)}
        >
          Show more ({formatSize(text.length - length)} left)
        </button>
      )}
    </>
  );
}

// In pieces, for which `show` has room.
function showParts(text: string): string {
  let shown = "";
  for (let at = 0; at < text.length; at += shownCharacters) {
    shown += show(text.slice(at, at + shownCharacters));
  }
  return shown;
}

function ValueTable({ rows }: { rows: readonly Record<string, unknown>[] }) {
  const columns = [...new Set(rows.slice(0, 100).flatMap((row) => Object.keys(row)))].slice(
    0,
    maxTableColumns,
  );
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {showLine(column, 60)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, maxTableRows).map((row, index) => (
            <tr key={String(index)}>
              {columns.map((column) => (
                <td key={column} class={typeof row[column] === "number" ? "number" : ""}>
                  {showCell(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > maxTableRows && (
        <p class="quiet">
          The first {maxTableRows} of {rows.length} rows.
        </p>
      )}
    </div>
  );
}

function showCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  return showLine(typeof value === "string" ? value : JSON.stringify(value));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRowList(value: unknown): value is Record<string, unknown>[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((row) => typeof row === "object" && row !== null && !Array.isArray(row))
  );
}

// Bitmaps only: an SVG can refer to other files.
const imageType = /^image\/(?:png|jpeg|gif|webp)$/u;
const imageLink = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/u;

function findImage(text: string, json: unknown): string | undefined {
  if (imageLink.test(text.trim())) return text.trim();
  if (typeof json === "string" && imageLink.test(json)) return json;
  const { data, mimeType, mime_type = mimeType } = (json ?? {}) as Record<string, unknown>;
  if (typeof data !== "string" || typeof mime_type !== "string") return undefined;
  const link = `data:${mime_type};base64,${data}`;
  return imageType.test(mime_type) && imageLink.test(link) ? link : undefined;
}

function formatSize(characters: number): string {
  if (characters < 1_000) return `${characters} characters`;
  if (characters < 1_000_000) return `${(characters / 1_000).toFixed(1)} k characters`;
  return `${(characters / 1_000_000).toFixed(1)} M characters`;
}
