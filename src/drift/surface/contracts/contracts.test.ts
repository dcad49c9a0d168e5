import { expect, test } from "vitest";
import { measureAsyncWork } from "../../../../test/work.ts";
import { readSurface } from "../read-surface.ts";
import type { Thing } from "../thing.ts";

function print({ kind, id, value, type, limits, choices, deprecated, description }: Thing): string {
  return [
    kind === "enum-value" || kind === "symbol" ? id : id.slice(kind.length + 1),
    ...(value === undefined ? [] : [`= ${value}`]),
    ...(type === undefined ? [] : [`: ${type}`]),
    ...(limits === undefined ? [] : [`${limits.least ?? ""}..${limits.most ?? ""}`]),
    ...(choices === undefined ? [] : [`{${choices.join("|")}}`]),
    ...(deprecated === undefined ? [] : [`deprecated: ${deprecated}`]),
    ...(description === undefined ? [] : [`— ${description}`]),
  ].join(" ");
}

test.each<[string, string, string, string[]]>([
  [
    "SQL: the columns of tables",
    "db/schema.sql",
    "-- Jobs.\nCREATE TABLE IF NOT EXISTS app.jobs (\n  id BIGSERIAL PRIMARY KEY,\n  state VARCHAR(20) NOT NULL DEFAULT 'queued',\n  attempts INTEGER DEFAULT 3,\n  CHECK (attempts > 0)\n);\n",
    ["jobs > id : bigserial", "jobs > state = 'queued' : varchar(20)", "jobs > attempts = 3 : integer"],
  ],
  [
    "OpenAPI: operations, parameters, bodies and schemas",
    "openapi.yaml",
    `openapi: 3.0.0
paths:
  /paintings:
    get:
      operationId: listPaintings
      parameters:
        - {name: per_page, in: query, description: how many, schema: {type: integer, default: 30, maximum: 100}}
        - {name: sort, in: query, schema: {type: string, enum: [a, b]}}
    post:
      deprecated: true
      requestBody:
        content:
          application/json:
            schema: {type: object, properties: {title: {type: string, maxLength: 280}}}
components:
  parameters:
    Page: {name: page, in: query, schema: {type: integer, default: 1}}
  schemas:
    Painting:
      type: object
      properties:
        tags: {type: array, items: {type: string}}
        by: {$ref: "#/components/schemas/Painter"}
`,
    [
      "GET > /paintings",
      "symbol listPaintings",
      "GET > /paintings > per_page = 30 : integer ..100 — how many",
      "GET > /paintings > sort : string {a|b}",
      "enum-value GET > /paintings > sort > a",
      "enum-value GET > /paintings > sort > b",
      "POST > /paintings deprecated: ",
      "POST > /paintings > title : string ..280",
      "Page > page = 1 : integer",
      "Painting > tags : string[]",
      "Painting > by : Painter",
    ],
  ],
  [
    "a folder of specifications is none of tests",
    "spec/api.yaml",
    "openapi: 3.0.0\ncomponents:\n  schemas:\n    Card:\n      properties:\n        text: {type: string, maxLength: 280}\n",
    ["Card > text : string ..280"],
  ],
  [
    "JSON Schema: defaults, limits and choices",
    "schema/a.schema.json",
    '{"type": "object", "properties": {"indent": {"type": "integer", "default": 2, "minimum": 0, "maximum": 8}, "quotes": {"enum": ["single", "double"]}}}',
    [
      "indent = 2 : integer 0..8",
      "quotes {single|double}",
      "enum-value quotes > single",
      "enum-value quotes > double",
    ],
  ],
  [
    "GraphQL: fields, arguments, inputs and enumerations",
    "schema.graphql",
    `"""A page."""
type Page { items: [Match!]!, next: String }
type Query {
  # The matches.
  matches(first: Int = 25, after: String): Page!
  """
  The old one.
  """
  players(first: Int = 10): [Player!]! @deprecated(reason: "Use all")
}
enum Level { LOW HIGH }
input Filter { limit: Int = 5, name: String! }
`,
    [
      "symbol Page — A page.",
      "Page > items : [Match!]!",
      "Page > next : String",
      "symbol Query",
      "Query > matches : Page! — The matches.",
      "Query > matches > first = 25 : Int",
      "Query > matches > after : String",
      "Query > players : [Player!]! deprecated: Use all — The old one.",
      "Query > players > first = 10 : Int",
      "symbol Level {LOW|HIGH}",
      "enum-value Level > LOW",
      "enum-value Level > HIGH",
      "symbol Filter",
      "Filter > limit = 5 : Int",
      "Filter > name : String!",
    ],
  ],
  [
    "protobuf: messages, nested enumerations, services",
    "api/user.proto",
    `syntax = "proto3";
// A user.
message User {
  string name = 1; // the name
  optional int32 age = 2 [deprecated = true];
  map<string, string> tags = 3;
  enum Kind { UNKNOWN = 0; ADMIN = 1; }
  repeated Kind kinds = 4;
  reserved 5;
}
service Users {
  // Gets one.
  rpc Get(GetRequest) returns (User);
  rpc List(ListRequest) returns (stream User) { option (google.api.http) = { get: "/v1" }; }
}
`,
    [
      "symbol User — A user.",
      "User > name : string",
      "User > age : int32 deprecated: ",
      "User > tags : map<string, string>",
      "User > kinds : Kind",
      "symbol User > Kind {UNKNOWN|ADMIN}",
      "enum-value User > Kind > UNKNOWN",
      "enum-value User > Kind > ADMIN",
      "symbol Users",
      "Users > Get : User — Gets one.",
      "Users > List : User",
    ],
  ],
  [
    "Terraform: variables and outputs",
    "modules/net/variables.tf",
    'variable "region" {\n  type        = string\n  default     = "eu-west-1" # near\n  description = "Where"\n}\nvariable "zones" {\n  default = [\n    "a",\n  ]\n}\noutput "id" { value = 1 }\n',
    [
      'variables > region = "eu-west-1" : string — Where',
      'variables > zones = [\n    "a",\n  ]',
      "outputs > id",
    ],
  ],
  [
    "Compose: published ports, variables of each service, images",
    "docker-compose.yml",
    `services:
  app:
    image: ghcr.io/x/app:1
    ports: ["8080:80"]
    environment:
      LOG_LEVEL: \${LEVEL:-info}
  db:
    image: postgres:14-alpine
    environment:
      - LOG_LEVEL=warn
`,
    [
      "services > app",
      "services > app > ports = 8080",
      "app > LOG_LEVEL = info",
      "images > app = 1",
      "services > db",
      "db > LOG_LEVEL = warn",
      "images > postgres = 14-alpine",
      "LEVEL = info",
    ],
  ],
  [
    "an action: inputs with their defaults",
    "action.yml",
    'inputs:\n  days:\n    description: How long\n    default: "7"\n    deprecationMessage: use weeks\noutputs:\n  hit: {description: found}\n',
    ["inputs > days = 7 deprecated: use weeks — How long", "outputs > hit — found"],
  ],
  [
    "a workflow that others call: only its inputs",
    ".github/workflows/release.yml",
    "on:\n  workflow_call:\n    inputs:\n      level: {type: choice, options: [a, b], default: a}\nenv:\n  X: 1\njobs: {}\n",
    ["inputs > level = a : choice {a|b}"],
  ],
  [
    "Helm: values by their path",
    "chart/values.yaml",
    '# -- How many\nreplicaCount: 2\nimage:\n  tag: "1.2"\n',
    ["replicaCount = 2 — How many", "image", "image > tag = 1.2"],
  ],
])("%s", async (_, path, text, expected) => {
  expect((await readSurface(path, text)).map(print)).toEqual(expected);
});

test.each<[string, string, (names: string[]) => string]>([
  ["a GraphQL enumeration", "a.graphql", (names) => `enum A { ${names.join(" ")} }\n`],
  [
    "a protobuf enumeration",
    "a.proto",
    (names) => `enum A { ${names.map((name, at) => `${name} = ${at};`).join(" ")} }\n`,
  ],
  ["a schema", "a.schema.json", (names) => JSON.stringify({ properties: { a: { enum: names } } })],
  ["a union", "src/a.ts", (names) => `export type A = ${names.map((name) => `"${name}"`).join(" | ")};\n`],
])("%s of many thousand values on one line takes work in proportion", async (_, path, write) => {
  const names = Array.from({ length: 15_000 }, (_, at) => `VALUE_${at}`);
  expect(await measureAsyncWork(() => readSurface(path, write(names)))).toBeLessThan(400);
});
