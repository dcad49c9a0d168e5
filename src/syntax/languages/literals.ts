/**
 * Comments and string literals, as patterns that blank them out of code. A language lists its own in the order in which
 * they are tried at each place.
 */
export const SLASHES = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/;
export const HASH = /(?<=^|[\s;])#[^\n]*/;
export const DOUBLE = /"(?:\\[\s\S]|[^"\\\n])*"?/;
export const SINGLE = /'(?:\\[\s\S]|[^'\\\n])*'?/;
/** One character in single quotes: `'a'`, `'\n'`. A lifetime of Rust is none. */
export const CHARACTER = /'(?:\\[^\n]{1,8}?|[^'\\\n])'/;
export const TRIPLE = /"""[\s\S]*?(?:"""|(?![\s\S]))/;

/** The literals of C and of the languages that follow it. */
export const C_LITERALS: readonly RegExp[] = [SLASHES, TRIPLE, DOUBLE, CHARACTER];

/** The literals of shells, and of data with comments. */
export const HASH_LITERALS: readonly RegExp[] = [HASH, DOUBLE, SINGLE];
