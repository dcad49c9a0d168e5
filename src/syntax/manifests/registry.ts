import { cargo, cargoConfig } from "./cargo.ts";
import { compose } from "./compose.ts";
import { composerJson } from "./composer-json.ts";
import { cmake, maven, mix, terraform } from "./demands/build-tools.ts";
import { denoJson } from "./deno-json.ts";
import { dockerfile } from "./dockerfile.ts";
import { dotnetProject } from "./dotnet.ts";
import { envFile } from "./env-file.ts";
import { githubAction, githubWorkflow } from "./github.ts";
import { goMod, goWork } from "./go-mod.ts";
import { gradle, gradleSettings } from "./gradle.ts";
import type { Manifest } from "./item.ts";
import { packageJson } from "./package-json.ts";
import { pnpmWorkspace } from "./pnpm-workspace.ts";
import { pyproject } from "./pyproject.ts";
import { gemfile, gemspec } from "./ruby.ts";
import { setupCfg, setupPy } from "./setuptools.ts";
import { justfile } from "./tasks/justfile.ts";
import { makefile } from "./tasks/makefile.ts";
import { mise } from "./tasks/mise.ts";
import { noxfile } from "./tasks/noxfile.ts";
import { rakefile } from "./tasks/rakefile.ts";
import { taskfile } from "./tasks/taskfile.ts";
import { tox } from "./tasks/tox.ts";
import { versionFile } from "./version-file.ts";

/** Every kind of manifest that is read. The first whose pattern matches a path reads it. */
export const MANIFESTS: readonly Manifest[] = [
  cargo,
  cargoConfig,
  cmake,
  compose,
  composerJson,
  denoJson,
  dockerfile,
  dotnetProject,
  envFile,
  gemfile,
  gemspec,
  githubAction,
  githubWorkflow,
  goMod,
  goWork,
  gradle,
  gradleSettings,
  justfile,
  makefile,
  maven,
  mise,
  mix,
  noxfile,
  packageJson,
  pnpmWorkspace,
  pyproject,
  rakefile,
  setupCfg,
  setupPy,
  taskfile,
  tox,
  terraform,
  versionFile,
];
