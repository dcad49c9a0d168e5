/** Where a project says how it wants to be checked. Apart from its schema, which few commands need. */
export const configPath = "suture.config.json";
