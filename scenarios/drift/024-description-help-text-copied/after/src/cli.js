import { Command } from "commander";

const program = new Command("driftwood");

program
  .option("--prune", "delete branches whose pull request was closed")
  .option("--depth <n>", "number of commits to read for each branch");

program.parse();
