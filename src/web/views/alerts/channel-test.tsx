import { useSignal } from '@preact/signals';
import type { AlertsTestOutput } from '../../../client/misstep-client.generated.ts';
import { server } from '../../data/server.ts';
import { Button } from '../../parts/button.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { runAction } from '../../parts/run-action.ts';
import { receiverText } from './alert-labels.ts';
import style from './alerts-view.module.css';

interface ChannelTestProps {
  tenant: string;
  isAnyOn: boolean;
  onTested(): void;
}

/** Sends a test message to every enabled channel, and shows the result of each delivery. */
export function ChannelTest({ tenant, isAnyOn, onTested }: ChannelTestProps) {
  const results = useSignal<AlertsTestOutput['results'] | null>(null);
  const isBusy = useSignal(false);

  async function test() {
    isBusy.value = true;
    results.value = null;
    const response = await runAction('The test could not be sent', () => server.alerts.test({ tenant_id: tenant }));
    results.value = response?.results ?? null;
    isBusy.value = false;
    onTested();
  }

  return (
    <div class={style.test}>
      <Button onClick={test} disabled={!isAnyOn || isBusy.value}>
        Send a test to each channel that is on
      </Button>
      <output class={style.results} aria-label="Result of the test">
        {isBusy.value && 'Sending…'}
        {!isAnyOn && 'Switch a channel on to test it.'}
        {results.value?.map(({ channel, target, delivered, problem }) => (
          <p key={`${channel} ${target}`} class={delivered ? style.delivered : style.refused}>
            <PlainText
              text={`${receiverText(channel, target)}: ${delivered ? 'delivered' : `not delivered. ${problem ?? ''}`}`}
            />
          </p>
        ))}
      </output>
    </div>
  );
}
