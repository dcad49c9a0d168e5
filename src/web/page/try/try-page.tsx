import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Fit } from "../../../text/model/edit.ts";
import type { PatchFormat } from "../../../text/patch/detect.ts";
import { DiffView } from "../parts/diff-view.tsx";
import { type Attempt, attemptPatch, withEndings } from "./attempt.ts";
import { type Example, examples } from "./examples.ts";

/** A file, a patch, and what Suture makes of them. Nothing leaves the browser. */
export function TryPage(): VNode {
  const [{ file, patch, ending }, setInput] = useState<Omit<Example, "title">>(examples[0]!);
  const change = (part: Partial<Example>): void => setInput({ file, patch, ending, ...part });
  const before = withEndings(file, ending);
  const attempt = useMemo(() => attemptPatch(before, patch), [before, patch]);
  return (
    <main class="try">
      <a href="../">Suture</a>
      <h1>Try the text core</h1>
      <p>
        Paste a file and a patch in any format. Suture applies all of it, or refuses and says why. It runs
        here; nothing is sent.
      </p>
      <ExampleList choose={setInput} />
      <div class="inputs">
        <label>
          <span>The file</span>
          <textarea
            spellcheck={false}
            value={file}
            onInput={(event) => change({ file: event.currentTarget.value })}
          />
        </label>
        <label>
          <span>The patch</span>
          <textarea
            spellcheck={false}
            value={patch}
            onInput={(event) => change({ patch: event.currentTarget.value })}
          />
        </label>
      </div>
      <label class="ending">
        <input
          type="checkbox"
          checked={ending === "\r\n"}
          onChange={(event) => change({ ending: event.currentTarget.checked ? "\r\n" : "\n" })}
        />
        The lines of the file end in CRLF
      </label>
      <section aria-live="polite" aria-label="Result">
        {attempt.ok ? <Applied before={before} attempt={attempt} /> : <Refused attempt={attempt} />}
      </section>
    </main>
  );
}

function ExampleList({ choose }: { readonly choose: (example: Example) => void }): VNode {
  return (
    <div class="examples">
      {examples.map((example) => (
        <button type="button" key={example.title} onClick={() => choose(example)}>
          {example.title}
        </button>
      ))}
    </div>
  );
}

type AppliedProps = { readonly before: string; readonly attempt: Attempt & { readonly ok: true } };

function Applied({ before, attempt }: AppliedProps): VNode {
  const { format, after, fits, kept } = attempt;
  return (
    <>
      <h2 class="applied">Applied</h2>
      <p>
        Read as {formatNames[format]}. {fits.map((fit, i) => `Edit ${i + 1}: ${fitWords[fit]}.`).join(" ")}{" "}
        {`${kept} of ${before.length} characters of the file were not touched.`}
      </p>
      <DiffView before={before} after={after} startLine={1} layout="inline" label="The change" />
    </>
  );
}

function Refused({ attempt }: { readonly attempt: Attempt & { readonly ok: false } }): VNode {
  return (
    <>
      <h2 class="refused">Refused: {attempt.code}</h2>
      <p class="why">{attempt.message}</p>
      {attempt.hint === undefined ? null : <p class="why">{attempt.hint}</p>}
    </>
  );
}

const formatNames: Readonly<Record<PatchFormat, string>> = {
  json: "JSON edits",
  unified: "a unified diff",
  envelope: "a patch in an envelope",
  blocks: "SEARCH/REPLACE blocks",
};

const fitWords: Readonly<Record<Fit, string>> = {
  exact: "the text was there exactly",
  "line-endings": "the text was there with other line endings",
  "white-space": "the text was there with other white space",
  layout: "the text was there with other line breaks",
  context: "the place was found by the lines around it",
  merge: "the edit was merged with others",
};
