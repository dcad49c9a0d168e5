/** Whether a name is a word of a common language, or a method or type of what it is delivered with. */
export function isStandard(name: string): boolean {
  return (
    [everyday, ofJavaScript(), ofOthers, settings].some((names) => names.has(name)) || isStandardType(name)
  );
}

/** Whether a name is a word of a common language, or a type of what it is delivered with. */
export function isPlain(name: string): boolean {
  return everyday.has(name) || isStandardType(name);
}

/** Whether a name is a type, an exception or a module of a standard library, or a name that every script has. */
function isStandardType(name: string): boolean {
  return types.has(name) || Object.hasOwn(globalThis, name);
}

/** Whether a name is a constant of JavaScript's own objects: `MAX_SAFE_INTEGER`. */
export function isStandardConstant(name: string): boolean {
  return [Number, Math].some((owner) => Object.hasOwn(owner, name));
}

/** Whether a module of Node has a member: `fs.readFile`. */
export function isOfNode(owner: string, member: string): boolean {
  return nodeModules.includes(owner) && member in (process.getBuiltinModule(owner) as object);
}

const everyday = new Set(
  "true false null undefined none nil None True False NaN Infinity string number boolean object array function await async return const let var new this self super then catch finally map filter forEach reduce push join split log error warn info json text body headers status default else case http https type name value key data result bool int integer float double list dict set void any unknown never char str bytes def class import from export if for while in of is not and or yes no on off GET POST PUT PATCH DELETE HEAD OPTIONS HTTP HTTPS URL URI JSON YAML TOML XML CSV HTML CSS SQL UTF ASCII LF CRLF stdin stdout stderr localhost".split(
    " ",
  ),
);

let known: ReadonlySet<string> | undefined;

/** The names of JavaScript's own objects, of the web's that it shares, and of Node's modules, asked of the engine. */
function ofJavaScript(): ReadonlySet<string> {
  known ??= new Set(
    [...globals(), ...nodeModules.map((name) => process.getBuiltinModule(name) as object)]
      .flatMap((owner) => Object.getOwnPropertyNames(owner))
      .filter((name) => name.length > 2),
  );
  return known;
}

/** The constructors and objects that every program has, and what their instances have. */
function globals(): object[] {
  const owners = [String, Array, Object, Promise, Map, Set, Date, RegExp, Number, Math, JSON, URL, console];
  const web = [URLSearchParams, AbortController, AbortSignal, Headers, Request, Response, FormData, Blob];
  return [...owners, ...web, Error, Function, TextDecoder, ReadableStream].flatMap((owner) =>
    "prototype" in owner ? [owner, owner.prototype as object] : [owner],
  );
}

const nodeModules = [
  "fs",
  "path",
  "os",
  "http",
  "url",
  "util",
  "stream",
  "events",
  "crypto",
  "child_process",
];

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

/** Keys of `package.json` and of the settings of the TypeScript compiler. */
const settings = new Set(
  `dependencies devDependencies peerDependencies peerDependenciesMeta optionalDependencies bundledDependencies overrides
  resolutions exports imports browser module main types typings typesVersions sideEffects engines packageManager workspaces
  publishConfig funding keywords repository scripts private license
  compilerOptions target lib jsx jsxImportSource declaration declarationMap sourceMap outDir rootDir composite incremental
  noEmit emitDeclarationOnly importHelpers downlevelIteration isolatedModules isolatedDeclarations strict noImplicitAny
  strictNullChecks strictFunctionTypes strictBindCallApply strictPropertyInitialization noImplicitThis useUnknownInCatchVariables
  alwaysStrict noUnusedLocals noUnusedParameters exactOptionalPropertyTypes noImplicitReturns noFallthroughCasesInSwitch
  noUncheckedIndexedAccess noImplicitOverride noPropertyAccessFromIndexSignature moduleResolution baseUrl paths rootDirs
  typeRoots allowSyntheticDefaultImports esModuleInterop preserveSymlinks allowUmdGlobalAccess customConditions
  resolveJsonModule experimentalDecorators emitDecoratorMetadata skipLibCheck forceConsistentCasingInFileNames allowJs checkJs
  verbatimModuleSyntax useDefineForClassFields`.split(/\s+/),
);

