import { look } from "suture:look";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { DiffView } from "../parts/diff-view.tsx";
import { ShownSentence } from "../parts/shown-text.tsx";
import { examples } from "./examples.ts";
import type { Looked, Sample, ShownClaim, ShownTruth } from "./looked.ts";

/** Code before and after, a page, its claims with their truth, and the repair. Nothing leaves the browser. */
export function TryPage(): VNode {
  const [sample, setSample] = useState<Sample>(examples[0]!);
  const [seen, setSeen] = useState<{ readonly page: string; readonly looked: Looked } | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const wait = setTimeout(() => {
      look(sample)
        .then((looked) => isCurrent && setSeen({ page: sample.page, looked }))
        .catch(() => isCurrent && setFailed(true));
    }, 150);
    return () => {
      isCurrent = false;
      clearTimeout(wait);
    };
  }, [sample]);
  return (
    <>
      <header class="site">
        <a href="../" class="name">
          <img src="../icon.svg" alt="" width="24" height="24" />
          Suture
        </a>
        <nav>
          <a href="../get-started">Get started</a>
          <a href="./" aria-current="page">
            Try it
          </a>
          <a href="../found">What it found</a>
        </nav>
      </header>
      <main class="try">
        <h1>Try it: change the code, see what the page gets wrong</h1>
        <p class="lead">
          Edit any of the three texts. Suture reads what the page says about the code, asks the code before
          and after your change, and repairs what has become false. It runs here; nothing is sent.
        </p>
        <div class="examples">
          {examples.map((example) => (
            <button
              type="button"
              key={example.title}
              aria-pressed={example.title === sample.title}
              onClick={() => setSample(example)}
            >
              {example.title}
            </button>
          ))}
        </div>
        <div class="inputs">
          <Text
            label={`${sample.codePath}, before`}
            value={sample.before}
            set={(before) => setSample({ ...sample, before })}
          />
          <Text
            label={`${sample.codePath}, after`}
            value={sample.after}
            set={(after) => setSample({ ...sample, after })}
          />
          <Text label={sample.pagePath} value={sample.page} set={(page) => setSample({ ...sample, page })} />
        </div>
        <section aria-live="polite" aria-label="Result">
          {failed ? <p class="lead">This browser could not load the parser of the code.</p> : null}
          {seen === null ? (
            <p class="lead">Reading the code…</p>
          ) : (
            <Result {...seen} path={sample.pagePath} />
          )}
        </section>
      </main>
    </>
  );
}

type SampleTextProps = {
  readonly label: string;
  readonly value: string;
  readonly set: (text: string) => void;
};

function Text({ label, value, set }: SampleTextProps): VNode {
  return (
    <label>
      <span>{label}</span>
      <textarea
        spellcheck={false}
        wrap="soft"
        rows={Math.max(8, value.split("\n").length)}
        value={value}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </label>
  );
}

type LookedProps = { readonly page: string; readonly looked: Looked; readonly path: string };

function Result({ page, looked: { claims, findings, repaired }, path }: LookedProps): VNode {
  return (
    <>
      <h2>What the page claims</h2>
      <ClaimTable claims={claims} />
      <h2>
        {findings.length === 0
          ? "Nothing became false"
          : `${findings.length} ${findings.length === 1 ? "passage" : "passages"} no longer true`}
      </h2>
      <ul class="findings">
        {findings.map(({ line, tier, message, isRepaired }) => (
          <li key={`${line} ${message}`}>
            <code>{`${path}:${line}`}</code> <span class={`tier ${tier}`}>{tier}</span>{" "}
            <ShownSentence text={message} />
            {isRepaired ? null : " No rule can write the new words."}
          </li>
        ))}
      </ul>
      {repaired === page ? null : (
        <>
          <h2>The repair</h2>
          <DiffView before={page} after={repaired} startLine={1} layout="inline" label="The repair" />
        </>
      )}
    </>
  );
}

function ClaimTable({ claims }: { readonly claims: readonly ShownClaim[] }): VNode {
  const told = claims.filter(({ before }) => before === "true");
  const rest = claims.length - told.length;
  return (
    <>
      <div class="wide">
        <table>
          <thead>
            <tr>
              <th>Line</th>
              <th>It says</th>
              <th>Kind</th>
              <th>Before</th>
              <th>After</th>
            </tr>
          </thead>
          <tbody>
            {told.map(({ line, words, kind, before, after }, i) => (
              <tr key={`${line} ${kind} ${i}`}>
                <td>{line}</td>
                <td>
                  <code>{words.length > 60 ? `${words.slice(0, 60)}…` : words}</code>
                </td>
                <td>{kind}</td>
                <td class={before}>{truthWords[before]}</td>
                <td class={after}>{truthWords[after]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rest > 0 ? (
        <p class="lead">{`${rest} more that the code did not prove before the change; only a claim that was true can become false.`}</p>
      ) : null}
    </>
  );
}

const truthWords: Readonly<Record<ShownTruth, string>> = {
  true: "true",
  false: "false",
  undecidable: "cannot tell",
};
