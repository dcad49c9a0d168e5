import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { findRulesPage } from "./rules-page.ts";
import { LanguageServer } from "./server.ts";

/** Serves one client over standard input and output until it leaves. */
export function serveLsp({ version }: { readonly version: string }): Promise<void> {
  // Standard output belongs to the protocol, so libraries print to standard error.
  console.log = console.info = console.debug = console.error;
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const server = new LanguageServer(connection, { version, rulesPage: findRulesPage() });
  server.listen();
  return new Promise((resolve) => connection.onExit(() => resolve()));
}
