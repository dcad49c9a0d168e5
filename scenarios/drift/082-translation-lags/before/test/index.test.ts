import { print } from "../src/index.ts";

print({ lineLimit: 3 });
