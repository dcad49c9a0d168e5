/**
 * How programs in a language name things that their readers use. The patterns run over code without comments, in which
 * every character of a string literal is `\u0001`.
 */
export type LibraryPatterns = {
  readonly environment?: EnvironmentPatterns;
  /** The head of a call that raises an error, with its bracket. */
  readonly raises?: RegExp;
  /** Heads of calls and attributes that declare a path of a server. The first group may be the method. */
  readonly routes?: readonly RegExp[];
  /** The same for paths that may leave out the leading slash. */
  readonly relativeRoutes?: readonly RegExp[];
  /** Heads of calls and annotations whose first argument is the path before other paths. */
  readonly routePrefixes?: readonly RegExp[];
};

/** How a program reads environment variables. */
export type EnvironmentPatterns = {
  /** Patterns whose first group is the variable. */
  readonly names?: readonly RegExp[];
  /** Heads of calls and subscripts whose first argument is the variable. */
  readonly calls?: readonly RegExp[];
  /** A pattern whose first group lists variables: `const { PORT, HOST = "x" } = process.env`. */
  readonly destructured?: RegExp;
  /** A pattern whose first group is the variable that is only tested for: `"CI" in os.environ`. */
  readonly tested?: RegExp;
};

/** The patterns of programs that run on the Java virtual machine. */
export const JVM_PATTERNS = {
  environment: {
    calls: [/\bSystem\.getenv\s*\(/g, /\bSystem\.getenv\(\)\s*(?:\.get(?:OrDefault)?\s*\(|\[)/g],
  },
  routes: [/@(Get|Post|Put|Patch|Delete|Request)Mapping\b(?:\s*\()?/g, /@(Path)\s*\(/g],
  routePrefixes: [/@(?:RequestMapping|Path|Controller)\s*\(/g],
} satisfies LibraryPatterns;
