export function readSoundings(path) {
  return readFileSync(path, "utf8").split("\n").map((line) => line.split(","));
}
