// Stands for src/syntax/source/grammars.ts in the browser: the same grammars, fetched from beside the page.

export async function readGrammar({ name }: { readonly name: string }): Promise<Uint8Array> {
  const answer = await fetch(`./grammars/${name}.wasm`);
  if (!answer.ok) throw new Error(`the page has no grammar for ${name}`);
  return new Uint8Array(await answer.arrayBuffer());
}

export const findParser = (): string => "web-tree-sitter";