/** Types, exceptions and modules of the standard libraries of Python, Go, Rust, Java, Kotlin, C# and Ruby. */
const types = new Set(
  `Path PurePath PosixPath WindowsPath PurePosixPath PathLike pathlib datetime timedelta timezone zoneinfo asyncio contextvars
  dataclass dataclasses namedtuple defaultdict OrderedDict Counter deque functools itertools contextlib collections typing
  asynccontextmanager importlib inspect logging subprocess Popen tempfile NamedTemporaryFile TemporaryDirectory unittest
  TestCase argparse ArgumentParser configparser urllib shutil threading multiprocessing ThreadPoolExecutor ProcessPoolExecutor
  BytesIO StringIO TextIO BinaryIO IntEnum StrEnum NamedTuple TypedDict TypeVar ClassVar Annotated Literal Iterable Iterator
  AsyncIterator AsyncGenerator Generator Awaitable Coroutine Callable Mapping MutableMapping Sequence Hashable NoReturn
  ParamSpec Protocol Optional Union FrozenSet BaseException Exception ValueError TypeError KeyError IndexError AttributeError
  RuntimeError ImportError ModuleNotFoundError OSError IOError FileNotFoundError FileExistsError PermissionError
  NotImplementedError TimeoutError ConnectionError StopIteration StopAsyncIteration KeyboardInterrupt SystemExit AssertionError
  RecursionError UnicodeDecodeError UnicodeEncodeError ZeroDivisionError DeprecationWarning RuntimeWarning UserWarning
  JSONDecodeError SSLContext isinstance issubclass hasattr getattr setattr staticmethod classmethod frozenset bytearray
  memoryview enumerate kwargs args __init__ __call__ __enter__ __exit__ __aenter__ __aexit__ __iter__ __next__ __str__
  __repr__ __name__ __main__ __file__ __doc__ __dict__ __class__ __html__
  Context Reader Writer ReadCloser WriteCloser ResponseWriter Handler HandlerFunc ServeMux RoundTripper Duration WaitGroup
  Mutex RWMutex Stringer Buffer EOF RawMessage Decoder Encoder goroutine uint8 uint16 uint32 uint64 int8 int16 int32 int64
  float32 float64 rune byte uintptr complex128
  Option Some Result Ok Err Vec Box Arc Rc RefCell Cell HashMap HashSet BTreeMap BTreeSet VecDeque PathBuf OsStr OsString
  String Cow Default Debug Display Clone Copy Send Sync Sized Unpin Future Pin Iterator IntoIterator FromStr AsRef Deref
  Drop From Into TryFrom TryInto FnOnce FnMut Infallible PhantomData usize isize i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32
  f64 main panic unreachable async_trait dbg
  Integer Long Short Byte Character Boolean Double Float BigDecimal BigInteger Object Class Enum Record Iterable Comparable
  Comparator Runnable Supplier Consumer BiConsumer Function BiFunction Predicate BiPredicate UnaryOperator CompletableFuture
  CompletionStage ExecutorService ScheduledExecutorService Executor Executors Thread ThreadLocal TimeUnit Instant LocalDate
  LocalDateTime LocalTime ZonedDateTime ZoneId Clock List ArrayList LinkedList LinkedHashMap TreeMap Collection Collections
  Arrays Stream IntStream Collectors Throwable RuntimeException IllegalArgumentException IllegalStateException
  NullPointerException IOException UncheckedIOException InterruptedException TimeoutException ExecutionException
  ClassNotFoundException UnsupportedOperationException IndexOutOfBoundsException AutoCloseable Closeable Serializable Cloneable
  StringBuilder InputStream OutputStream InputStreamReader BufferedReader PrintStream Files Paths URI UUID Locale Properties
  ClassLoader Deprecated Override FunctionalInterface SafeVarargs Retention Repeatable Inherited Documented
  CancellationException Unit Nothing Pair Triple MutableList MutableMap StandardError ArgumentError NameError NoMethodError
  Hash Proc Struct Symbol Kernel Module CancellationToken IEnumerable IDisposable Guid TimeSpan DateTimeOffset`.split(
    /\s+/,
  ),
);
