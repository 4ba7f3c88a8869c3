import type { ImportError } from '../../../client/misstep-client.generated.ts';
import { PlainText } from '../../parts/plain-text.tsx';

/** `Line 2: the line is not JSON`. */
export function RejectedRecord({ error: { line, pointer, message } }: { error: ImportError }) {
  return (
    <li>
      {`Line ${line}: `}
      {pointer && <code>{pointer} </code>}
      <PlainText text={message} />
    </li>
  );
}
