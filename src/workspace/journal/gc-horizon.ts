import type { Files } from "../files/files.ts";
import { readSmall, replaceFile, type State } from "../state/state.ts";

const fileName = "forgotten";

/** The number below which entries have no images any more, because somebody said so. */
export async function readForgotten(files: Files, state: State): Promise<number> {
  const bytes = await readSmall(files, state.journal, fileName);
  const number = Number(new TextDecoder().decode(bytes ?? new Uint8Array()));
  return Number.isSafeInteger(number) ? number : 0;
}

export async function writeForgotten(files: Files, state: State, number: number): Promise<void> {
  if ((await readForgotten(files, state)) === number) return;
  await replaceFile(files, state.journal, fileName, new TextEncoder().encode(`${number}\n`), {
    flush: "both",
  });
}
