/** What `read` tells of a file, a directory or an image. */
export interface ReadData {
  readonly path: string;
  readonly type: "file" | "directory" | "image";
  readonly content: string;
  readonly start_line?: number;
  readonly end_line?: number;
  readonly total_lines?: number;
  readonly next_offset?: number;
  readonly encoding?: string;
}

/** What there is to know beside the lines, a sentence each. */
export function describeReading(data: ReadData, goOn: (line: number) => string): string[] {
  const { start_line: first, end_line: last, next_offset: next, encoding, total_lines } = data;
  return [
    ...(encoding === undefined ? [] : [`The file is in ${encoding}.`]),
    ...(next === undefined
      ? []
      : [`These are lines ${first ?? 1} to ${last ?? next - 1}${of(total_lines)}. ${goOn(next)}`]),
  ];
}

function of(total: number | undefined): string {
  return total === undefined ? "" : ` of ${total}`;
}
