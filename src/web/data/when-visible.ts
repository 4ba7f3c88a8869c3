/** Runs once, as soon as the tab is in front. @returns cancels it */
export function whenVisible(run: () => void): () => void {
  if (document.visibilityState === 'visible') {
    run();
    return () => {};
  }
  const onChange = () => {
    if (document.visibilityState !== 'visible') return;
    cancel();
    run();
  };
  const cancel = () => document.removeEventListener('visibilitychange', onChange);
  document.addEventListener('visibilitychange', onChange);
  return cancel;
}
