import { parse } from 'unbash';

/** Programs whose names are not natural-language words. */
const PROGRAMS = new Set(
  (
    'ls cd pwd cat tail grep egrep fgrep rg ag wc echo printf nl awk gawk sed tee stat du df env printenv export whoami ' +
    'uname uniq tr diff cmp jq yq xargs ps lsof ss netstat ping dig nslookup ifconfig ip mkdir rmdir rm cp mv ln chmod chown ' +
    'chgrp tar gzip gunzip zip unzip xz curl wget ssh scp rsync sftp nc git gh glab svn hg docker docker-compose podman ' +
    'kubectl helm terraform ansible aws gcloud az python python2 python3 pip pip3 pipx uv poetry conda pytest tox nox ruff ' +
    'mypy pyright flake8 pylint node npm npx pnpm yarn bun deno tsc tsx eslint prettier biome vitest jest ruby gem bundle ' +
    'rake rails perl php composer java javac mvn gradle ./gradlew kotlinc scala sbt gcc g++ cc clang clang++ cmake ninja ' +
    'rustc cargo rustup dotnet msbuild swift xcodebuild apt apt-get dpkg yum dnf apk brew pacman systemctl service ' +
    'journalctl crontab sudo su doas nohup setsid timeout bash sh zsh dash pwsh powershell mysql psql sqlite3 redis-cli ' +
    'mongosh ffmpeg openssl base64 md5sum sha256sum xxd realpath readlink basename dirname pgrep pkill killall tmux nproc ' +
    'vim nano chroot useradd usermod passwd hexdump ldd objdump strace gdb valgrind pandoc pdftotext mktemp shuf seq ' +
    'openclaw claude codex gemini husky nl getfattr setfattr apply_patch'
  ).split(' '),
);
/** Programs whose names are also words. They count if an option, a path or an operator follows. */
const WORDS = new Set(
  (
    'find make sort cut head test which type touch time watch split join more less date id history kill sleep wait mount ' +
    'open file go source set cmp expr look who last at alias read patch install service tree top free uptime true false'
  ).split(' '),
);
const CMDLET =
  /^(?:Get|Set|New|Remove|Invoke|Test|Start|Stop|Select|Write|Copy|Move|Out|Add|Clear|Rename)-[A-Z][A-Za-z]{2,30}$/;
const BLOCK = /^(?:for|while|until|if|case)\s/;
const BLOCK_END = /\b(?:done|fi|esac)\b/;
const TEST = /^\[\[?\s/;
/** An option, a path, a glob, an operator between commands, or a file name. */
const SYNTAX = [
  /(?:^|\s)--?[A-Za-z]/,
  /(?:^|\s)[\w.~-]{0,60}\//,
  /\*\./,
  /&&|\|\||\| ?\w|> ?\S|\$\(/,
  /\s\w{1,60}\.[a-z]{1,5}(?:\s|$)/,
];
const PATH = /^(?:\.{1,2}|~)?\/[\w.+/-]{1,200}$/;

const BEFORE_PROGRAM = /^[\s({!]{1,40}/;
const ASSIGNMENT = /^[A-Za-z_]\w{0,60}=(?:"[^"]{0,200}"|'[^']{0,200}'|[^\s"']{0,200})\s/;
const MAX_ASSIGNMENTS = 10;
const READ_CHARACTERS = 2_000;

/**
 * Whether a text has the form of a shell command, judged by its first program. `certain`: the program is known, or a path.
 * `possible`: its name is also an English word, and the rest of the text does not decide.
 */
export function commandForm(whole: string): 'certain' | 'possible' | null {
  const command = fromProgram(whole.slice(0, READ_CHARACTERS));
  if (TEST.test(command) || (BLOCK.test(command) && BLOCK_END.test(command))) return 'certain';
  const program = /^[^\s;|&<>()"'`]{1,200}/.exec(command)?.[0] ?? '';
  if (PROGRAMS.has(program) || CMDLET.test(program) || PATH.test(program)) return 'certain';
  if (!WORDS.has(program)) return null;
  return hasSyntax(command.slice(program.length)) ? 'certain' : 'possible';
}

/** The command without leading comments, brackets and assignments. */
function fromProgram(text: string): string {
  const lines = text.split('\n');
  let command = lines
    .slice(lines.findIndex((line) => line.trim() !== '' && !line.trimStart().startsWith('#')))
    .join('\n');
  for (let passed = 0; passed < MAX_ASSIGNMENTS; passed += 1) {
    const rest = command.replace(BEFORE_PROGRAM, '').replace(ASSIGNMENT, '');
    if (rest === command) break;
    command = rest;
  }
  return command;
}

function hasSyntax(text: string): boolean {
  return SYNTAX.some((form) => form.test(text));
}

/** Whether a text is a command in any context: it parses, and contains an option, a path or an operator. */
export function isCommandAnywhere(text: string): boolean {
  const head = text.slice(0, READ_CHARACTERS);
  return commandForm(head) === 'certain' && hasSyntax(head) && (parse(head).errors?.length ?? 0) === 0;
}
