import { describe, expect, it } from 'vitest';
import { isLogged } from '../../../features/audit/run-operation.ts';
import { operations } from '../../../features/operations.ts';
import { ACTIONS_WITH_WORDS, actionWords } from './audit-actions.ts';

describe('words for the actions of the audit log', () => {
  it.each([
    ['healing.approve', 'Approved a plan'],
    ['retention.set', 'Changed the retention'],
    ['flowplatform.register-instance', 'Added an n8n instance'],
  ])('%s: %s', (operationId, words) => expect(actionWords(operationId)).toBe(words));

  it.each(['healing.unheard-of', 'healing', 'toString', ''])('has none for the unknown operation "%s"', (operationId) =>
    expect(actionWords(operationId)).toBeUndefined(),
  );

  it('exist for every logged operation, and for no other', () => {
    // The job that finds an interrupted execution writes its entry without an operation.
    const logged = [...operations.filter(isLogged).map(({ id }) => id), 'healing.interrupted'];
    expect([...ACTIONS_WITH_WORDS].sort()).toEqual(logged.sort());
  });

  it('differ between operations', () => {
    const words = ACTIONS_WITH_WORDS.map(actionWords);
    expect(new Set(words).size).toBe(words.length);
  });
});
