import type { Detection } from '../../../client/misstep-client.generated.ts';
import { LongText } from '../../parts/long-text.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import style from './issue-detail.module.css';

type Quote = Detection['evidence'][number] & { quote: string };

const SHOWN = 3;
/** Limits the size of the page; the trace shows the others. */
const MAX_QUOTES = 20;

/** The quotes that show the failure. Those after the third are collapsed. */
export function IssueEvidence({ detection: { evidence, detection_id } }: { detection: Detection }) {
  const quotes = evidence.filter((item): item is Quote => item.quote !== null).slice(0, MAX_QUOTES);
  if (quotes.length === 0) return null;
  const more = quotes.slice(SHOWN);
  return (
    <section class={style.part}>
      <h3>Evidence</h3>
      <Quotes quotes={quotes.slice(0, SHOWN)} id={detection_id} />
      {more.length > 0 && (
        <details class={style.more}>
          <summary>{more.length} more</summary>
          <Quotes quotes={more} id={detection_id} />
        </details>
      )}
    </section>
  );
}

function Quotes({ quotes, id }: { quotes: readonly Quote[]; id: string }) {
  return (
    <ul class={style.evidence}>
      {quotes.map(({ quote, kind, path }, index) => (
        <li key={`${id}-${index}`}>
          <span class={style.note} dir="auto">
            {evidenceName(kind, path)}
          </span>
          <LongText text={quote} />
        </li>
      ))}
    </ul>
  );
}

function evidenceName(kind: string, path: string | null): string {
  const label = kind.replaceAll('_', ' ');
  return visibleText(path === null || path === kind ? label : `${label} · ${path}`);
}
