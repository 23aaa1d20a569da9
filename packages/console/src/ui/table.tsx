import type { ComponentChildren } from "preact";

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  /** The class of its cells. Numbers are aligned to the right, their title too. */
  readonly class?: string;
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** As narrow as its content. */
  readonly isCompact?: boolean;
  /** The index of the row that the keyboard is on. */
  readonly current?: number;
  keyOf(row: Row): string;
  /** What can be done with a row, in its last column. */
  readonly actions?: ((row: Row) => ComponentChildren) | undefined;
}

/** A table that scrolls sideways where it has no room. */
export function Table<Row>({ rows, isCompact, current, keyOf, ...props }: TableProps<Row>) {
  const { actions } = props;
  const columns: readonly Column<Row>[] =
    actions === undefined
      ? props.columns
      : [
          ...props.columns,
          {
            title: "Actions",
            class: "number",
            cell: (row) => <div class="row-actions">{actions(row)}</div>,
          },
        ];
  return (
    <div class="scroll">
      <table class={isCompact ? "compact" : ""}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                class={column.class?.includes("number") ? "number" : ""}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row)} data-current={index === current}>
              {columns.map((column) => (
                <td key={column.title} class={column.class ?? ""}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
