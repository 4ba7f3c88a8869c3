import { useSignal } from '@preact/signals';
import { addressOf, navigate } from '../../address/router.ts';
import { server } from '../../data/server.ts';
import { set } from '../../data/set-signal.ts';
import { Button } from '../../parts/button.tsx';
import form from '../../parts/form.module.css';
import { runAction } from '../../parts/run-action.ts';
import { visibleText } from '../../parts/visible-text.ts';
import style from './imports-view.module.css';

/** The maximum length of a name on the server. */
const MAX_NAME = 200;

/** Uploads the chosen trace files. The server imports them in the background. */
export function UploadForm({ onUploaded }: { onUploaded(): void }) {
  const isBusy = useSignal(false);
  const chosen = useSignal<readonly File[]>([]);
  const isAlerting = useSignal(false);

  async function upload(files: readonly File[]) {
    isBusy.value = true;
    for (const file of files) {
      const input = { file_name: file.name.slice(0, MAX_NAME), alert: isAlerting.value, body: file };
      const name = visibleText(file.name);
      const job = await runAction(
        `${name} could not be uploaded`,
        () => server.importJobs.create(input),
        `${name} is uploaded.`,
      );
      if (job) navigate(addressOf('imports', { job: job.import_job_id }), { replace: true });
      onUploaded();
    }
    isBusy.value = false;
  }

  return (
    <form
      class={style.upload}
      aria-label="Upload"
      onSubmit={(event) => {
        event.preventDefault();
        const files = chosen.peek();
        event.currentTarget.reset();
        set(chosen, []);
        void upload(files);
      }}
    >
      <label class={style.files}>
        Files of traces (JSON, JSON lines or gzip, at most 100 MB each)
        <input
          type="file"
          multiple
          disabled={isBusy.value}
          onChange={({ currentTarget }) => set(chosen, [...(currentTarget.files ?? [])])}
        />
      </label>
      <p class={style.facts}>
        Accepted are OTLP JSON, exports of Misstep, Langfuse, LangSmith and Phoenix, executions of n8n, conversation
        logs, and sessions of coding agents. The format is recognised from the content.
      </p>
      <label class={form.choice}>
        <input
          type="checkbox"
          checked={isAlerting.value}
          onChange={({ currentTarget }) => set(isAlerting, currentTarget.checked)}
        />
        Send alerts about detections in these files
      </label>
      <Button type="submit" variant="primary" disabled={isBusy.value || chosen.value.length === 0}>
        {chosen.value.length > 1 ? `Import ${chosen.value.length} files` : 'Import'}
      </Button>
      <output>{isBusy.value ? 'Uploading…' : ''}</output>
    </form>
  );
}
