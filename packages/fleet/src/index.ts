export { command } from "./commands/fleet.ts";
