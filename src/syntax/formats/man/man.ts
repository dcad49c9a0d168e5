import type { Outline } from "../document.ts";
import type { Format } from "../format.ts";
import { outlinePlain } from "../plain/plain.ts";
import { createSlugger } from "../slug.ts";
import { ManScanner } from "./blocks.ts";
import { plainRoff } from "./inline.ts";

/**
 * The macros of man(7) and mdoc(7), and the requests of groff(7) that only lay out text. Any other request may run a
 * program, read or write a file, end the page, or change what a request is.
 */
const LAYOUT = [
  "TH SH SS TP TQ PP P LP IP RS RE HP B I R BI BR IB IR RB RI SM SB EX EE SY OP YS UR UE MT ME MR DT PD AT UC TS TE T& EQ EN",
  "br sp ft fi nf ad na hy nh in ti ta ps vs ss ce rj ne ll ls ns rs bp nr ds as if ie el nop ig hw kern fam",
  "Dd Dt Os Sh Ss Sx Nm Nd Fl Ar Op Oo Oc Bl It El Pp Xr Pa Cm Dv Ev Er Fa Fd Fn Fo Fc Ft Ic In Li Lk Mt Ms Em Sy No Ns Ad",
  "An Ap Aq Ao Ac Bq Bo Bc Bd Ed Bf Ef Bk Ek Brq Bro Brc Bt Bx Bsx Cd D1 Db Dl Do Dc Dq En Es Eo Ec Ex Fr Fx Hf Lb Lp Nx Ot",
  "Ox Pf Po Pc Pq Ql Qo Qc Qq Rs Re Rv Sc Sm So Sq St Tg Tn Ta Ud Ux Va Vt Xo Xc %A %B %C %D %I %J %N %O %P %Q %R %T %U %V",
].flatMap((names) => names.split(" "));

const OTHER_REQUEST = new RegExp(
  String.raw`^[.'][ \t]*(?:(?:if|ie|el|nop)\b[^\n]{0,200}?[.'][ \t]*)?(?!(?:${LAYOUT.join("|")})(?![^\s\\"]))(?<name>[^\s\\"{}.']{1,40})[^\n]{0,80}`,
  "gm",
);

/** Manual pages in the macros of man(7) and mdoc(7). A number at the end of a name may also be a version or a log. */
export const man: Format = {
  name: "man",
  title: "man pages",
  extensions: [],
  sharedFolders: /^[^/]+$|(?:^|\/)(?:man\d?|manpages?|docs?|documentation)\//i,
  sharedNames: /^(?!v?\d)[\w][\w.:+-]*(?<!\.(?:so|log|dylib|gz|bak))(?<![-_.]\d+)\.[1-8](?:[a-z]{1,4})?$/,
  embeds: {
    marks: [
      { takesIn: "code", shape: OTHER_REQUEST },
      // Escapes that reach the output device or a variable of the environment.
      { takesIn: "code", shape: /\\(?:X['([]|V['([]|Y['([]|O\d|O\[|!|\?)[^\n]{0,80}/g },
    ],
  },
  comments: [
    /\\["#](?<text>[^\n]*)/g,
    /^[.'][ \t]*ig\b[^\n]*\n(?<text>[\s\S]*?)(?:^\.\.[ \t]*$|$(?![\s\S]))/gm,
  ],
  outline: outlineMan,
};

/** A manual page as blocks and spans; a text without the macros of one is plain. */
function outlineMan(text: string): Outline {
  if (!/^\ufeff?[.'][ \t]*(?:TH|Dd|SH|Sh|\\")/m.test(text.slice(0, LONGEST_HEAD)))
    return { ...outlinePlain(text), format: "man" };
  const { list, spans } = new ManScanner(text).read();
  const slug = createSlugger();
  for (const block of list.blocks)
    if (block.kind === "heading")
      block.slug = slug(plainRoff(text.slice(block.content.start, block.content.end)));
  return { format: "man", blocks: list.blocks, spans, trouble: [] };
}

/** The first macro of a manual page follows its comments. */
const LONGEST_HEAD = 10_000;
