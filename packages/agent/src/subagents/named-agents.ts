/**
 * The shipped agents that are tools, with what their manifests say of them: these tools are there before
 * any manifest is read.
 */
export const namedAgents: Readonly<Record<string, string>> = {
  finder:
    "Finds code by what it does, fast. Use it when you don't know the words to search for, or would have to search several times. Tell it what you look for and why. It answers with places, and changes nothing.",
  oracle:
    "Thinks hard about one question. Use it for design decisions, reviews, and bugs that resist. Give it the question and everything it must know, such as files and what was tried. It reads code and gives advice, and changes nothing.",
  librarian:
    "Answers questions about other repositories, libraries and their documentation, several at once. Use it to learn how a dependency works or how others did something. Give it the question and the repositories, if you know them. It clones into the workspace, and changes nothing of yours.",
  kraken:
    "Makes one change in many files, such as a rename, a new signature or another library. Give it the change with an example, and where it applies. It finds the places, has many workers change them at once, and checks the whole; one undo takes everything back.",
};
