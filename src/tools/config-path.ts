/** The configuration file of a project. Its schema is in another file, because few commands need it. */
export const configPath = "suture.config.json";
