import { compose } from "../../../syntax/manifests/compose.ts";
import { githubAction, githubWorkflow } from "../../../syntax/manifests/github.ts";
import type { Thing } from "../thing.ts";
import { readCompose } from "./compose.ts";
import { DEFAULT_VALUES, readDefaultValues } from "./default-values.ts";
import { readGraphQl } from "./graphql.ts";
import { readInputs } from "./inputs.ts";
import { readProtobuf } from "./protobuf.ts";
import { readSchema } from "./schema.ts";
import { readSql } from "./sql.ts";
import { readTerraform } from "./terraform.ts";

type ContractFormat = {
  readonly files: RegExp;
  readonly read: (path: string, text: string) => Thing[];
};

/** Formats that describe an interface. A new one is a file that reads it and a line here. */
const CONTRACTS: readonly ContractFormat[] = [
  { files: /\.(?:graphqls?|gql)$/, read: readGraphQl },
  { files: /\.proto$/, read: readProtobuf },
  { files: /\.sql$/, read: readSql },
  { files: /\.tf$/, read: readTerraform },
  { files: compose.files, read: readCompose },
  { files: githubAction.files, read: readInputs },
  { files: githubWorkflow.files, read: readInputs },
  { files: DEFAULT_VALUES, read: readDefaultValues },
  { files: /\.(?:jsonc?|ya?ml)$/, read: readSchema },
];

/** What a file offers that describes an interface; nothing for other files. */
export function readContract(path: string, text: string): Thing[] {
  return CONTRACTS.find(({ files }) => files.test(path))?.read(path, text) ?? [];
}

/** A workflow is no part of the product, except for what those write who call it. */
export function isCalled(path: string): boolean {
  return githubWorkflow.files.test(path);
}

/** A description of an interface is offered wherever it lies: `spec/` is its usual folder, not one of tests. */
export function isContractPath(path: string): boolean {
  return compose.files.test(path) || CONTRACT_FILES.some((files) => files.test(path));
}

const CONTRACT_FILES = [
  /\.(?:graphqls?|gql|proto)$/,
  /(?:^|\/)specs?\/[^/]+\.(?:json|ya?ml)$/,
  /(?:^|\/)(?:openapi|swagger)[^/]*\.(?:json|ya?ml)$/,
];
