import type { TextDocumentContentChangeEvent, TextDocumentItem } from "vscode-languageserver";
import { byteOrderMark } from "../text/model/encoding.ts";
import { type PositionEncoding, Positions } from "./positions.ts";

/** A document as a client has it in an editor. */
export class OpenDocument {
  readonly uri: string;
  version: number;
  text: string;
  /** Whether it differs from what the client last opened or saved. */
  isEdited = false;

  constructor({ uri, version, text }: TextDocumentItem) {
    this.uri = uri;
    this.version = version;
    this.text = text;
  }

  /** Takes changes over, in order. Each counts its positions in the text that the one before it left. */
  change(
    changes: readonly TextDocumentContentChangeEvent[],
    { version, encoding }: { readonly version: number; readonly encoding: PositionEncoding },
  ): void {
    for (const change of changes) {
      if (!("range" in change)) {
        this.text = change.text;
        continue;
      }
      const positions = new Positions(this.text, encoding, { marked: true });
      const start = positions.offset(change.range.start);
      const end = Math.max(start, positions.offset(change.range.end));
      this.text = this.text.slice(0, start) + change.text + this.text.slice(end);
    }
    this.version = version;
    this.isEdited = true;
  }

  /** The text as the editor would save it over this one: editors hide byte order marks, and some hide CRs. */
  asSaved(disk: string | null): string {
    if (disk === null) return this.text;
    const marked = disk.startsWith(byteOrderMark) && !this.text.startsWith(byteOrderMark);
    const text = hidesReturns(this.text, disk) ? this.text.replaceAll("\n", "\r\n") : this.text;
    return marked ? byteOrderMark + text : text;
  }
}

/** Whether every line on disk ends with CRLF and the editor shows LF. */
export function hidesReturns(shown: string, disk: string): boolean {
  return !shown.includes("\r") && disk.includes("\r\n") && !/(^|[^\r])\n|\r(?!\n)/.test(disk);
}
