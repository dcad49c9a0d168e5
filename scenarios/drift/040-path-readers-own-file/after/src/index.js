export { config } from "./settings.js";
