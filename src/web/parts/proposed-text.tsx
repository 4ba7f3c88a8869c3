import { LongText } from './long-text.tsx';
import { Prose } from './prose.tsx';
import { isProse } from './prose-parts.ts';

/** The text of a change: sentences with their code marked, or the exact lines. */
export function ProposedText({ text }: { text: string }) {
  if (!isProse(text)) return <LongText text={text} />;
  return (
    <p dir="auto">
      <Prose text={text} />
    </p>
  );
}
