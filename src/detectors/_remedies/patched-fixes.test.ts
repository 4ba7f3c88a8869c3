import { applyPatch } from 'diff';
import fastJsonPatch from 'fast-json-patch';
import { describe, expect, it } from 'vitest';
import type { Detection, FixChange } from '../../core/detection.ts';
import type { FailureSettings, Trace } from '../../core/trace.ts';
import type { NodeRemedy, SubtypeInfo } from '../_kit/manifest.ts';
import { runDetectors } from '../_runner/run.ts';
import { ALL_DETECTORS } from '../_testing/all-detectors.ts';
import { parseTrace } from '../_testing/notation.ts';
import { DETECTORS } from '../registry.ts';
import { nodeSettingsFix } from './node-settings.ts';
import { patchedFixes } from './patched-fixes.ts';

function found(trace: Trace, type: string, subtype: string): Detection {
  const { detections } = runDetectors(trace, ALL_DETECTORS);
  return detections.find((each) => each.type === type && each.subtype === subtype)!;
}

const changesOf = ({ fixes }: Detection, format: FixChange['format']) =>
  fixes.flatMap(({ changes }) => changes).filter((change) => change.format === format);

function patched({ before, after }: FixChange): unknown {
  return fastJsonPatch.applyPatch(JSON.parse(before!), JSON.parse(after), true, false).newDocument;
}

const REPEATED = [
  'framework openai-agents',
  'agent clerk',
  'offers search {"type":"object","properties":{"q":{"type":"string"}}}',
  'system "You find hotels.\\nBe friendly."',
  'user "find a hotel"',
  'repeat 6',
  '  llm gpt-4o -> "Searching." calls search {"q":"hotel"}',
  '  tool search {"q":"hotel"} -> "nothing found"',
  'llm gpt-4o -> "I found nothing."',
].join('\n');

describe('fixes that patch what the trace shows', () => {
  const loop = found(parseTrace(REPEATED), 'loop', 'exact_repetition');

  it('add one line that names the tool to the system prompt', () => {
    const [diff] = changesOf(loop, 'unified-diff');
    expect(applyPatch(diff!.before!, diff!.after)).toMatch(/^You find hotels\.\nBe friendly\.\n[^\n]*search[^\n]*\n$/);
  });

  it('change only the description of the tool', () => {
    const [patch] = changesOf(loop, 'json-patch');
    expect(patch!.target).toBe('definition of search');
    expect(patched(patch!)).toEqual({
      ...JSON.parse(patch!.before!),
      description: expect.stringContaining('do not repeat a call'),
    });
  });

  describe('that the trace already contains', () => {
    const [diff] = changesOf(loop, 'unified-diff');
    const rule = applyPatch(diff!.before!, diff!.after).toString().trimEnd().split('\n').at(-1)!;
    const [tool] = changesOf(loop, 'json-patch');
    const note = (patched(tool!) as { description: string }).description;
    const text = REPEATED.replace('Be friendly.', `Be friendly.\\n${rule.replaceAll('"', '\\"')}`);
    const trace = parseTrace(text);
    const definition = trace.toolDefinitions.find(({ name }) => name === 'search')!;
    const { fixes } = found(
      { ...trace, toolDefinitions: [{ ...definition, description: note }] },
      'loop',
      'exact_repetition',
    );

    it('are not added again', () => {
      const formats = fixes.flatMap(({ changes }) => changes.map(({ format }) => format));
      expect(formats).not.toContain('unified-diff');
      expect(formats).not.toContain('json-patch');
    });

    it('are to be checked in code', () => {
      const checked = fixes.filter(({ title }) => title.startsWith('Check in code'));
      expect(checked).toHaveLength(1);
      expect(checked[0]!.description).toContain(`already contain "${rule}"`);
    });
  });

  it('are not added if the trace shows neither', () => {
    const bare = REPEATED.split('\n').filter((line) => !/^(offers|system|user)/.test(line));
    const { fixes } = found(parseTrace(bare.join('\n')), 'loop', 'exact_repetition');
    expect(fixes.flatMap(({ changes }) => changes.map(({ format }) => format))).not.toContain('json-patch');
  });

  it('contain each kind once', () => {
    const titles = loop.fixes.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(changesOf(loop, 'unified-diff')).toHaveLength(1);
  });
});

