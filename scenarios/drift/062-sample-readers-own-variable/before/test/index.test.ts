import { openLedgerFile } from "../src/index.ts";

openLedgerFile("a");
