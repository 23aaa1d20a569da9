const maxNameLength = 64;

/** Returns how a skill's name violates the format, one sentence each. Empty if it is valid. */
export function findNameFaults(given: string, folder: string): readonly string[] {
  const name = given.trim().normalize("NFKC");
  const shown = JSON.stringify(name);
  const faults: string[] = [];
  if (name.length > maxNameLength) {
    faults.push(`The name has ${name.length} characters; the maximum is ${maxNameLength}.`);
  }
  if (name !== name.toLowerCase()) faults.push(`The name ${shown} must be lowercase.`);
  if (name.startsWith("-") || name.endsWith("-")) {
    faults.push(`The name ${shown} must begin and end with a letter or digit.`);
  }
  if (name.includes("--")) faults.push(`The name ${shown} has two hyphens in a row.`);
  if (!/^[\p{L}\p{M}\p{N}-]*$/u.test(name)) {
    faults.push(`The name ${shown} may contain only letters, digits and hyphens.`);
  }
  if (folder.normalize("NFKC") !== name) {
    faults.push(`The name ${shown} must match the folder's name, ${JSON.stringify(folder)}.`);
  }
  return faults;
}
