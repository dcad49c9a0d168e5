import { parseLine } from "shoveler";

const record = parseLine("a,b", { separator: "," });
console.log(record.columns);