describe('settings of an n8n node', () => {
  const trace = parseTrace('framework n8n\ngraph Webhook -> Fetch\nnode Fetch -> "x"');
  const draft = { title: 'Failure', agent: null, step: 0, steps: [0], fixes: [] };

  it.each<[NodeRemedy, object]>([
    ['retry', { retryOnFail: true, maxTries: 3, waitBetweenTries: 2000 }],
    ['error_output', { onError: 'continueErrorOutput' }],
    ['retry_and_error_output', { retryOnFail: true, onError: 'continueErrorOutput' }],
  ])('for %s', (nodeRemedy, settings) => {
    const fix = nodeSettingsFix(trace, { ...draft, nodeRemedy })!;
    expect(fix.title).toContain('Fetch');
    expect(patched(fix.changes[0]!)).toMatchObject({ name: 'Fetch', ...settings });
  });

  const withSettings = (failureSettings: FailureSettings): Trace => ({
    ...trace,
    steps: trace.steps.map((step) => ({ ...step, failureSettings })),
  });

  it.each<[string, FailureSettings, NodeRemedy, object | null]>([
    ['a retry that is off', { attempts: 1 }, 'retry', { retryOnFail: true, maxTries: 3, waitBetweenTries: 2000 }],
    ['a short retry', { attempts: 3, waitMs: 200 }, 'retry', { maxTries: 5, waitBetweenTries: 5000 }],
    ['a retry with all tries', { attempts: 5, waitMs: 200 }, 'retry', { waitBetweenTries: 5000 }],
    ['the longest retry', { attempts: 5, waitMs: 5000 }, 'retry', null],
    ['an error output', { onError: 'error_output' }, 'error_output', null],
    ['errors passed on', { onError: 'error_item' }, 'error_output', { onError: 'continueErrorOutput' }],
    [
      'a retry and no error output',
      { attempts: 5, waitMs: 5000, onError: 'stop' },
      'retry_and_error_output',
      { onError: 'continueErrorOutput' },
    ],
    ['a node that stops the workflow', { onError: 'stop' }, 'stop', null],
  ])('contain nothing that the trace shows as set: %s', (_, settings, nodeRemedy, changed) => {
    const fix = nodeSettingsFix(withSettings(settings), { ...draft, nodeRemedy });
    if (changed === null) expect(fix).toBeNull();
    else {
      const operations = JSON.parse(fix!.changes[0]!.after) as { path: string; value: unknown }[];
      expect(Object.fromEntries(operations.map(({ path, value }) => [path.slice(1), value]))).toEqual(changed);
      for (const member of Object.keys(changed)) expect(fix!.description).toContain(member);
    }
  });

  it('shows the present values of a retry', () => {
    const fix = nodeSettingsFix(withSettings({ attempts: 3, waitMs: 200 }), { ...draft, nodeRemedy: 'retry' })!;
    expect(fix.title).toBe('Let n8n retry the node Fetch more often, with longer waits');
    expect(fix.rationale).toBe('Retry On Fail is on: 3 tries, 200 ms apart. The node failed nevertheless.');
    expect(JSON.parse(fix.changes[0]!.before!)).toMatchObject({
      retryOnFail: true,
      maxTries: 3,
      waitBetweenTries: 200,
    });
  });

  it.each<[string, Trace, NodeRemedy | undefined]>([
    ['another framework', { ...trace, framework: 'langgraph' }, 'retry'],
    ['a failure that no setting helps', trace, undefined],
    ['a node that the graph does not declare', { ...trace, graph: null }, 'retry'],
  ])('are not patched for %s', (_name, of, nodeRemedy) => {
    expect(nodeSettingsFix(of, { ...draft, nodeRemedy })).toBeNull();
    expect(patchedFixes(of, { ...draft, nodeRemedy })).toEqual([]);
  });

  it.each([['workflow_design', 'no_error_handling', 'retry_and_error_output']])(
    '%s/%s is remedied by %s',
    (type, subtype, remedy) => {
      const { detector } = DETECTORS.find((each) => each.detector.type === type)!;
      expect((detector.subtypes as Record<string, SubtypeInfo>)[subtype]!.nodeRemedy).toBe(remedy);
    },
  );
});

describe('the step limit', () => {
  const cutOff = (text: string) => parseTrace(['framework langgraph', text].join('\n'));

  it('is not proposed for a run that was stopped at one', () => {
    const rounds = '  repeat 6\n    agent planner\n    node planner -> "again {n}"\n    node critic -> "no {n}"';
    const text = `framework openai-agents\nspan run !! MaxTurnsExceeded: Max turns (12) exceeded\n${rounds}`;
    const { fixes } = found(parseTrace(text), 'loop', 'recursion_limit');
    const [guard] = fixes.filter(({ fixType }) => fixType === 'loop_guard');
    expect(guard!.changes[0]!.after).toContain('equal result');
    expect(guard!.changes[0]!.after).not.toContain('max_turns');
  });

  it('is lowered if a cycle used it up', () => {
    const trace = cutOff(
      'span graph !! GraphRecursionError: Recursion limit of 24 reached without hitting a stop condition.\n  repeat 12\n    node planner -> "again {n}"\n    node critic -> "no {n}"',
    );
    const changes = changesOf(found(trace, 'loop', 'recursion_limit'), 'json-patch');
    expect(changes.map(patched)).toEqual([{ recursion_limit: 6 }]);
  });
});
