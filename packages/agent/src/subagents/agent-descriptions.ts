/**
 * The shipped agents that are tools, with the descriptions from their manifests: these tools exist before
 * any manifest is read.
 */
export const agentDescriptions: Readonly<Record<string, string>> = {
  finder:
    "Finds code by what it does, if you don't know the words to search for. Tell it what you look for and why. Answers with file locations; changes nothing.",
  oracle:
    "Thinks hard about a design decision, a review or a hard bug. Give it the question and everything it needs, such as files and what was tried. Reads code and advises; changes nothing.",
  librarian:
    "Answers questions about other repositories, libraries and their documentation. Give it the question and the repositories, if you know them. Clones them into the workspace; does not change your files.",
  kraken:
    "Makes one change in many files, such as a rename or a library migration, with parallel workers, and checks the result. Give it the change with an example, and where it applies. One `undo_edit` undoes everything.",
};
