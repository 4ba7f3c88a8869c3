import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');

/** Retired words and phrases; `docs/glossary.md` has the terms that replace them. */
const RETIRED: Readonly<Record<string, RegExp>> = {
  finding: /(?<!list_)(?<!explain_)finding(?!_count)/i,
  anew: /\banew\b/i,
  whoever: /\bwhoever\b/i,
  mend: /\bmend(s|ed|ing)?\b/i,
  'is told': /\b(is|are|was|were|be) told\b/i,
  'tells of': /\b(tells?|told) of\b/i,
  'stands there': /\bstands (there|in no|twice|beside)\b/i,
  'lets go of': /\b(lets?|letting) go of\b/i,
  'in vain': /\bin vain\b/i,
  'where there is none': /\bwhere there (is|are) none\b/i,
  'nobody else': /\bnobody else\b/i,
  'takes with it': /\btakes with it\b/i,
  'whatever is asked': /\bwhatever (is|was) asked\b/i,
  analyse: /\banalys(e|ed|ing)\b/i,
};

/** Not read: recorded or quoted texts, generated files, lists of old names, and this list. */
const NOT_READ = [
  'test/fixtures/',
  'test/golden/',
  'test/gauge/',
  'docs/renames.md',
  'docs/glossary.md',
  'docs/read-by-hand.md',
  'docs/coding-sessions-read.md',
  'src/client/misstep-client.generated.ts',
  'test/plain-english.test.ts',
];

/** Files and folders that may contain a phrase, with the reason. `*` is every phrase. */
const ALLOWED: readonly { path: string; phrase: string; because: string }[] = [
  { path: 'src/detectors/_kit/calibration.ts', phrase: 'finding', because: 'calibration files have that label' },
  { path: 'src/detectors/coordination/detector.test.ts', phrase: 'finding', because: 'sample result of a reviewer' },
  { path: 'src/formats/hooks/agents.test.ts', phrase: 'mend', because: 'quotes a recorded task' },
  { path: 'src/detectors/injection/detector.test.ts', phrase: 'is told', because: 'sample text of an attack' },
  { path: 'src/cli/mcp/tools/', phrase: 'finding', because: 'MCP results have the member findings' },
  { path: 'test/cli/mcp.scenario.test.ts', phrase: 'finding', because: 'MCP results have the member findings' },
  { path: 'src/features/n8n/', phrase: 'finding', because: 'discovered workflows have the member findings' },
  {
    path: 'src/cli/browse/integrations.ts',
    phrase: 'finding',
    because: 'discovered workflows have the member findings',
  },
  {
    path: 'src/jobs/platform-pages.test.ts',
    phrase: 'finding',
    because: 'discovered workflows have the member findings',
  },
  { path: 'src/core/web-address', phrase: 'finding', because: 'the trace page has the query parameter finding' },
  { path: 'src/web/', phrase: 'finding', because: 'the trace page has the query parameter finding' },
  { path: 'test/web/', phrase: 'finding', because: 'the trace page has the query parameter finding' },
  {
    path: 'docs/decisions/0007-what-confidence-means.md',
    phrase: 'finding',
    because: 'calibration files have that label',
  },
  { path: 'src/detectors/_readings/calls/calls.ts', phrase: 'analyse', because: 'both spellings are verbs of tools' },
  { path: 'docs/misses.md', phrase: 'is told', because: 'describes a run in which an agent tells a user' },
  { path: 'scripts/soak/soak-traffic.ts', phrase: 'is told', because: 'sample text of a trace' },
  { path: 'src/features/judge/judge-prompt.test.ts', phrase: 'is told', because: 'sample text of an attack' },
  { path: 'src/features/demo/long-research.ts', phrase: 'tells of', because: 'sample text of a trace' },
];

interface Violation {
  phrase: string;
  line: number;
}

/** Retired phrases of a text, with their lines. */
function violationsIn(text: string): Violation[] {
  return text
    .split('\n')
    .flatMap((content, at) =>
      Object.entries(RETIRED).flatMap(([phrase, pattern]) => (pattern.test(content) ? [{ phrase, line: at + 1 }] : [])),
    );
}

function textFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', 'src', 'scripts', 'test', 'docs', 'README.md', 'CONTRIBUTING.md'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return listed
    .split('\n')
    .filter((file) => /\.(ts|tsx|mjs|md|css)$/.test(file) && !NOT_READ.some((path) => file.startsWith(path)));
}

function isAllowed(file: string, phrase: string): boolean {
  return ALLOWED.some((one) => file.startsWith(one.path) && (one.phrase === '*' || one.phrase === phrase));
}

const violations = textFiles().flatMap((file) =>
  violationsIn(readFileSync(resolve(ROOT, file), 'utf8')).map((violation) => ({ file, ...violation })),
);

describe('plain English', () => {
  it('no retired phrase occurs in code, tests and documents', () => {
    const found = violations.filter(({ file, phrase }) => !isAllowed(file, phrase));
    expect(found.map(({ file, line, phrase }) => `${file}:${line} ${phrase}`)).toEqual([]);
  });

  it('every exception is needed', () => {
    const isUsed = (path: string, phrase: string) =>
      violations.some((one) => one.file.startsWith(path) && (phrase === '*' || phrase === one.phrase));
    expect(ALLOWED.filter(({ path, phrase }) => !isUsed(path, phrase))).toEqual([]);
  });

  it.each([
    ['a column of old', "title: 'findings'", 'finding'],
    ['an old identifier', 'function trailFindings() {}', 'finding'],
    ['an old constant', 'const MOST_FINDINGS = 5;', 'finding'],
    ['a planted comment', '/** Whoever dies leaves a file. */', 'whoever'],
    ['a planted title', "it('is told by readiness')", 'is told'],
    ['a second one', "it('mends sums, and starts anew')", 'anew'],
  ])('finds %s', (_name, text, phrase) => {
    expect(violationsIn(`first line\n${text}`)).toContainEqual({ phrase, line: 2 });
  });

  it.each([
    ['the names of MCP tools', "'list_findings', 'explain_finding'"],
    ['a wire member', 'finding_count: z.number()'],
    ['words that only contain a phrase', 'recommended; amended; canewood; the tool told the user of it'],
  ])('accepts %s', (_name, text) => {
    expect(violationsIn(text)).toEqual([]);
  });
});
