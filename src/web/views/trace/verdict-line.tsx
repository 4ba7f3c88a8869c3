import type { ComponentChildren } from 'preact';
import { percent } from '../../parts/amounts.ts';
import { Prose } from '../../parts/prose.tsx';
import { shortened } from '../../parts/shortened.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { nameOf } from '../../trace-model/columns.ts';
import { actorOf, type Verdict, type VerdictStep, verdictDetection, worstReported } from '../../trace-model/verdict.ts';
import { AppliedFixes } from './applied-fixes.tsx';
import { IssueLink } from './issue-link.tsx';
import type { TraceAddress } from './trace-address.ts';
import type { TraceState } from './trace-state.ts';
import styles from './verdict-line.module.css';

interface VerdictLineProps {
  state: TraceState;
  go(change: Partial<TraceAddress>): void;
}

/** The first sentence of the page: what went wrong and where. */
export function VerdictLine({ state, go }: VerdictLineProps) {
  const verdict = state.verdict.value;
  const worst = worstReported(state.list.value);
  const issueId = verdictDetection(verdict, state.list.value)?.issue_id ?? null;
  return (
    <section class={`${styles.verdict} ${styles[verdict.kind]} ${worst ? styles[worst] : ''}`} aria-label="Verdict">
      <VerdictText
        verdict={verdict}
        state={state}
        go={go}
        issue={issueId !== null && <IssueLink issueId={issueId} />}
      />
    </section>
  );
}

interface VerdictTextProps extends VerdictLineProps {
  verdict: Verdict;
  /** Link to the issue of the detection that the verdict is about. */
  issue: ComponentChildren;
}

function VerdictText({ verdict, state, go, issue }: VerdictTextProps) {
  const link = (step: VerdictStep, detectionId: string | null = null) => (
    <StepLink
      key={step.step}
      step={step}
      state={state}
      onClick={() => go({ spanId: state.spanOf(step.step), detectionId })}
    />
  );
  switch (verdict.kind) {
    case 'decided':
      return (
        <>
          <p class={styles.main}>
            Where it went wrong: {link(verdict.at, verdict.detectionId)}
            <Actor step={verdict.at} state={state} />
            {verdict.confidence !== null && ` (confidence ${percent(verdict.confidence)})`}
          </p>
          <p>
            <bdi>
              <Prose text={sentence(verdict.reason)} />
            </bdi>
            {verdict.shownAt !== null && (
              <>
                {' '}
                It is visible at {link({ step: verdict.shownAt.step, agent: null })}:{' '}
                <bdi>
                  <Prose text={sentence(verdict.shownAt.title)} />
                </bdi>
              </>
            )}
            {issue && <> {issue}</>}
            {verdict.others.length > 0 && (
              <>
                {issue ? ' · ' : ' '}Other leads: {list(verdict.others.map((step) => link(step)))}
              </>
            )}
          </p>
        </>
      );
    case 'leads':
      return (
        <>
          <p class={styles.main}>No single step stands out.</p>
          <p>
            Leads:{' '}
            {list(
              verdict.leads.map((lead) => (
                <span key={lead.step}>
                  {link(lead)}
                  {lead.reason !== '' && (
                    <bdi>
                      {' '}
                      (<Prose text={shortened(lead.reason, MAX_SENTENCE_LENGTH)} />)
                    </bdi>
                  )}
                </span>
              )),
            )}
            .
          </p>
        </>
      );
    case 'whole_run':
      return (
        <>
          <p class={styles.main}>
            The run as a whole:{' '}
            <bdi>
              <Prose text={sentence(verdict.title)} />
            </bdi>
            {verdict.confidence !== null && ` (confidence ${percent(verdict.confidence)})`}
          </p>
          {issue && <p>{issue}</p>}
        </>
      );
    case 'clean':
      return (
        <>
          <p class={styles.main}>
            {verdict.status === 'error'
              ? 'The run ended with an error. No detector found a failure in it.'
              : 'No failure was detected in this run.'}
          </p>
          <AppliedFixes state={state} />
        </>
      );
    case 'not_judged':
      return (
        <p class={styles.main}>
          {NOT_JUDGED[verdict.reason]}
          {verdict.detail !== null && `: ${visibleText(verdict.detail)}`}
        </p>
      );
  }
}

const NOT_JUDGED = {
  running: 'Not analyzed yet: the run is still running',
  pending: 'Not analyzed yet: spans have arrived since the last analysis',
  given_up: 'Not analyzed: the analysis failed',
} as const;

const MAX_NAME_LENGTH = 60;
const MAX_SENTENCE_LENGTH = 600;

function StepLink({ step, state, onClick }: { step: VerdictStep; state: TraceState; onClick(): void }) {
  const name = nameOf(state.columns.value, step.step);
  return (
    <button type="button" class={styles.step} onClick={onClick} title={visibleText(name.slice(0, 200))}>
      <span class={styles.number}>step {step.step}</span>
      {step.isNode && step.agent === name && ', node'}
      {name !== '' && <bdi class={styles.name}> {visibleText(shortened(name, MAX_NAME_LENGTH))}</bdi>}
    </button>
  );
}

function Actor({ step, state }: { step: VerdictStep; state: TraceState }) {
  const actor = actorOf(step, nameOf(state.columns.value, step.step));
  if (actor === null) return null;
  return (
    <>
      , <bdi>{visibleText(shortened(actor, MAX_NAME_LENGTH))}</bdi>
    </>
  );
}

function sentence(text: string): string {
  const shown = shortened(text.trim(), MAX_SENTENCE_LENGTH);
  const capital = shown.charAt(0).toUpperCase() + shown.slice(1);
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
}

function list(items: ComponentChildren[]): ComponentChildren[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [', ', item]));
}
