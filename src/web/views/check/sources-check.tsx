import { useSignal } from '@preact/signals';
import type { SecurityCheckHallucinationOutput } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { server } from '../../data/server.ts';
import { count } from '../../parts/amounts.ts';
import { Prose } from '../../parts/prose.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import style from './check.module.css';
import { CheckForm, FillExample, TextArea } from './check-form.tsx';
import { useCheck } from './use-check.ts';

const EXAMPLE = {
  output: 'The ferry leaves at 8 on weekdays. A ticket costs 40 euros.',
  sources: 'The ferry to the island leaves the pier at 8 on weekdays. A ticket costs 25 euros.',
};
const MAX_SENTENCES = 100;
const MAX_SENTENCE_LENGTH = 1_000;

/** Checks which sentences of an answer are not supported by its sources. */
export function SourcesCheck() {
  const output = useSignal('');
  const sources = useSignal('');
  const check = useCheck((signal) =>
    server.security.checkHallucination({ body: { output: output.value, sources: [sources.value] } }, { signal }),
  );
  function fillExample() {
    output.value = EXAMPLE.output;
    sources.value = EXAMPLE.sources;
  }
  return (
    <>
      <p class={style.note}>
        Paste an answer and the texts that it is based on. The check compares words and numbers; it runs on this server
        and stores nothing.
      </p>
      <CheckForm check={check} isEmpty={output.value === '' || sources.value === ''}>
        <TextArea label="Answer" text={output} rows={5} />
        <TextArea label="Sources" text={sources} rows={8} />
      </CheckForm>
      {check.result.value ? (
        <Result result={check.result.value} />
      ) : (
        output.value === '' && sources.value === '' && <FillExample fill={fillExample} />
      )}
    </>
  );
}

function Result({ result }: { result: SecurityCheckHallucinationOutput }) {
  const { is_hallucination, explanation, sentences, grounding_score } = result;
  return (
    <section class={style.result} aria-label="Result" aria-live="polite">
      <h2 class={style.verdict}>
        {grounding_score === null
          ? 'The texts cannot be compared'
          : is_hallucination
            ? 'The sources do not support all of it'
            : 'The sources support the answer'}
      </h2>
      <p dir="auto">
        <Prose text={explanation} />
      </p>
      <p class={style.note}>
        This does not say what is reported in a run: there, the detectors{' '}
        <Link to={addressOf('detectors', { detector: 'hallucination' })}>Hallucination</Link> and{' '}
        <Link to={addressOf('detectors', { detector: 'grounding' })}>Answer without source</Link> choose the sources
        from all texts of the run.
      </p>
      <ol class={style.sentences}>
        {sentences.slice(0, MAX_SENTENCES).map(({ text, supported, missing }, index) => (
          <li key={index}>
            <span class={supported ? style.supported : style.unsupported}>
              {supported ? '✓ supported' : '✕ not supported'}
            </span>
            <span dir="auto">{visibleText(text.slice(0, MAX_SENTENCE_LENGTH))}</span>
            {!supported && missing.length > 0 && (
              <span class={style.note} dir="auto">
                Not in the sources: {visibleText(missing.join(', ').slice(0, MAX_SENTENCE_LENGTH))}
              </span>
            )}
          </li>
        ))}
      </ol>
      {sentences.length > MAX_SENTENCES && (
        <p class={style.note}>
          The first {MAX_SENTENCES} of {count(sentences.length)} sentences.
        </p>
      )}
    </section>
  );
}
