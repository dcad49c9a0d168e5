/**
 * The file name above the opening line of a block: on the line before it, or before the code fence, or behind the
 * fence itself. `behind` is the first line that does not belong to an earlier block.
 */
export function findBlockName(lines: readonly string[], head: number, behind: number): string | undefined {
  const candidates: string[] = [];
  for (let at = head - 1; at >= Math.max(behind, head - 3); at--) {
    const line = lines[at]!.trim();
    const fence = /^(?:`{3,}|~{3,}|<source>|<code>|<pre>)/.exec(line);
    const name = fence ? nameOnFence(line.slice(fence[0].length)) : plainName(line);
    if (name !== undefined) candidates.push(name);
    if (!fence) break;
  }
  return candidates.find((name) => name.includes(".")) ?? candidates[0];
}

/** A fence mostly names a language; only a name with a dot or a slash is a file. */
function nameOnFence(rest: string): string | undefined {
  const name = plainName(rest);
  return name && /[./\\]/.test(name) ? name : undefined;
}

/** A line stripped of the marks people put around names, if what remains can be one. */
function plainName(line: string): string | undefined {
  if (line.length > longestName) return undefined;
  const name = line
    .replace(/^[#*`>\s]+/, "")
    .replace(/^(?:File(?:name| path)?|Path)\s*:\s*/i, "")
    .replace(/^[`*"]+/, "")
    .replace(/[`*":\s]+$/, "");
  if (name === "" || name === "...") return undefined;
  if (!/\s/.test(name)) return name.replace(/^(\.\/)+(?=.)/, "");
  // A name with blanks must end like a file, or prose would pass for one.
  return /^[\w .()@+/\\-]+\.[A-Za-z0-9]{1,8}$/.test(name) && name.split(/\s+/).length <= 4 ? name : undefined;
}

const longestName = 1024;
