import { readGradleJava } from "./demands/build-tools.ts";
import { type Manifest, type ManifestItem, namedItem } from "./item.ts";

const TASK =
  /^[ \t]*task[ \t]*[("' \t]+([\w-]+)|\btasks\.(?:register|create)[ \t]*(?:<[^<>\r\n]*>)?[ \t]*\(?[ \t]*["']([\w-]+)["']|\bval[ \t]+(\w+)[ \t]+by[ \t]+tasks\.(?:registering|creating)\b/gm;

/** The tasks, the version and the Java of a Gradle build. */
export const gradle: Manifest = {
  name: "build.gradle",
  files: /(?:^|\/)build\.gradle(?:\.kts)?$/,
  namesPackages: true,
  read: (text) => [
    ...quoted(text, /^[ \t]*version[ \t]*=?[ \t]*["']([^"'\r\n]+)["']/gm, "version"),
    ...readGradleJava(text),
    ...Array.from(text.matchAll(TASK), (match) => {
      const name = (match[1] ?? match[2] ?? match[3])!;
      return namedItem("script", name, match.index + match[0].lastIndexOf(name));
    }),
  ],
};

/** The name of a Gradle build and the projects in it. */
export const gradleSettings: Manifest = {
  name: "settings.gradle",
  files: /(?:^|\/)settings\.gradle(?:\.kts)?$/,
  read: (text) => [
    ...quoted(text, /^[ \t]*rootProject\.name[ \t]*=[ \t]*["']([^"'\r\n]+)["']/gm, "name"),
    ...Array.from(text.matchAll(/^[ \t]*include[ \t]*\(?([^()\r\n]*)/gm)).flatMap((line) =>
      Array.from(line[1]!.matchAll(/["']([^"'\r\n]+)["']/g), (match) =>
        namedItem("workspace", match[1]!, line.index + line[0].length - line[1]!.length + match.index + 1),
      ),
    ),
  ],
};

function quoted(text: string, pattern: RegExp, kind: "name" | "version"): ManifestItem[] {
  return Array.from(text.matchAll(pattern), (match) => {
    const end = match.index + match[0].length - 1;
    return { kind, key: kind, value: match[1]!, region: { start: end - match[1]!.length, end } };
  });
}
