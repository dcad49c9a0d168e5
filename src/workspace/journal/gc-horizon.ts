import { readSmall, replaceFile, type StateAccess } from "../state/state.ts";

const fileName = "forgotten";

/** Entries with lower numbers lost their saved copies to `gc`, and cannot be undone. */
export async function readGcHorizon({ files, state }: StateAccess): Promise<number> {
  const bytes = await readSmall(files, state.journal, fileName);
  const number = Number(new TextDecoder().decode(bytes ?? new Uint8Array()));
  return Number.isSafeInteger(number) ? number : 0;
}

export async function writeGcHorizon(access: StateAccess, number: number): Promise<void> {
  if ((await readGcHorizon(access)) === number) return;
  const bytes = new TextEncoder().encode(`${number}\n`);
  await replaceFile(access.files, { dir: access.state.journal, name: fileName, bytes, flush: "both" });
}
