import { buildForecast } from "../src/index.ts";

buildForecast(3);
