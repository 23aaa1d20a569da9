const longestName = 64;

/** What is wrong with a skill's name by the format, each as a sentence; nothing if it is well formed. */
export function findNameFaults(given: string, folder: string): readonly string[] {
  const name = given.trim().normalize("NFKC");
  const shown = JSON.stringify(name);
  const faults: string[] = [];
  if (name.length > longestName) {
    faults.push(`The name has ${name.length} characters; ${longestName} are the most.`);
  }
  if (name !== name.toLowerCase()) faults.push(`The name ${shown} is to be in small letters.`);
  if (name.startsWith("-") || name.endsWith("-")) {
    faults.push(`The name ${shown} is to begin and end with a letter or digit.`);
  }
  if (name.includes("--")) faults.push(`The name ${shown} has two hyphens in a row.`);
  if (!/^[\p{L}\p{M}\p{N}-]*$/u.test(name)) {
    faults.push(`The name ${shown} is to have letters, digits and hyphens only.`);
  }
  if (folder.normalize("NFKC") !== name) {
    faults.push(`The name ${shown} is to be that of the folder, ${JSON.stringify(folder)}.`);
  }
  return faults;
}
