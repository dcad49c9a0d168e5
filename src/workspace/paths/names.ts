/**
 * A key that two spellings of a name share if any file system could confuse them: compatibility forms, full case
 * folding, invisible code points, trailing dots and spaces. Folding is unconditional, because a case-insensitive mount
 * answers with the spelling it was given.
 */
export function foldName(name: string): string {
  // Most names are ASCII, and patterns of Unicode properties take long to build.
  if (isAscii(name)) return name.toLowerCase().replace(/[. ]+$/, "");
  return name
    .normalize("NFKC")
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, "")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC")
    .replace(/i\u0307/g, "i")
    .replace(/ς/g, "σ")
    .replace(/[. ]+$/, "");
}

function isAscii(name: string): boolean {
  return !/[^\0-\x7f]/.test(name);
}

/** The folded key of a whole path. */
export function foldPath(path: string): string {
  return path.split("/").map(foldName).join("/");
}

/** Whether a name has code points that reorder or hide text. */
export function hidesText(name: string): boolean {
  return !isAscii(name) && /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}]/u.test(name);
}

/** Why a name is not portable, as a short phrase; `null` if it is. */
export function problemOf(name: string): string | null {
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name)) return "a control character";
  if (!name.isWellFormed()) return "half of a surrogate pair";
  if (name.includes("\\")) return "a backslash";
  if (name.includes(":")) return "a colon";
  if (/[. ]$/.test(name)) return "a trailing dot or space";
  if (isDevice(name)) return "the name of a device";
  if (/^[^.~]{1,6}~[0-9]{1,6}(\.[^.]{0,3})?$/.test(name))
    return "the form of a short Windows name, such as PROGRA~1";
  return null;
}

function isDevice(name: string): boolean {
  const base = (name.normalize("NFKC").split(".")[0] ?? "").trimEnd().toUpperCase();
  return /^(CON|PRN|AUX|NUL|CLOCK\$|CONIN\$|CONOUT\$|(COM|LPT)[0-9])$/.test(base);
}
