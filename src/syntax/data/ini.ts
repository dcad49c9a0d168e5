import type { Region } from "../../text/model/region.ts";

/** A value of an INI file (`setup.cfg`, `tox.ini`) and where it is written. A value on several lines is several items. */
export type IniItem = {
  readonly section: string;
  readonly key: string;
  readonly keyRegion: Region;
  readonly value: string;
  readonly region: Region;
};

export type IniScan = {
  readonly sections: readonly { readonly name: string; readonly region: Region }[];
  readonly items: readonly IniItem[];
};

/** The sections and values of an INI file. Lines that begin with white space continue the value above them. */
export function scanIni(text: string): IniScan {
  const sections: { name: string; region: Region }[] = [];
  const items: IniItem[] = [];
  let section = "";
  let key = { key: "", keyRegion: { start: 0, end: 0 } };
  for (const line of text.matchAll(/^[^\r\n]*/gm)) {
    const header = /^\ufeff?\[([^\]]+)\]/.exec(line[0]);
    const pair = header ? null : /^(\ufeff?)([\w.{}-]+)[ \t]*[=:]/.exec(line[0]);
    if (header) {
      section = header[1]!;
      const start = line.index + header[0].length - 1 - section.length;
      sections.push({ name: section, region: { start, end: start + section.length } });
      key = { key: "", keyRegion: { start, end: start } };
    } else if (pair) {
      const start = line.index + pair[1]!.length;
      key = { key: pair[2]!, keyRegion: { start, end: start + pair[2]!.length } };
    }
    const from = pair ? pair[0].length : /^[ \t]/.test(line[0]) ? 0 : -1;
    const value = from < 0 ? "" : line[0].slice(from).trim();
    if (value === "" || /^[#;]/.test(value) || key.key === "") continue;
    const start = line.index + line[0].lastIndexOf(value);
    items.push({ section, ...key, value, region: { start, end: start + value.length } });
  }
  return { sections, items };
}
