import { describe, expect, it } from 'vitest';
import { parseTrace } from '../_kit/notation.ts';
import { failureRisk, riskRow } from './failure-risk.ts';
import { failureSigns } from './failure-signs.ts';

const TROUBLED = `
user "Change my booking to Friday."
agent clerk
llm m -> "I will change it." calls modify_booking {"id":1,"day":"Fri"}
tool modify_booking {"id":1,"day":"Fri"} -> "Error: booking not found"
llm m -> "Let me try again." calls modify_booking {"id":2,"day":"Fri"}
tool modify_booking {"id":2,"day":"Fri"} -> "Error: payment does not add up"
llm m -> "Sorry, that failed. Shall I transfer you?" calls transfer_to_human {"why":"failed"}
tool transfer_to_human {"why":"failed"} -> "Transfer successful"`;

const CALM = `
user "When is my flight?"
agent clerk
llm m -> "I look it up." calls get_booking {"id":1}
tool get_booking {"id":1} -> {"day":"Friday"}
llm m -> "Your flight is on Friday."`;

describe('failureRisk', () => {
  it('is a probability, and higher where things went wrong', () => {
    const [troubled, calm] = [TROUBLED, CALM].map((text) => failureRisk(parseTrace(text)));
    expect(calm).toBeGreaterThan(0);
    expect(troubled).toBeLessThan(1);
    expect(troubled).toBeGreaterThan(calm!);
  });

  it('does not look at the task', () => {
    expect(failureRisk(parseTrace(`task "a secret plan of the user"\n${TROUBLED}`))).toBe(
      failureRisk(parseTrace(TROUBLED)),
    );
  });

  it('takes an empty run', () => expect(failureRisk(parseTrace('task "nothing"'))).toBeGreaterThanOrEqual(0));

  it.each([
    [CALM, 'tools'],
    ['llm m -> "hello"', 'talk'],
    [`repeat 6\n  tool bash {"command":"ls {n}"} -> "x"`, 'shell'],
    [`repeat 4\n  user "and now {n}?"\n  llm m -> "answer {n}"\ntool find {} -> "x"`, 'conversation'],
  ])('kind of run: %j', (text, kind) => expect(riskRow(parseTrace(text)).kind).toBe(kind));
});

describe('failureSigns', () => {
  it('says what speaks for a failure', () => {
    expect(failureSigns(parseTrace(TROUBLED))).toEqual([
      { name: 'failed_change', words: 'a tool that changes something failed', steps: [2, 4] },
      { name: 'handed_over_late', words: 'it was handed over after something had been changed', steps: [6] },
    ]);
  });

  it('is silent on a calm run', () => expect(failureSigns(parseTrace(CALM))).toEqual([]));
});
