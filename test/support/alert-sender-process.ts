import { DEFAULT_CONFIG } from '../../src/app/config.ts';
import { openApp } from '../../src/app/open-app.ts';

/** Sends all due alerts in a separate process that tests can kill. Arguments: the data folder and the time. */
const [dataFolder, now] = process.argv.slice(2);
if (dataFolder !== undefined) {
  const alerts = { smtp: null, allowPrivateWebhooks: ['127.0.0.0/8'] };
  const app = await openApp({ ...DEFAULT_CONFIG, dataFolder, alerts }, { clock: { now: () => Number(now) } });
  while ((await app.services.alerts.runDue(100)) > 0);
  await app.close();
}
