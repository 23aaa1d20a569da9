const plain = /^[\x20-\x7e]*$/u;

/**
 * Maps all spellings of a name that some file system treats as equal to one form: letter case,
 * compatibility characters, invisible characters.
 */
export function foldPath(path: string): string {
  if (plain.test(path)) return path.toLowerCase();
  return path
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase();
}
