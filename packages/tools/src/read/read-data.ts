/** What `read` gives: a part of a file, or of a directory's listing, or an image. */
export interface ReadData {
  path: string;
  type: "file" | "directory" | "image";
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
  /** What the file is in, if not UTF-8. */
  encoding?: string;
  /** Of an image: its type, all of it in base64, and its size in pixels. */
  media_type?: string;
  data?: string;
  width?: number;
  height?: number;
}

/** What one call shows at most, in bytes. */
export const mostShownBytes: number = 200 * 1024;
