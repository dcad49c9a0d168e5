export { fly } from "./fly.ts";
