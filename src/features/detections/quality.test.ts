import { describe, expect, it } from 'vitest';
import type { Detection } from '../../core/detection.ts';
import type { Severity } from '../../core/severity.ts';
import type { TraceStatus } from '../../core/trace.ts';
import { gradeOf, qualityScore } from './quality.ts';

const of = (...found: [Severity, number][]) =>
  found.map(([severity, confidence]) => ({ severity, confidence }) as Detection);

describe('qualityScore', () => {
  it.each<[string, TraceStatus, Detection[], number | null]>([
    ['no verdict while it runs', 'running', of(['critical', 1]), null],
    ['a clean run', 'ok', [], 100],
    ['a failed run', 'error', [], 85],
    ['a certain critical', 'ok', of(['critical', 1]), 60],
    ['a likely critical', 'ok', of(['critical', 0.5]), 80],
    ['a certain warning', 'ok', of(['warning', 1]), 80],
    ['a certain info', 'ok', of(['info', 1]), 95],
    ['observations take nothing', 'ok', of(['observation', 1], ['observation', 1]), 100],
    ['the sum of all, and of the failure', 'error', of(['critical', 0.5], ['warning', 0.5], ['info', 0.5]), 52.5],
    ['one decimal', 'ok', of(['info', 0.333]), 98.3],
    ['never below nothing', 'error', of(['critical', 1], ['critical', 1], ['critical', 1]), 0],
  ])('%s', (_name, status, detections, score) => {
    expect(qualityScore(status, detections)).toBe(score);
  });
});

describe('gradeOf', () => {
  it.each([
    [100, 'A'],
    [90, 'A'],
    [89.9, 'B'],
    [80, 'B'],
    [79.9, 'C'],
    [70, 'C'],
    [69.9, 'D'],
    [60, 'D'],
    [59.9, 'F'],
    [0, 'F'],
  ])('%d is %s', (score, grade) => {
    expect(gradeOf(score)).toBe(grade);
  });
});
