/** Only in the bundle of `npm run dev`: reloads the page when the server has a new version. */
const EVERY_MS = 500;

async function tagOfPage(): Promise<string | null> {
  try {
    const response = await fetch(location.pathname, {
      method: 'HEAD',
      headers: { Accept: 'text/html' },
      cache: 'no-store',
    });
    return response.ok ? response.headers.get('ETag') : null;
  } catch {
    return null;
  }
}

const first = await tagOfPage();
setInterval(async () => {
  const tag = await tagOfPage();
  if (tag !== null && tag !== first) location.reload();
}, EVERY_MS);
