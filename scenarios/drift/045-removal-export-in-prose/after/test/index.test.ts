import { readFeed } from "../src/index.ts";

readFeed("a");
