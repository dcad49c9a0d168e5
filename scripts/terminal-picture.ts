/** A command and what it printed; the picture shows the first lines of it. */
export type Scene = { readonly command: string; readonly printed: readonly string[]; readonly most: number };

/** What a code of the terminal sets; another code of the same kind replaces it. */
const styles: Readonly<Record<string, readonly [kind: "weight" | "colour" | "mark", attribute: string]>> = {
  "1": ["weight", 'font-weight="bold"'],
  "2": ["weight", 'opacity="0.6"'],
  "22": ["weight", ""],
  "31": ["colour", 'fill="#ff7b72"'],
  "32": ["colour", 'fill="#7ee787"'],
  "33": ["colour", 'fill="#e3b341"'],
  "36": ["colour", 'fill="#79c0ff"'],
  "39": ["colour", ""],
  "7": ["mark", 'text-decoration="underline"'],
  "27": ["mark", ""],
};

/** A terminal as a drawing: the command and the first lines it printed, in their colours. */
export function drawTerminal(scene: Scene): string {
  const lines = linesOf(scene);
  return drawFrame(heightOf([lines]), `What ${scene.command} prints`, drawLines(lines));
}

/** Seconds for which one scene is shown. */
const pause = 6;

/** Several scenes, one after the other and from the start again. A reader who wants no motion sees the first. */
export function drawSession(scenes: readonly Scene[]): string {
  const all = scenes.map(linesOf);
  const share = 100 / scenes.length;
  const style = `<style>
.scene { opacity: 0; animation: show ${pause * scenes.length}s infinite step-end; }
.scene:first-of-type { opacity: 1; }
@keyframes show { 0% { opacity: 1 } ${share.toFixed(2)}% { opacity: 0 } 100% { opacity: 0 } }
@media (prefers-reduced-motion: reduce) { .scene { animation: none; } }
</style>`;
  const groups = all.map(
    (lines, i) =>
      `<g class="scene" style="animation-delay: ${i * pause - (i === 0 ? 0 : pause * scenes.length)}s">\n${drawLines(lines)}\n</g>`,
  );
  const label = `A terminal: ${scenes.map(({ command }) => command).join(", then ")}`;
  return drawFrame(heightOf(all), label, [style, ...groups].join("\n"));
}

function linesOf({ command, printed, most }: Scene): string[] {
  return [
    `\u001b[2m$\u001b[22m ${command}`,
    ...printed.slice(0, most),
    ...(printed.length > most ? ["…"] : []),
  ];
}

function heightOf(all: readonly (readonly string[])[]): number {
  return 36 + Math.max(...all.map(({ length }) => length)) * 20;
}

function drawFrame(height: number, label: string, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="920" height="${height}" viewBox="0 0 920 ${height}" role="img" aria-label="${plain(label)}">
<rect width="920" height="${height}" rx="10" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13.5" fill="#e6edf3">
${content}
</g>
</svg>
`;
}

function drawLines(lines: readonly string[]): string {
  return lines
    .map((line, i) => `<text x="20" y="${38 + i * 20}" xml:space="preserve">${drawLine(line)}</text>`)
    .join("\n");
}

function drawLine(line: string): string {
  const current = new Map<string, string>();
  let drawn = "";
  for (const part of line.split(/(\u001b\[\d+m)/)) {
    const code = /^\u001b\[(\d+)m$/.exec(part)?.[1];
    if (code !== undefined) current.set(...(styles[code] ?? ["colour", ""]));
    else if (part !== "")
      drawn += drawPart(
        part,
        [...current.values()].filter((one) => one !== ""),
      );
  }
  return drawn;
}

function drawPart(text: string, attributes: readonly string[]): string {
  return attributes.length === 0 ? plain(text) : `<tspan ${attributes.join(" ")}>${plain(text)}</tspan>`;
}

function plain(text: string): string {
  const cut = text.length > 104 ? `${text.slice(0, 103)}…` : text;
  return cut.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
