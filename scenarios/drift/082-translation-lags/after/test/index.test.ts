import { print } from "../src/index.ts";

print({ maxLines: 3 });
