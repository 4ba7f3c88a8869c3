import './style/all.css';
import { render } from 'preact';
import { setBuiltRoutes } from './address/built-routes.ts';
import { App } from './app.tsx';
import { listenToTenant } from './data/live.ts';
import { refreshLive } from './data/live-refresh.ts';
import { listenToKeys } from './shell/shortcuts.ts';
import { VIEWS } from './views/views.ts';

setBuiltRoutes(Object.keys(VIEWS));
listenToKeys();
listenToTenant();
refreshLive();
render(<App />, document.getElementById('app') as HTMLElement);
