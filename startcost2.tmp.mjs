import { cpuOf } from "./bench/cpu.ts";
const N=process.execPath; const c={ zero:[N,"-e","0"], v8:[N,"-e",'require("v8")'], v8f:[N,"-e",'const v=require("v8");["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"].forEach(f=>v.setFlagsFromString(f))']};
const t=Object.fromEntries(Object.keys(c).map(k=>[k,[]])); for(let i=0;i<31;i++) for(const k in c) t[k].push(cpuOf(c[k]));
for(const k in t){ t[k].sort((a,b)=>a-b); console.log(k, "median",t[k][15],"p25",t[k][7],"min",t[k][0]); }
