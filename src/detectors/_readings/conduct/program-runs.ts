import { isCodeFile } from './code-file.ts';

/** Words before a program that change how or where it runs. */
const WRAPPERS = new Set(
  (
    'sudo doas env time timeout gtimeout nohup nice ionice stdbuf setsid command exec xvfb-run unbuffer strace then do else ' +
    '{ ( !'
  ).split(' '),
);

/** Interpreters, compilers, build tools and launchers: their purpose is to run or build something. */
const RUNNERS = new Set(
  (
    'python py pypy ipython jupyter coverage rscript julia octave matlab sas stata ghci runghc runhaskell ghc stack cabal ' +
    'lua luajit luac php perl ruby irb rails rake bundle node nodejs deno bun bunx npx pnpx tsx ts-node esbuild vite webpack ' +
    'swift swiftc kotlin kotlinc scala sbt mill groovy clojure lein clj elixir mix iex erl rebar3 ocaml dune dart flutter ' +
    'crystal nim zig java javac mvn mvnw gradle gradlew ant go cargo rustc gcc g++ cc clang cmake ninja meson make gmake just ' +
    'task tox nox bazel bazelisk buck ctest uv uvx poetry pdm hatch rye pixi pipenv pipx conda mamba dotnet msbuild fsi csi ' +
    'docker docker-compose podman kubectl ssh vagrant sqlite3 psql mysql terraform streamlit gunicorn uvicorn flask celery ' +
    'tcc gfortran fpc sbcl racket guile gforth solc forge hardhat mypy pyright ruff tsc eslint biome bash sh zsh fish pwsh'
  ).split(' '),
);
/** Asks a program about itself. */
const ABOUT = /^(?:-[vVh]|--?version|--help|version|help)$/;
/** Words of package managers and of containers that install, list or copy and run no project. */
const NO_RUN =
  /^(?:install|add|remove|uninstall|sync|lock|list|ls|show|info|init|new|ps|images|logs|pull|push|login|cp|rm|env|config)$/;

/** Programs that read, write, move or format files. A command that names a code file after any other program runs it. */
const FILE_TOOLS = new Set(
  (
    'ls cat head tail grep egrep fgrep rg ag ack wc pwd echo printf nl awk gawk which type tree stat du df file sort uniq cut ' +
    'tr less more diff cmp comm jq yq xxd hexdump od strings column man id basename dirname realpath readlink sha256sum ' +
    'md5sum cd test [ find fd sed tee cp mv rm mkdir rmdir touch chmod chown ln install rsync scp tar zip unzip gzip gunzip ' +
    'xargs vi vim nvim nano emacs ed ex code subl patch git gh hg svn curl wget apt apt-get brew pip npm pnpm yarn black ' +
    'isort autopep8 yapf prettier gofmt rustfmt clang-format dos2unix export source set kill pkill open bat batcat cloc ctags ' +
    'bcat view str_replace_editor'
  ).split(' '),
);

/** Whether a command line starts a program of the project, or a tool that checks or builds it. */
export function runsProgram(shell: string): boolean {
  return shell.split(/&&|\|\||[;|&()\n]/).some((part) => runsIn(part.trim().split(/\s+/)));
}

function runsIn(all: readonly string[]): boolean {
  const words = withoutWrappers(all);
  const [first = '', ...rest] = words;
  const path = unquoted(first);
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
  const program = file.replace(/\.exe$/, '').replace(/-?\d{1,2}(?:\.\d{1,3}){0,2}$/, '');
  if (path.includes('/') && isCodeFile(path)) return true;
  if (RUNNERS.has(file) || RUNNERS.has(program))
    return !rest.some((word) => ABOUT.test(word)) && !NO_RUN.test(rest[0] ?? '');
  const isKnown = FILE_TOOLS.has(file) || path === '' || path.startsWith('#');
  return !isKnown && rest.some((word) => !word.startsWith('-') && isCodeFile(unquoted(word)));
}

/** Removes wrappers with their options, limits and assignments: `sudo -E timeout 60 env X=1`. */
function withoutWrappers(words: readonly string[]): readonly string[] {
  let at = 0;
  let isAfterWrapper = false;
  for (; at < words.length; at += 1) {
    const word = words[at]!;
    if (WRAPPERS.has(word)) isAfterWrapper = true;
    else if (!/^\w+=/.test(word) && !(isAfterWrapper && /^-|^\d+(?:\.\d+)?[smhd]?$/.test(word))) break;
  }
  return words.slice(at);
}

function unquoted(word: string): string {
  return word.replace(/^["']|["']$/g, '');
}
