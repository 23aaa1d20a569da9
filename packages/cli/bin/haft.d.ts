// Importing it runs the haft command.
export {};
