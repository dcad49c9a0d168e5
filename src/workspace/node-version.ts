const oldest = [22, 18] as const;

/** Without this, an older Node fails later with the name of a function that it does not have. */
export function requireNode(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    throw new Error(`Suture needs Node ${oldest.join(".")} or newer; this is Node ${version}.`);
}
