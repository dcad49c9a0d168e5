import { cpuOf } from "./bench/cpu.ts"; import { writeFileSync, mkdirSync } from "node:fs";
const N=process.execPath; const page=Array.from({ length: 200 }, (_, i) => `Line ${i} of a small page.\n`).join("");
const bin=process.env.BINS?.split(",")??["/work/w/edits/bin/suture.cjs"]; process.chdir("/tmp/edits-se");
const cs={zero:null}; for(const b of bin){cs[b+" md"]=[b,"page.md"];cs[b+" txt"]=[b,"page.txt"]}
const t=Object.fromEntries(Object.keys(cs).map(k=>[k,[]]));
for(let i=0;i<Number(process.env.R??25);i++)for(const k in cs){ if(!cs[k]){t[k].push(cpuOf([N,"-e","0"]));continue} const[b,f]=cs[k];writeFileSync(f,page);t[k].push(cpuOf([N,b,"edit",f,"Line 100 of a small page.","Line 100 of a changed page."]))}
for(const k in t){t[k].sort((a,b)=>a-b);const m=t[k][t[k].length>>1];console.log(k,"median",m.toFixed(1),"p25",t[k][t[k].length>>2].toFixed(1),"min",t[k][0].toFixed(1),"ratio",(m/t.zero[t.zero.length>>1]).toFixed(2))}
