/** What `read` gives: a part of a file, or of a directory's listing, or an image. */
export interface ReadData {
  path: string;
  type: "file" | "directory" | "image";
  content: string;
  start_line?: number;
  end_line?: number;
  /** Present if the end was reached. */
  total_lines?: number;
  /** The line to continue with, if more follows. */
  next_offset?: number;
  start_byte?: number;
  /** The first byte after the shown part. */
  end_byte?: number;
  /** The size of the whole file in bytes. */
  size?: number;
  /** The encoding of the file, if not UTF-8. */
  encoding?: string;
  /** For an image: its type, its content in base64, and its size in pixels. */
  media_type?: string;
  data?: string;
  width?: number;
  height?: number;
}

/** Maximum bytes that one call shows. */
export const maxShownBytes: number = 200 * 1024;
