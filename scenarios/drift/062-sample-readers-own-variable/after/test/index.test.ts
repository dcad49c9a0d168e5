import { loadLedgerFile } from "../src/index.ts";

loadLedgerFile("a");
