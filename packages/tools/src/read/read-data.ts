/** What `read` gives: a part of a file, or of a directory's listing. */
export interface ReadData {
  path: string;
  type: "file" | "directory";
  content: string;
  start_line?: number;
  end_line?: number;
  /** Known where the end was reached. */
  total_lines?: number;
  /** More follows from this line on. */
  next_offset?: number;
  start_byte?: number;
  /** The first byte after the part. */
  end_byte?: number;
  /** The bytes of the whole file. */
  size?: number;
}

/** What one call shows at most, in bytes. */
export const mostShownBytes: number = 200 * 1024;
