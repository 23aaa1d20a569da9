/** Names of arguments that are paths, in Haft's tools and in the dialects. */
export const pathKeys: readonly string[] = [
  "path",
  "file_path",
  "filePath",
  "absolute_path",
  "dir_path",
  "notebook_path",
];
