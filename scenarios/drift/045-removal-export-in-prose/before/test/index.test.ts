import { flattenFeed, readFeed } from "../src/index.ts";

flattenFeed(readFeed("a"));
