import { createForecast } from "../src/index.ts";

createForecast(3);
