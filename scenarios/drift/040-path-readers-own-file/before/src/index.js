export { config } from "./config.js";
