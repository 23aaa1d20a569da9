/** What arguments that are paths are called, in our tools and in the dialects. */
export const pathKeys: readonly string[] = [
  "path",
  "file_path",
  "filePath",
  "absolute_path",
  "dir_path",
  "notebook_path",
];
