type Fields = Readonly<Record<string, unknown>>;

/** Returns the diffs in a call's data: its own, or those of the files that it changed or restored. */
export function findDiffs({ diff, files, undone }: Fields): string[] {
  if (typeof diff === "string") return [diff];
  const parts = [files, undone].find((one) => Array.isArray(one)) as Fields[] | undefined;
  return (parts ?? []).map((part) => part.diff).filter((one) => typeof one === "string");
}
