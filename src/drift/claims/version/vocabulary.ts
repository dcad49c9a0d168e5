/** The words that requirements are told with. A sentence with another word before the product is about something else. */

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}

/** Between a product and its version. */
export const JOINS = words(
  ">= ≥ ^ ~ : ( ) = - –",
  "version versions v is of at least minimum min currently msrv supported required requirement needed we require need",
);

/** "18 or newer". */
export const LATER = words(
  "later newer higher above greater up upwards onwards onward beyond over more after",
);

/** "18 and earlier". */
export const EARLIER = words("earlier older lower below before less prior");

/** Begin a condition: "3.8 for the tests", "3.8 on Windows". */
export const CONDITIONS = words("for if when unless on in while because only to");

/** The sentence tells what was, what will be, or what somebody tried. */
export const NOT_NOW = words(
  "drop drops dropped dropping remove removes removed removing eol end-of-life deprecated deprecates was were",
  "previously formerly legacy obsolete until soon since older earlier before prior tested benchmarked measured",
  "planned future upcoming longer stopped ended ends dropped not",
);

/** Name the project as the subject. */
export const OWNERS = words(
  "project package library module crate gem tool application app plugin extension sdk cli program software",
  "repository repo codebase compiler we our you you'll you’ll msrv",
);

const REQUIREMENT = words(
  "a an the this that these it its us your and or with to of is are be at as on in order by from source via",
  "either both must should will may can all any least min minimum minimal following first also only",
  "currently recent please note important make sure ensure have has having had got get",
  "need needs needed require requires required requiring requirement requirements prerequisite prerequisites",
  "supported supports support supporting version versions compatible compatibility works work runs run means",
  "builds build building built compile compiles compiled compiling install installed installing installation",
  "take takes expect expects use uses using target targets targeting depend depends dependency dependencies develop developing development",
  "contribute contributing locally yourself server client system machine computer environment runtime platform",
  "toolchain interpreter engine policy available official latest stable rust's",
);

export function isRequirementWord(word: string): boolean {
  return REQUIREMENT.has(word) || OWNERS.has(word) || LATER.has(word) || isUseWord(word);
}

/** Say that a version is asked for. */
const DEMAND = words(
  "need needs needed require requires required requiring requirement requirements prerequisite prerequisites",
  "least min minimum minimal supported supports support compatible compatibility works work runs run builds build",
  "compile compiles install target targets targeting depend depends expects msrv",
);

export function isDemandWord(word: string): boolean {
  return DEMAND.has(word) || isUseWord(word);
}

const USE = words(
  "stack consists consisting ships shipped comes includes included bundles bundled starts uses use using based",
  "provides contains database image container service cache broker",
);

/** Tells what the project uses rather than what it needs. */
export function isUseWord(word: string): boolean {
  return USE.has(word);
}
