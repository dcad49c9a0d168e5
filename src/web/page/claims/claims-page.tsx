import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ClaimCounts, ReportedClaim } from "../../../docs/claims/report.ts";
import type { ClaimsView } from "../../claims/view.ts";
import { ShownSentence, ShownText } from "../parts/shown-text.tsx";
import { useTheme } from "../parts/theme.ts";
import { cutPage, markWords, type Stretch } from "./marked.ts";

type Truth = ReportedClaim["truth"];
const TRUTHS: readonly Truth[] = ["true", "false", "undecidable"];
const MARKS: Readonly<Record<Truth, string>> = { true: "✓", false: "✗", undecidable: "?" };

/** The claims of a project: the totals, its pages, and the chosen page beside the declarations. */
export function ClaimsPage({ view }: { readonly view: ClaimsView }): VNode {
  const [theme, nextTheme] = useTheme();
  const [only, setOnly] = useState<Truth | "all">("all");
  const pages = view.pages.filter(({ totals }) => only === "all" || totals[only] > 0);
  const [chosen, choose] = useState(() => firstOf(view));
  const page = pages.find(({ path }) => path === chosen) ?? pages[0];
  return (
    <main class="claims">
      <header>
        <h1>
          What the documents of <ShownText text={view.name} /> say
        </h1>
        <button type="button" class="theme" onClick={nextTheme}>{`Colours: ${theme}`}</button>
      </header>
      <p class="lead">
        {`${counted(view.totals.pages, "page")} as of ${view.head === "worktree" ? "the work tree" : view.head.slice(0, 12)}: ${countsText(view.totals)}`}
      </p>
      <Bar counts={view.totals} />
      <Totals view={view} />
      <fieldset>
        <legend>Show</legend>
        {(["all", "false", "undecidable", "true"] as const).map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="only"
              id={`only-${one}`}
              checked={only === one}
              onChange={() => setOnly(one)}
            />
            {one === "all" ? "all claims" : `${one} (${shown(view.totals[one])})`}
          </label>
        ))}
      </fieldset>
      <div class="desk">
        <nav aria-label="Pages">
          {pages.map(({ path, totals }) => (
            <button
              key={path}
              type="button"
              aria-current={path === page?.path ? "page" : undefined}
              onClick={() => choose(path)}
            >
              <span>
                <ShownText text={path} />
              </span>
              <small>{shortCounts(totals)}</small>
            </button>
          ))}
        </nav>
        {page ? (
          <Page key={page.path} page={page} only={only} view={view} />
        ) : (
          <p>No page has such a claim.</p>
        )}
      </div>
    </main>
  );
}

/** A page with a false claim, or else the first one with any. */
function firstOf({ pages }: ClaimsView): string | undefined {
  return (pages.find(({ totals }) => totals.false > 0) ?? pages.find(({ claims }) => claims.length > 0))
    ?.path;
}

function countsText({ claims, ...counts }: ClaimCounts): string {
  return [counted(claims, "claim"), ...TRUTHS.map((truth) => `${shown(counts[truth])} ${truth}`)].join(", ");
}

function counted(count: number, what: string): string {
  return `${shown(count)} ${what}${count === 1 ? "" : "s"}`;
}

function shown(count: number): string {
  return count.toLocaleString("en-US");
}

function shortCounts({ claims, ...counts }: ClaimCounts): string {
  if (claims === 0) return "no claims";
  const parts = TRUTHS.filter((truth) => counts[truth] > 0).map(
    (truth) => `${MARKS[truth]} ${counts[truth]}`,
  );
  return parts.join("  ");
}

/** The shares, as a drawing: a style of its own would not be allowed. */
function Bar({ counts }: { readonly counts: ClaimCounts }): VNode {
  const width = (truth: Truth): number => (counts.claims === 0 ? 0 : (counts[truth] * 100) / counts.claims);
  return (
    <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      {TRUTHS.map((truth, at) => (
        <rect
          key={truth}
          class={truth}
          x={TRUTHS.slice(0, at).reduce((sum, one) => sum + width(one), 0)}
          width={width(truth)}
          height="4"
        />
      ))}
    </svg>
  );
}

