import './style/all.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { listenToTenant } from './data/live.ts';
import { refreshOnLiveEvents } from './data/live-refresh.ts';
import { listenToKeys } from './shell/shortcuts.ts';

listenToKeys();
listenToTenant();
refreshOnLiveEvents();
render(<App />, document.getElementById('app') as HTMLElement);
