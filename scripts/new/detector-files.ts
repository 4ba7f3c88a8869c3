/** The folder of a new detector, and its entry in the list. */
export interface NewDetector {
  /** Name of the variable that the detector is exported as. */
  variable: string;
  /** Texts of its folder by file name. */
  files: Readonly<Record<string, string>>;
}

const NAME = /^[a-z]+(?:_[a-z]+)*$/;

/**
 * A working example to be replaced: it fires on a step whose output is `EXAMPLE`.
 *
 * @param name `snake_case`, as it appears in the API
 * @throws Error for another form of name
 */
export function detectorFiles(name: string): NewDetector {
  if (!NAME.test(name)) throw new Error(`the name of a detector is snake_case, such as tool_failure; this is ${name}`);
  const variable = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const words = name.replaceAll('_', ' ');
  const title = `${words[0]!.toUpperCase()}${words.slice(1)}`;
  return {
    variable,
    files: {
      'manifest.ts': manifest(name, variable, title),
      'detector.ts': code(variable),
      'detector.test.ts': rows(variable),
      'README.md': readme(name),
    },
  };
}

function manifest(name: string, variable: string, title: string): string {
  return `import { defineManifest } from '../_kit/manifest.ts';
import { preview } from '../_kit/maturity.ts';

export const ${variable}Manifest = defineManifest({
  type: '${name}',
  title: '${title}',
  failureModes: ['F14'],
  needs: ['steps'],
  evaluation: { runsWith: [] },
  subtypes: {
    example: {
      title: 'An example output',
      impact: 'warning',
      businessImpact: 'State in one sentence what this costs the user.',
      maturity: preview,
      promptRule: ({ what }) => \`State one rule for the use of \${what}.\`,
    },
  },
});
`;
}

function code(variable: string): string {
  return `import type { Fix } from '../../core/detection.ts';
import type { Step, Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { ruleFix } from '../_readings/conduct/remedy.ts';
import { ${variable}Manifest } from './manifest.ts';

export const ${variable} = defineDetector({
  ...${variable}Manifest,
  detect(trace, _options, report) {
    for (const step of trace.steps) if (step.output === 'EXAMPLE') report(draftOf(trace, step));
  },
});

function draftOf(trace: Trace, step: Step): DetectionDraft<'example'> {
  return {
    subtype: 'example',
    score: 0.9,
    step: step.index,
    steps: [step.index],
    explanation: \`Step \${step.index} (\${step.name}) has the output EXAMPLE. State why that is wrong.\`,
    suggestedAction: 'Replace the example by a rule.',
    evidence: [{ kind: 'text', spanId: step.spanId, path: 'output', quote: step.output, value: null }],
    fixes: [fixOf(trace, step)],
    key: step.name,
  };
}

function fixOf(trace: Trace, { agent, name }: Step): Fix {
  return ruleFix(trace, agent, {
    title: \`Change the instructions of \${agent ?? name}\`,
    rule: \`State one rule for the use of \${name}.\`,
    why: 'State why this removes the cause.',
  });
}
`;
}

function rows(variable: string): string {
  return `import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { ${variable} } from './detector.ts';

const rows: DetectorRow[] = [
  {
    name: 'example: an output that is EXAMPLE',
    trace: 'agent writer\\ntool search {"q":"tea"} -> "EXAMPLE"\\nllm gpt-4o 20/9 -> "Done."',
    fires: [{ subtype: 'example', step: 0, agent: 'writer', text: 'EXAMPLE' }],
  },
  {
    name: 'silent: an output that mentions it',
    trace: 'agent writer\\ntool search {"q":"tea"} -> "EXAMPLE text"\\nllm gpt-4o 20/9 -> "Done."',
    silent: true,
  },
];

testDetector(${variable}, rows, { readme: new URL('./README.md', import.meta.url) });
`;
}

function readme(name: string): string {
  return `# ${name}

Measured figures: [${name} in the list of detectors](../../../docs/detectors.md#${name}).

## What it detects

A step whose output is the text EXAMPLE (\`example\`).

## Why it matters

State what it costs the user.

## Fires on

\`\`\`trace fires=example
agent writer
tool search {"q":"tea"} -> "EXAMPLE"
llm gpt-4o 20/9 -> "Done."
\`\`\`

## Stays silent on

\`\`\`trace silent
agent writer
tool search {"q":"tea"} -> "EXAMPLE text"
llm gpt-4o 20/9 -> "Done."
\`\`\`

## What to do

State the remedy.

## Known misses

- State what it does not find.
`;
}
