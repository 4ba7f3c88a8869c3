/** Calls the function once, as soon as the tab is visible. @returns cancels the call */
export function whenVisible(callback: () => void): () => void {
  if (document.visibilityState === 'visible') {
    callback();
    return () => {};
  }
  const onChange = () => {
    if (document.visibilityState !== 'visible') return;
    cancel();
    callback();
  };
  const cancel = () => document.removeEventListener('visibilitychange', onChange);
  document.addEventListener('visibilitychange', onChange);
  return cancel;
}
