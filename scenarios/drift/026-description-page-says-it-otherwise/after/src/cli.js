import { Command } from "commander";

new Command("jetty")
  .option("--watch", "rebuild whenever a source file is saved")
  .parse();
