import { mkdirSync, readFileSync, writeFileSync, rmSync } from "node:fs"; import { join } from "node:path"; import { gitIn } from "./bench/git.ts"; import { prose } from "./bench/text/job.ts";
const nameOf = (i) => `readRecord${i}`; const root = process.argv[2]; const count = +process.argv[3];
rmSync(root,{recursive:true,force:true}); const git = gitIn(root); mkdirSync(root); git("init","--quiet","--initial-branch=main"); const text=prose(8000);
for (let i=0;i<count;i++){const f=join(root,"src",`part${i%100}`); mkdirSync(f,{recursive:true}); writeFileSync(join(f,`file${i}.ts`),`/* ${text.slice(i%400,(i%400)+3000)} */\nexport function ${nameOf(i)}(path: string): string {\n  return path;\n}\n`);}
mkdirSync(join(root,"docs")); for(let i=0;i<count/10;i++)writeFileSync(join(root,"docs",`page${i}.md`),`# Page ${i}\n\n${text.slice(i%300)}\n\nCall \`${nameOf(i)}\` with a path.\n`);
git("add","--all");git("commit","--quiet","--message","base");for(let i=0;i<5;i++){const f=join(root,"src",`part${i}`,`file${i}.ts`);writeFileSync(f,readFileSync(f,"utf8").replace(nameOf(i),`loadRecord${i}`));}git("commit","--quiet","--all","--message","rename");
