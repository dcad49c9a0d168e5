import { Command } from "commander";

new Command("jetty")
  .option("--watch", "build again when a source file changes")
  .parse();
