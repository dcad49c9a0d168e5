/** Whether a name is a word of a common language, or a method of what it is delivered with. */
export function isStandard(name: string): boolean {
  return everyday.has(name) || ofJavaScript().has(name) || ofOthers.has(name);
}

const everyday = new Set(
  "true false null undefined none nil None True False NaN Infinity string number boolean object array function await async return const let var new this self super then catch finally map filter forEach reduce push join split log error warn info json text body headers status default else case http https type name value key data result".split(
    " ",
  ),
);

let known: ReadonlySet<string> | undefined;

/** The methods of JavaScript's own objects, asked of the engine. */
function ofJavaScript(): ReadonlySet<string> {
  known ??= new Set(
    [
      String,
      Array,
      Object,
      Promise,
      Map,
      Set,
      Date,
      RegExp,
      Number,
      Math,
      JSON,
      URL,
      URLSearchParams,
      console,
    ]
      .flatMap((owner) => [owner, "prototype" in owner ? owner.prototype : null])
      .flatMap((owner) => (owner === null ? [] : Object.getOwnPropertyNames(owner)))
      .filter((name) => name.length > 2),
  );
  return known;
}

/** Methods of strings, lists, files and the like in Python, Go, Rust, Ruby and Java. */
const ofOthers = new Set(
  `append extend insert items keys values strip lstrip rstrip lower upper title encode decode startswith endswith format
  splitlines capitalize isdigit zfill update setdefault popitem copy deepcopy read readline readlines write writelines
  close open flush seek exists mkdir unlink rename resolve glob dirname basename abspath getenv environ loads dumps load
  dump sleep gather create_task run_until_complete get_event_loop run wait_for suppress contextmanager wraps partial
  lru_cache getLogger basicConfig debug warning exception critical now today utcnow strftime strptime isoformat fromtimestamp
  total_seconds compile search match fullmatch findall finditer sub group groups groupdict add_argument parse_args
  Println Printf Sprintf Errorf Fatal Fatalf Fprintf Background WithTimeout WithCancel Marshal Unmarshal Getenv Exit
  unwrap unwrap_or unwrap_or_else unwrap_or_default expect clone iter into_iter iter_mut collect to_string to_owned as_str
  as_ref as_mut push_str is_empty is_some is_none is_ok is_err ok_or and_then map_err println eprintln from_str parse len
  puts each each_with_index select reject inject to_s to_sym to_i to_a include? empty? freeze attr_accessor
  getName setName getValue setValue toString equals hashCode valueOf getClass println printf orElse orElseThrow ifPresent
  stream toList asList contains containsKey getOrDefault putIfAbsent isEmpty size length`.split(/\s+/),
);
