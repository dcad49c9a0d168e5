import { Command } from "commander";

const program = new Command("driftwood");

program
  .option("--prune", "delete branches that were merged into main")
  .option("--depth <n>", "number of commits to read for each branch");

program.parse();