function Totals({ view: { totals, advice, leftOut, unknown } }: { readonly view: ClaimsView }): VNode {
  return (
    <div class="totals">
      <section class="wide">
        <h2>By kind</h2>
        <table>
          <thead>
            <tr>
              <th>Kind</th>
              <th>Claims</th>
              {TRUTHS.map((truth) => (
                <th key={truth}>{truth}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Object.entries(totals.kinds).map(([kind, counts]) => (
              <tr key={kind}>
                <td>{kind}</td>
                <td>{shown(counts.claims)}</td>
                {TRUTHS.map((truth) => (
                  <td key={truth}>{counts[truth] === 0 ? "" : shown(counts[truth])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section class="wide">
        <h2>Why claims are undecidable</h2>
        <table>
          <tbody>
            {totals.reasons.map(({ why, count }) => (
              <tr key={why}>
                <td>
                  {why}
                  {advice[why] ? <small>{advice[why]}</small> : null}
                </td>
                <td>{shown(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {leftOut.length + unknown.length > 0 ? (
          <details>
            <summary>{`${counted(leftOut.length + unknown.length, "page")} left out`}</summary>
            {[...leftOut, ...unknown].map(({ path, why }) => (
              <p key={path}>
                <ShownText text={`${path}: ${why}`} />
              </p>
            ))}
          </details>
        ) : null}
      </section>
    </div>
  );
}

type PageProps = {
  readonly page: ClaimsView["pages"][number];
  readonly only: Truth | "all";
  readonly view: ClaimsView;
};

function Page({ page: { path, text, claims, totals, findings = [] }, only, view }: PageProps): VNode {
  const wanted = only === "all" ? claims : claims.filter(({ truth }) => truth === only);
  const stretches = cutPage(text, wanted);
  return (
    <article aria-label={path}>
      <h2>
        <ShownText text={path} />
      </h2>
      <p class="lead">{countsText(totals)}</p>
      {findings.map(({ startLine, message }) => (
        <p key={`${startLine} ${message}`} class="joined">
          {`line ${startLine}: `}
          <ShownSentence text={message} />
        </p>
      ))}
      <div class="text">
        {stretches.map((stretch) => (
          <Row key={stretch.first} stretch={stretch} view={view} />
        ))}
      </div>
    </article>
  );
}

type RowProps = { readonly stretch: Stretch<ReportedClaim>; readonly view: ClaimsView };

function Row({ stretch, view }: RowProps): VNode {
  return (
    <div class={stretch.claims.length > 0 ? "row said" : "row"}>
      <span class="number">{stretch.first}</span>
      <pre>
        {markWords(stretch).map(({ text, truth }, at) =>
          truth ? (
            <mark key={at} class={truth}>
              <ShownText text={text} />
            </mark>
          ) : (
            <ShownText key={at} text={text} />
          ),
        )}
      </pre>
      {stretch.claims.length > 0 ? (
        <ul>
          {stretch.claims.map((claim, at) => (
            <Note key={at} claim={claim} view={view} />
          ))}
        </ul>
      ) : null}
    </div>
  );
}

type NoteProps = { readonly claim: ReportedClaim; readonly view: ClaimsView };

/** What a claim is bound to, with the line that declares it, and why it is not so. */
function Note({ claim: { kind, says, thing, by, truth, why }, view: { code, ways } }: NoteProps): VNode {
  const declared = thing && (thing.declaration ?? code[`${thing.path}:${thing.line}`]);
  return (
    <li class={truth}>
      <b>{MARKS[truth]}</b> {kind}{" "}
      <code>
        <ShownText text={says.slice(0, LONGEST)} />
      </code>
      {thing ? (
        <>
          {" → "}
          <code>
            <ShownText text={thing.name.slice(0, LONGEST)} />
          </code>{" "}
          <small>
            <ShownText text={`${thing.path}:${thing.line}`} />
            {by ? `, by ${ways[by]}` : ""}
          </small>
        </>
      ) : null}
      {why ? (
        <span class="why">
          <ShownSentence text={why} />
        </span>
      ) : null}
      {declared ? (
        <code class="code">
          <ShownText text={declared} />
        </code>
      ) : null}
    </li>
  );
}

const LONGEST = 80;
