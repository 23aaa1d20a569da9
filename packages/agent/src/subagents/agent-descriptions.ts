/**
 * The shipped agents that are tools, with the descriptions from their manifests: these tools exist before
 * any manifest is read.
 */
export const agentDescriptions: Readonly<Record<string, string>> = {
  finder:
    "Finds code by what it does, fast. Use it when you don't know the words to search for, or would have to search several times. Tell it what you look for and why. It answers with file locations and changes nothing.",
  oracle:
    "Thinks hard about one question. Use it for design decisions, reviews and hard bugs. Give it the question and everything it needs to know, such as files and what was tried. It reads code and advises, but changes nothing.",
  librarian:
    "Answers questions about other repositories, libraries and their documentation, several at once. Use it to learn how a dependency works or how others did something. Give it the question and the repositories, if you know them. It clones repositories into the workspace and does not change your files.",
  kraken:
    "Makes one change in many files, such as a rename, a new signature or a library migration. Give it the change with an example, and where it applies. It finds the files, lets many workers change them in parallel, and checks the result. One `undo_edit` undoes everything.",
};
