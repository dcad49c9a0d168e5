import { print } from "../src/index.ts";

print({ lineCount: 3 });
