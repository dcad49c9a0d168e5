/** `maxRetries`, `max_retries`, `MAX-RETRIES`: `["max", "retries"]`. */
export function nameParts(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/(?<![A-Z])([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "");
}

export function kebab(name: string): string {
  return nameParts(name).join("-");
}

/** A name in the style that serde and clap call by these words. */
export function inStyle(name: string, style: string | undefined): string {
  const parts = nameParts(name);
  const capital = (part: string) => part.slice(0, 1).toUpperCase() + part.slice(1);
  switch (style) {
    case "kebab-case":
      return parts.join("-");
    case "snake_case":
      return parts.join("_");
    case "SCREAMING_SNAKE_CASE":
      return parts.join("_").toUpperCase();
    case "SCREAMING-KEBAB-CASE":
      return parts.join("-").toUpperCase();
    case "lowercase":
      return name.toLowerCase();
    case "UPPERCASE":
      return name.toUpperCase();
    case "camelCase":
      return parts.map((part, index) => (index === 0 ? part : capital(part))).join("");
    case "PascalCase":
      return parts.map(capital).join("");
    default:
      return name;
  }
}
